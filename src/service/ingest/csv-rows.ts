import { type CellReader, createCellReader } from './cell-reader.ts';
import type { LongHeader, WideHeader } from './csv-header.ts';
import { csvCells } from './csv-lines.ts';
import { newImportedSensor } from './reading-batches.ts';
import {
  createReadingTimeParser,
  describeInvalidValue,
  measurementRange,
  parseMeasurement,
} from './reading-parsers.ts';
import type { Rejection, RowSink } from './rejected-rows.ts';
import { deferRow, flushDeferred, newRowSequence, recordInstant } from './repeated-hour-rows.ts';
import { findSensor, type SensorIndex } from './sensor-index.ts';

export interface RowReader {
  read(text: string, line: number): void;
  end(): void;
  readonly skippedColumns: readonly { readonly name: string; readonly why: string }[];
}

export const createRowReader = (
  header: LongHeader | WideHeader,
  index: SensorIndex,
  { zone, now }: { readonly zone: string; readonly now: number },
  moduleId: number | null,
  sink: RowSink,
): RowReader =>
  header.layout === 'long'
    ? createLongRowReader(header, createCellReader(index, zone, now, sink), sink)
    : createWideRowReader(header, index, createReadingTimeParser(zone, now), moduleId!, sink);

const createLongRowReader = (header: LongHeader, cellReader: CellReader, sink: RowSink): RowReader => ({
  skippedColumns: [],
  read(text, line) {
    const cells = splitRow(text, line, header, sink);
    if (cells === null) return;
    const row = {
      module: cells[header.module]!,
      type: cells[header.type]!,
      depth: cells[header.depth]!,
      time: cells[header.time]!,
      value: cells[header.value]!,
    };
    cellReader.read(row, line, text, cells);
  },
  end: cellReader.end,
});

function createWideRowReader(
  header: WideHeader,
  index: SensorIndex,
  times: ReturnType<typeof createReadingTimeParser>,
  moduleId: number,
  sink: RowSink,
): RowReader {
  const sequence = newRowSequence();
  const columns = header.sensors.map((column) => ({
    ...column,
    sensor: findSensor(index, moduleId, column.type, column.depth),
  }));
  const sensorColumns = columns.flatMap(({ index: place, name, type, sensor }) =>
    sensor ? [{ place, name, sensor: newImportedSensor(sensor.id), range: measurementRange(type) }] : [],
  );
  return {
    skippedColumns: [
      ...header.ignoredColumns.map((name) => ({ name, why: 'names no sensor' })),
      ...columns.filter(({ sensor }) => !sensor).map(({ name }) => ({ name, why: 'the module has no such sensor' })),
    ],
    read(text, line) {
      const cells = splitRow(text, line, header, sink);
      if (cells === null) return;
      const at = times.parse(cells[header.time]!);
      if (Number.isNaN(at)) return sink.reject(line, text, cells, [{ reason: times.refusalReason }]);
      const rejections: Rejection[] = [];
      const values = sensorColumns.map(({ place, name, range }) => {
        const cell = cells[place]!;
        const value = parseMeasurement(cell, range);
        // An empty cell is a missing reading, not an invalid one.
        if (Number.isNaN(value) && cell.trim() !== '')
          rejections.push({ reason: describeInvalidValue(cell, range), column: name });
        return value;
      });
      if (rejections.length > 0) sink.reject(line, text, cells, rejections);
      const store = (instant: number): void => {
        for (let place = 0; place < sensorColumns.length; place++)
          if (!Number.isNaN(values[place]!)) sink.add(sensorColumns[place]!.sensor, instant, values[place]!);
      };
      if (times.isRepeated) deferRow(sequence, { earlierAt: at, laterAt: times.secondPassAt, text, store });
      else {
        recordInstant(sequence, at);
        store(at);
      }
    },
    end: () => flushDeferred(sequence, null),
  };
}

/** In characters. The widest row that is read has 500 columns. */
const MAX_ROW_LENGTH = 65_536;

function splitRow(
  text: string,
  line: number,
  { delimiter, width }: LongHeader | WideHeader,
  sink: RowSink,
): string[] | null {
  const isTooLong = text.length > MAX_ROW_LENGTH;
  const cells = isTooLong ? null : csvCells(text, delimiter);
  const reason = isTooLong ? 'row too long' : misfitReason(cells, width);
  if (reason === null) return cells;
  sink.reject(line, text, cells, [{ reason }]);
  return null;
}

/** Cells shifted by one would put a value under the wrong sensor, so the whole row is rejected. */
function misfitReason(cells: readonly string[] | null, width: number): string | null {
  if (cells === null) return 'a quote is not closed';
  if (cells.length < width) return 'fewer cells than the header';
  return cells.slice(width).every((cell) => cell.trim() === '')
    ? null
    : 'more cells than the header (a decimal comma?)';
}
