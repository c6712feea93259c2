import { readingAge } from '../domain/coverage.ts';
import type { Lang } from '../domain/lang.ts';
import type { SummaryContext } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { formatInstant } from '../operation/say-time.ts';
import type { AgronomicStateBody } from '../schema/series.ts';
import { formatNumber } from './say-figures.ts';
import { formatAge } from './say-series.ts';
import type { StatePhrases } from './state-words.ts';
import { englishState } from './state-words-en.ts';
import { frenchState } from './state-words-fr.ts';

const STATE_PHRASES: Record<Lang, StatePhrases> = { en: englishState, fr: frenchState };

export const statePhrases = ({ lang }: Pick<SummaryContext, 'lang'>): StatePhrases => STATE_PHRASES[lang];

/** How a probe stands, and by what: the figure, its time, and both thresholds with what they rest on. */
export async function summarizeAgronomicState(state: AgronomicStateBody, context: SummaryContext): Promise<string> {
  const name = await moduleName(context.directory, state.moduleId);
  return [describeState(state, name, context), ...describeThresholds(state, context), ...context.notes].join(' ');
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
