/**
 * A dose is stored for good, so a rough figure is refused: only the person knows whether "about an
 * hour" is an hour.
 */
import { MINUTE_MS } from '../../domain/periods.ts';
import type { Quantity } from '../../schema/field.ts';
import { LANGUAGE_WORDS } from '../index.ts';
import { durationMs, durationPatterns } from './duration.ts';
import type { LanguageWords, NumberWords } from './language-words.ts';
import { figureValue, HESITATIONS, normalizeWords, numberMarker } from './number.ts';
import { groupOf } from './word-rule.ts';

/** `error` is part of a sentence, for an error message. */
type ParsedAmount = { amount: number } | { error: string };

interface Unit {
  readonly quantity: Exclude<Quantity, 'time'>;
  readonly words: string;
  /** In mm or m3. */
  readonly size: number;
}

interface AmountReader {
  markNumbers: (text: string) => string;
  isHalf: RegExp;
  isGallon: RegExp;
  rough: RegExp;
  fillers: RegExp;
  fractions: NumberWords['fractions'];
  durations: readonly RegExp[];
  units: readonly (Unit & { pattern: RegExp })[];
}

const FIGURE = '\\d{1,3}(?: \\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d+)?';
const wholeTextRegex = (source: string): RegExp => new RegExp(`^(?:${source})$`, 'u');
const wordsRegex = (source: string): RegExp => new RegExp(`(?<= |^)(?:${source})(?= |$)`, 'gu');
const BARE_FIGURE = wholeTextRegex(`(?<count>${FIGURE})`);

const unitsOf = ({ amounts: { units, per } }: LanguageWords): Unit[] => [
  { quantity: 'depth', words: `mm|${units.millimetre}`, size: 1 },
  { quantity: 'depth', words: `cm|${units.centimetre}`, size: 10 },
  { quantity: 'depth', words: units.inch, size: 25.4 },
  // A litre on a square metre is 1 mm deep.
  {
    quantity: 'depth',
    words: `(?:l|${units.litre})(?: ?/ ?| (?:${per}) ?)(?:m2|${units.squareMetre})`,
    size: 1,
  },
  {
    quantity: 'depth',
    words: `(?:m3|${units.cubicMetre})(?: ?/ ?| (?:${per}) ?)(?:ha|${units.hectare})`,
    size: 0.1,
  },
  { quantity: 'volume', words: `m3|${units.cubicMetre}`, size: 1 },
  { quantity: 'volume', words: `l|${units.litre}`, size: 0.001 },
  { quantity: 'volume', words: `hl|${units.hectolitre}`, size: 0.1 },
  { quantity: 'volume', words: `kl|${units.kilolitre}`, size: 1 },
];

function amountReader(words: LanguageWords): AmountReader {
  const { half, andAHalf, rough, fillers, gallon } = words.amounts;
  const { one } = words.numbers;
  const count = `(?<count>#\\d{1,5}|${FIGURE}|${half}${one === undefined ? '' : `|${one}`})`;
  const andHalf = (name: string): string => `(?<${name}> (?:${andAHalf}))?`;

  return {
    markNumbers: numberMarker(words.numbers),
    isHalf: wholeTextRegex(half),
    isGallon: wordsRegex(gallon),
    rough: wordsRegex(rough),
    fillers: wordsRegex(`${fillers}|${HESITATIONS}|,`),
    fractions: words.numbers.fractions,
    durations: durationPatterns(words).map(wholeTextRegex),
    units: unitsOf(words).map((unit) => ({
      ...unit,
      pattern: wholeTextRegex(
        `${count}${andHalf('halfBefore')} ?(?:${unit.words})${andHalf('halfAfter')}`,
      ),
    })),
  };
}

const QUANTITY_NAMES: Record<Quantity, string> = {
  time: 'a time in minutes or hours',
  depth: 'a depth of water in mm',
  volume: 'a volume of water in m3 or litres',
};

const UNIT_SYMBOLS: Record<Quantity, string> = { time: 'minutes', depth: 'mm', volume: 'm3' };

let readers: readonly AmountReader[] | undefined;

