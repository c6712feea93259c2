/**
 * Amounts of water in plain words, English or French: a time the water ran, a depth, a volume. A dose is computed from
 * them and frozen, so every word must be understood, the unit must be one of what is asked for, and a rough figure is
 * refused: whether an hour is meant by "about an hour" is for the person to say.
 */
import { DURATION_PATTERNS, durationMs } from './duration.ts';
import { markNumbers, numberValue } from './number.ts';
import { normalizeWords } from './time-phrase.ts';

/** What an amount measures; it is read in minutes, mm and m3. */
export type Quantity = 'time' | 'depth' | 'volume';

/** The amount, or why it was not read: a part of a sentence, fit for an error message. */
export type ParsedAmount = { amount: number } | { refused: string };

interface Unit {
  readonly quantity: Exclude<Quantity, 'time'>;
  readonly words: string;
  /** How many mm or m3 it is. */
  readonly size: number;
}

const LITRE = '(?:l|ltrs?|lit(?:re|er)s?)';
const CUBIC_METRE = '(?:m3|cubic met(?:re|er)s?|metres? cubes?)';
const UNITS: readonly Unit[] = [
  { quantity: 'depth', words: 'mm|millimet(?:re|er)s?', size: 1 },
  { quantity: 'depth', words: 'cm|centimet(?:re|er)s?', size: 10 },
  { quantity: 'depth', words: 'in|inch|inches|pouces?', size: 25.4 },
  // A litre on a square metre stands 1 mm high.
  { quantity: 'depth', words: `${LITRE}(?: ?/ ?| per | par | au )(?:m2|square met(?:re|er)|metre carre)`, size: 1 },
  { quantity: 'depth', words: `${CUBIC_METRE}(?: ?/ ?| per | par | a l')(?:ha|hectare)`, size: 0.1 },
  { quantity: 'volume', words: CUBIC_METRE, size: 1 },
  { quantity: 'volume', words: LITRE, size: 0.001 },
  { quantity: 'volume', words: 'hl|hectolit(?:re|er)s?', size: 0.1 },
  { quantity: 'volume', words: 'kl|kilolit(?:re|er)s?', size: 1 },
];

const FIGURE = '\\d{1,3}(?: \\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d+)?';
const COUNT = `(?<count>#\\d{1,3}|${FIGURE}|half (?:an? )?|(?:#1 |an? )?(?:half|demi) |an?)`;
const AND_A_HALF = '(?: (?:and a half|et demie?))?';

const wholeTextRegex = (source: string): RegExp => new RegExp(`^(?:${source})$`, 'u');
const DURATION_REGEXES = DURATION_PATTERNS.map(wholeTextRegex);
const UNIT_REGEXES = UNITS.map((unit) => ({
  ...unit,
  pattern: wholeTextRegex(`${COUNT}(?<tail>${AND_A_HALF}) ?(?:${unit.words})(?<queue>${AND_A_HALF})`),
}));
const BARE_FIGURE = wholeTextRegex(`(?<count>${FIGURE})`);

const ROUGH_WORDS =
  /\b(?:about|around|roughly|approximately|approx|circa|almost|nearly|maybe|environ|a peu pres|vers|presque|peut etre|pas loin de|or so|more or less|plus ou moins)(?= |$)/gu;
const FILLER_WORDS =
  /(?<= |^)(?:u+m+|u+h+|erm?|e+u+h+|he+u+|hm+|well|(?<!or )so|like|ben|bah|donc|alors|exactly|exactement|precisely|pile|for|pendant|durant|pour|,)(?= |$)/gu;

const QUANTITY_NAMES: Record<Quantity, string> = {
  time: 'a time in minutes or hours',
  depth: 'a depth of water in mm',
  volume: 'a volume of water in m3 or litres',
};

