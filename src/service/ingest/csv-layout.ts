import type { DateOrder } from '../../domain/date-order.ts';
import { quote, singleLine } from '../../language/text.ts';
import { invalidInput } from '../../schema/error.ts';
import {
  type ColumnMeaning,
  canonicalSensor,
  columnMeaning,
  nearestColumn,
  type SensorMeaning,
  sensorColumnName,
  type TimeMeaning,
  type Unit,
  unitOf,
} from './column-names.ts';
import { csvCells, quoteCsvCell } from './csv-lines.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** The cost of a row grows with its columns. */
const MAX_COLUMNS = 500;
/** In characters. The header is split by every delimiter. */
const MAX_HEADER_LENGTH = 524_288;
/** Loggers start with up to some fifteen lines about themselves. */
const MAX_LINES_BEFORE_HEADER = 30;
/** In characters. */
const MAX_SEARCHED_LENGTH = 16_384;
/** Names, units and depths may each have a line. */
const MAX_HEADER_LINES = 3;

const LONG_COLUMNS = ['module', 'type', 'depth', 'time', 'value'] as const;

/** Added to the rejects file, and ignored when a corrected one is imported. */
export const REJECT_COLUMNS = ['reject_line', 'reject_reason'];

const EXAMPLES =
  'A readings file has a header line such as "module,type,depth,time,value", or "time,humidity_10,temperature_10" for one module.';

export interface SensorColumn extends Omit<SensorMeaning, 'kind'> {
  readonly index: number;
  readonly name: string;
  /** False if fractions could be meant: neither the canonical name nor the map says the unit. */
  readonly isUnitCertain: boolean;
}

/** `time` has the whole time, or only its day if `clock` is a column of its own. */
export interface TimeColumns {
  readonly time: number;
  readonly clock: number | null;
  /** True if `time` is called a date and no column a time of day. */
  readonly mayBeDaily: boolean;
}

interface Layout extends TimeColumns {
  readonly delimiter: string;
  readonly names: readonly string[];
  /** Becomes the header of the rejects file. */
  readonly headerText: string;
  /** The number of lines up to and including the header. */
  readonly headerEnd: number;
  /** From the header, for times without an offset. */
  readonly zone: string | null;
  readonly dates: DateOrder | null;
}

type LongColumnKind = 'module' | 'type' | 'depth' | 'value' | 'unit';

export interface LongLayout extends Layout {
  readonly kind: 'long';
  readonly module: number;
  readonly type: number;
  readonly depth: number;
  readonly value: number;
  /** Of the values of its type, from the header or the map; null where nothing says it. */
  readonly valueUnit: Unit | null;
  /** The index of the column that names the unit of each row. */
  readonly unit: number | null;
}

export interface WideLayout extends Layout {
  readonly kind: 'wide';
  /** The index of the column that names the module of each row. */
  readonly module: number | null;
  readonly sensors: readonly SensorColumn[];
  readonly unknownColumns: readonly string[];
  readonly unreadTimes: readonly string[];
}

export type CsvLayout = LongLayout | WideLayout;

/** By the folded column name; null ignores the column. */
export type ColumnMap = ReadonlyMap<string, ColumnMeaning | null>;

interface MeantColumn {
  readonly index: number;
  readonly name: string;
  readonly mappedBy: string | null;
  readonly isUnitCertain: boolean;
  readonly meaning: ColumnMeaning | null;
}

interface HeaderBlock {
  readonly delimiter: string;
  readonly headerText: string;
  readonly headerEnd: number;
  readonly columns: readonly MeantColumn[];
  readonly score: number;
}

