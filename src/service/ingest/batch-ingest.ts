import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTimeZone } from '../../domain/time-zone.ts';
import type { CheckContext, WriteContext } from '../../operation/call.ts';
import { quote } from '../../operation/name-resolution.ts';
import { invalidInput } from '../../schema/error.ts';
import {
  type IngestResult,
  MAX_INGEST_READINGS,
  MAX_REPORTED_COLUMNS,
  type ReadingRow,
  readingRow,
} from '../../schema/ingest-batch.ts';
import { toIso } from '../wire-format.ts';
import { csvLines } from './csv-lines.ts';
import { createCellReader, createRowReader, type RowSink } from './csv-rows.ts';
import { updateGatewayStatuses } from './gateway-status-updates.ts';
import { createReadingBuffer, type ReadingBuffer } from './reading-buffer.ts';
import { createCsvReader, readCsvStart } from './readings-import.ts';
import { createRefusalLog, parseRow, type RefusalLog, rowExcerpt } from './rejected-rows.ts';
import { loadSensorIndex, type SensorIndex } from './sensor-index.ts';

/** Rows that are read between two turns of the event loop. */
const ROWS_PER_TURN = 2_000;

/** A batch as it was sent. */
export interface IngestBatch {
  readonly readings?: readonly unknown[] | undefined;
  readonly gateways?: readonly unknown[] | undefined;
  /** Readings as CSV, and what its header does not say. */
  readonly csv?: string | undefined;
  readonly module?: string | undefined;
  readonly timezone?: string | undefined;
}

/**
 * Keeps what is sound of a batch, in the transaction of `db`, and tells what is not. Modules, sensors and gateways are
 * never made here. The same batch again changes nothing.
 */
export async function ingestBatch(
  { db, now, zone: defaultZone }: WriteContext & CheckContext,
  batch: IngestBatch,
): Promise<IngestResult> {
  const { readings = [], gateways = [], csv } = batch;
  refuseEmpty(batch);
  const zone = batchZone(batch.timezone, defaultZone);
  const book = await loadSensorIndex(db);
  const buffer = createReadingBuffer();
  const refused = createRefusalLog();
  await ingestJsonReadings(
    readings,
    { book, zone, now },
    rowSinkInto(buffer, refused, (row) => `readings[${row}]`),
  );
  const skippedColumns =
    csv === undefined
      ? []
      : await ingestCsv(
          { ...batch, csv },
          { book, zone, now },
          rowSinkInto(buffer, refused, (line) => `line ${line}`),
        );
  const refusedReadings = refused.count;
  const readingCounts = await buffer.writeTo(db);
  const statuses = await updateGatewayStatuses({ db, now, zone }, gateways, refused);
  return {
    readings: { ...readingCounts, refused: refusedReadings },
    gateways: statuses,
    modules: newestByModule(book, buffer),
    reasons: refused.reasons(),
    refused: [...refused.first],
    skippedColumns,
  };
}

function refuseEmpty({ readings, gateways, csv, module }: IngestBatch): void {
  if (readings === undefined && gateways === undefined && csv === undefined)
    throw invalidInput('invalid_body', 'The batch holds neither readings nor gateways.', {
      hint: 'Send readings or gateways as JSON, or readings as CSV.',
      field: 'readings',
    });
  if (module !== undefined && csv === undefined)
    throw invalidInput('invalid_body', 'module says what a CSV is about, and there is none.', {
      hint: 'Name the module of each reading in the reading.',
      field: 'module',
    });
}

function batchZone(timezone: string | undefined, defaultZone: string): string {
  if (timezone === undefined || isTimeZone(timezone)) return timezone ?? defaultZone;
  throw invalidInput('INVALID_TIMEZONE', `${quote(timezone)} is no time zone.`, {
    hint: 'Give an IANA zone such as Europe/Paris; times in UTC end in Z.',
    field: 'timezone',
  });
}

const rowSinkInto = (buffer: ReadingBuffer, refused: RefusalLog, placeOf: (row: number) => string): RowSink => ({
  add: buffer.add,
  reject: (row, text, _, rejections) => refused.add(placeOf(row), text, rejections),
});

/** What rows are read by. */
interface RowContext {
  readonly book: SensorIndex;
  readonly zone: string;
  readonly now: number;
}

/** Readings as JSON go the way of the rows of a file, so that both are judged alike. */
async function ingestJsonReadings(
  rows: readonly unknown[],
  { book, zone, now }: RowContext,
  sink: RowSink,
): Promise<void> {
  const taker = createCellReader(book, zone, now, sink);
  for (const [index, sentRow] of rows.entries()) {
    const read = parseRow(readingRow, sentRow);
    if ('refused' in read) sink.reject(index, rowExcerpt(sentRow), null, [{ reason: read.refused }]);
    else taker.read(cellsOfReading(read.row), index, JSON.stringify(sentRow), null);
    if ((index + 1) % ROWS_PER_TURN === 0) await nextTurn();
  }
  taker.end();
}

const cellsOfReading = ({ module, type, depth, time, value }: ReadingRow) => ({
  module: typeof module === 'number' ? `#${module}` : module,
  type,
  depth: depth == null ? '' : String(depth),
  time,
  value: String(value),
});

/** Gives the columns that were not read: the first of them, their names cut short. */
async function ingestCsv(
  { csv, module }: IngestBatch & { csv: string },
  { book, zone, now }: RowContext,
  sink: RowSink,
) {
  const lines = createCsvReader((text) => {
    const { header, moduleId } = readCsvStart(text, book, module, 'module');
    return createRowReader(header, book, zone, now, moduleId, sink);
  });
  for await (const block of csvLines(singleChunk(csv)))
    for (const [index, text] of block.entries()) {
      lines.readLine(text);
      if (lines.rows > MAX_INGEST_READINGS)
        throw invalidInput('invalid_body', `The CSV holds more than ${MAX_INGEST_READINGS} rows.`, {
          hint: 'Send the batch in parts.',
          field: 'csv',
        });
      if ((index + 1) % ROWS_PER_TURN === 0) await nextTurn();
    }
  lines.end();
  return lines.skippedColumns
    .slice(0, MAX_REPORTED_COLUMNS)
    .map(({ name, why }) => ({ name: name.slice(0, 200), why }));
}

async function* singleChunk(text: string): AsyncGenerator<string> {
  yield text;
}

/** The modules that got readings, by id, with the newest instant of the batch. */
function newestByModule(book: SensorIndex, buffer: ReadingBuffer): IngestResult['modules'] {
  const moduleOf = new Map(book.sensors.map((sensor) => [sensor.id, sensor.moduleId]));
  const newest = new Map<number, number>();
  for (const [sensorId, at] of buffer.newestBySensor()) {
    const id = moduleOf.get(sensorId)!;
    newest.set(id, Math.max(newest.get(id) ?? at, at));
  }
  return book.modules
    .filter(({ id }) => newest.has(id))
    .map(({ id, uid }) => ({ id, uid, newest: toIso(newest.get(id)!) }));
}