/** Reads an amount with its unit; a figure alone is in minutes, mm or m3. A time is whole minutes. */
export function parseAmount(text: string, quantity: Quantity): ParsedAmount {
  if (text.length > 80) return { refused: 'it is longer than 80 characters' };
  const normalized = replaceHundreds(markNumbers(normalizeWords(text.replaceAll('²', '2').replaceAll('³', '3'))));
  const plain = normalized.replace(FILLER_WORDS, ' ').replace(/\s+/g, ' ').trim();
  const sure = plain.replace(ROUGH_WORDS, ' ').replace(/\s+/g, ' ').trim();
  const read = parseExactAmount(sure, quantity);
  if (sure === plain || 'refused' in read) return read;
  return { refused: `it is a rough figure: ask whether exactly ${read.amount} ${unitOf(quantity)} is meant` };
}

function parseExactAmount(text: string, quantity: Quantity): ParsedAmount {
  const bare = BARE_FIGURE.exec(text);
  if (bare !== null) return amountInUnit(bare.groups!.count!, 1, 0, quantity);
  for (const pattern of DURATION_REGEXES) {
    const groups = pattern.exec(text)?.groups;
    if (groups !== undefined)
      return quantity === 'time' ? wholeMinutes(durationMs(groups)) : wrongQuantity(quantity, 'time');
  }
  for (const { pattern, quantity: measured, size } of UNIT_REGEXES) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    if (measured !== quantity) return wrongQuantity(quantity, measured);
    return amountInUnit(groups.count!.trim(), size, groups.tail || groups.queue ? 0.5 : 0, quantity);
  }
  return { refused: unreadableReason(text, quantity) };
}

function unreadableReason(text: string, quantity: Quantity): string {
  if (/\d+:\d+/.test(text))
    return 'it could be hours and minutes or minutes and seconds: write it as 1h20 or in minutes';
  if (/\bgal(?:lons?)?\b/.test(text))
    return 'a gallon is 3.785 L in the United States and 4.546 L in Britain: give litres';
  if (/^#\d+$/.test(text)) return `the unit is missing: give ${QUANTITY_NAMES[quantity]}`;
  return `it names no figure that is understood: ask for ${QUANTITY_NAMES[quantity]}`;
}

const wrongQuantity = (wanted: Quantity, given: Quantity): ParsedAmount => ({
  refused: `it is ${QUANTITY_NAMES[given]}, and ${QUANTITY_NAMES[wanted]} is needed`,
});

function wholeMinutes(ms: number | null): ParsedAmount {
  if (ms === null) return { refused: 'those hours and minutes do not go together: give minutes' };
  const minutes = ms / 60_000;
  return Number.isInteger(minutes) ? { amount: minutes } : { refused: `${minutes} is not a whole number of minutes` };
}

/** A figure times the size of its unit. "3,000" is 3000 in English and 3 in French: refused. */
function amountInUnit(count: string, size: number, more: number, quantity: Quantity): ParsedAmount {
  const [, units, decimals] = /^(\d{1,3})[.,](\d{3})$/.exec(count) ?? [];
  if (units !== undefined && Number(units) !== 0)
    return {
      refused: `${count} could be ${units}${decimals} or ${Number(`${units}.${decimals}`)}: ask which, and write it without a separator`,
    };
  const figure = figureOf(count) + more;
  const amount = Number((figure * size).toPrecision(12));
  if (quantity === 'time') return wholeMinutes(amount * 60_000);
  return { amount };
}

function figureOf(count: string): number {
  if (/half|demi/.test(count)) return 0.5;
  return /^an?$/.test(count) ? 1 : numberValue(count.replaceAll(' ', '').replace(',', '.'));
}

const unitOf = (quantity: Quantity): string => ({ time: 'minutes', depth: 'mm', volume: 'm3' })[quantity];

/** "a hundred and twenty", "cent vingt" and "deux cents" as one marked figure. */
function replaceHundreds(text: string): string {
  return text.replace(
    /(?<= |^)(?:(?:#(\d)|an?) )?(?:hundred|cents?)(?: (?:and )?#(\d{1,2}))?(?= |$)/gu,
    (_, times: string | undefined, rest: string | undefined) => `#${Number(times ?? 1) * 100 + Number(rest ?? 0)}`,
  );
}
