import { readingAge } from '../../domain/moisture/coverage.ts';
import type { AgronomicStateBody } from '../../schema/series.ts';
import { languageOf } from '../index.ts';
import { formatAge } from '../moisture/series-summary.ts';
import { formatNumber } from '../number-format.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleName } from '../summary-context.ts';
import { formatInstant } from '../time.ts';
import type { StatePhrases } from './monitoring-phrases.ts';

export const statePhrases = ({ lang }: Pick<SummaryContext, 'lang'>): StatePhrases => languageOf(lang).state;

/** How a probe stands, and by what: the figure, its time, and both thresholds with what they rest on. */
export async function summarizeAgronomicState(state: AgronomicStateBody, context: SummaryContext): Promise<string> {
  const name = await moduleName(context.directory, state.moduleId);
  return [describeState(state, name, context), ...describeThresholds(state, context)].join(' ');
}

function describeState(
  { state, value_vwc: value, time }: AgronomicStateBody,
  name: string,
  context: SummaryContext,
): string {
  const words = statePhrases(context);
  if (time === null || value === null) return words.noMoisture(name);
  const at = Date.parse(time);
  const { ageMs, isFresh } = readingAge(at, context.now);
  const when = `${formatInstant(at, context.zone, context.now, context.lang)} (${context.zone})`;
  const reading = words.reading(formatNumber(value, context.lang), when);
  if (state !== null) return words.state(name, state, reading);
  return isFresh
    ? words.noThresholds(name, reading)
    : words.staleData(name, formatAge(Math.floor(ageMs / 60_000), context), reading);
}

function describeThresholds(
  { time, fieldCapacity, stressPoint, basis }: AgronomicStateBody,
  context: SummaryContext,
): string[] {
  const words = statePhrases(context);
  const thresholds = [
    { kind: 'stressPoint', value: stressPoint, basis: basis.stressPoint } as const,
    { kind: 'fieldCapacity', value: fieldCapacity, basis: basis.fieldCapacity } as const,
  ];
  const known = thresholds.flatMap(({ kind, value, basis: restsOn }) =>
    value === null || restsOn === null ? [] : [{ kind, value: formatNumber(value, context.lang), basis: restsOn }],
  );
  const missing = thresholds.flatMap(({ kind, value }) => (value === null ? [kind] : []));
  const areCrossed = stressPoint !== null && fieldCapacity !== null && stressPoint >= fieldCapacity;
  return [
    ...(known.length === 0 ? [] : [words.thresholds(known)]),
    ...(areCrossed ? [words.crossedThresholds] : []),
    ...(missing.length === 0 || time === null ? [] : [words.missingThresholds(missing)]),
  ];
}
