import { roundTo } from '../domain/decimal.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import { say } from '../domain/text/say.ts';
import type { Text } from '../domain/text/text.ts';
import type { Advisory } from '../schema/advisory.ts';
import { adviceSentences } from './advice/advice-advisories.ts';
import type { AdvisoryKind, AdvisoryOf, AdvisorySentences } from './advisory-sentences.ts';
import { alertSentences } from './alerts/alert-advisories.ts';
import { argumentSentences } from './answer-remarks.ts';
import { describeBackupNotice } from './backups/backup-notice.ts';
import {
  describeBegunWaterings,
  describeChangeSince,
  describeUndone,
  describeWithheldRows,
} from './changes/change-summary.ts';
import { describeKeptSensors, describeSimilarName } from './company/farm-entry-summary.ts';
import { deviceSentences } from './ingest/device-advisories.ts';
import { scheduleSentences } from './irrigation/schedule-advisories.ts';
import { setupSentences } from './irrigation/setup-advisories.ts';
import { wateringSentences } from './irrigation/watering-advisories.ts';
import { moistureSentences } from './moisture/moisture-advisories.ts';
import {
  CROSSED_THRESHOLDS,
  describeAllowedDepletion,
  NO_SOIL_MOISTURE,
} from './monitoring/agronomic-state-summary.ts';
import { soilSentences } from './soil/soil-summary.ts';
import type { WordingContext } from './summary-context.ts';
import { weatherSentences } from './weather/weather-advisories.ts';
import { cropName } from './words/farming-terms.ts';

const SENTENCES: AdvisorySentences = {
  ...adviceSentences,
  ...alertSentences,
  ...argumentSentences,
  ...wateringSentences,
  ...setupSentences,
  ...scheduleSentences,

  undone_since: describeUndone,
  changed_since: describeChangeSince,
  sensors_with_readings_kept: describeKeptSensors,
  ...deviceSentences,
  backup_notice: describeBackupNotice,
  rows_withheld: describeWithheldRows,
  begun_waterings_kept: describeBegunWaterings,
  similar_name: ({ tool, existing }) => describeSimilarName(tool, existing),

  no_moisture_for_state: (_) => NO_SOIL_MOISTURE,
  no_moisture_for_review: (_) =>
    say`It measures no soil moisture, so the effect of a watering cannot be seen.`,
  review_by_tension: (_) =>
    say`By its tension: where a rise is named, it is a fall of tension by a fifth or more.`,

  allowed_depletion: ({ share, basis, crop }) =>
    describeAllowedDepletion(
      roundTo(100 * share, 1),
      basis,
      crop === null ? null : cropName(crop, DEFAULT_LANG),
    ),

  ...weatherSentences,
  ...soilSentences,

  ...moistureSentences,
  thresholds_crossed: (_) => CROSSED_THRESHOLDS,
};

const describeAdvisory = <K extends AdvisoryKind>(
  advisory: AdvisoryOf<K>,
  context: WordingContext,
): Text => SENTENCES[advisory.kind](advisory, context);

const METHOD_KINDS: ReadonlySet<AdvisoryKind> = new Set<AdvisoryKind>([
  'drying_rate',
  'demand_ratio',
  'deficit_depth',
  'reference_evapotranspiration',
]);

/** True of how a figure was computed, which is said on request; a doubt about it is always said. */
export const explainsMethod = ({ kind }: Advisory): boolean => METHOD_KINDS.has(kind);

export const describeAdvisories = (
  advisories: readonly Advisory[],
  context: WordingContext,
): Text[] => advisories.map((advisory) => describeAdvisory(advisory, context));
