import { LANGUAGE_WORDS } from '../src/language/index.ts';
import { normalizeAmount } from '../src/language/words/amounts/amount-figures.ts';
import { amountUnits } from '../src/language/words/amounts/amount-units.ts';
import { durationMs, durationPatterns } from '../src/language/words/duration.ts';
import type { LanguageWords } from '../src/language/words/language-words.ts';
import { numberMarker } from '../src/language/words/number.ts';

/** One meaning of a figure: "15 cm" is a depth of 150 mm or a length of 15 cm. */
export interface Reading {
  /** "any" for a number whose unit is not known. */
  readonly quantity: string;
  /** Minutes, days, mm, m3, cm, m2, L/h, mm/h, percent, kPa, or minutes after midnight. */
  readonly value: number;
  /** Half of the last digit that is stated, in the same unit. */
  readonly tolerance: number;
}

export interface Figure {
  readonly text: string;
  readonly readings: readonly Reading[];
}

interface FigurePattern {
  readonly pattern: RegExp;
  readonly read: (groups: Record<string, string | undefined>, text: string) => Reading[];
}

const DAY_MIN = 1440;
/** "4 h 20" is said of 4 h 18 min. */
const SPOKEN_MINUTES = 2.5;
const CLOCK = /^#?(\d{1,2}) ?h(?:eures?|oras?)?(?: ?#?(\d{2}))?$/;
/** A figure of a reply begins here: not inside of a word, a number, a date or a fraction. */
const START = '(?<![\\p{L}\\d.,/#])';
const END = '(?![\\p{L}\\d/])';
const COUNT = '(?<count>#\\d{1,7}|[1-9]\\d{0,2}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:[.,]\\d+)?)';

/** Units that no argument of a tool is said in. */
const FURTHER_UNITS: readonly (readonly [quantity: string, words: string])[] = [
  ['percent', '%|percent|per cent|pour ?cent|por ?ciento'],
  ['tension', 'kpa|cbars?|centibars?'],
  ['days', 'days?|jours?|dias?'],
];

const READERS = LANGUAGE_WORDS.map((words) => ({
  mark: numberMarker(words.numbers),
  patterns: [...durationReaders(words), ...unitReaders(words)],
}));

function durationReaders(words: LanguageWords): FigurePattern[] {
  const { fractions } = words.numbers;
  return durationPatterns(words).map((source) => ({
    pattern: new RegExp(`${START}(?:${source})${END}`, 'gu'),
    read: (groups, text) => {
      // "an hour" is a figure, "a minute ago" as well; "1h75" is none.
      const ms = durationMs(groups, fractions);
      if (ms === null) return [];
      const isWholeHours = groups.hours !== undefined && groups.plus === undefined;
      let tolerance = isWholeHours ? 30 : SPOKEN_MINUTES;
      if (groups.minutes) tolerance = 0.5;
      const [, hour, minute] = CLOCK.exec(text) ?? [];
      const clock = hour === undefined ? [] : [clockReading(hour, minute)];
      return [{ quantity: 'time', value: ms / 60_000, tolerance }, ...clock];
    },
  }));
}

const clockReading = (hour: string, minute = '0'): Reading => ({
  quantity: 'clock',
  value: Number(hour) * 60 + Number(minute),
  tolerance: 0,
});

function unitReaders(words: LanguageWords): FigurePattern[] {
  const units = [
    ...amountUnits(words, true),
    ...FURTHER_UNITS.map(([quantity, names]) => ({ quantity, words: names, size: 1 })),
  ];
  return units.flatMap(({ quantity, words: names, size }) =>
    size === null ? [] : [{ pattern: unitPattern(names), read: unitReading(quantity, size) }],
  );
}

function unitPattern(names: string): RegExp {
  return new RegExp(`${START}${COUNT} ?(?:${names})${END}`, 'gu');
}

function unitReading(quantity: string, size: number): FigurePattern['read'] {
  return ({ count = '' }) =>
    valuesOf(count).flatMap(({ value, tolerance }) => [
      { quantity, value: value * size, tolerance: tolerance * size },
      { quantity: 'any', value, tolerance },
      ...(quantity === 'days'
        ? [{ quantity: 'time', value: value * DAY_MIN, tolerance: tolerance * DAY_MIN }]
        : []),
    ]);
}

/** "15,000" is read both ways. */
function valuesOf(count: string): { value: number; tolerance: number }[] {
  const plain = count.replace('#', '');
  const decimals = /[.,](\d+)$/.exec(plain)?.[1]?.length ?? 0;
  const decimal = { value: Number(plain.replace(',', '.')), tolerance: 0.5 * 10 ** -decimals };
  if (!/^\d{1,3}(?:,\d{3})+/.test(plain)) return [decimal];
  const thousands = { value: Number(plain.replaceAll(',', '')), tolerance: 0.5 };
  return Number.isNaN(decimal.value) ? [thousands] : [decimal, thousands];
}

const readTexts = new Map<string, readonly Figure[]>();

/** The figures with a unit in a text, read in the language that explains most of it. */
export function figuresIn(text: string): readonly Figure[] {
  const known = readTexts.get(text);
  if (known) return known;
  const plain = normalizeAmount(text);
  const candidates = READERS.map(({ mark, patterns }) => figuresOf(mark(plain), patterns));
  const lengthOf = (figures: readonly Figure[]): number =>
    figures.reduce((sum, figure) => sum + figure.text.length, 0);
  const figures = candidates.reduce((best, each) =>
    lengthOf(each) > lengthOf(best) ? each : best,
  );
  readTexts.set(text, figures);
  return figures;
}

/** The longest match wins where several overlap: "4 mm/h" is no depth. */
function figuresOf(marked: string, patterns: readonly FigurePattern[]): Figure[] {
  const found = patterns.flatMap(({ pattern, read }) =>
    [...marked.matchAll(pattern)].map((match) => ({
      text: match[0],
      start: match.index,
      end: match.index + match[0].length,
      readings: read(match.groups ?? {}, match[0]),
    })),
  );
  const longest = found.filter(
    ({ start, end, text }) =>
      !found.some(
        (other) => other.start < end && start < other.end && other.text.length > text.length,
      ),
  );
  const byStart = new Map<number, Figure>();
  for (const { start, text, readings } of longest)
    byStart.set(start, {
      text: text.replaceAll('#', ''),
      readings: [...(byStart.get(start)?.readings ?? []), ...readings],
    });
  return [...byStart].sort(([one], [other]) => one - other).map(([, figure]) => figure);
}

/** Numbers without a unit, as digits or words of any language: what a person says counts as known. */
export function numbersIn(text: string): number[] {
  const plain = normalizeAmount(text);
  return READERS.flatMap(({ mark }) =>
    [...mark(plain).matchAll(/#?(\d+(?:[.,]\d+)?)/g)].map(([, digits]) =>
      Number(digits!.replace(',', '.')),
    ),
  );
}
