import type { AlertKind } from '../../domain/alerts/alert-kinds.ts';
import { nextCall } from '../next-calls.ts';

interface AlertKindWords {
  /** The value that is watched, within a sentence. */
  readonly noun: string;
  /** Of a module without a sensor for it. */
  readonly noSensor: string;
}

export const ALERT_KIND_WORDS: Readonly<Record<AlertKind, AlertKindWords>> = {
  moisture: {
    noun: 'moisture',
    noSensor: `It has no soil moisture sensor, so it never fires.${nextCall('list_modules', 'category: SOIL_PROBE')}`,
  },
};
