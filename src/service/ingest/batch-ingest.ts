import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTimeZone } from '../../domain/time-zone.ts';
import { quote } from '../../language/text.ts';
import type { CheckContext, WriteContext } from '../../operation/call.ts';
import { invalidInput } from '../../schema/error.ts';
import {
  type IngestResult,
  MAX_INGEST_READINGS,
  MAX_REPORTED_COLUMNS,
  type ReadingRow,
  readingRow,
} from '../../schema/imports/ingest-batch.ts';
import { toIso } from '../wire-format.ts';
import { createCellReader } from './cell-reader.ts';
import { csvLines } from './csv-lines.ts';
import { createCsvReader, readCsvStart } from './csv-reader.ts';
import { createRowReader, type RowReader } from './csv-rows.ts';
import { updateGatewayStatuses } from './gateway-status-updates.ts';
import { createReadingBuffer, type ReadingBuffer } from './reading-buffer.ts';
import { createRefusalLog, parseRow, type RefusalLog, type RowSink, rowExcerpt } from './rejected-rows.ts';
import { loadSensorIndex, type SensorIndex } from './sensor-index.ts';

const ROWS_PER_TURN = 2_000;

export interface IngestBatch {
  readonly readings?: readonly unknown[] | undefined;
  readonly gateways?: readonly unknown[] | undefined;
  readonly csv?: string | undefined;
  readonly module?: string | undefined;
  readonly timezone?: string | undefined;
}

/** Never creates modules, sensors or gateways. The same batch again changes nothing. */
export async function ingestBatch(
  { db, now, zone: defaultZone }: WriteContext & CheckContext,
  batch: IngestBatch,
): Promise<IngestResult> {
  refuseIncompleteBatch(batch);
  const { readings = [], gateways = [], csv } = batch;
  const context = { index: await loadSensorIndex(db), zone: batchZone(batch.timezone, defaultZone), now };
  const buffer = createReadingBuffer();
  const refusals = createRefusalLog();
  await readJsonRows(
    readings,
    context,
    rowSink(buffer, refusals, (row) => `readings[${row}]`),
  );
  const skippedColumns =
    csv === undefined
      ? []
      : await readCsv(
          csv,
          batch.module,
          context,
          rowSink(buffer, refusals, (line) => `line ${line}`),
        );
  const refusedReadings = refusals.count;
  const readingCounts = await buffer.writeTo(db);
  const gatewayCounts = await updateGatewayStatuses({ db, now, zone: context.zone }, gateways, refusals);
  return {
    readings: { ...readingCounts, refused: refusedReadings },
    gateways: gatewayCounts,
    modules: newestReadings(context.index, buffer),
    reasons: refusals.reasons(),
    refused: [...refusals.first],
    skippedColumns: skippedColumns
      .slice(0, MAX_REPORTED_COLUMNS)
      .map(({ name, why }) => ({ name: name.slice(0, 200), why })),
  };
}

function refuseIncompleteBatch({ readings, gateways, csv, module }: IngestBatch): void {
  if (readings === undefined && gateways === undefined && csv === undefined)
    throw invalidInput('invalid_body', 'The batch has neither readings nor gateways.', {
      hint: 'Send readings or gateways as JSON, or readings as CSV.',
      field: 'readings',
    });
  if (module !== undefined && csv === undefined)
    throw invalidInput('invalid_body', 'module names the module of a CSV, and the batch has no CSV.', {
      hint: 'Name the module of each reading in the reading.',
      field: 'module',
    });
}

function batchZone(timezone: string | undefined, defaultZone: string): string {
  if (timezone === undefined || isTimeZone(timezone)) return timezone ?? defaultZone;
  throw invalidInput('INVALID_TIMEZONE', `${quote(timezone)} is not a time zone.`, {
    hint: 'Give an IANA zone such as Europe/Paris; times in UTC end in Z.',
    field: 'timezone',
  });
}

const rowSink = (buffer: ReadingBuffer, refusals: RefusalLog, placeOf: (row: number) => string): RowSink => ({
  add: buffer.add,
  reject: (row, text, _, rejections) => refusals.add(placeOf(row), text, rejections),
});

interface RowContext {
  readonly index: SensorIndex;
  readonly zone: string;
  readonly now: number;
}

/** By the rules of CSV rows, so that the same reading has the same result in both formats. */
async function readJsonRows(rows: readonly unknown[], { index, zone, now }: RowContext, sink: RowSink): Promise<void> {
  const reader = createCellReader(index, zone, now, sink);
  for (const [place, value] of rows.entries()) {
    const parsed = parseRow(readingRow, value);
    if ('refused' in parsed) sink.reject(place, rowExcerpt(value), null, [{ reason: parsed.refused }]);
    else reader.read(cellsOfReading(parsed.row), place, JSON.stringify(value), null);
    if ((place + 1) % ROWS_PER_TURN === 0) await nextTurn();
  }
  reader.end();
}

const cellsOfReading = ({ module, type, depth, time, value }: ReadingRow) => ({
  module: typeof module === 'number' ? `#${module}` : module,
  type,
  depth: depth == null ? '' : String(depth),
  time,
  value: String(value),
});

async function readCsv(
  csv: string,
  module: string | undefined,
  context: RowContext,
  sink: RowSink,
): Promise<RowReader['skippedColumns']> {
  const reader = createCsvReader((text) => {
    const { header, moduleId } = readCsvStart(text, context.index, module, 'module');
    return createRowReader(header, context.index, context, moduleId, sink);
  });
  for await (const lines of csvLines(singleChunk(csv)))
    for (const [place, text] of lines.entries()) {
      reader.readLine(text);
      if (reader.rows > MAX_INGEST_READINGS)
        throw invalidInput('invalid_body', `The CSV has more than ${MAX_INGEST_READINGS} rows.`, {
          hint: 'Send the batch in parts.',
          field: 'csv',
        });
      if ((place + 1) % ROWS_PER_TURN === 0) await nextTurn();
    }
  reader.end();
  return reader.skippedColumns;
}

async function* singleChunk(text: string): AsyncGenerator<string> {
  yield text;
}

function newestReadings({ modules, sensors }: SensorIndex, buffer: ReadingBuffer): IngestResult['modules'] {
  const moduleOfSensor = new Map(sensors.map(({ id, moduleId }) => [id, moduleId]));
  const newest = new Map<number, number>();
  for (const [sensorId, at] of buffer.newestBySensor()) {
    const id = moduleOfSensor.get(sensorId)!;
    newest.set(id, Math.max(newest.get(id) ?? at, at));
  }
  return modules.filter(({ id }) => newest.has(id)).map(({ id, uid }) => ({ id, uid, newest: toIso(newest.get(id)!) }));
}
