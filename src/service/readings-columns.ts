import { quoted } from '../operation/names.ts';
import { refuse } from '../schema/error.ts';
import { MEASUREMENT_TYPES, type MeasurementType } from '../schema/place.ts';
import { cellsOf } from './csv-lines.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** Columns at most: no station has so many sensors, and each row is asked for every one. */
const MOST_COLUMNS = 500;

const LONG_COLUMNS = ['module', 'type', 'depth', 'time', 'value'] as const;

/** Columns that the rejects file adds; a mended rejects file is imported with them still there. */
export const REJECT_COLUMNS = ['reject_line', 'reject_reason'];

/** A column of a wide file that holds what a kind of sensor measures at a depth (cm, null without one). */
export interface SensorColumn {
  readonly index: number;
  readonly name: string;
  readonly type: MeasurementType;
  readonly depth: number | null;
}

interface Header {
  readonly delimiter: string;
  /** Number of cells of a whole row. */
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
  /** Columns that name no sensor. */
  readonly others: readonly string[];
}

/** What the header line says of the columns: names without regard to case, any of the usual delimiters. */
export function readHeader(line: string): LongHeader | WideHeader {
  const { delimiter, names } = splitHeader(line);
  if (names.length > MOST_COLUMNS)
    throw refuse('invalid_body', `The header names ${names.length} columns, and at most ${MOST_COLUMNS} are read.`, {
      hint: 'Divide the file into several with fewer columns, or write it as module,type,depth,time,value.',
    });
  const time = names.indexOf('time');
  if (time < 0)
    throw refuse('invalid_body', `The header names no column "time": ${shown(names)}.`, {
      hint: 'A readings file starts with "module,type,depth,time,value", or with "time,humidity_10,…" and --module NAME.',
    });
  const repeated = repeatedOf(
    names.filter((name) => name !== ''),
    (name) => name,
  );
  if (repeated !== undefined)
    throw refuse('invalid_body', `The header names the column ${quoted(repeated)} twice.`, {
      hint: 'Rename one of them.',
    });
  const common = { delimiter, width: names.length, time };
  if (names.includes('module') && names.includes('value')) return longHeader(names, common);
  return wideHeader(names, common);
}

/** The first whose key another before it has. */
function repeatedOf<T>(all: readonly T[], keyOf: (each: T) => string): T | undefined {
  const seen = new Set<string>();
  return all.find((each) => seen.size === seen.add(keyOf(each)).size);
}

function splitHeader(line: string): { delimiter: string; names: string[] } {
  const readings = DELIMITERS.map((delimiter) => ({ delimiter, names: namesOf(line, delimiter) }));
  return readings.reduce((best, each) => (rank(each.names) > rank(best.names) ? each : best));
}

function namesOf(line: string, delimiter: string): string[] {
  const names = (cellsOf(line, delimiter) ?? []).map((name) => name.trim().toLowerCase());
  while (names.at(-1) === '') names.pop();
  return names;
}

const rank = (names: readonly string[]): number => (names.includes('time') ? 1000 : 0) + names.length;

function longHeader(names: string[], common: Header): LongHeader {
  const missing = LONG_COLUMNS.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw refuse(
      'invalid_body',
      `The header lacks ${missing.map((name) => `"${name}"`).join(', ')}: ${shown(names)}.`,
      {
        hint: 'A long readings file has the columns module,type,depth,time,value; depth is empty for a sensor without one.',
      },
    );
  const [module, type, depth, , value] = LONG_COLUMNS.map((name) => names.indexOf(name));
  return { layout: 'long', ...common, module: module!, type: type!, depth: depth!, value: value! };
}

function wideHeader(names: string[], common: Header): WideHeader {
  const sensors: SensorColumn[] = [];
  const others: string[] = [];
  for (const [index, name] of names.entries()) {
    const column = sensorColumn(name, index);
    if (column) sensors.push(column);
    else if (index !== common.time && name !== '' && !REJECT_COLUMNS.includes(name)) others.push(name);
  }
  const twice = repeatedOf(sensors, ({ type, depth }) => `${type} ${depth}`);
  if (twice !== undefined)
    throw refuse('invalid_body', `The column ${quoted(twice.name)} names the sensor of another column again.`, {
      hint: 'Rename or remove one of them.',
    });
  if (sensors.length === 0)
    throw refuse('invalid_body', `No column names a sensor: ${shown(names)}.`, {
      hint: 'Name the columns by type and depth in cm, such as humidity_10, or by type alone for a sensor without depth.',
    });
  return { layout: 'wide', ...common, sensors, others };
}

/** Longest name of a column of a sensor, in characters. */
const LONGEST_NAME = 100;

/** "humidity_10" is humidity at 10 cm, "temperature" a temperature without depth. */
function sensorColumn(name: string, index: number): SensorColumn | null {
  if (name.length > LONGEST_NAME) return null;
  const match = /^([a-z]+)(?:_(\d+(?:\.\d+)?))?$/.exec(name);
  const type = match && measurementType(match[1]!);
  if (!type) return null;
  return { index, name, type, depth: match[2] === undefined ? null : Number(match[2]) };
}

/** The measurement type of that name, "tension" standing for tensio; null for another word. */
export function measurementType(name: string): MeasurementType | null {
  const type = name.trim().toLowerCase();
  if (type === 'tension') return 'tensio';
  return MEASUREMENT_TYPES.find((each) => each === type) ?? null;
}

const shown = (names: readonly string[]): string =>
  names
    .slice(0, 12)
    .map((name) => `"${name.replace(/[\p{C}\s]+/gu, ' ').slice(0, 40)}"`)
    .join(', ') + (names.length > 12 ? ' …' : '');