/** A figure alone is in minutes, mm or m3. A time is whole minutes. */
export function parseAmount(text: string, quantity: Quantity): ParsedAmount {
  if (text.length > 80) return { error: 'it is longer than 80 characters' };

  readers ??= LANGUAGE_WORDS.map(amountReader);
  const normalized = normalizeWords(text.replaceAll('²', '2').replaceAll('³', '3'));
  const amounts = readers.map((reader) => parseIn(reader, normalized, quantity));
  const notUnderstood = `it names no figure that is understood: ask for ${QUANTITY_NAMES[quantity]}`;
  const refusals = amounts.filter((parsed) => parsed !== null && 'error' in parsed);

  return (
    amounts.find((parsed) => parsed !== null && 'amount' in parsed) ??
    refusals[0] ?? { error: notUnderstood }
  );
}

function parseIn(
  reader: AmountReader,
  normalized: string,
  quantity: Quantity,
): ParsedAmount | null {
  const text = withoutWords(reader.markNumbers(normalized), reader.fillers);
  const exact = withoutWords(text, reader.rough);
  const read = parseExactAmount(reader, exact, quantity);
  if (exact === text || read === null || 'error' in read) return read;
  return {
    error: `it is a rough figure: ask whether exactly ${read.amount} ${UNIT_SYMBOLS[quantity]} is meant`,
  };
}

const withoutWords = (text: string, words: RegExp): string =>
  text.replace(words, ' ').replace(/\s+/g, ' ').trim();

function parseExactAmount(
  reader: AmountReader,
  text: string,
  quantity: Quantity,
): ParsedAmount | null {
  const bare = BARE_FIGURE.exec(text);
  if (bare !== null) return amountInUnit(groupOf(bare.groups, 'count'), 1, quantity);

  for (const pattern of reader.durations) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    return quantity === 'time'
      ? wholeMinutes(durationMs(groups, reader.fractions))
      : wrongQuantity(quantity, 'time');
  }

  for (const { pattern, quantity: measured, size } of reader.units) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    if (measured !== quantity) return wrongQuantity(quantity, measured);
    const count = groupOf(groups, 'count').trim();
    const addedHalf = groups.halfBefore || groups.halfAfter ? 0.5 : 0;
    if (reader.isHalf.test(count)) return addedHalf > 0 ? null : { amount: roundAmount(size / 2) };
    return amountInUnit(count, size, quantity, addedHalf);
  }

  const error = knownMistake(reader, text, quantity);
  return error === null ? null : { error };
}

function knownMistake({ isGallon }: AmountReader, text: string, quantity: Quantity): string | null {
  if (/\d+:\d+/.test(text))
    return 'it could be hours and minutes or minutes and seconds: write it as 1h20 or in minutes';
  if (text.search(isGallon) >= 0)
    return 'a gallon is 3.785 L in the United States and 4.546 L in Britain: give litres';
  return /^#\d+$/.test(text) ? `the unit is missing: give ${QUANTITY_NAMES[quantity]}` : null;
}

const wrongQuantity = (expected: Quantity, actual: Quantity): ParsedAmount => ({
  error: `it is ${QUANTITY_NAMES[actual]}, and ${QUANTITY_NAMES[expected]} is needed`,
});

function wholeMinutes(ms: number | null): ParsedAmount {
  if (ms === null) return { error: 'those hours and minutes do not go together: give minutes' };
  const minutes = ms / MINUTE_MS;
  return Number.isInteger(minutes)
    ? { amount: minutes }
    : { error: `${minutes} is not a whole number of minutes` };
}

/** "3,000" is 3000 in English and 3 in French, so it is refused. */
function amountInUnit(
  count: string,
  size: number,
  quantity: Quantity,
  addedHalf = 0,
): ParsedAmount {
  const [, units, decimals] = /^(\d{1,3})[.,](\d{3})$/.exec(count) ?? [];
  if (units !== undefined && Number(units) !== 0)
    return {
      error: `${count} could be ${units}${decimals} or ${Number(`${units}.${decimals}`)}: ask which, and write it without a separator`,
    };
  const amount = roundAmount((figureValue(count.replaceAll(' ', '')) + addedHalf) * size);
  return quantity === 'time' ? wholeMinutes(amount * MINUTE_MS) : { amount };
}

/** Removes the error of binary fractions, so that 1.1 cm is 11 mm. */
const roundAmount = (value: number): number => Number(value.toPrecision(12));
