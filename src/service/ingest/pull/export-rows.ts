import { toIsoText } from '../../../domain/ingest/payload-values.ts';
import { toIso } from '../../wire-format.ts';
import { readLayout } from '../csv/csv-layout.ts';
import { csvCells } from '../csv/csv-lines.ts';
import { missingCodes, timeTextOf } from '../csv/csv-rows.ts';
import {
  deferFollowing,
  deferRow,
  flushDeferred,
  isDeferring,
  newRowSequence,
  recordInstant,
} from '../csv/repeated-hour-rows.ts';
import { measurementRange, parseMeasurement } from '../reading-parsers.ts';
import { createReadingTimeParser } from '../reading-times.ts';

interface ExportRows {
  readonly readings: readonly object[];
  /** Values that stand for a failed measurement, or that cannot be read. */
  readonly missing: number;
}

interface ExportContext {
  readonly zone: string;
  readonly now: number;
  /** From when readings were asked for: whether a local time that occurs twice is before it shows which it is. */
  readonly from: number;
}

/** Of a CSV whose profile knows its columns, with the device in place of a module. */
export function rowsOfExport(text: string, device: string, { zone, now, from }: ExportContext): ExportRows {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) return { readings: [], missing: 0 };
  const layout = readLayout(lines, new Map(), '--map', []);
  const readings: object[] = [];
  let missing = 0;
  if (layout.kind !== 'wide') return { readings, missing };
  const columns = layout.sensors.map((sensor) => ({
    ...sensor,
    isMissing: missingCodes(sensor.missing),
    range: measurementRange(sensor.type),
  }));
  const times = createReadingTimeParser(zone, now);
  const sequence = newRowSequence();
  recordInstant(sequence, from);
  const addRow = (cells: readonly string[], time: string): void => {
    for (const { index, type, depth, unit, isMissing, range } of columns) {
      const cell = cells[index] ?? '';
      if (cell.trim() === '') continue;
      const value = isMissing(cell) ? Number.NaN : parseMeasurement(cell, range, unit, layout.delimiter);
      if (Number.isNaN(value)) missing++;
      else readings.push({ device, type, ...(depth !== null && { depth }), time, value });
    }
  };
  for (const line of lines.slice(layout.headerEnd)) {
    const cells = csvCells(line, layout.delimiter) ?? [];
    const time = toIsoText(timeTextOf(cells, layout), false);
    const at = times.parse(time);
    const store = (instant: number): void => addRow(cells, toIso(instant));
    // With its time as it is, the row is refused where it is written.
    if (Number.isNaN(at)) addRow(cells, time);
    else if (times.isRepeated) deferRow(sequence, { earlierAt: at, laterAt: times.secondPassAt, text: line, store });
    else if (isDeferring(sequence)) deferFollowing(sequence, at, store);
    else {
      recordInstant(sequence, at);
      store(at);
    }
  }
  flushDeferred(sequence);
  return { readings, missing };
}
