import { roundTo } from '../domain/decimal.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import { say } from '../domain/text/say.ts';
import type { Said } from '../domain/text/text.ts';
import { nameInSentence } from '../domain/text.ts';
import type { Advisory } from '../schema/advisory.ts';
import { adviceSentences } from './advice/advice-advisories.ts';
import type { AdvisoryKind, AdvisoryOf, AdvisorySentences } from './advisory-sentences.ts';
import { alertSentences } from './alerts/alert-advisories.ts';
import { argumentSentences } from './answer-remarks.ts';
import {
  describeBegunWaterings,
  describeChangeSince,
  describeUndone,
  describeWithheldRows,
} from './changes/change-summary.ts';
import { describeKeptSensors, describeSimilarName } from './company/place-summary.ts';
import { englishFormat } from './en/grammar.ts';
import { scheduleSentences } from './irrigation/schedule-advisories.ts';
import { setupSentences } from './irrigation/setup-advisories.ts';
import { wateringSentences } from './irrigation/watering-advisories.ts';
import { moistureSentences } from './moisture/moisture-advisories.ts';
import {
  CROSSED_THRESHOLDS,
  describeAllowedDepletion,
  NO_SOIL_MOISTURE,
} from './monitoring/agronomic-state-summary.ts';
import { devicePhrases } from './monitoring/device-phrases.ts';
import { formatNumber, formatPrecise } from './number-format.ts';
import { soilSentences } from './soil/soil-summary.ts';
import type { WordingContext } from './summary-context.ts';
import { formatInstant, formatTimeSpan } from './time.ts';
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
  device_readings_left_out: devicePhrases.leftOut,
  device_readings_taken_back: ({ device, module, from, to, ...taken }, context) =>
    devicePhrases.readingsTakenBack(
      nameInSentence(device),
      nameInSentence(module),
      formatTimeSpan(from, to, context),
      taken,
    ),
  device_readings_stay: ({ module, from, to }, context) =>
    devicePhrases.readingsStay(nameInSentence(module), formatTimeSpan(from, to, context)),
  device_assigned: ({ device, depths, earlierReadings }) =>
    devicePhrases.assigned(
      nameInSentence(device),
      depths.length === 0
        ? null
        : englishFormat.list(depths.map((depth) => englishFormat.number(depth))),
      earlierReadings,
    ),
  device_status: ({ device, lastSeenAt, batteryPercent, batteryV, rssi, snr }, context) => {
    const parts: string[] = [];

    if (batteryPercent !== null)
      parts.push(devicePhrases.battery(`${formatNumber(batteryPercent)} %`));
    else if (batteryV !== null) parts.push(devicePhrases.battery(`${formatPrecise(batteryV)} V`));

    if (rssi !== null)
      parts.push(devicePhrases.signal(formatNumber(rssi), snr === null ? null : formatNumber(snr)));

    return devicePhrases.status(nameInSentence(device), formatInstant(lastSeenAt, context), parts);
  },
  unassigned_devices: ({ devices, others }) =>
    devicePhrases.unassigned(
      devices.map(({ device, newest }) =>
        [
          nameInSentence(device),
          ...newest.map(({ type, value }) => devicePhrases.reading(type, formatNumber(value))),
        ].join(', '),
      ),
      others,
    ),
  unread_messages: ({ sender, reason, others }) =>
    devicePhrases.unread(nameInSentence(sender), reason, others),
  doubtful_temperatures: ({ sensors, others }) =>
    devicePhrases.doubtfulTemperatures(
      sensors.map(({ probe, depth, celsius }) =>
        devicePhrases.temperatureAt(
          nameInSentence(probe),
          depth === null ? null : formatNumber(depth),
          formatNumber(celsius),
        ),
      ),
      others,
    ),
  rows_withheld: describeWithheldRows,
  begun_waterings_kept: describeBegunWaterings,
  similar_name: ({ tool, existing }) => describeSimilarName(tool, existing),

  last_reading: ({ at }, context) =>
    devicePhrases.lastReading(at === null ? null : formatInstant(at, context)),
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
): Said => SENTENCES[advisory.kind](advisory, context);

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
): Said[] => advisories.map((advisory) => describeAdvisory(advisory, context));
