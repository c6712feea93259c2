import type { CsvProfileName, DateOrder } from '../../../domain/ingest/import-options.ts';
import { FigureConvention } from '../../../domain/ingest/written-figures.ts';
import { FileError } from '../../../language/ingest/file-error.ts';
import type { SkipCode } from '../../../schema/ingest/rejection.ts';
import {
  atKnownDepth,
  atOnlyDepth,
  type InterpretedColumn,
  isTimeMeaning,
} from './column-meanings.ts';
import type { SensorMeaning, TimeMeaning } from './column-names.ts';
import type { Unit } from './column-units.ts';
import { findHeader } from './csv-header.ts';
import {
  assertColumnsDiffer,
  assertMappingUsed,
  type ColumnMapping,
  listColumns,
  noSensorError,
} from './layout-checks.ts';

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
  /** Fixed by the rows that are sampled, or else by the first that show it. */
  readonly figures: FigureConvention;
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

export function readLayout(
  lines: readonly string[],
  mapping: ColumnMapping,
  profile?: CsvProfileName,
): CsvLayout {
  const header = findHeader(lines, mapping.map, profile);
  const columns = header.columns
    .map((column) => atKnownDepth(column, mapping.knownColumns))
    .map((column, _, all) => atOnlyDepth(column, all, mapping.knownColumns));
  assertMappingUsed(columns, mapping);
  const time = requiredTimeColumns(columns, mapping);
  assertColumnsDiffer(columns, mapping);

  const common: Layout = {
    ...header,
    ...time.columns,
    figures: new FigureConvention(header.delimiter),
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
    const lacking: string[] = [];
    if (type === null) lacking.push('"type"');
    if (depth === null) lacking.push('"depth"');
    throw new FileError(({ fileFaults }) =>
      fileFaults.lacksColumns(lacking.join(', '), listColumns(common.names)),
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

  const names = listColumns(columns.map(({ name }) => name));
  throw new FileError(({ fileFaults }) => fileFaults.noTimeColumn(names, mapField));
}

interface FoundTimeColumns {
  readonly columns: TimeColumns;
  readonly meanings: readonly TimeMeaning[];
}

/**
 * A column of whole times is preferred. Otherwise a column of dates and one of times of day are
 * joined; if there is only one of the two, it has the whole time.
 */
function timeColumns(columns: readonly InterpretedColumn[]): FoundTimeColumns | null {
  const found = columns.flatMap(({ index, meaning }) =>
    isTimeMeaning(meaning) ? [{ index, meaning }] : [],
  );
  const ofKind = (kind: TimeMeaning['kind']) => found.find(({ meaning }) => meaning.kind === kind);

  const [instant, date, clock] = [ofKind('instant'), ofKind('date'), ofKind('clock')];
  if (!instant && date && clock)
    return {
      columns: { time: date.index, clock: clock.index, mayBeDaily: false },
      meanings: [date.meaning, clock.meaning],
    };

  const whole = instant ?? date ?? clock;
  if (whole === undefined) return null;

  return {
    columns: { time: whole.index, clock: null, mayBeDaily: whole === date },
    meanings: [whole.meaning],
  };
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

  throw noSensorError(common.names, unreadColumns, mapping);
}

/** Empty for a column that is not of a sensor. */
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
