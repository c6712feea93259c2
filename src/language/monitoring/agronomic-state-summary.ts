import { areLevelsCrossed } from '../../domain/moisture/agronomic-state.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { AgronomicStateBody, TensionBody } from '../../schema/moisture/series.ts';
import { languageOf } from '../index.ts';
import { describeSensorDoubts, formatAge } from '../moisture/moisture-summary.ts';
import { formatMoisture, formatNumber } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatTimeWithZone } from '../time.ts';

export async function summarizeAgronomicState(
  state: AgronomicStateBody,
  context: SummaryContext,
): Promise<string> {
  const name = await moduleName(context.directory, state.moduleId);
  if (state.tension) return describeTension(name, state.tension, state.time, context).join(' ');
  return [
    ...describeSensorDoubts(state.doubts ?? [], context),
    describeState(state, name, context),
    ...describeThresholds(state, context),
  ].join(' ');
}

function describeState(
  { state, value_vwc: value, time }: AgronomicStateBody,
  name: string,
  context: SummaryContext,
): string {
  const phrases = languageOf(context.lang).state;
  if (time === null || value === null) return phrases.noMoisture(name);

  const reading = phrases.reading(
    formatMoisture(value, context.lang),
    formatTimeWithZone(time, context),
  );
  if (state !== null) return phrases.state(name, state, reading);

  const { ageMs, isFresh } = readingAge(Date.parse(time), context.now);
  return isFresh
    ? phrases.noThresholds(name, reading)
    : phrases.staleData(name, formatAge(Math.floor(ageMs / MINUTE_MS), context), reading);
}

function describeThresholds(
  { time, fieldCapacity, wiltingPoint, stressPoint, basis }: AgronomicStateBody,
  context: SummaryContext,
): string[] {
  const phrases = languageOf(context.lang).thresholds;
  const thresholds = [
    { kind: 'fieldCapacity', value: fieldCapacity, basis: basis.fieldCapacity } as const,
    { kind: 'wiltingPoint', value: wiltingPoint, basis: basis.wiltingPoint } as const,
  ];
  const known = thresholds.flatMap(({ kind, value, basis: source }) =>
    value === null || source === null
      ? []
      : [{ kind, value: formatMoisture(value, context.lang), basis: source }],
  );

  const missing = thresholds.flatMap(({ kind, value }) => (value === null ? [kind] : []));
  const stress = stressPoint === null ? null : formatMoisture(stressPoint, context.lang);
  return [
    ...(known.length === 0 ? [] : [phrases.thresholds(stress, known)]),
    ...(missing.length === 0 && stressPoint === null ? [phrases.crossedThresholds] : []),
    ...(missing.length === 0 || time === null ? [] : [phrases.missingThresholds(missing)]),
  ];
}

/** The reading, how it compares with the levels, and the usual levels if no dry level is drawn. */
export function describeTension(
  name: string,
  tension: TensionBody,
  time: string | null,
  context: SummaryContext,
): string[] {
  const phrases = languageOf(context.lang).tension;
  const suggestion = describeTypicalTension(tension, context);
  if (tension.value === null || time === null) return [phrases.noReading(name), ...suggestion];

  const reading = phrases.reading(
    formatNumber(tension.value, context.lang),
    formatTimeWithZone(time, context),
  );
  const { ageMs, isFresh } = readingAge(Date.parse(time), context.now);
  if (!isFresh)
    return [phrases.staleData(name, formatAge(Math.floor(ageMs / MINUTE_MS), context), reading)];

  return [
    phrases[compareWithLevels(tension, tension.value)]({
      name,
      reading,
      ...formatLevels(tension, context),
    }),
    ...suggestion,
  ];
}

const formatLevels = (
  { wetLevel, dryLevel }: TensionBody,
  { lang }: Pick<SummaryContext, 'lang'>,
) => ({
  wet: wetLevel === null ? '' : formatNumber(wetLevel, lang),
  dry: dryLevel === null ? '' : formatNumber(dryLevel, lang),
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

export function describeTypicalTension(
  { typical, dryLevel }: TensionBody,
  { lang }: Pick<SummaryContext, 'lang'>,
): string[] {
  if (dryLevel !== null) return [];
  const { soil, tension } = languageOf(lang);
  if (typical === undefined) return [tension.drawLevels, tension.unknownSoil];
  const { usdaClass, wetLevel: wet, dryFrom: from, dryTo: to } = typical;
  return [tension.typical(soil.texture(usdaClass), { wet, from, to }), tension.drawLevels];
}
