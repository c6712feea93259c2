import { describe, expect, it } from 'vitest';
import type { FaultText } from '../../src/language/en/file-faults.ts';
import type { Language } from '../../src/language/en/index.ts';
import { ALL_LANGUAGES, languageOf } from '../../src/language/index.ts';

type FaultName = keyof Language['fileFaults'];

/** Facts that each fault names, so that a language that leaves one out is found. */
const FACTS = ['"Sol A"', '--map', '"Sol B"', 77];
const NAMES = Object.keys(languageOf('en').fileFaults) as FaultName[];

const textOf = ({ fileFaults }: Language, name: FaultName): FaultText => {
  const describeFault = fileFaults[name] as (...facts: unknown[]) => FaultText;
  return describeFault(...FACTS);
};

const factsIn = ({ message, hint }: FaultText): unknown[] =>
  FACTS.filter((fact) => `${message} ${hint}`.includes(String(fact).replaceAll('"', '')));

describe.each(NAMES)('the fault %s of a file', (name) => {
  it('is said in each language, with the same facts', () => {
    const english = textOf(languageOf('en'), name);
    for (const language of ALL_LANGUAGES) {
      const text = textOf(language, name);
      expect(factsIn(text)).toEqual(factsIn(english));
      if (language === languageOf('en')) continue;
      expect(text.message).not.toBe(english.message);
      expect(text.hint).not.toBe(english.hint);
    }
  });
});
