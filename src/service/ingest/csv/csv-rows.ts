import type { DateOrder } from '../../../domain/ingest/import-options.ts';
import type { Rejection } from '../../../language/ingest/import-report.ts';
import type { RejectionCode, SkipCode } from '../../../schema/ingest/csv-import.ts';
import { type ImportedSensor, newImportedSensor } from '../reading-batches.ts';
import {
  measurementRange,
  parseMeasurement,
  refusalOfValue,
  type ValueRange,
} from '../reading-parsers.ts';
import { createReadingTimeParser, type ReadingTimeParser } from '../reading-times.ts';
import type { RowSink } from '../rejected-rows.ts';
import { findModules, findSensor, type SensorIndex } from '../sensor-index.ts';
import {
  type CellReader,
  createCellReader,
  MAX_CACHED_NAMES,
  SEVERAL_MODULES,
  UNKNOWN_MODULE,
} from './cell-reader.ts';
import { nearestColumn, sensorColumnName, type Unit } from './column-names.ts';
import type { CsvLayout, LongLayout, SensorColumn, TimeColumns, WideLayout } from './csv-layout.ts';
import { csvCells } from './csv-lines.ts';
import {
  flushDeferred,
  newRowSequence,
  type RowSequence,
  storeInOrder,
} from './repeated-hour-rows.ts';

interface SkippedColumn {
  readonly name: string;
  readonly why: SkipCode;
  /** The most similar column that can be read. */
  readonly nearest: string | null;
}

export interface RowReader {
  read(text: string, line: number): void;
  end(): void;
  /** The number of values so far that stand for a failed measurement. */
  readonly missing: number;
  readonly skippedColumns: readonly SkippedColumn[];
}

interface RowTimes {
  readonly zone: string;
  readonly now: number;
  readonly dates: DateOrder | null;
  /** True if each row is of a whole day. */
  readonly isDaily: boolean;
}

export function createRowReader(
  layout: CsvLayout,
  index: SensorIndex,
  { zone, now, dates, isDaily }: RowTimes,
  moduleId: number | null,
  sink: RowSink,
): RowReader {
  const times = createReadingTimeParser(zone, now, dates, isDaily);
  return layout.kind === 'long'
    ? createLongRowReader(
        layout,
        createCellReader(index, times, layout.delimiter, sink, layout.valueUnit),
        sink,
      )
    : createWideRowReader(layout, index, times, moduleId, sink);
}

export function timeTextOf(cells: readonly string[], { time, clock }: TimeColumns): string {
  const text = cells[time] ?? '';
  if (clock === null) return text;
  const hour = (cells[clock] ?? '').trim();
  // A column "time" beside a date may hold both; spreadsheets write a date as that day at 00:00.
  if (/\d[-/.]\d+[-/.]\d/.test(hour)) return hour;
  return `${text.trim().split(/[ T]/, 1)[0]} ${hour}`.trim();
}

const createLongRowReader = (
  layout: LongLayout,
  cellReader: CellReader,
  sink: RowSink,
): RowReader => ({
  skippedColumns: [],
  missing: 0,
  read(text, line) {
    const cells = splitRow(text, line, layout, sink);
    if (cells === null) return;

    const row = {
      module: cells[layout.module]!,
      type: cells[layout.type]!,
      depth: cells[layout.depth]!,
      time: timeTextOf(cells, layout),
      value: cells[layout.value]!,
      unit: layout.unit === null ? undefined : cells[layout.unit],
    };
    cellReader.read(row, line, text, cells);
  },
  end: cellReader.end,
});

interface ReadColumn {
  readonly index: number;
  readonly name: string;
  readonly sensor: ImportedSensor | null;
  readonly range: ValueRange;
  readonly unit: Unit | null;
  readonly isMissing: ((cell: string) => boolean) | null;
}

interface ModuleColumns {
  readonly columns: readonly ReadColumn[];
  readonly sequence: RowSequence;
}

