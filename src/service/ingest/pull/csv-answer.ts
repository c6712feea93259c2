import { toIsoText } from '../../../domain/ingest/payload-values.ts';
import { AcequiaError } from '../../../schema/error.ts';
import { toIso } from '../../../schema/wire-format.ts';
import { parseMeasurement } from '../csv/cell-values.ts';
import { readLayout, type WideLayout } from '../csv/csv-layout.ts';
import { hasLongCell, isFailureCode, timeTextOf } from '../csv/row-cells.ts';
import { recordsOf } from '../csv/text/csv-records.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import { measurementRange } from '../reading-values.ts';
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

  const reader = new CsvAnswerReader(layout, device, context);
  const rows = lines.slice(layout.headerEnd).map((line) => ({ text: line, line: 0 }));
  for (const record of recordsOf(rows, layout.delimiter, layout.names.length))
    reader.read(record.text, record.cells ?? []);
  reader.end();

  const { readings, failedMeasurements } = reader;
  return { readings, failedMeasurements };
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

class CsvAnswerReader {
  readonly readings: CsvItems['readings'][number][] = [];
  failedMeasurements = 0;

  readonly #layout: WideLayout;
  readonly #device: string;
  readonly #columns;
  readonly #times: ReadingTimeParser;
  readonly #sequence = new RowSequence();

  constructor(layout: WideLayout, device: string, { zone, now, from }: AnswerContext) {
    this.#layout = layout;
    this.#device = device;
    this.#columns = layout.sensors.map((sensor) => ({
      ...sensor,
      isFailure: isFailureCode(sensor.missing),
      range: measurementRange(sensor.type),
    }));
    this.#times = new ReadingTimeParser({ zone, now });
    this.#sequence.recordInstant(from);
  }

  read(text: string, found: readonly string[]): void {
    // A row without a time is rejected when it is written.
    const cells = hasLongCell(found, this.#layout) ? [] : found;
    const sentTime = timeTextOf(cells, this.#layout);
    const time = toIsoText(sentTime, '') ?? sentTime;
    const at = this.#times.parse(time);
    const store = (instant: number): void => this.#addRow(cells, toIso(instant));

    // The row keeps its unreadable time, so that it is rejected when it is written.
    if (Number.isNaN(at)) this.#addRow(cells, time);
    else if (this.#times.isRepeated)
      this.#sequence.addRepeated({
        earlierAt: at,
        laterAt: this.#times.secondPassAt,
        text,
        store,
      });
    else this.#sequence.add(at, store);
  }

  end(): void {
    this.#sequence.storeDeferred();
  }

  #addRow(cells: readonly string[], time: string): void {
    for (const { index, type, depth, unit, isFailure, range } of this.#columns) {
      const cell = cells[index] ?? '';
      if (cell.trim() === '') continue;

      const { figures } = this.#layout;
      const value = isFailure(cell) ? Number.NaN : parseMeasurement(cell, range, unit, figures);
      const reading = { device: this.#device, type, time, value };
      if (Number.isNaN(value)) this.failedMeasurements++;
      else this.readings.push(depth === null ? reading : { ...reading, depth });
    }
  }
}
