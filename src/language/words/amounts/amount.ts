/**
 * A dose is stored for good, so a rough figure is refused: only the person knows whether "about an
 * hour" is an hour.
 */

import { withoutNulls } from '../../../domain/items.ts';
import { MINUTE_MS } from '../../../domain/periods.ts';
import { failure, ok, type Parsed } from '../../../domain/result.ts';
import { exact as exactFigure } from '../../../domain/text/figures.ts';
import { say, verbatim, word } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import {
  type EnteredUnit,
  type Quantity,
  UNIT_QUANTITIES,
  type UnitSystem,
} from '../../../domain/units.ts';
import { ShortTextPattern } from '../../../schema/short-text-pattern.ts';
import { LANGUAGE_WORDS } from '../../index.ts';
import { durationMs, durationPatterns } from '../duration.ts';
import type { LanguageWords, NumberWords } from '../language-words.ts';
import { figureValue, HESITATIONS, numberMarker } from '../number.ts';
import { groupOf } from '../word-rule.ts';
import {
  CUSTOMARY_FIGURE,
  countValue,
  FIGURE,
  figureOf,
  MARKED_FIGURE,
  normalizeAmount,
  type PartWords,
  type ReadFigure,
  withFractions,
  withoutBinaryError,
} from './amount-figures.ts';
import { type AmountUnit, amountUnits, FIELD_UNIT_SIZES } from './amount-units.ts';

interface Amount {
  readonly amount: number;
  readonly isMetric: boolean;
}

type ParsedAmount = Parsed<Amount>;

interface UnitPattern extends AmountUnit {
  readonly whole: ShortTextPattern;
  /** With a rest after the unit: of a flow its duration, of feet the inches. */
  readonly withRest: ShortTextPattern;
}

interface AmountReader {
  markNumbers: (text: string) => string;
  percent: RegExp;
  million: RegExp;
  litre: RegExp;
  isHalf: ShortTextPattern;
  rough: RegExp;
  fillers: RegExp;
  before: RegExp;
  /** "2 litres and a half an hour", in which the half belongs to the litres. */
  halfInRate: RegExp;
  fractions: NumberWords['fractions'];
  parts: PartWords;
  durations: readonly ShortTextPattern[];
  units: readonly UnitPattern[];
}

/**
 * The reading of a phrase that is looked for. `inUnit` is for a figure without a unit, in which the
 * amount is too.
 */
interface Wanted {
  readonly quantity: Quantity;
  readonly inUnit: EnteredUnit;
  readonly names: Record<Quantity, Text>;
  /** The other unit in which a figure without one may be. */
  readonly usUnit?: string | undefined;
  readonly range: AmountRange;
}

/** The range that a field accepts, in its unit. */
interface AmountRange {
  readonly min: number;
  readonly max: number;
}

const ANY_AMOUNT: AmountRange = { min: 0, max: Number.POSITIVE_INFINITY };

/** How the people of a farm say amounts, and what the field accepts. */
interface AmountOptions {
  /** A gallon that is not named is the US one; otherwise it is refused. */
  readonly usGallons?: boolean;
  /** With `us`, a figure without a unit may be in either, and is refused. */
  readonly units?: UnitSystem;
  readonly range?: AmountRange;
  /** Rain may be in litres, which are of a square metre. */
  readonly isRain?: boolean;
}

const wholeTextPattern = (source: string): ShortTextPattern =>
  new ShortTextPattern(new RegExp(`^(?:${source})$`, 'u'));
const wordsRegex = (source: string): RegExp => new RegExp(`(?<= |^)(?:${source})(?= |$)`, 'gu');
const BARE_FIGURE = wholeTextPattern(`(?<count>${MARKED_FIGURE}|${FIGURE})`);
const MILLION = 1e6;
const WITHOUT_UNIT = /^#?\d+ ?\/ ?\d+$/;