export function readLayout(
  lines: readonly string[],
  map: ColumnMap,
  mapField: string,
  knownColumns: readonly string[],
): CsvLayout {
  const block = bestHeader(lines, map);
  const { columns } = block;
  refuseUnusedMapping(columns, map, mapField);
  const time = timeColumns(columns);
  if (time === null)
    throw invalidInput(
      'invalid_body',
      `The header names no column "time": ${listColumns(columns.map(({ name }) => name))}.`,
      { hint: `${EXAMPLES} Or say which one it is with ${mapField} "NAME=time".` },
    );
  refuseRepeatedColumns(columns, mapField);
  const common = {
    ...block,
    ...time.columns,
    names: columns.map(({ name }) => name),
    zone: time.meanings.find(({ zone }) => zone !== null)?.zone ?? null,
    dates: time.meanings.find(({ dates }) => dates !== null)?.dates ?? null,
  };
  const columnOf = (kind: LongColumnKind) => columns.find(({ meaning }) => meaning?.kind === kind);
  const indexOf = (kind: LongColumnKind): number | null => columnOf(kind)?.index ?? null;
  const [module, type, depth, value] = [indexOf('module'), indexOf('type'), indexOf('depth'), indexOf('value')];
  if (value === null || module === null) return wideLayout(columns, common, module, mapField, knownColumns);
  if (type !== null && depth !== null) {
    const { meaning } = columnOf('value')!;
    const valueUnit = meaning?.kind === 'value' ? meaning.unit : null;
    return { kind: 'long', ...common, module, type, depth, value, valueUnit, unit: indexOf('unit') };
  }
  const missing = LONG_COLUMNS.filter(
    (name) => (name === 'type' && type === null) || (name === 'depth' && depth === null),
  );
  throw invalidInput(
    'invalid_body',
    `The header lacks ${missing.map((name) => `"${name}"`).join(', ')}: ${listColumns(common.names)}.`,
    {
      hint: 'A long readings file has the columns module,type,depth,time,value; depth is empty for a sensor without one.',
    },
  );
}

function bestHeader(lines: readonly string[], map: ColumnMap): HeaderBlock {
  const rows = lines.flatMap((text, index) => (isBlankLine(text) ? [] : [{ text, index }]));
  let best: HeaderBlock | null = null;
  let lastStart = MAX_LINES_BEFORE_HEADER;
  let length = 0;
  for (let start = 0; start < Math.min(rows.length, lastStart + 1); start++) {
    length += rows[start]!.text.length;
    if (start > 0 && length > MAX_SEARCHED_LENGTH) break;
    if (length > MAX_HEADER_LENGTH)
      throw invalidInput('invalid_body', `The header is longer than ${MAX_HEADER_LENGTH} characters.`, {
        hint: EXAMPLES,
      });
    const header = bestBlockAt(rows.slice(start, start + MAX_HEADER_LINES), map);
    // Of equal headers, the later has fewer lines that do not belong to it.
    const isBetter =
      best === null || header.score > best.score || (header.score === best.score && header.score >= COMPLETE);
    if (!isBetter) continue;
    best = header;
    // A start slightly further down may be better; below that are rows.
    if (header.score >= COMPLETE) lastStart = Math.min(lastStart, start + MAX_HEADER_LINES - 1);
  }
  if (best === null)
    throw invalidInput('invalid_body', 'The file is empty.', { hint: 'A readings file starts with a header line.' });
  if (best.columns.length > MAX_COLUMNS)
    throw invalidInput(
      'invalid_body',
      `The header names ${best.columns.length} columns, and at most ${MAX_COLUMNS} are read.`,
      { hint: 'Split the file into several with fewer columns, or write it as module,type,depth,time,value.' },
    );
  return best;
}

interface Line {
  readonly text: string;
  readonly index: number;
}

function bestBlockAt(lines: readonly Line[], map: ColumnMap): HeaderBlock {
  let best: HeaderBlock | null = null;
  for (const delimiter of DELIMITERS)
    for (let count = 1; count <= lines.length; count++) {
      const header = headerBlock(lines.slice(0, count), delimiter, map);
      if (header === null) break;
      // A line of units belongs to the header even if it adds nothing.
      if (best === null || header.score > best.score || (count > 1 && header.score === best.score)) best = header;
    }
  return best!;
}

/** Spreadsheets write empty rows as bare delimiters. */
export const isBlankLine = (text: string): boolean => text.length < 64 && /^[\s,;|]*$/.test(text);

/** The minimum score of a header with a time and readings. */
const COMPLETE = 1000;

