import { distance } from 'fastest-levenshtein';
import { zoneOfClock } from '../../../domain/company/place-zones.ts';
import { roundTo } from '../../../domain/decimal.ts';
import type { DateOrder } from '../../../domain/ingest/import-options.ts';
import { firstOf, itemAt, leastBy } from '../../../domain/items.ts';
import { MEASUREMENT_TYPES, type MeasurementType } from '../../../domain/moisture/measurement.ts';
import { CM_PER_INCH } from '../../../domain/units.ts';
import { FILE_WORDS } from '../../../language/words/file-words.ts';
import type { ColumnWords } from '../../../language/words/language-words.ts';
import { normalizeName, splitUnitOfName, type Unit, WATER_COLUMN_CM } from './column-units.ts';

export interface SensorMeaning {
  readonly kind: 'sensor';
  readonly type: MeasurementType;
  /** In cm. */
  readonly depth: number | null;
  readonly unit: Unit | null;
}

export interface TimeMeaning {
  readonly kind: 'instant' | 'date' | 'clock';
  /** From the column name: "Date Time, GMT+02:00". */
  readonly zone: string | null;
  /** From the column name: "Date (dd/mm/yyyy)". */
  readonly dates: DateOrder | null;
}

interface LongColumnMeaning {
  readonly kind: 'module' | 'type' | 'depth' | 'value' | 'unit';
  /** From the name of a value column: "value (m3/m3)". */
  readonly unit: Unit | null;
}

export type ColumnMeaning = SensorMeaning | TimeMeaning | LongColumnMeaning;

const wordsOf = (name: keyof ColumnWords): ReadonlySet<string> =>
  new Set(FILE_WORDS.flatMap(({ columns }) => columns[name]?.split(' ') ?? []));

const AMBIGUOUS_HUMIDITY = wordsOf('humidity');
const MEASUREMENT_WORDS = MEASUREMENT_TYPES.map((type) => {
  const words = FILE_WORDS.flatMap(({ measurements }) => measurements[type].split(' '));
  return [type, new Set(type === 'humidity' ? [...words, ...AMBIGUOUS_HUMIDITY] : words)] as const;
});
const HUMIDITY = new Set(
  FILE_WORDS.flatMap(({ measurements }) => measurements.humidity.split(' ')),
);
const SOIL = wordsOf('soil');
const DEPTH = wordsOf('depth');
const FILLERS = wordsOf('fillers');
const [INSTANT, DATE, CLOCK] = [wordsOf('instant'), wordsOf('date'), wordsOf('clock')];
const LONG_COLUMN_WORDS = (['module', 'type', 'depth', 'value', 'unit'] as const).map(
  (kind) => [kind, wordsOf(kind)] as const,
);

const CM_PER_UNIT: Readonly<Record<string, number>> = {
  cm: 1,
  mm: 0.1,
  m: 100,
  in: CM_PER_INCH,
  inch: CM_PER_INCH,
  inches: CM_PER_INCH,
};

const MAX_COLUMN_NAME_LENGTH = 100;

/** Null if a word of the name is unknown: air temperature is not soil temperature. */
export function columnMeaning(name: string): ColumnMeaning | null {
  if (name.length > MAX_COLUMN_NAME_LENGTH) return null;
  const canonical = canonicalSensor(name);
  if (canonical !== null) return canonical;
  const text = normalizeName(name);
  const time = timeMeaning(text);
  if (time !== null) return time;
  const parts = partsOfName(text);
  return sensorMeaning(parts) ?? longColumnMeaning(parts);
}

/** "humidity_10" is humidity at 10 cm; "temperature" has no depth. */
export function canonicalSensor(name: string): SensorMeaning | null {
  const match = /^([a-z]+)(?:_(\d+(?:\.\d+)?))?$/.exec(name.trim().toLowerCase());
  const type = match && canonicalType(itemAt(match, 1));
  if (!type) return null;
  return {
    kind: 'sensor',
    type,
    depth: match[2] === undefined ? null : Number(match[2]),
    unit: null,
  };
}

function canonicalType(name: string): MeasurementType | null {
  if (name === 'tension') return 'tensio';
  return MEASUREMENT_TYPES.find((type) => type === name) ?? null;
}

export const wordsIn = (text: string): string[] => text.match(/\p{L}+/gu) ?? [];

const areAllIn = (words: readonly string[], ...sets: readonly ReadonlySet<string>[]): boolean =>
  words.every((word) => sets.some((set) => set.has(word)));

const hasAny = (words: readonly string[], set: ReadonlySet<string>): boolean =>
  words.some((word) => set.has(word));

/** "dd/mm/yyyy hh:mm", "jj/mm/aaaa", "tt.mm.jjjj" and "gg/mm/aaaa". */
const DATE_FORMAT =
  /\b(?:(?<dmy>[djtg]{1,2}[/.-]m{1,2})|(?<mdy>m{1,2}[/.-][djtg]{1,2}))[/.-][yaj]{2,4}(?: [ho]{1,2}[:h]m{1,2}(?::s{1,2})?)?/;