function amountReader(words: LanguageWords, usGallons: boolean): AmountReader {
  const { units, per, half, andAHalf, rough, fillers, before, parts } = words.amounts;
  return {
    markNumbers: numberMarker(words.numbers),
    percent: wordsRegex(units.percent),
    million: wordsRegex(
      `(#?\\d{1,4}(?:[.,]\\d{1,2})?|${words.numbers.one ?? '#1'}) (?:${words.numbers.million})`,
    ),
    litre: wordsRegex(`\\S*(?:l|${units.litre})`),
    isHalf: wholeTextPattern(half),
    rough: wordsRegex(rough),
    fillers: wordsRegex(`${fillers}|${HESITATIONS}|,`),
    before: new RegExp(`^(?:${before}) `),
    halfInRate: new RegExp(
      `^(?<count>\\S+) (?<unit>\\S+(?: \\S+)?) (?<half>${andAHalf})(?= (?:${per}) )`,
    ),
    fractions: words.numbers.fractions,
    parts: parts.words.map(([word, count]) => [
      wordsRegex(`(?:(?:${words.numbers.one ?? '#1'}) |#?(?<count>\\d{1,2}) )?(?:${word})`),
      count,
    ]),
    durations: durationPatterns(words).map(wholeTextPattern),
    units: amountUnits(words, usGallons).map((unit) => unitPattern(words, unit)),
  };
}

/** "12 mm", "two and a half inches", "1 1/2 inches", "an inch and a half", "3/4 of an inch". */
function unitPattern({ amounts, numbers }: LanguageWords, unit: AmountUnit): UnitPattern {
  const { half, andAHalf, parts } = amounts;
  const one = numbers.one === undefined ? '' : `|${numbers.one}`;
  const figure = unit.hasEnglishFigures ? `${CUSTOMARY_FIGURE}|${FIGURE}` : FIGURE;
  const count = `(?<count>${MARKED_FIGURE}|${figure}|${half}${one})(?<halfBefore> (?:${andAHalf}))?`;
  const fraction = (name: string): string =>
    `(?<${name}Of>#?\\d{1,3}) ?/ ?(?<${name}In>[1-9]\\d{0,2})`;
  const mixed = `(?:(?<units>#?\\d{1,4})(?: ${numbers.and})? )?${fraction('part')}${parts.of}`;
  const after = `(?:(?<halfAfter> (?:${andAHalf}))| (?:${numbers.and} )?${fraction('rest')})?`;
  const source = `(?:${count}|${mixed}) ?(?:${unit.words})`;

  return {
    ...unit,
    whole: wholeTextPattern(source + after),
    // Of a length, the rest is no second dimension.
    withRest: wholeTextPattern(
      `${source} ${unit.quantity === 'length' ? '' : '(?:[x*] )?'}(?<rest>.+)`,
    ),
  };
}

const QUANTITY_NAMES: Record<Quantity, Text> = {
  time: say`a time in minutes or hours`,
  depth: say`a depth of water in mm`,
  volume: say`a volume of water in m3 or litres`,
  length: say`a length in cm or m`,
  area: say`an area in m2 or hectares`,
  flow: say`a flow in litres per hour`,
  rate: say`a rate in mm per hour`,
  share: say`a percentage`,
};

const US_QUANTITY_NAMES: Record<Quantity, Text> = {
  ...QUANTITY_NAMES,
  depth: say`a depth of water in inches or mm`,
  volume: say`a volume of water in gallons, acre-inches or m3`,
  length: say`a length in inches, feet or cm`,
  area: say`an area in acres or m2`,
  flow: say`a flow in gallons or litres per hour`,
  rate: say`a rate in inches or mm per hour`,
};

/** The unit in which people in the United States say what is entered in the metric one. */
const US_UNITS: Partial<Record<EnteredUnit, string>> = {
  mm: 'in',
  m3: 'gal',
  cm: 'in',
  m: 'ft',
  m2: 'acres',
  'L/h': 'gph',
  'mm/h': 'in/h',
};

