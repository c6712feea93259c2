import { finishInSlices, type TimeSlice } from '../../../domain/event-loop.ts';
import { say, word } from '../../../domain/text/say.ts';
import { invalidInputError } from '../../../schema/error.ts';
import { MAX_INGEST_READINGS } from '../../../schema/ingest/ingest-batch.ts';
import type { ClockStop } from '../../../schema/ingest/rejection.ts';
import { CsvReader } from '../csv/csv-reader.ts';
import type { RowSink } from '../csv/csv-rejects.ts';
import type { CsvUnderstanding } from '../csv/csv-understanding.ts';
import type { CsvOptionNames, CsvOptions } from '../csv/format-detection.ts';
import { csvLines } from '../csv/text/csv-lines.ts';
import type { SensorIndex } from '../sensor-index.ts';
import type { ParsedItems } from './parsed-items.ts';
import type { ReadingBuffer } from './reading-buffer.ts';

/** One text, or chunks of it. */
export type CsvText = string | Iterable<string | Uint8Array>;

const ARGUMENT_NAMES: CsvOptionNames = {
  module: 'module',
  map: 'map',
  dates: 'dates',
  timezone: 'timezone',
};

interface CsvContext {
  readonly index: SensorIndex;
  readonly zone: string;
  readonly now: number;
  readonly slice: TimeSlice;
}

interface ParsedCsv {
  readonly rowCount: number;
  readonly understanding: CsvUnderstanding;
  readonly clockStop: ClockStop | null;
}

/** Adds the readings of a CSV, and its rejected rows, to those of a batch. */
export async function parseCsv(
  csv: CsvText,
  options: CsvOptions,
  context: CsvContext,
  { rows, rejections }: Pick<ParsedItems<ReadingBuffer>, 'rows' | 'rejections'>,
  onReading: RowSink['add'] = () => {},
): Promise<ParsedCsv> {
  const reader = new CsvReader(options, ARGUMENT_NAMES, context, {
    add(sensor, at, value, line) {
      rows.add(sensor.id, at, value);
      onReading(sensor, at, value, line);
    },
    reject: (line, text, _, reasons) => rejections.add(`line ${line}`, text, reasons),
  });

  for await (const lines of csvLines(textChunks(csv)))
    for (const _ of reader.readLines(lines)) {
      if (reader.rows > MAX_INGEST_READINGS) throw tooManyInCsv('rows');
      if (rows.count > MAX_INGEST_READINGS) throw tooManyInCsv('readings');

      if (context.slice.isOver()) await context.slice.renew();
    }

  const understanding = await finishInSlices(reader.end(), context.slice);
  return { rowCount: reader.rows, understanding, clockStop: reader.clockStop };
}

const tooManyInCsv = (items: 'rows' | 'readings') =>
  invalidInputError(
    'invalid_body',
    say`The CSV has more than ${MAX_INGEST_READINGS} ${word(items)}.`,
    {
      hint: say`Send the batch in parts.`,
      field: 'csv',
    },
  );

/** In characters. A long text is split into lines chunk by chunk. */
const CHUNK_LENGTH = 65_536;

async function* textChunks(text: CsvText): AsyncGenerator<string | Uint8Array> {
  if (typeof text !== 'string') return yield* text;
  for (let start = 0; start < text.length; start += CHUNK_LENGTH)
    yield text.slice(start, start + CHUNK_LENGTH);
}
