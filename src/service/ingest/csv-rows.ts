import { type AmbiguousRow, resolveRepeatedHour } from '../../domain/ingest/repeated-hour.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { type LongHeader, parseMeasurementType, type WideHeader } from './csv-header.ts';
import { csvCells } from './csv-lines.ts';

import { type ImportedSensor, newImportedSensor } from './reading-batches.ts';
import {
  createReadingTimeParser,
  describeInvalidValue,
  measurementRange,
  parseDecimal,
  parseMeasurement,
  type ValueRange,
} from './reading-parsers.ts';
import { findModules, findSensor, type SensorIndex } from './sensor-index.ts';

/** Rows of a repeated hour that are held back at most until its passes are told apart: one a second, twice. */
const MAX_DEFERRED_ROWS = 7200;

/** Ways to spell a sensor that are remembered at most: a file of junk must not fill the memory. */
const MAX_CACHED_NAMES = 10_000;

/** Why something of a row is rejected: one of a handful of reasons, and the column of a wide file it is about. */
export interface Rejection {
  readonly reason: string;
  readonly column?: string;
}

/** Where rows go. */
export interface RowSink {
  add(tally: ImportedSensor, at: number, value: number): void;
  /** `cells` is null for a row that could not be taken apart. */
  reject(line: number, text: string, cells: readonly string[] | null, rejections: readonly Rejection[]): void;
}

/** Takes the rows of one file apart, in the order of the file. */
export interface RowReader {
  read(text: string, line: number): void;
  /** The file has ended: gives on what is held back. */
  end(): void;
  /** Columns that are not read, with why. */
  readonly skippedColumns: readonly { readonly name: string; readonly why: string }[];
}

/** A row of a repeated hour, held back. `keep` is null for a row without a reading, which still tells the order. */
interface DeferredRow extends AmbiguousRow {
  readonly store: ((at: number) => void) | null;
}

/** Rows whose order tells the passes of a repeated hour apart: all of a wide file, those of one sensor in a long one. */
interface RowSequence {
  lastAt: number | null;
  deferred: DeferredRow[];
}

export const createRowReader = (
  header: LongHeader | WideHeader,
  sensors: SensorIndex,
  zone: string,
  now: number,
  moduleId: number | null,
  sink: RowSink,
): RowReader =>
  header.layout === 'long'
    ? createLongRowReader(header, createCellReader(sensors, zone, now, sink), sink)
    : createWideRowReader(header, sensors, createReadingTimeParser(zone, now), moduleId!, sink);

/** One sensor of a long file. */
interface SensorEntry {
  readonly sensor: ImportedSensor;
  readonly sequence: RowSequence;
  readonly range: ValueRange;
}

type TimeParser = ReturnType<typeof createReadingTimeParser>;

/** The cells of a row that names its module; of a sensor without a depth that is empty. */
export interface ReadingCells {
  readonly module: string;
  readonly type: string;
  readonly depth: string;
  readonly time: string;
  readonly value: string;
}

/** Takes rows that name their module, in the order in which they came. */
export interface CellReader {
  /** `text` is the row as it stood, `cells` what it was taken apart into, where it was. */
  read(given: ReadingCells, line: number, text: string, cells: readonly string[] | null): void;
  /** No row follows: gives on what is held back. */
  end(): void;
}

