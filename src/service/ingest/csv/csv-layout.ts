import type { CsvProfileName, DateOrder } from '../../../domain/ingest/import-options.ts';
import { quote, singleLine } from '../../../domain/text.ts';
import { type AcequiaError, invalidInputError } from '../../../schema/error.ts';
import type { SkipCode } from '../../../schema/ingest/csv-import.ts';
import {
  type ColumnMap,
  type InterpretedColumn,
  isTimeMeaning,
  mapKey,
} from './column-meanings.ts';
import {
  nearestColumn,
  type SensorMeaning,
  sensorColumnName,
  type TimeMeaning,
  type Unit,
} from './column-names.ts';
import { findHeader, HEADER_EXAMPLES } from './csv-header.ts';

export interface SensorColumn extends Omit<SensorMeaning, 'kind'> {
  readonly index: number;
  readonly name: string;
  /**
   * False if the values could be fractions: neither the name nor the map nor the profile gives the
   * unit.
   */
  readonly isUnitCertain: boolean;
  /** Codes of a failed measurement. */
  readonly missing: readonly (number | string)[];
  /** The largest value that the sensor measures; null if that is not known. */
  readonly max: number | null;
}

/** `time` has the whole time, or only its day if `clock` is a column of its own. */
export interface TimeColumns {
  readonly time: number;
  readonly clock: number | null;
  /** True if `time` is called a date, and no column has a time of day. */
  readonly mayBeDaily: boolean;
}

interface Layout extends TimeColumns {
  /** The provider that the file is an export of. */
  readonly profile: CsvProfileName | null;
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
  /** The unit of the value column, from the header or the map; null if neither names it. */
  readonly valueUnit: Unit | null;
  /** The index of the column that names the unit of each row. */
  readonly unit: number | null;
}

export interface WideLayout extends Layout {
  readonly kind: 'wide';
  /** The index of the column that names the module of each row. */
  readonly module: number | null;
  readonly sensors: readonly SensorColumn[];
  readonly unread: readonly UnreadColumn[];
}

interface UnreadColumn {
  readonly name: string;
  readonly why: SkipCode;
}

export type CsvLayout = LongLayout | WideLayout;

interface ColumnMapping {
  /** What the caller says that columns mean. */
  readonly map: ColumnMap;
  /** The name of the option or argument with the map, for errors. */
  readonly mapField: string;
  /** The columns that could be read, of which errors name the nearest. */
  readonly knownColumns: readonly string[];
}

export function readLayout(
  lines: readonly string[],
  mapping: ColumnMapping,
  profile?: CsvProfileName,
): CsvLayout {
  const header = findHeader(lines, mapping.map, profile);
  const { columns } = header;
  assertMappingUsed(columns, mapping);
  const time = requiredTimeColumns(columns, mapping);
  assertColumnsDiffer(columns, mapping);

  const common: Layout = {
    ...header,
    ...time.columns,
    names: columns.map(({ name }) => name),
    zone: time.meanings.find(({ zone }) => zone !== null)?.zone ?? null,
    dates: time.meanings.find(({ dates }) => dates !== null)?.dates ?? null,
  };
  const module = indexOfKind(columns, 'module');
  const value = indexOfKind(columns, 'value');

  return module === null || value === null
    ? wideLayout(columns, common, module, mapping)
    : longLayout(columns, common, module, value);
}

const indexOfKind = (columns: readonly InterpretedColumn[], kind: LongColumnKind): number | null =>
  columns.find(({ meaning }) => meaning?.kind === kind)?.index ?? null;

function longLayout(
  columns: readonly InterpretedColumn[],
  common: Layout,
  module: number,
  value: number,
): LongLayout {
  const type = indexOfKind(columns, 'type');
  const depth = indexOfKind(columns, 'depth');
  if (type === null || depth === null) {
    const lacking = [];
    if (type === null) lacking.push('"type"');
    if (depth === null) lacking.push('"depth"');
    throw invalidInputError(
      'invalid_body',
      `The header lacks ${lacking.join(', ')}: ${listColumns(common.names)}.`,
      {
        hint: 'A long readings file has the columns module,type,depth,time,value; depth is empty for a sensor without one.',
      },
    );
  }

  const meaning = columns.find(({ index }) => index === value)?.meaning;
  const valueUnit = meaning?.kind === 'value' ? meaning.unit : null;
  const unit = indexOfKind(columns, 'unit');
  return { kind: 'long', ...common, module, type, depth, value, valueUnit, unit };
}

function requiredTimeColumns(
  columns: readonly InterpretedColumn[],
  { mapField }: ColumnMapping,
): FoundTimeColumns {
  const found = timeColumns(columns);
  if (found !== null) return found;

  throw invalidInputError(
    'invalid_body',
    `The header names no column "time": ${listColumns(columns.map(({ name }) => name))}.`,
    { hint: `${HEADER_EXAMPLES} Or say which one it is with ${mapField} "NAME=time".` },
  );
}

interface FoundTimeColumns {
  readonly columns: TimeColumns;
  readonly meanings: readonly TimeMeaning[];
}

