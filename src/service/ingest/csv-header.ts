import { MEASUREMENT_TYPES, type MeasurementType } from '../../domain/moisture/series.ts';
import { quote, singleLine } from '../../language/text.ts';
import { invalidInput } from '../../schema/error.ts';
import { csvCells } from './csv-lines.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** Every row is read in every column. */
const MAX_COLUMNS = 500;
/** In characters. It is split by every delimiter. */
const MAX_HEADER_LENGTH = 524_288;

const LONG_COLUMNS = ['module', 'type', 'depth', 'time', 'value'] as const;

/** Added to the rejects file; a corrected rejects file is imported with them. */
export const REJECT_COLUMNS = ['reject_line', 'reject_reason'];

export interface SensorColumn {
  readonly index: number;
  readonly name: string;
  readonly type: MeasurementType;
  readonly depth: number | null;
}

interface Header {
  readonly delimiter: string;
  readonly width: number;
  readonly time: number;
}

export interface LongHeader extends Header {
  readonly layout: 'long';
  readonly module: number;
  readonly type: number;
  readonly depth: number;
  readonly value: number;
}

export interface WideHeader extends Header {
  readonly layout: 'wide';
  readonly sensors: readonly SensorColumn[];
  readonly ignoredColumns: readonly string[];
}

export function parseHeader(line: string): LongHeader | WideHeader {
  if (line.length > MAX_HEADER_LENGTH)
    throw invalidInput('invalid_body', `The header is longer than ${MAX_HEADER_LENGTH} characters.`, {
      hint: 'A readings file starts with a header line.',
    });
  const { delimiter, names } = splitHeader(line);
  if (names.length > MAX_COLUMNS)
    throw invalidInput(
      'invalid_body',
      `The header names ${names.length} columns, and at most ${MAX_COLUMNS} are read.`,
      {
        hint: 'Split the file into several with fewer columns, or write it as module,type,depth,time,value.',
      },
    );
  const time = names.indexOf('time');
  if (time < 0)
    throw invalidInput('invalid_body', `The header names no column "time": ${listColumns(names)}.`, {
      hint: 'A readings file starts with "module,type,depth,time,value", or with "time,humidity_10,…" and --module NAME.',
    });
  const duplicate = firstDuplicate(
    names.filter((name) => name !== ''),
    (name) => name,
  );
  if (duplicate !== undefined)
    throw invalidInput('invalid_body', `The header names the column ${quote(duplicate)} twice.`, {
      hint: 'Rename one of them.',
    });
  const common = { delimiter, width: names.length, time };
  if (names.includes('module') && names.includes('value')) return parseLongHeader(names, common);
  return parseWideHeader(names, common);
}

function firstDuplicate<T>(items: readonly T[], keyOf: (item: T) => string): T | undefined {
  const keys = new Set<string>();
  return items.find((each) => keys.size === keys.add(keyOf(each)).size);
}

function splitHeader(line: string): { delimiter: string; names: string[] } {
  const candidates = DELIMITERS.map((delimiter) => ({ delimiter, names: columnNames(line, delimiter) }));
  return candidates.reduce((best, each) => (delimiterScore(each.names) > delimiterScore(best.names) ? each : best));
}

function columnNames(line: string, delimiter: string): string[] {
  const names = (csvCells(line, delimiter) ?? []).map((name) => name.trim().toLowerCase());
  while (names.at(-1) === '') names.pop();
  return names;
}

const delimiterScore = (names: readonly string[]): number => (names.includes('time') ? 1000 : 0) + names.length;

function parseLongHeader(names: string[], common: Header): LongHeader {
  const missing = LONG_COLUMNS.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw invalidInput(
      'invalid_body',
      `The header lacks ${missing.map((name) => `"${name}"`).join(', ')}: ${listColumns(names)}.`,
      {
        hint: 'A long readings file has the columns module,type,depth,time,value; depth is empty for a sensor without one.',
      },
    );
  const [module, type, depth, , value] = LONG_COLUMNS.map((name) => names.indexOf(name));
  return { layout: 'long', ...common, module: module!, type: type!, depth: depth!, value: value! };
}

function parseWideHeader(names: string[], common: Header): WideHeader {
  const sensors: SensorColumn[] = [];
  const ignoredColumns: string[] = [];
  for (const [index, name] of names.entries()) {
    const column = parseSensorColumn(name, index);
    if (column) sensors.push(column);
    else if (index !== common.time && name !== '' && !REJECT_COLUMNS.includes(name)) ignoredColumns.push(name);
  }
  const duplicate = firstDuplicate(sensors, ({ type, depth }) => `${type} ${depth}`);
  if (duplicate !== undefined)
    throw invalidInput('invalid_body', `The column ${quote(duplicate.name)} names the sensor of another column.`, {
      hint: 'Rename or remove one of them.',
    });
  if (sensors.length === 0)
    throw invalidInput('invalid_body', `No column names a sensor: ${listColumns(names)}.`, {
      hint: 'Name the columns by type and depth in cm, such as humidity_10, or by type alone for a sensor without depth.',
    });
  return { layout: 'wide', ...common, sensors, ignoredColumns };
}

const MAX_COLUMN_NAME_LENGTH = 100;

/** Such as "humidity_10" for humidity at 10 cm, or "temperature" for a temperature without depth. */
function parseSensorColumn(name: string, index: number): SensorColumn | null {
  if (name.length > MAX_COLUMN_NAME_LENGTH) return null;
  const match = /^([a-z]+)(?:_(\d+(?:\.\d+)?))?$/.exec(name);
  const type = match && parseMeasurementType(match[1]!);
  if (!type) return null;
  return { index, name, type, depth: match[2] === undefined ? null : Number(match[2]) };
}

export function parseMeasurementType(name: string): MeasurementType | null {
  const type = name.trim().toLowerCase();
  if (type === 'tension') return 'tensio';
  return MEASUREMENT_TYPES.find((each) => each === type) ?? null;
}

const listColumns = (names: readonly string[]): string =>
  names
    .slice(0, 12)
    .map((name) => `"${singleLine(name).slice(0, 40)}"`)
    .join(', ') + (names.length > 12 ? ' …' : '');