function createWideRowReader(
  layout: WideLayout,
  sensorIndex: SensorIndex,
  times: ReadingTimeParser,
  moduleId: number | null,
  sink: RowSink,
): RowReader {
  const columnsOf = (id: number): ReadColumn[] =>
    layout.sensors.map(({ index, name, type, depth, unit, missing, max }) => {
      const sensor = findSensor(sensorIndex, id, type, depth);
      const range = { ...measurementRange(type), ...(max !== null && { max }) };
      const isMissing = missing.length === 0 ? null : missingCodes(missing);

      return {
        index,
        name,
        unit,
        sensor: sensor ? newImportedSensor(sensor.id) : null,
        range,
        isMissing,
      };
    });

  const hasSensor = ({ sensor }: ReadColumn): boolean => sensor !== null;

  const allColumns = moduleId === null ? [] : columnsOf(moduleId);
  const fileColumns: ModuleColumns | null =
    moduleId === null
      ? null
      : { columns: allColumns.filter(hasSensor), sequence: newRowSequence() };
  const byModule = new Map<string, ModuleColumns | Rejection>();

  const findColumns = (name: string): ModuleColumns | Rejection => {
    const [module, another] = findModules(sensorIndex, name);
    if (module === undefined) return UNKNOWN_MODULE;
    if (another !== undefined) return SEVERAL_MODULES;
    return { columns: columnsOf(module.id), sequence: newRowSequence() };
  };

  const columnsOfModule = (name: string): ModuleColumns | Rejection => {
    const cached = byModule.get(name);
    if (cached !== undefined) return cached;
    const found = findColumns(name);
    if (byModule.size < MAX_CACHED_NAMES) byModule.set(name, found);
    return found;
  };

  const knownNames = sensorIndex.sensors
    .filter((sensor) => moduleId === null || sensor.moduleId === moduleId)
    .map(sensorColumnName);

  const toSkippedColumn = (name: string, why: SkipCode, meaning = name): SkippedColumn => {
    const hasNearest = why === 'unknown_column' || why === 'no_such_sensor';
    return { name, why, nearest: hasNearest ? nearestColumn(meaning, knownNames) : null };
  };

  const reader = {
    skippedColumns: [
      ...layout.unread.map(({ name, why }) => toSkippedColumn(name, why)),
      ...layout.sensors
        .filter((_, index) => allColumns[index]?.sensor === null)
        .map((sensor) => toSkippedColumn(sensor.name, 'no_such_sensor', sensorColumnName(sensor))),
    ],
    missing: 0,
    read(text: string, line: number) {
      const cells = splitRow(text, line, layout, sink);
      if (cells === null) return;

      const rowColumns = fileColumns ?? columnsOfModule(cells[layout.module!]!);
      if ('reason' in rowColumns) return sink.reject(line, text, cells, [rowColumns]);

      const { columns, sequence } = rowColumns;
      const at = times.parse(timeTextOf(cells, layout));
      if (Number.isNaN(at)) return sink.reject(line, text, cells, [{ reason: times.refusal }]);

      const rejections: Rejection[] = [];
      const values = columns.map(({ index, name, sensor, range, unit, isMissing }) => {
        const cell = cells[index]!;
        if (isMissing?.(cell)) {
          reader.missing++;
          return Number.NaN;
        }

        const value = parseMeasurement(cell, range, unit, layout.delimiter);

        // An empty cell is a missing reading, not an invalid one.
        if (sensor === null && cell.trim() !== '')
          rejections.push({ reason: 'no_such_sensor', column: name });
        else if (Number.isNaN(value) && cell.trim() !== '')
          rejections.push({ reason: refusalOfValue(cell, range, layout.delimiter), column: name });

        return value;
      });
      if (rejections.length > 0) sink.reject(line, text, cells, rejections);

      const store = (instant: number): void => {
        for (const [index, { sensor }] of columns.entries())
          if (sensor !== null && !Number.isNaN(values[index]!))
            sink.add(sensor, instant, values[index]!, line);
      };

      storeInOrder(sequence, times, at, text, store);
    },
    end() {
      const sequences = [fileColumns, ...byModule.values()].flatMap((each) =>
        each && 'sequence' in each ? [each.sequence] : [],
      );
      for (const sequence of sequences) flushDeferred(sequence);
    },
  };

  return reader;
}

/** "-1.000" is the code -1. */
export function missingCodes(codes: SensorColumn['missing']): (cell: string) => boolean {
  const texts = new Set<unknown>(codes);
  return (cell) => {
    const text = cell.trim();
    return texts.has(text) || (text !== '' && texts.has(Number(text)));
  };
}

/** In characters. The widest row that is read has 500 columns. */
const MAX_ROW_LENGTH = 65_536;

function splitRow(
  text: string,
  line: number,
  { delimiter, names }: CsvLayout,
  sink: RowSink,
): string[] | null {
  const isTooLong = text.length > MAX_ROW_LENGTH;
  const cells = isTooLong ? null : csvCells(text, delimiter);
  const reason = isTooLong ? 'row_too_long' : misfitReason(cells, names.length);
  if (reason === null) return cells;
  sink.reject(line, text, cells, [{ reason }]);
  return null;
}

/** Cells shifted by one would put a value under the wrong sensor, so the whole row is rejected. */
function misfitReason(cells: readonly string[] | null, width: number): RejectionCode | null {
  if (cells === null) return 'unclosed_quote';
  if (cells.length < width) return 'too_few_cells';
  return cells.slice(width).every((cell) => cell.trim() === '') ? null : 'too_many_cells';
}
