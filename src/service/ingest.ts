import { setImmediate as nextTurn } from 'node:timers/promises';
import { isZone } from '../domain/zone.ts';
import type { Asked, Books } from '../operation/call.ts';
import { quoted } from '../operation/names.ts';
import { refuse } from '../schema/error.ts';
import { type Ingested, MOST_ROWS, type ReadingRow, readingRow, SKIPPED_TOLD } from '../schema/ingest.ts';
import { type ArrivedReadings, arrivedReadings } from './arrived-readings.ts';
import { linesOf } from './csv-lines.ts';
import { keepStatuses } from './gateway-statuses.ts';
import { givenText, readRow } from './ingest-rows.ts';
import { beginReadings, readingsLines } from './readings-lines.ts';
import { cellTaker, type RowSink, rowReader } from './readings-rows.ts';
import { type SensorBook, sensorBook } from './readings-sensors.ts';
import { type RefusedRows, refusedRows } from './refused-rows.ts';
import { isoOf } from './wire.ts';

/** Rows that are read between two turns of the event loop. */
const ROWS_A_TURN = 2_000;

/** A batch as it was sent. */
export interface Batch {
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
export async function ingest({ db, now, zone: usual }: Books & Asked, batch: Batch): Promise<Ingested> {
  const { readings = [], gateways = [], csv } = batch;
  refuseEmpty(batch);
  const zone = zoneOf(batch.timezone, usual);
  const book = await sensorBook(db);
  const arrived = arrivedReadings();
  const refused = refusedRows();
  await takeReadings(
    readings,
    { book, zone, now },
    sinkOf(arrived, refused, (row) => `readings[${row}]`),
  );
  const skippedColumns =
    csv === undefined
      ? []
      : await takeCsv(
          { ...batch, csv },
          { book, zone, now },
          sinkOf(arrived, refused, (line) => `line ${line}`),
        );
  const refusedReadings = refused.count;
  const kept = await arrived.keep(db);
  const statuses = await keepStatuses({ db, now, zone }, gateways, refused);
  return {
    readings: { ...kept, refused: refusedReadings },
    gateways: statuses,
    modules: newestOf(book, arrived),
    reasons: refused.reasons(),
    refused: [...refused.first],
    skippedColumns,
  };
}

function refuseEmpty({ readings, gateways, csv, module }: Batch): void {
  if (readings === undefined && gateways === undefined && csv === undefined)
    throw refuse('invalid_body', 'The batch holds neither readings nor gateways.', {
      hint: 'Send readings or gateways as JSON, or readings as CSV.',
      field: 'readings',
    });
  if (module !== undefined && csv === undefined)
    throw refuse('invalid_body', 'module says what a CSV is about, and there is none.', {
      hint: 'Name the module of each reading in the reading.',
      field: 'module',
    });
}

function zoneOf(asked: string | undefined, usual: string): string {
  if (asked === undefined || isZone(asked)) return asked ?? usual;
  throw refuse('INVALID_TIMEZONE', `${quoted(asked)} is no time zone.`, {
    hint: 'Give an IANA zone such as Europe/Paris; times in UTC end in Z.',
    field: 'timezone',
  });
}

const sinkOf = (arrived: ArrivedReadings, refused: RefusedRows, placeOf: (row: number) => string): RowSink => ({
  add: arrived.add,
  reject: (row, text, _, rejections) => refused.add(placeOf(row), text, rejections),
});

/** What rows are read by. */
interface Reading {
  readonly book: SensorBook;
  readonly zone: string;
  readonly now: number;
}

/** Readings as JSON go the way of the rows of a file, so that both are judged alike. */
async function takeReadings(rows: readonly unknown[], { book, zone, now }: Reading, sink: RowSink): Promise<void> {
  const taker = cellTaker(book, zone, now, sink);
  for (const [index, given] of rows.entries()) {
    const read = readRow(readingRow, given);
    if ('refused' in read) sink.reject(index, givenText(given), null, [{ reason: read.refused }]);
    else taker.take(cellsOf(read.row), index, JSON.stringify(given), null);
    if ((index + 1) % ROWS_A_TURN === 0) await nextTurn();
  }
  taker.end();
}

const cellsOf = ({ module, type, depth, time, value }: ReadingRow) => ({
  module: typeof module === 'number' ? `#${module}` : module,
  type,
  depth: depth == null ? '' : String(depth),
  time,
  value: String(value),
});

/** Gives the columns that were not read: the first of them, their names cut short. */
async function takeCsv({ csv, module }: Batch & { csv: string }, { book, zone, now }: Reading, sink: RowSink) {
  const lines = readingsLines((text) => {
    const { header, moduleId } = beginReadings(text, book, module, 'module');
    return rowReader(header, book, zone, now, moduleId, sink);
  });
  for await (const block of linesOf(inOnePiece(csv)))
    for (const [index, text] of block.entries()) {
      lines.take(text);
      if (lines.rows > MOST_ROWS)
        throw refuse('invalid_body', `The CSV holds more than ${MOST_ROWS} rows.`, {
          hint: 'Send the batch in parts.',
          field: 'csv',
        });
      if ((index + 1) % ROWS_A_TURN === 0) await nextTurn();
    }
  lines.end();
  return lines.skippedColumns.slice(0, SKIPPED_TOLD).map(({ name, why }) => ({ name: name.slice(0, 200), why }));
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}

/** The modules that got readings, by id, with the newest instant of the batch. */
function newestOf(book: SensorBook, arrived: ArrivedReadings): Ingested['modules'] {
  const moduleOf = new Map(book.sensors.map((sensor) => [sensor.id, sensor.moduleId]));
  const newest = new Map<number, number>();
  for (const [sensorId, at] of arrived.newest()) {
    const id = moduleOf.get(sensorId)!;
    newest.set(id, Math.max(newest.get(id) ?? at, at));
  }
  return book.modules
    .filter(({ id }) => newest.has(id))
    .map(({ id, uid }) => ({ id, uid, newest: isoOf(newest.get(id)!) }));
}
