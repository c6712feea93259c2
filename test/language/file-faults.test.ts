import { describe, expect, it } from 'vitest';
import type { FaultText } from '../../src/language/en/file-faults.ts';
import type { Language } from '../../src/language/en/index.ts';
import { ALL_LANGUAGES, languageOf } from '../../src/language/index.ts';

type FaultName = keyof Language['fileFaults'];

/** Facts that each fault names, so that a language that leaves one out is found. */
const FACTS = ['"Sol A"', '--map', '"Sol B"', 77];
const OTHER_FACTS: Partial<Record<FaultName, readonly unknown[]>> = {
  swappedDates: [{ line: 4, text: '2025-03-04' }, { line: 21, text: '25/03/2025' }, '--dates'],
  skippedHour: [{ line: 4, text: '02:30' }, 'Europe/Paris', ['+01:00', '+02:00'], '--timezone'],
};
const NAMES = Object.keys(languageOf('en').fileFaults) as FaultName[];

const factsOf = (name: FaultName): readonly unknown[] => OTHER_FACTS[name] ?? FACTS;

const textOf = ({ fileFaults }: Language, name: FaultName): FaultText => {
  const describeFault = fileFaults[name] as (...facts: unknown[]) => FaultText;
  return describeFault(...factsOf(name));
};

/** The words of a fact, however deep they stand. */
const wordsOf = (fact: unknown): string[] =>
  typeof fact === 'object'
    ? Object.values(fact as object).flatMap(wordsOf)
    : [String(fact).replaceAll('"', '')];

const factsIn = ({ message, hint }: FaultText, name: FaultName): string[] =>
  factsOf(name)
    .flatMap(wordsOf)
    .filter((word) => `${message} ${hint}`.includes(word));

describe.each(NAMES)('the fault %s of a file', (name) => {
  it('is said in each language, with the same facts', () => {
    const english = textOf(languageOf('en'), name);
    for (const language of ALL_LANGUAGES) {
      const text = textOf(language, name);
      expect(factsIn(text, name)).toEqual(factsIn(english, name));
      if (language === languageOf('en')) continue;
      expect(text.message).not.toBe(english.message);
      expect(text.hint).not.toBe(english.hint);
    }
  });
});