/** A column of dates and one of hours are joined; if there is only one of them, it has both. */
function timeColumns(columns: readonly InterpretedColumn[]): FoundTimeColumns | null {
  const found = columns.flatMap(({ index, meaning }) =>
    isTimeMeaning(meaning) ? [{ index, meaning }] : [],
  );
  const ofKind = (kind: TimeMeaning['kind']) => found.find(({ meaning }) => meaning.kind === kind);

  const [instant, date, clock] = [ofKind('instant'), ofKind('date'), ofKind('clock')];
  const only = instant ?? (date && clock ? undefined : (date ?? clock));
  if (only)
    return {
      columns: { time: only.index, clock: null, mayBeDaily: only === date },
      meanings: [only.meaning],
    };

  if (!date || !clock) return null;

  return {
    columns: { time: date.index, clock: clock.index, mayBeDaily: false },
    meanings: [date.meaning, clock.meaning],
  };
}

function assertColumnsDiffer(
  columns: readonly InterpretedColumn[],
  { mapField }: ColumnMapping,
): void {
  const understood = columns.filter(({ meaning }) => meaning !== null);
  const sameName = firstDuplicate(understood, ({ name }) => mapKey(name));
  if (sameName !== undefined)
    throw invalidInputError(
      'invalid_body',
      `The header names the column ${quote(sameName.name)} twice.`,
      {
        hint: 'Rename one of them.',
      },
    );

  const sameSensor = firstDuplicate(
    understood.flatMap(({ name, meaning }) =>
      meaning?.kind === 'sensor' ? [{ name, meaning }] : [],
    ),
    ({ meaning }) => sensorColumnName(meaning),
  );
  if (sameSensor !== undefined)
    throw invalidInputError(
      'invalid_body',
      `The column ${quote(sameSensor.name)} names the sensor of another column.`,
      {
        hint: `Rename one of them, or leave it unread with ${mapField} "NAME=ignore".`,
      },
    );
}

function firstDuplicate<T>(items: readonly T[], keyOf: (item: T) => string): T | undefined {
  const keys = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (keys.has(key)) return item;
    keys.add(key);
  }
  return undefined;
}

function wideLayout(
  columns: readonly InterpretedColumn[],
  common: Layout,
  module: number | null,
  mapping: ColumnMapping,
): WideLayout {
  const sensors = columns.flatMap(sensorColumns);
  const isIgnored = ({ mappedBy }: InterpretedColumn): boolean =>
    mappedBy !== null && mapping.map.get(mappedBy) === null;
  const isUnread = (column: InterpretedColumn): boolean =>
    column.name !== '' &&
    !isIgnored(column) &&
    column.meaning?.kind !== 'sensor' &&
    ![common.time, common.clock, module].includes(column.index);

  const unreadColumns = columns.filter(isUnread);
  const unread = unreadColumns.map(({ name, meaning, why }) => ({
    name,
    why: isTimeMeaning(meaning) ? ('other_time_column' as const) : (why ?? 'unknown_column'),
  }));
  if (sensors.length > 0) return { kind: 'wide', ...common, module, sensors, unread };

  throw noSensorError(unreadColumns, mapping);
}

/** The column if it is one of a sensor. */
function sensorColumns({
  index,
  name,
  isUnitCertain,
  meaning,
  missing = [],
  max = null,
}: InterpretedColumn): SensorColumn[] {
  if (meaning?.kind !== 'sensor') return [];
  const { type, depth, unit } = meaning;
  return [{ index, name, isUnitCertain, type, depth, unit, missing, max }];
}

function noSensorError(
  unread: readonly InterpretedColumn[],
  { mapField, knownColumns }: ColumnMapping,
): AcequiaError {
  const inputs = [...new Set(unread.flatMap(({ input }) => input ?? []))];
  if (inputs.length > 0)
    return invalidInputError(
      'invalid_parameter',
      `The file does not state the depth of ${listColumns(inputs)}.`,
      {
        hint: `Say it for each that is to be read, such as ${mapField} "${inputs[0]}=30 cm".`,
        field: mapField,
      },
    );

  const withNearest = ({ name }: InterpretedColumn): string => {
    const nearest = nearestColumn(name, knownColumns);
    return nearest === null ? quote(name) : `${quote(name)} (nearest: ${nearest})`;
  };

  const names = unread.filter(({ meaning }) => !isTimeMeaning(meaning)).slice(0, 12);
  return invalidInputError(
    'invalid_body',
    `No column names a sensor: ${names.map(withNearest).join(', ')}.`,
    {
      hint: `Name the columns by type and depth in cm, such as humidity_10, or say what they are with ${mapField} "NAME=humidity_10".`,
    },
  );
}

function assertMappingUsed(
  columns: readonly InterpretedColumn[],
  { map, mapField }: ColumnMapping,
): void {
  const used = new Set(columns.map(({ mappedBy }) => mappedBy));
  const unused = [...map.keys()].find((key) => !used.has(key));
  if (unused === undefined) return;
  throw invalidInputError(
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
