import { toIsoText } from '../../../domain/ingest/payload-time.ts';
import { readLayout } from '../csv/csv-layout.ts';
import { csvCells } from '../csv/csv-lines.ts';
import { missingCodes, timeTextOf } from '../csv/csv-rows.ts';
import { measurementRange, parseMeasurement } from '../reading-parsers.ts';

interface ExportRows {
  readonly readings: readonly object[];
  /** Values that stand for a failed measurement, or that cannot be read. */
  readonly missing: number;
}

/** Of a CSV whose profile knows its columns, with the device in place of a module. */
export function rowsOfExport(text: string, device: string): ExportRows {
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
  for (const line of lines.slice(layout.headerEnd)) {
    const cells = csvCells(line, layout.delimiter) ?? [];
    const time = toIsoText(timeTextOf(cells, layout), false);
    for (const { index, type, depth, unit, isMissing, range } of columns) {
      const cell = cells[index] ?? '';
      if (cell.trim() === '') continue;
      const value = isMissing(cell) ? Number.NaN : parseMeasurement(cell, range, unit, layout.delimiter);
      if (Number.isNaN(value)) missing++;
      else readings.push({ device, type, ...(depth !== null && { depth }), time, value });
    }
  }
  return { readings, missing };
}
