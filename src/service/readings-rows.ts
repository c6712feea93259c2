import { instantsOfRun, type RepeatedRow } from '../domain/repeated-hour.ts';
import { cellsOf } from './csv-lines.ts';
import { readingTimes } from './reading-time.ts';
import { type Range, rangeOf, readMeasurement, readValue, valueRefusal } from './reading-value.ts';
import { newTally, type SensorTally } from './readings-batch.ts';
import { type LongHeader, measurementType, type WideHeader } from './readings-columns.ts';
import { modulesNamed, type SensorBook, sensorOf } from './readings-sensors.ts';

/** Rows of a repeated hour that are held back at most until its passes are told apart: one a second, twice. */
const LONGEST_RUN = 7200;

/** Ways to spell a sensor that are remembered at most: a file of junk must not fill the memory. */
const REMEMBERED_NAMES = 10_000;

const DAY_MS = 86_400_000;

/** Why something of a row is rejected: one of a handful of reasons, and the column of a wide file it is about. */
export interface Rejection {
  readonly reason: string;
  readonly column?: string;
}

/** Where rows go. */
export interface RowSink {
  add(tally: SensorTally, at: number, value: number): void;
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
interface HeldRow extends RepeatedRow {
  readonly keep: ((at: number) => void) | null;
}

/** Rows whose order tells the passes of a repeated hour apart: all of a wide file, those of one sensor in a long one. */
interface Stream {
  lastAt: number | null;
  held: HeldRow[];
}

export const rowReader = (
  header: LongHeader | WideHeader,
  book: SensorBook,
  zone: string,
  now: number,
  moduleId: number | null,
  sink: RowSink,
): RowReader =>
  header.layout === 'long'
    ? longRows(header, cellTaker(book, zone, now, sink), sink)
    : wideRows(header, book, readingTimes(zone, now), moduleId!, sink);

/** One sensor of a long file. */
interface Entry {
  readonly tally: SensorTally;
  readonly stream: Stream;
  readonly range: Range;
}

type Times = ReturnType<typeof readingTimes>;

/** The cells of a row that names its module; of a sensor without a depth that is empty. */
export interface NamedCells {
  readonly module: string;
  readonly type: string;
  readonly depth: string;
  readonly time: string;
  readonly value: string;
}

/** Takes rows that name their module, in the order in which they came. */
export interface CellTaker {
  /** `text` is the row as it stood, `cells` what it was taken apart into, where it was. */
  take(given: NamedCells, line: number, text: string, cells: readonly string[] | null): void;
  /** No row follows: gives on what is held back. */
  end(): void;
}

export function cellTaker(book: SensorBook, zone: string, now: number, sink: RowSink): CellTaker {
  const times = readingTimes(zone, now);
  const entries = new Map<number, Entry>();
  const remembered = new Map<string, Entry | Rejection>();

  const find = (module: string, type: string, depth: string): Entry | Rejection => {
    const modules = modulesNamed(book, module);
    if (modules.length === 0) return { reason: 'unknown module' };
    if (modules.length > 1) return { reason: 'module name stands for several' };
    const measured = measurementType(type);
    if (measured === null) return { reason: 'type is none of humidity, temperature, tensio' };
    const at = depth.trim() === '' ? null : readValue(depth);
    if (Number.isNaN(at)) return { reason: 'depth is not a number of cm' };
    const sensor = sensorOf(book, modules[0]!.id, measured, at);
    if (sensor === undefined) return { reason: 'the module has no such sensor' };
    const entry = entries.get(sensor.id) ?? {
      tally: newTally(sensor.id),
      stream: { lastAt: null, held: [] },
      range: rangeOf(measured),
    };
    entries.set(sensor.id, entry);
    return entry;
  };

  const named = (module: string, type: string, depth: string): Entry | Rejection => {
    const key = `${module}\n${type}\n${depth}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const found = find(module, type, depth);
    if (remembered.size < REMEMBERED_NAMES) remembered.set(key, found);
    return found;
  };

  return {
    take(given, line, text, cells) {
      const entry = named(given.module, given.type, given.depth);
      const at = times.read(given.time);
      const isNamed = 'tally' in entry;
      const range = isNamed ? entry.range : rangeOf(measurementType(given.type) ?? 'tensio');
      const value = readMeasurement(given.value, range);
      const isTimed = !Number.isNaN(at);
      const isValued = !Number.isNaN(value);
      if (!isNamed || !isTimed || !isValued) {
        const rejections: Rejection[] = isNamed ? [] : [entry];
        if (!isTimed) rejections.push({ reason: times.refused });
        if (!isValued) rejections.push({ reason: valueRefusal(given.value, range) });
        sink.reject(line, text, cells, rejections);
      }
      if (!isNamed || !isTimed) return;
      const { tally, stream } = entry;
      if (times.isRepeated)
        hold(stream, at, times.later, text, isValued ? (instant) => sink.add(tally, instant, value) : null);
      else {
        pass(stream, at);
        if (isValued) sink.add(tally, at, value);
      }
    },
    end() {
      for (const { stream } of entries.values()) settle(stream, null);
    },
  };
}

const longRows = (header: LongHeader, taker: CellTaker, sink: RowSink): RowReader => ({
  skippedColumns: [],
  read(text, line) {
    const cells = cellsOf(text, header.delimiter);
    const misfit = misfitOf(cells, header.width);
    if (cells === null || misfit !== null) return sink.reject(line, text, cells, [misfit!]);
    const given = {
      module: cells[header.module]!,
      type: cells[header.type]!,
      depth: cells[header.depth]!,
      time: cells[header.time]!,
      value: cells[header.value]!,
    };
    taker.take(given, line, text, cells);
  },
  end: () => taker.end(),
});

function wideRows(header: WideHeader, book: SensorBook, times: Times, moduleId: number, sink: RowSink): RowReader {
  const stream: Stream = { lastAt: null, held: [] };
  const columns = header.sensors.map((column) => ({
    ...column,
    sensor: sensorOf(book, moduleId, column.type, column.depth),
  }));
  const read = columns.flatMap(({ index, name, type, sensor }) =>
    sensor ? [{ index, name, tally: newTally(sensor.id), range: rangeOf(type) }] : [],
  );
  return {
    skippedColumns: [
      ...header.others.map((name) => ({ name, why: 'names no sensor' })),
      ...columns.filter(({ sensor }) => !sensor).map(({ name }) => ({ name, why: 'the module has no such sensor' })),
    ],
    read(text, line) {
      const cells = cellsOf(text, header.delimiter);
      const misfit = misfitOf(cells, header.width);
      if (cells === null || misfit !== null) return sink.reject(line, text, cells, [misfit!]);
      const at = times.read(cells[header.time]!);
      if (Number.isNaN(at)) return sink.reject(line, text, cells, [{ reason: times.refused }]);
      const rejections: Rejection[] = [];
      const values = read.map(({ index, name, range }) => {
        const cell = cells[index]!;
        const value = readMeasurement(cell, range);
        // An empty cell is no reading, not a bad one.
        if (Number.isNaN(value) && cell.trim() !== '')
          rejections.push({ reason: valueRefusal(cell, range), column: name });
        return value;
      });
      if (rejections.length > 0) sink.reject(line, text, cells, rejections);
      const keep = (instant: number): void => {
        for (let index = 0; index < read.length; index++)
          if (!Number.isNaN(values[index]!)) sink.add(read[index]!.tally, instant, values[index]!);
      };
      if (times.isRepeated) hold(stream, at, times.later, text, keep);
      else {
        pass(stream, at);
        keep(at);
      }
    },
    end: () => settle(stream, null),
  };
}

/** A row is refused whose cells cannot be told apart: a shift by one would put a value under the wrong sensor. */
function misfitOf(cells: readonly string[] | null, width: number): Rejection | null {
  if (cells === null) return { reason: 'a quote is not closed' };
  if (cells.length === width) return null;
  if (cells.length < width) return { reason: 'fewer cells than the header' };
  return cells.slice(width).every((cell) => cell.trim() === '')
    ? null
    : { reason: 'more cells than the header (a decimal comma?)' };
}

/** A row outside the repeated hour ends a run of rows inside. */
function pass(stream: Stream, at: number): void {
  if (stream.held.length > 0) settle(stream, at);
  stream.lastAt = at;
}

function hold(stream: Stream, at: number, later: number, text: string, keep: HeldRow['keep']): void {
  const first = stream.held[0];
  if (first !== undefined && (Math.abs(at - first.earlierAt) > DAY_MS || stream.held.length >= LONGEST_RUN))
    settle(stream, at);
  stream.held.push({ earlierAt: at, laterAt: later, text, keep });
}

function settle(stream: Stream, afterAt: number | null): void {
  const { held } = stream;
  if (held.length === 0) return;
  const instants = instantsOfRun(held, stream.lastAt, afterAt);
  stream.lastAt = instants.at(-1)!;
  stream.held = [];
  for (const [index, row] of held.entries()) row.keep?.(instants[index]!);
}