const UTC = /\b(?:utc|gmt)(?: ?(?<sign>[+-]) ?(?<hours>\d{1,2})(?::?(?<minutes>\d{2}))?)?(?![\d:])/;

function timeMeaning(normalizedName: string): TimeMeaning | null {
  const offset = UTC.exec(normalizedName);
  const rest = normalizedName.replace(DATE_FORMAT, ' ').replace(UTC, ' ');
  const words = wordsIn(rest);
  if (/\d/.test(rest) || !areAllIn(words, INSTANT, DATE, CLOCK, FILLERS)) return null;

  const [isInstant, isDate, isClock] = [INSTANT, DATE, CLOCK].map((set) => hasAny(words, set));
  if (!isInstant && !isDate && !isClock) return null;

  const zone = offset && zoneOfOffset(offset.groups!);
  if (offset !== null && zone === null) return null;

  const partialKind = isDate ? 'date' : 'clock';
  return {
    kind: isInstant || (isDate && isClock) ? 'instant' : partialKind,
    zone,
    dates: dateOrderIn(normalizedName),
  };
}

function dateOrderIn(normalizedName: string): DateOrder | null {
  const format = DATE_FORMAT.exec(normalizedName)?.groups;
  if (format === undefined) return null;
  return format.dmy !== undefined ? 'dmy' : 'mdy';
}

function zoneOfOffset(offset: Record<string, string | undefined>): string | null {
  const { sign, hours = '0', minutes = '00' } = offset;
  return Number(hours) + Number(minutes) === 0 ? 'UTC' : zoneOfClock(`${sign}${hours}:${minutes}`);
}

function sensorMeaning(parts: NameParts): SensorMeaning | null {
  const { types, depth, words, unit, isComplete } = parts;
  const type = unitAlone(parts) ?? types[0];
  if (!isComplete || types.length > 1 || type === undefined || depth === undefined) return null;
  if (unit !== null && unit.type !== type) return null;
  const isAirHumidity = depth === null && hasAny(words, AMBIGUOUS_HUMIDITY) && !hasAny(words, SOIL);
  if (isAirHumidity) return null;
  return { kind: 'sensor', type, depth, unit: namesPotential(words) ? potentialUnit(unit) : unit };
}

const POTENTIAL = /poten[tc]|^swp$/;

/** A water potential is the tension with a minus sign, which some loggers leave out. */
export const namesPotential = (words: readonly string[]): boolean =>
  words.some((word) => POTENTIAL.test(word));

function potentialUnit(unit: Unit | null): Unit {
  const { symbol = 'kPa', convert = (value: number) => value } = unit ?? {};
  return { type: 'tensio', symbol, convert: (value) => Math.abs(convert(value)) };
}

/** A unit that nothing but soil water is given in stands for its measurement: "cb", "kPa 30". */
const unitAlone = ({ types, words, unit }: NameParts): MeasurementType | null =>
  types.length === 0 && words.length === 0 && unit?.symbol === 'kPa' ? unit.type : null;

interface NameParts {
  readonly words: readonly string[];
  readonly types: readonly MeasurementType[];
  /** Undefined if several numbers could be the depth. */
  readonly depth: number | null | undefined;
  readonly unit: Unit | null;
  /** True if every word is known. */
  readonly isComplete: boolean;
}

function partsOfName(normalizedName: string): NameParts {
  const { unit, rest } = splitUnitOfName(normalizedName);
  const figures = [
    ...rest.matchAll(/(?<!\d)(\d+(?:[.,]\d+)?) ?(cm|mm|m|in|inch|inches)?(?![\p{L}\d])/gu),
  ];
  const withUnit = figures.filter(([, , depthUnit]) => depthUnit !== undefined);
  const afterFigures = rest.replace(/(\d) ?(?:cm|mm|m|in|inch|inches)(?!\p{L})/gu, '$1');
  const apart = lengthUnitIn(afterFigures);
  const words = wordsIn(apart === null ? afterFigures : afterFigures.replace(LENGTH_APART, ' '));
  const types = MEASUREMENT_WORDS.filter(([, set]) => hasAny(words, set)).map(([type]) => type);
  const depthFigures = withUnit.length > 0 ? withUnit : figures;
  const sets = [...MEASUREMENT_WORDS.map(([, set]) => set), SOIL, FILLERS];

  const role =
    apart === null
      ? null
      : roleOfLength(apart, { types, words, unit, figures: depthFigures.length, withUnit });
  // A length of which it is unclear what it measures is no known word.
  if (apart !== null && role === null) words.push(apart);

  return {
    words,
    types,
    depth: depthAmong(depthFigures, role === 'depth' && apart !== null ? apart : 'cm'),
    unit: role === 'water' ? WATER_COLUMN_CM : unit,
    isComplete: areAllIn(words, ...sets) && (apart === null || role !== null),
  };
}

/** A unit of length apart from a number: "depth (cm) 30", "20 cm [cm]", "8 in (in)". */
const LENGTH_APART =
  /[([] ?(?<bracketed>cm|mm|m|in|inch|inches) ?[)\]]|\b(?<bare>cm)\b|\b(?<last>in|inch|inches)\s*$/u;