const readersByGallon = new Map<boolean, readonly AmountReader[]>();

function readersFor(usGallons: boolean): readonly AmountReader[] {
  const readers =
    readersByGallon.get(usGallons) ?? LANGUAGE_WORDS.map((words) => amountReader(words, usGallons));
  readersByGallon.set(usGallons, readers);
  return readers;
}

/** In UTF-16 units. */
const MAX_AMOUNT_LENGTH = 80;

/** A figure alone is in `unit`. A time is whole minutes. */
export function parseAmount(
  text: string,
  unit: EnteredUnit,
  { usGallons = false, units = 'metric', range = ANY_AMOUNT, isRain = false }: AmountOptions = {},
): ParsedAmount {
  if (text.length > MAX_AMOUNT_LENGTH)
    return failure(say`it is longer than ${MAX_AMOUNT_LENGTH} characters`);

  const names = units === 'us' ? US_QUANTITY_NAMES : QUANTITY_NAMES;
  const wanted = {
    ...wantedIn(unit, names, range),
    usUnit: units === 'us' ? US_UNITS[unit] : undefined,
  };
  const normalized = normalizeAmount(text);
  if (METRIC_LIST.test(normalized) && wanted.quantity === 'length')
    return failure(say`it could be two lengths: ask which is meant here, and give one`);
  const amounts = withoutNulls(
    readersFor(usGallons).map((reader) => parseIn(reader, normalized, wanted)),
  );
  const litres = isRain ? litresIn(normalized, usGallons, names) : null;
  if (litres !== null) return ok({ amount: litres, isMetric: true });

  const notUnderstood = say`it names no figure that is understood: ask for ${names[wanted.quantity]}`;
  return amounts.find((parsed) => parsed.ok) ?? amounts[0] ?? failure(notUnderstood);
}

/** "2 m, 50 cm" */
const METRIC_LIST = /\d ?c?m ?, ?\d/;

function litresIn(normalized: string, usGallons: boolean, names: Wanted['names']): number | null {
  for (const reader of readersFor(usGallons)) {
    const volume = parseIn(reader, normalized, wantedIn('m3', names));
    if (volume?.ok && volume.value.isMetric && normalized.search(reader.litre) >= 0)
      return withoutBinaryError(volume.value.amount * 1000);
  }
  return null;
}

/** A number in figures or words, of percent if `isPercent`; null for any other text. */
export function parseFigure(text: string, { isPercent }: { isPercent: boolean }): number | null {
  const normalized = normalizeAmount(text);
  for (const { percent, before, markNumbers } of readersFor(false)) {
    const withSign = normalized.replace(percent, '%').replace(before, '');
    const figure = markNumbers(isPercent ? withSign.replace(/ ?%$/, '') : withSign);
    const groups = BARE_FIGURE.exec(figure)?.groups;
    const value = groups && countValue(groupOf(groups, 'count'), false);
    if (value?.ok) return value.value;
  }
  return null;
}

function parseIn(reader: AmountReader, normalized: string, wanted: Wanted): ParsedAmount | null {
  // "Pour cent" ends in a number.
  const withSign = normalized.replace(reader.percent, '%');
  const marked = reader
    .markNumbers(withSign)
    .replace(
      reader.million,
      (_, count: string) => `#${withoutBinaryError(figureValue(count) * MILLION)}`,
    );
  const text = withoutWords(marked, reader.fillers);
  const exact = withoutWords(text, reader.rough);
  const amount = exact
    .replace(reader.before, '')
    .replace(reader.halfInRate, '$<count> $<half> $<unit>');
  const read = parseExactAmount(reader, amount, wanted);
  if (exact === text || !read?.ok) return read;
  return failure(
    say`it is a rough figure: ask whether exactly ${exactly(read.value.amount, wanted.inUnit)} is meant`,
  );
}