export function createCellReader(sensors: SensorIndex, zone: string, now: number, sink: RowSink): CellReader {
  const times = createReadingTimeParser(zone, now);
  const entries = new Map<number, SensorEntry>();
  const cache = new Map<string, SensorEntry | Rejection>();

  const find = (module: string, type: string, depth: string): SensorEntry | Rejection => {
    const modules = findModules(sensors, module);
    if (modules.length === 0) return { reason: 'unknown module' };
    if (modules.length > 1) return { reason: 'module name stands for several' };
    const measurement = parseMeasurementType(type);
    if (measurement === null) return { reason: 'type is none of humidity, temperature, tensio' };
    const at = depth.trim() === '' ? null : parseDecimal(depth);
    if (Number.isNaN(at)) return { reason: 'depth is not a number of cm' };
    const sensor = findSensor(sensors, modules[0]!.id, measurement, at);
    if (sensor === undefined) return { reason: 'the module has no such sensor' };
    const entry = entries.get(sensor.id) ?? {
      sensor: newImportedSensor(sensor.id),
      sequence: { lastAt: null, deferred: [] },
      range: measurementRange(measurement),
    };
    entries.set(sensor.id, entry);
    return entry;
  };

  const lookUp = (module: string, type: string, depth: string): SensorEntry | Rejection => {
    const key = `${module}\n${type}\n${depth}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const found = find(module, type, depth);
    if (cache.size < MAX_CACHED_NAMES) cache.set(key, found);
    return found;
  };

  return {
    read(row, line, text, cells) {
      const entry = lookUp(row.module, row.type, row.depth);
      const at = times.parse(row.time);
      const isNamed = 'sensor' in entry;
      const range = isNamed ? entry.range : measurementRange(parseMeasurementType(row.type) ?? 'tensio');
      const value = parseMeasurement(row.value, range);
      const isTimed = !Number.isNaN(at);
      const isValued = !Number.isNaN(value);
      if (!isNamed || !isTimed || !isValued) {
        const rejections: Rejection[] = isNamed ? [] : [entry];
        if (!isTimed) rejections.push({ reason: times.refusalReason });
        if (!isValued) rejections.push({ reason: describeInvalidValue(row.value, range) });
        sink.reject(line, text, cells, rejections);
      }
      if (!isNamed || !isTimed) return;
      const { sensor, sequence } = entry;
      if (times.isRepeated)
        deferRow(
          sequence,
          at,
          times.secondPassAt,
          text,
          isValued ? (instant) => sink.add(sensor, instant, value) : null,
        );
      else {
        recordInstant(sequence, at);
        if (isValued) sink.add(sensor, at, value);
      }
    },
    end() {
      for (const { sequence } of entries.values()) flushDeferred(sequence, null);
    },
  };
}

const createLongRowReader = (header: LongHeader, taker: CellReader, sink: RowSink): RowReader => ({
  skippedColumns: [],
  read(text, line) {
    const cells = csvCells(text, header.delimiter);
    const misfit = cellCountRejection(cells, header.width);
    if (cells === null || misfit !== null) return sink.reject(line, text, cells, [misfit!]);
    const row = {
      module: cells[header.module]!,
      type: cells[header.type]!,
      depth: cells[header.depth]!,
      time: cells[header.time]!,
      value: cells[header.value]!,
    };
    taker.read(row, line, text, cells);
  },
  end: () => taker.end(),
});

function createWideRowReader(
  header: WideHeader,
  sensors: SensorIndex,
  times: TimeParser,
  moduleId: number,
  sink: RowSink,
): RowReader {
  const stream: RowSequence = { lastAt: null, deferred: [] };
  const columns = header.sensors.map((column) => ({
    ...column,
    sensor: findSensor(sensors, moduleId, column.type, column.depth),
  }));
  const readColumns = columns.flatMap(({ index, name, type, sensor }) =>
    sensor ? [{ index, name, tally: newImportedSensor(sensor.id), range: measurementRange(type) }] : [],
  );
  return {
    skippedColumns: [
      ...header.ignoredColumns.map((name) => ({ name, why: 'names no sensor' })),
      ...columns.filter(({ sensor }) => !sensor).map(({ name }) => ({ name, why: 'the module has no such sensor' })),
    ],
    read(text, line) {
      const cells = csvCells(text, header.delimiter);
      const misfit = cellCountRejection(cells, header.width);
      if (cells === null || misfit !== null) return sink.reject(line, text, cells, [misfit!]);
      const at = times.parse(cells[header.time]!);
      if (Number.isNaN(at)) return sink.reject(line, text, cells, [{ reason: times.refusalReason }]);
      const rejections: Rejection[] = [];
      const values = readColumns.map(({ index, name, range }) => {
        const cell = cells[index]!;
        const value = parseMeasurement(cell, range);
        // An empty cell is no reading, not a bad one.
        if (Number.isNaN(value) && cell.trim() !== '')
          rejections.push({ reason: describeInvalidValue(cell, range), column: name });
        return value;
      });
      if (rejections.length > 0) sink.reject(line, text, cells, rejections);
      const keep = (instant: number): void => {
        for (let index = 0; index < readColumns.length; index++)
          if (!Number.isNaN(values[index]!)) sink.add(readColumns[index]!.tally, instant, values[index]!);
      };
      if (times.isRepeated) deferRow(stream, at, times.secondPassAt, text, keep);
      else {
        recordInstant(stream, at);
        keep(at);
      }
    },
    end: () => flushDeferred(stream, null),
  };
}

/** A row is refused whose cells cannot be told apart: a shift by one would put a value under the wrong sensor. */
function cellCountRejection(cells: readonly string[] | null, width: number): Rejection | null {
  if (cells === null) return { reason: 'a quote is not closed' };
  if (cells.length === width) return null;
  if (cells.length < width) return { reason: 'fewer cells than the header' };
  return cells.slice(width).every((cell) => cell.trim() === '')
    ? null
    : { reason: 'more cells than the header (a decimal comma?)' };
}

/** A row outside the repeated hour ends a run of rows inside. */
function recordInstant(stream: RowSequence, at: number): void {
  if (stream.deferred.length > 0) flushDeferred(stream, at);
  stream.lastAt = at;
}

function deferRow(stream: RowSequence, at: number, later: number, text: string, store: DeferredRow['store']): void {
  const first = stream.deferred[0];
  if (first !== undefined && (Math.abs(at - first.earlierAt) > DAY_MS || stream.deferred.length >= MAX_DEFERRED_ROWS))
    flushDeferred(stream, at);
  stream.deferred.push({ earlierAt: at, laterAt: later, text, store });
}

function flushDeferred(stream: RowSequence, afterAt: number | null): void {
  const { deferred } = stream;
  if (deferred.length === 0) return;
  const instants = resolveRepeatedHour(deferred, stream.lastAt, afterAt);
  stream.lastAt = instants.at(-1)!;
  stream.deferred = [];
  for (const [index, row] of deferred.entries()) row.store?.(instants[index]!);
}