function lengthUnitIn(text: string): string | null {
  const { bracketed, bare, last } = LENGTH_APART.exec(text)?.groups ?? {};
  return bracketed ?? bare ?? last ?? null;
}

interface PartsBesideLength extends Pick<NameParts, 'types' | 'words' | 'unit'> {
  readonly figures: number;
  readonly withUnit: readonly unknown[];
}

/** Whether the length is the unit of the depth, or of a tension as a column of water. */
function roleOfLength(
  length: string,
  { types, words, unit, figures, withUnit }: PartsBesideLength,
): 'depth' | 'water' | null {
  const [type] = types;
  const namesDepth = hasAny(words, DEPTH);
  if (type === undefined) return namesDepth && length === 'cm' && figures === 0 ? 'depth' : null;

  const isOfBareFigure = withUnit.length === 0 && figures === 1;
  if (isOfBareFigure) return type !== 'tensio' || unit !== null || namesDepth ? 'depth' : null;
  return type === 'tensio' && unit === null && length === 'cm' ? 'water' : null;
}

function depthAmong(
  candidates: readonly RegExpExecArray[],
  defaultUnit: string,
): NameParts['depth'] {
  if (candidates.length > 1) return undefined;
  const [, figure, unit = defaultUnit] = candidates[0] ?? [];
  return figure === undefined ? null : toCm(figure, unit);
}

const toCm = (figure: string, unit: string): number =>
  roundTo(Number(figure.replace(',', '.')) * CM_PER_UNIT[unit]!, 3);

/** "30 cm", "0.3 m" or "12 in"; null for other text. */
export function depthInCm(text: string): number | null {
  const [, figure, unit] =
    /^(\d{1,5}(?:[.,]\d{1,3})?) ?(cm|mm|m|in|inch|inches)$/i.exec(text.trim()) ?? [];
  return figure === undefined ? null : toCm(figure, unit!.toLowerCase());
}

function longColumnMeaning({ words, depth, unit }: NameParts): ColumnMeaning | null {
  // A column "Probe A" has the readings of that probe.
  if (depth !== null || words.some((word) => word.length === 1)) return null;
  const kind = LONG_COLUMN_WORDS.find(
    ([, set]) => hasAny(words, set) && areAllIn(words, set, FILLERS),
  )?.[0];
  return kind === undefined ? null : { kind, unit: kind === 'value' ? unit : null };
}

/** True if no air has what the name says: tension, or words such as "soil" and "bodenfeuchte". */
export function isOfSoil(name: string, type: MeasurementType): boolean {
  if (type === 'tensio') return true;
  const words = wordsIn(normalizeName(name));
  const isMoistureWord = (word: string): boolean =>
    type === 'humidity' && !AMBIGUOUS_HUMIDITY.has(word) && HUMIDITY.has(word);
  return words.some((word) => SOIL.has(word) || isMoistureWord(word));
}

/** Parses a cell of the type column, which may name the unit: "tension (hPa)". */
export function parseTypeAndUnit(text: string): Pick<SensorMeaning, 'type' | 'unit'> | null {
  const name = text.trim().toLowerCase();
  const canonical = canonicalType(name);
  if (canonical !== null) return { type: canonical, unit: null };
  if (text.length > MAX_COLUMN_NAME_LENGTH) return null;
  const { types, depth, unit, isComplete } = partsOfName(normalizeName(name));
  if (!isComplete || types.length !== 1 || depth !== null) return null;
  const type = firstOf(types);
  return unit === null || unit.type === type ? { type, unit } : null;
}

export const parseMeasurementType = (text: string): MeasurementType | null =>
  parseTypeAndUnit(text)?.type ?? null;

export const sensorColumnName = ({
  type,
  depth,
}: {
  readonly type: string;
  readonly depth: number | null;
}): string => (depth === null ? type : `${type}_${depth}`);

/** So large that depth counts only among columns of one type, and spelling at one depth. */
const OTHER_TYPE_WEIGHT = 1e6;
const WEIGHT_PER_CM = 100;
/** Farther from a depth than any sensor that has one. */
const NO_DEPTH_CM = 1000;

/** The known column most similar to a name: by type, then by depth, then by spelling. */
export function nearestColumn(name: string, known: readonly string[]): string | null {
  const text = normalizeName(name.slice(0, MAX_COLUMN_NAME_LENGTH));
  const { types, depth } = partsOfName(text);

  const difference = (column: string): number => {
    const [typeOfColumn = '', depthText] = column.split('_');
    const isOtherType = types.length > 0 && !types.some((type) => type === typeOfColumn);
    const depthGapCm = depth == null ? 0 : Math.abs(depth - Number(depthText ?? NO_DEPTH_CM));
    return (
      (isOtherType ? OTHER_TYPE_WEIGHT : 0) +
      depthGapCm * WEIGHT_PER_CM +
      distance(text, column.replace('_', ' '))
    );
  };

  return known.length === 0 ? null : leastBy(known, difference);
}
