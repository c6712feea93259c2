import { readingAge } from '../../domain/moisture/coverage.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { AgronomicStateBody } from '../../schema/series.ts';
import { languageOf } from '../index.ts';
import { describeSensorDoubts } from '../moisture/sensor-doubts.ts';
import { formatAge } from '../moisture/series-summary.ts';
import { formatMoisture } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatTimeWithZone } from '../time.ts';
import { describeTension } from './tension-summary.ts';

export async function summarizeAgronomicState(state: AgronomicStateBody, context: SummaryContext): Promise<string> {
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
  const reading = phrases.reading(formatMoisture(value, context.lang), formatTimeWithZone(time, context));
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
    value === null || source === null ? [] : [{ kind, value: formatMoisture(value, context.lang), basis: source }],
  );
  const missing = thresholds.flatMap(({ kind, value }) => (value === null ? [kind] : []));
  const stress = stressPoint === null ? null : formatMoisture(stressPoint, context.lang);
  return [
    ...(known.length === 0 ? [] : [phrases.thresholds(stress, known)]),
    ...(missing.length === 0 && stressPoint === null ? [phrases.crossedThresholds] : []),
    ...(missing.length === 0 || time === null ? [] : [phrases.missingThresholds(missing)]),
  ];
}