/** Texts have no units for minutes, hours and shares, so these are words. */
function exactly(amount: number, unit: EnteredUnit): Text {
  if (unit === 'min') return say`${amount} minutes`;
  return unit === 'h' || unit === 'share'
    ? say`${amount} ${word(unit)}`
    : say`${exactFigure(amount, unit)}`;
}

const withoutWords = (text: string, words: RegExp): string =>
  text.replace(words, ' ').replace(/\s+/g, ' ').trim();

function parseExactAmount(reader: AmountReader, text: string, wanted: Wanted): ParsedAmount | null {
  const bare = BARE_FIGURE.exec(text);
  if (bare !== null) return bareAmount(countValue(groupOf(bare.groups, 'count'), false), wanted);

  const { quantity } = wanted;
  const marked = withFractions(text, reader.parts);
  const time = () => parseTime(reader, text, wanted);
  const inUnits = (units: readonly UnitPattern[]) => parseInUnits(reader, units, marked, wanted);
  const ofWanted = reader.units.filter((unit) => unit.quantity === quantity);
  const ofOthers = reader.units.filter((unit) => unit.quantity !== quantity);

  // "2 m" is a length or a time, by what is wanted.
  const parsed =
    quantity === 'time'
      ? (time() ?? inUnits(ofOthers))
      : (inUnits(ofWanted) ?? parseCompound(reader, marked, wanted) ?? time() ?? inUnits(ofOthers));
  return parsed ?? knownMistake(text, wanted);
}

function bareAmount(read: Parsed<number>, wanted: Wanted): ParsedAmount | null {
  const inUnit = (unit: EnteredUnit) =>
    amountOf(read, wanted, { size: FIELD_UNIT_SIZES[unit], isMetric: true });
  if (!read.ok) return read;

  const figure = read.value;
  if (wanted.usUnit !== undefined && figure !== 0)
    return failure(
      say`it has no unit: ask whether "${verbatim(`${figure} ${wanted.usUnit}`)}" or "${verbatim(`${figure} ${wanted.inUnit}`)}" is meant`,
    );

  // 40 is no share, and 1 is one: the whole. Of a percentage, 0.4 and 1 may be meant as either,
  // unless only the share is within the range: an efficiency of 0.9 is 90 %.
  if (wanted.inUnit === 'share' && figure >= 10) return inUnit('%');
  if (wanted.inUnit === 'share' && figure > 1)
    return failure(say`${figure} is more than the whole: ask which percentage is meant`);
  if (wanted.inUnit === '%' && figure > 0 && figure <= 1) {
    const percent = withoutBinaryError(100 * figure);
    const { min, max } = wanted.range;
    if (figure < min && percent >= min && percent <= max) return inUnit('share');
    return failure(
      say`it could be ${figure} % or ${percent} %: ask which, and write it with the %`,
    );
  }
  return inUnit(wanted.inUnit);
}

function parseTime(reader: AmountReader, text: string, wanted: Wanted): ParsedAmount | null {
  for (const pattern of reader.durations) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    if (wanted.quantity !== 'time') return wrongQuantity(wanted, 'time');

    const ms = durationMs(groups, reader.fractions);
    if (ms === null) return failure(say`those hours and minutes do not go together: give minutes`);
    return amountOf(ok(ms / MINUTE_MS), wanted, { size: 1, isMetric: true });
  }
  return null;
}

function parseInUnits(
  reader: AmountReader,
  units: readonly UnitPattern[],
  text: string,
  wanted: Wanted,
): ParsedAmount | null {
  for (const unit of units) {
    const groups = unit.whole.exec(text)?.groups;
    if (groups === undefined) continue;
    if (unit.quantity !== wanted.quantity) return wrongQuantity(wanted, unit.quantity);
    return amountOf(figureOf(groups, { ...unit, ...reader }), wanted, unit);
  }
  return null;
}

