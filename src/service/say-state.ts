import { ageOf } from '../domain/coverage.ts';
import type { Lang } from '../domain/lang.ts';
import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { AgronomicStateBody } from '../schema/series.ts';
import { sayNumber } from './say-figures.ts';
import { sayAge } from './say-series.ts';
import type { StateWords } from './state-words.ts';
import { englishStates } from './state-words-en.ts';
import { frenchStates } from './state-words-fr.ts';

const WORDS: Record<Lang, StateWords> = { en: englishStates, fr: frenchStates };

export const stateWords = ({ lang }: Pick<Saying, 'lang'>): StateWords => WORDS[lang];

/** How a probe stands, and by what: the figure, its time, and both thresholds with what they rest on. */
export async function sayState(state: AgronomicStateBody, call: Saying): Promise<string> {
  const name = await moduleName(call.directory, state.moduleId);
  return [sayStanding(state, name, call), ...sayThresholds(state, call), ...call.remarks].join(' ');
}

function sayStanding({ state, value_vwc: value, time }: AgronomicStateBody, name: string, call: Saying): string {
  const words = stateWords(call);
  if (time === null || value === null) return words.noMoisture(name);
  const at = Date.parse(time);
  const { ageMs, isFresh } = ageOf(at, call.now);
  const when = `${sayInstant(at, call.zone, call.now, call.lang)} (${call.zone})`;
  const read = words.read(sayNumber(value, call.lang), when);
  if (state !== null) return words.stands(name, state, read);
  return isFresh ? words.noThresholds(name, read) : words.old(name, sayAge(Math.floor(ageMs / 60_000), call), read);
}

function sayThresholds({ time, fieldCapacity, stressPoint, basis }: AgronomicStateBody, call: Saying): string[] {
  const words = stateWords(call);
  const all = [
    { kind: 'stressPoint', value: stressPoint, restsOn: basis.stressPoint } as const,
    { kind: 'fieldCapacity', value: fieldCapacity, restsOn: basis.fieldCapacity } as const,
  ];
  const known = all.flatMap(({ kind, value, restsOn }) =>
    value === null || restsOn === null ? [] : [{ kind, value: sayNumber(value, call.lang), restsOn }],
  );
  const missing = all.flatMap(({ kind, value }) => (value === null ? [kind] : []));
  const areCrossed = stressPoint !== null && fieldCapacity !== null && stressPoint >= fieldCapacity;
  return [
    ...(known.length === 0 ? [] : [words.thresholds(known)]),
    ...(areCrossed ? [words.crossed] : []),
    ...(missing.length === 0 || time === null ? [] : [words.undeclared(missing)]),
  ];
}
