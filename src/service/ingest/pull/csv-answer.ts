import { toIsoText } from '../../../domain/ingest/payload-values.ts';
import { AcequiaError } from '../../../schema/error.ts';
import { toIso } from '../../../schema/wire-format.ts';
import { parseMeasurement } from '../csv/cell-values.ts';
import { readLayout, type SensorColumn, type WideLayout } from '../csv/csv-layout.ts';
import { hasLongCell, isFailureCode, timeTextOf } from '../csv/row-cells.ts';
import { recordsOf } from '../csv/text/csv-records.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import { measurementRange, type ValueRange } from '../reading-values.ts';
import { RowSequence } from '../row-sequence.ts';
import { type AnswerContext, type PulledItems, UnreadableAnswerError } from './provider.ts';

/** Values that cannot be read count as failed measurements. */
type CsvItems = Pick<PulledItems, 'readings' | 'failedMeasurements'>;

/** The readings in a CSV whose columns a profile describes, with the device in place of a module. */
export function parseCsvAnswer(text: string, device: string, context: AnswerContext): CsvItems {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) return NO_ITEMS;

  const layout = readAnswerLayout(lines, text);
  if (layout.kind !== 'wide') return NO_ITEMS;

  const rows = lines.slice(layout.headerEnd).map((line) => ({ text: line, line: 0 }));
  const records = recordsOf(rows, layout.delimiter, layout.names.length);
  return itemsOfRows(layout, records, device, context);
}

const NO_ITEMS: CsvItems = { readings: [], failedMeasurements: 0 };

/** A service may answer a refused key with status 200 and a text. */
function readAnswerLayout(lines: readonly string[], text: string) {
  try {
    return readLayout(lines, { map: new Map(), mapField: '--map', knownColumns: [] });
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    const content = /^\s*</.test(text) ? 'a page' : 'a text';
    throw new UnreadableAnswerError(
      `the service answered ${content}, not readings; check the key and the name of the device`,
    );
  }
}

type AnswerColumn = SensorColumn & {
  readonly isFailure: (cell: string) => boolean;
  readonly range: ValueRange;
};

function itemsOfRows(
  layout: WideLayout,
  records: ReturnType<typeof recordsOf>,
  device: string,
  { zone, now, from }: AnswerContext,
): CsvItems {
  const items = { readings: [], failedMeasurements: 0 };
  const columns = layout.sensors.map((sensor) => ({
    ...sensor,
    isFailure: isFailureCode(sensor.missing),
    range: measurementRange(sensor.type),
  }));
  const times = new ReadingTimeParser({ zone, now });
  const sequence = new RowSequence();
  sequence.recordInstant(from);

  for (const { text, cells: found } of records) {
    // A row without a time is rejected when it is written.
    const cells = found === null || hasLongCell(found, layout) ? [] : found;
    const sentTime = timeTextOf(cells, layout);
    const time = toIsoText(sentTime, '') ?? sentTime;
    const earlierAt = times.parse(time);
    const add = (rowTime: string): void =>
      addRow(items, { cells, device, time: rowTime }, columns, layout);
    const store = (instant: number): void => add(toIso(instant));

    // The row keeps its unreadable time, so that it is rejected when it is written.
    if (Number.isNaN(earlierAt)) add(time);
    else if (times.isRepeated)
      sequence.addRepeated({ earlierAt, laterAt: times.secondPassAt, text, store });
    else sequence.add(earlierAt, store);
  }

  sequence.storeDeferred();
  return items;
}

interface AnswerRow {
  readonly cells: readonly string[];
  readonly device: string;
  readonly time: string;
}

function addRow(
  items: { readings: CsvItems['readings'][number][]; failedMeasurements: number },
  { cells, device, time }: AnswerRow,
  columns: readonly AnswerColumn[],
  { figures }: WideLayout,
): void {
  for (const { index, type, depth, unit, isFailure, range } of columns) {
    const cell = cells[index] ?? '';
    if (cell.trim() === '') continue;

    const value = isFailure(cell) ? Number.NaN : parseMeasurement(cell, range, unit, figures);
    const reading = { device, type, time, value };
    if (Number.isNaN(value)) items.failedMeasurements++;
    else items.readings.push(depth === null ? reading : { ...reading, depth });
  }
}
