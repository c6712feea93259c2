import type { AlertKind } from '../../domain/alerts/alert-kinds.ts';
import { call, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';

interface AlertKindWords {
  /** The value that is watched, within a sentence. */
  readonly noun: Text;
  /** For a module without a sensor for it. */
  readonly noSensor: Text;
}

export const ALERT_KIND_WORDS: Readonly<Record<AlertKind, AlertKindWords>> = {
  moisture: {
    noun: say`moisture`,
    noSensor: say`It has no soil moisture sensor, so it never fires.${call('list_modules', 'category: SOIL_PROBE')}`,
  },
};