const COMPOUNDS: Partial<Record<Quantity, readonly [first: EnteredUnit, rest: EnteredUnit]>> = {
  volume: ['L/h', 'h'],
  length: ['cm', 'cm'],
};

/** A volume as "350 gpm for 4 hours", a length as "2 ft 6 in". */
function parseCompound(reader: AmountReader, text: string, wanted: Wanted): ParsedAmount | null {
  const compound = COMPOUNDS[wanted.quantity];
  if (compound === undefined) return null;
  const [first, rest] = compound;
  const wantedFirst = wantedIn(first, wanted.names);
  const wantedRest = wantedIn(rest, wanted.names);

  for (const unit of reader.units) {
    const groups =
      unit.quantity === wantedFirst.quantity ? unit.withRest.exec(text)?.groups : undefined;
    if (groups === undefined) continue;
    const isSameUnit = unit.whole.test(groupOf(groups, 'rest'));
    if (wanted.quantity === 'length' && isSameUnit) continue;
    const first = amountOf(figureOf(groups, { ...unit, ...reader }), wantedFirst, unit);
    const rest = parseExactAmount(reader, groupOf(groups, 'rest'), wantedRest);
    if (!rest?.ok) continue;
    if (wanted.quantity === 'length' && !isRestOfLength(first, rest.value.amount, unit)) continue;
    if (!first?.ok) return first;

    const total =
      wanted.quantity === 'volume'
        ? (first.value.amount * rest.value.amount) / 1000
        : first.value.amount + rest.value.amount;
    return ok({
      amount: withoutBinaryError(total / FIELD_UNIT_SIZES[wanted.inUnit]),
      isMetric: first.value.isMetric,
    });
  }
  return null;
}

/** "1 ft 6 in" and "1 m 20"; "30 cm, 60 cm", "2 m 0.5 m" and "0.5 m 20 cm" are two lengths. */
const isRestOfLength = (
  first: ParsedAmount | null,
  restCm: number,
  { size }: Pick<AmountUnit, 'size'>,
): boolean => {
  if (!first?.ok || size === null) return true;
  return Number.isInteger(withoutBinaryError(first.value.amount / size)) && restCm < size;
};

const wantedIn = (unit: EnteredUnit, names: Wanted['names'], range = ANY_AMOUNT): Wanted => ({
  quantity: UNIT_QUANTITIES[unit],
  inUnit: unit,
  names,
  range,
});

function amountOf(
  figure: ReadFigure,
  { quantity, inUnit }: Wanted,
  { size, isMetric }: Pick<AmountUnit, 'size' | 'isMetric'>,
): ParsedAmount | null {
  if (!figure?.ok) return figure;
  if (size === null)
    return failure(
      say`a gallon is 3.785 L in the United States and 4.546 L in Britain: ask which, and say US or imperial gallons`,
    );

  const inBase = withoutBinaryError(figure.value * size);
  if (quantity === 'time' && !Number.isInteger(inBase))
    return failure(say`${inBase} is not a whole number of minutes`);
  return ok({ amount: withoutBinaryError(inBase / FIELD_UNIT_SIZES[inUnit]), isMetric });
}

/** In any order and with any word between: "50 cm x 2 m". */
const TWO_FIGURES = /\d ?\p{L}\D*\d/u;

function knownMistake(text: string, { quantity, names }: Wanted): ParsedAmount | null {
  if (quantity === 'length' && TWO_FIGURES.test(text))
    return failure(say`it could be two lengths: ask which is meant here, and give one`);
  if (/\d:\d/.test(text))
    return failure(
      say`it could be hours and minutes or minutes and seconds: write it as 1h20 or in minutes`,
    );
  return WITHOUT_UNIT.test(text)
    ? failure(say`the unit is missing: give ${names[quantity]}`)
    : null;
}

const wrongQuantity = ({ quantity, names }: Wanted, actual: Quantity): ParsedAmount =>
  failure(say`it is ${names[actual]}, and ${names[quantity]} is needed`);