/** Null if one of the lines after the first cannot belong to a header. */
function headerBlock(block: readonly Line[], delimiter: string, map: ColumnMap): HeaderBlock | null {
  const lines = block.map(({ text }) => headerCells(text, delimiter));
  const [first = [], ...others] = lines;
  const isWithinLimit = lines.every((line) => line.length <= MAX_COLUMNS);
  if (others.length > 0 && (!isWithinLimit || others.flat().some((cell) => PLAIN_NUMBER.test(cell)))) return null;
  const columns = !isWithinLimit
    ? first.map((name, index) => ({ index, name, mappedBy: null, isUnitCertain: false, meaning: null }))
    : others.length > 0
      ? joinedColumns(lines, map)
      : first.map((name, index) => meantColumn(name, index, [], map));
  const times = columns.filter(({ meaning }) => isTime(meaning));
  // A line with digits under a time is a row.
  if (others.some((line) => times.length === 0 || times.some(({ index }) => /\d/.test(line[index] ?? '')))) return null;
  return {
    delimiter,
    headerText:
      others.length === 0 ? block[0]!.text : columns.map(({ name }) => quoteCsvCell(name, delimiter)).join(delimiter),
    headerEnd: block.at(-1)!.index + 1,
    columns,
    score: headerScore(columns),
  };
}

const PLAIN_NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

function headerScore(columns: readonly MeantColumn[]): number {
  const meanings = columns.flatMap(({ meaning }) => (meaning === null ? [] : [meaning]));
  const hasTime = meanings.some(isTime);
  const sensors = meanings.filter(({ kind }) => kind === 'sensor') as SensorMeaning[];
  const isLong = ['module', 'value'].every((kind) => meanings.some((meaning) => meaning.kind === kind));
  return (
    (hasTime && (sensors.length > 0 || isLong) ? COMPLETE : 0) +
    (hasTime ? COMPLETE / 2 : 0) +
    new Set(sensors.map(sensorColumnName)).size * 2 +
    sensors.filter(({ unit }) => unit !== null).length +
    columns.length / COMPLETE
  );
}

function headerCells(line: string, delimiter: string): string[] {
  const cells = csvCells(line, delimiter) ?? [];
  const names = cells.map(cells.length > MAX_COLUMNS ? (name) => name.trim() : singleLine);
  while (names.at(-1) === '') names.pop();
  return names;
}

/** A name that spans several columns is in the first one's cell. */
function joinedColumns(lines: readonly (readonly string[])[], map: ColumnMap): MeantColumn[] {
  const width = Math.max(...lines.map((line) => line.length));
  let spanning = '';
  const [first = [], ...others] = lines;
  return Array.from({ length: width }, (_, index) => {
    const cell = first[index] ?? '';
    const below = others.map((line) => line[index] ?? '');
    if (cell !== '') spanning = isTime(columnMeaning(cell)) ? '' : cell;
    const parts = [below.some((part) => part !== '') ? cell || spanning : cell, ...below].filter((part) => part !== '');
    return meantColumn(parts.join(' '), index, parts, map);
  });
}

function meantColumn(name: string, index: number, parts: readonly string[], map: ColumnMap): MeantColumn {
  const mappedBy = [name, ...parts].map(mapKey).find((key) => map.has(key)) ?? null;
  if (mappedBy !== null) {
    const mapped = map.get(mappedBy)!;
    const isUnitCertain = mapped?.kind === 'sensor' && mapped.unit !== null;
    return { index, name, mappedBy, isUnitCertain, meaning: withUnit(mapped, unitOf(name)) };
  }
  const isUnitCertain = canonicalSensor(name) !== null;
  if (REJECT_COLUMNS.includes(mapKey(name))) return { index, name: '', mappedBy, isUnitCertain, meaning: null };
  // Units or kinds ("TS", "Avg") below its name do not change what a time column means.
  const meaning = columnMeaning(name) ?? parts.map(columnMeaning).find(isTime) ?? null;
  return { index, name, mappedBy, isUnitCertain, meaning };
}

export const mapKey = (name: string): string => singleLine(name).toLowerCase();

function withUnit(meaning: ColumnMeaning | null, unit: Unit | null): ColumnMeaning | null {
  if (meaning === null || unit === null) return meaning;
  const takesUnit = meaning.kind === 'value' || (meaning.kind === 'sensor' && unit.type === meaning.type);
  return takesUnit && meaning.unit === null ? { ...meaning, unit } : meaning;
}

function isTime(meaning: ColumnMeaning | null): meaning is TimeMeaning {
  return meaning?.kind === 'instant' || meaning?.kind === 'date' || meaning?.kind === 'clock';
}

