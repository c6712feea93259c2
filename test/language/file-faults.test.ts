import { describe, expect, it } from 'vitest';
import { programText } from '../../src/domain/text/program-text.ts';
import { say } from '../../src/domain/text/say.ts';
import type { FaultText } from '../../src/language/en/file-faults.ts';
import type { Language } from '../../src/language/en/index.ts';
import { ALL_LANGUAGES, languageOf } from '../../src/language/index.ts';

type FaultName = keyof Language['fileFaults'];

/** Arguments that each fault names, so that a language that leaves one out is found. */
const ARGUMENTS = ['"Sol A"', '--map', '"Sol B"', 77];
const OTHER_ARGUMENTS: Partial<Record<FaultName, readonly unknown[]>> = {
  lineTooLong: [4, 77],
  headerTooLong: [77],
  tooManyColumns: [4, 77],
  severalModules: ['"Sol A"', say`"Sol B"`, '--map', 77],
  unknownModule: ['"Sol A"', say`"Sol B"`],
  swappedDates: [
    { line: 4, text: '2025-03-04' },
    { line: 21, text: '25/03/2025' },
    say`3 Apr 2025`,
  ],
  skippedHour: [{ line: 4, text: '02:30' }, 'Europe/Paris', ['+01:00', '+02:00'], '--timezone'],
};
const NAMES = Object.keys(languageOf('en').fileFaults) as FaultName[];

const argumentsOf = (name: FaultName): readonly unknown[] => OTHER_ARGUMENTS[name] ?? ARGUMENTS;

/** Returns the texts as the terminal prints them. */
const textsOf = ({ fileFaults }: Language, name: FaultName) => {
  const describeFault = fileFaults[name] as (...args: unknown[]) => FaultText;
  const { message, hint } = describeFault(...argumentsOf(name));
  return { message: programText(message), hint: programText(hint) };
};

/** The words of an argument, however deep they stand. */
const wordsOf = (argument: unknown): string[] =>
  typeof argument === 'object'
    ? Object.values(argument as object).flatMap(wordsOf)
    : [String(argument).replaceAll('"', '')];

const wordsSaid = ({ message, hint }: ReturnType<typeof textsOf>, name: FaultName): string[] =>
  argumentsOf(name)
    .flatMap(wordsOf)
    .filter((word) => `${message} ${hint}`.includes(word));

describe.each(NAMES)('the fault %s of a file', (name) => {
  it('is said in each language, with the same arguments', () => {
    const english = textsOf(languageOf('en'), name);
    for (const language of ALL_LANGUAGES) {
      const text = textsOf(language, name);
      expect(wordsSaid(text, name)).toEqual(wordsSaid(english, name));
      if (language === languageOf('en')) continue;
      expect(text.message).not.toBe(english.message);
      expect(text.hint).not.toBe(english.hint);
    }
  });
});
