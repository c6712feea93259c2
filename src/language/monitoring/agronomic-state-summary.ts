import { withoutNulls } from '../../domain/items.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { areLevelsCrossed } from '../../domain/moisture/tension/tension-state.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type {
  AgronomicStateBody,
  SuspectTensionBody,
  TensionBody,
} from '../../schema/moisture/series.ts';
import { englishLabels } from '../en/labels.ts';
import { describeSuspectReadings } from '../moisture/suspect-readings.ts';
import { formatMoisture, formatNumber } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatAge, formatTime, formatTimeWithZone, type TimeContext } from '../time.ts';
import { statePhrases, tensionPhrases, thresholdPhrases } from './agronomic-state-phrases.ts';

export async function summarizeAgronomicState(
  state: AgronomicStateBody,
  context: SummaryContext,
): Promise<string> {
  const name = await moduleName(context.directory, state.moduleId);
  if (state.tension) {
    // Whether water explains a fall is for the advice to say.
    const standing = (state.tension.suspect ?? []).filter(
      ({ from_tensio }) => from_tensio === null,
    );
    return joinSentences([
      ...describeSuspectTension(standing, context),
      ...describeTension(name, state.tension, state.time, {
        ...context,
        isInDoubt: standing.length > 0,
      }),
    ]);
  }
  return joinSentences([
    ...describeSuspectReadings(state.doubts ?? [], context),
    describeState(state, name, context),
    ...describeThresholds(state),
  ]);
}

function describeState(
  { state, value_vwc: value, time }: AgronomicStateBody,
  name: string,
  context: SummaryContext,
): string {
  if (time === null || value === null) return statePhrases.noMoisture(name);

  const reading = statePhrases.reading(formatMoisture(value), formatTimeWithZone(time, context));
  if (state !== null) return statePhrases.state(name, state, reading);

  const { ageMs, isFresh } = readingAge(Date.parse(time), context.now);
  return isFresh
    ? statePhrases.noThresholds(name, reading)
    : statePhrases.staleData(name, formatAge(Math.floor(ageMs / MINUTE_MS)), reading);
}

function describeThresholds({
  time,
  fieldCapacity,
  wiltingPoint,
  stressPoint,
  basis,
}: AgronomicStateBody): string[] {
  const thresholds = [
    { kind: 'fieldCapacity', value: fieldCapacity, basis: basis.fieldCapacity } as const,
    { kind: 'wiltingPoint', value: wiltingPoint, basis: basis.wiltingPoint } as const,
  ];
  const known = thresholds.flatMap(({ kind, value, basis: source }) =>
    value === null || source === null
      ? []
      : [{ kind, value: formatMoisture(value), basis: source }],
  );

  const missing = thresholds.flatMap(({ kind, value }) => (value === null ? [kind] : []));
  const stress = stressPoint === null ? null : formatMoisture(stressPoint);
  return withoutNulls([
    known.length === 0 ? null : thresholdPhrases.thresholds(stress, known),
    missing.length === 0 && stressPoint === null ? thresholdPhrases.crossedThresholds : null,
    missing.length === 0 || time === null ? null : thresholdPhrases.missingThresholds(missing),
  ]);
}

export const describeSuspectTension = (
  suspect: readonly SuspectTensionBody[],
  context: TimeContext,
): string[] =>
  suspect.map(({ reason, depth, value_tensio: value, from_tensio: from, since }) =>
    tensionPhrases.suspect[reason](tensionPhrases.sensorAt(depth === null ? null : `${depth}`), {
      since: formatTime(since, context),
      value: formatNumber(value),
      from: from === null ? '' : formatNumber(from),
    }),
  );

/** The reading, how it compares with the levels, and the usual levels if no dry level is drawn. */
export function describeTension(
  name: string,
  tension: TensionBody,
  time: string | null,
  context: SummaryContext & { readonly isInDoubt: boolean },
): string[] {
  const suggestion = describeTypicalTension(tension);
  if (tension.value === null || time === null)
    return [tensionPhrases.noReading(name), ...suggestion];

  const reading = tensionPhrases.reading(
    formatNumber(tension.value),
    formatTimeWithZone(time, context),
  );
  const { ageMs, isFresh } = readingAge(Date.parse(time), context.now);
  if (!isFresh)
    return [tensionPhrases.staleData(name, formatAge(Math.floor(ageMs / MINUTE_MS)), reading)];
  if (context.isInDoubt) return [tensionPhrases.inDoubt(name, reading)];

  return [
    tensionPhrases[compareWithLevels(tension, tension.value)]({
      name,
      reading,
      ...formatLevels(tension),
    }),
    ...suggestion,
  ];
}

const formatLevels = ({ wetLevel, dryLevel }: TensionBody) => ({
  wet: wetLevel === null ? '' : formatNumber(wetLevel),
  dry: dryLevel === null ? '' : formatNumber(dryLevel),
});

function compareWithLevels(tension: TensionBody, value: number) {
  const { wetLevel, dryLevel } = tension;
  if (areLevelsCrossed(tension)) return 'crossedLevels';
  if (dryLevel !== null && value > dryLevel) return 'tooDry';
  if (wetLevel !== null && value < wetLevel) return 'tooWet';
  if (wetLevel !== null && dryLevel !== null) return 'comfort';
  if (dryLevel !== null) return 'notDry';
  return wetLevel === null ? 'noLevels' : 'notWet';
}

export function describeTypicalTension({ typical, dryLevel }: TensionBody): string[] {
  if (dryLevel !== null) return [];
  if (typical === undefined) return [tensionPhrases.drawLevels, tensionPhrases.unknownSoil];
  const { usdaClass, wetLevel: wet, dryFrom: from, dryTo: to } = typical;
  return [
    tensionPhrases.typical(englishLabels.texture(usdaClass), { wet, from, to }),
    tensionPhrases.drawLevels,
  ];
}