/** A date and an hour column are joined; one of them alone holds both. */
function timeColumns(
  columns: readonly MeantColumn[],
): { columns: TimeColumns; meanings: readonly TimeMeaning[] } | null {
  const found = columns.flatMap(({ index, meaning }) => (isTime(meaning) ? [{ index, meaning }] : []));
  const of = (kind: TimeMeaning['kind']) => found.find(({ meaning }) => meaning.kind === kind);
  const [instant, date, clock] = [of('instant'), of('date'), of('clock')];
  const whole = instant ?? (date && clock ? undefined : (date ?? clock));
  if (whole)
    return { columns: { time: whole.index, clock: null, mayBeDaily: whole === date }, meanings: [whole.meaning] };
  if (!date || !clock) return null;
  return {
    columns: { time: date.index, clock: clock.index, mayBeDaily: false },
    meanings: [date.meaning, clock.meaning],
  };
}

function refuseRepeatedColumns(columns: readonly MeantColumn[], mapField: string): void {
  const known = columns.filter(({ meaning }) => meaning !== null);
  const sameName = firstDuplicate(known, ({ name }) => mapKey(name));
  if (sameName !== undefined)
    throw invalidInput('invalid_body', `The header names the column ${quote(sameName.name)} twice.`, {
      hint: 'Rename one of them.',
    });
  const sameSensor = firstDuplicate(
    known.flatMap(({ name, meaning }) => (meaning?.kind === 'sensor' ? [{ name, meaning }] : [])),
    ({ meaning }) => sensorColumnName(meaning),
  );
  if (sameSensor !== undefined)
    throw invalidInput('invalid_body', `The column ${quote(sameSensor.name)} names the sensor of another column.`, {
      hint: `Rename one of them, or leave it unread with ${mapField} "NAME=ignore".`,
    });
}

function firstDuplicate<T>(items: readonly T[], keyOf: (item: T) => string): T | undefined {
  const keys = new Set<string>();
  return items.find((each) => keys.size === keys.add(keyOf(each)).size);
}

function wideLayout(
  columns: readonly MeantColumn[],
  common: Layout,
  module: number | null,
  mapField: string,
  knownColumns: readonly string[],
): WideLayout {
  const sensors = columns.flatMap(({ index, name, isUnitCertain, meaning }) =>
    meaning?.kind === 'sensor'
      ? [{ index, name, isUnitCertain, type: meaning.type, depth: meaning.depth, unit: meaning.unit }]
      : [],
  );
  const isUnread = ({ index, name, mappedBy, meaning }: MeantColumn): boolean =>
    name !== '' &&
    !(mappedBy !== null && meaning === null) &&
    meaning?.kind !== 'sensor' &&
    ![common.time, common.clock, module].includes(index);
  const unread = columns.filter(isUnread);
  const [unreadTimes, unknown] = [true, false].map((ofTimes) =>
    unread.filter(({ meaning }) => isTime(meaning) === ofTimes).map(({ name }) => name),
  ) as [string[], string[]];
  if (sensors.length > 0) return { kind: 'wide', ...common, module, sensors, unknownColumns: unknown, unreadTimes };
  const withNearest = (name: string): string => {
    const nearest = nearestColumn(name, knownColumns);
    return nearest === null ? quote(name) : `${quote(name)} (nearest: ${nearest})`;
  };
  throw invalidInput('invalid_body', `No column names a sensor: ${unknown.slice(0, 12).map(withNearest).join(', ')}.`, {
    hint: `Name the columns by type and depth in cm, such as humidity_10, or say what they are with ${mapField} "NAME=humidity_10".`,
  });
}

function refuseUnusedMapping(columns: readonly MeantColumn[], map: ColumnMap, mapField: string): void {
  const used = new Set(columns.map(({ mappedBy }) => mappedBy));
  const unused = [...map.keys()].find((key) => !used.has(key));
  if (unused === undefined) return;
  throw invalidInput(
    'invalid_parameter',
    `The file has no column ${quote(unused)}: ${listColumns(columns.map(({ name }) => name))}.`,
    { hint: `Write the name in ${mapField} as the header does.`, field: mapField },
  );
}

const listColumns = (names: readonly string[]): string =>
  names
    .slice(0, 12)
    .map((name) => `"${singleLine(name).slice(0, 40)}"`)
    .join(', ') + (names.length > 12 ? ' …' : '');
