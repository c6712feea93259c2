import pg from 'pg';
import type { BulkReadings, ReadingBatch, SensorPeriod } from '../bulk-readings.ts';
import type { PostgresConnection } from './connection.ts';
import type { MonthlyPartitions } from './monthly-partitions.ts';

const ARRAY_HEADER_BYTES = 20;
/** A length and a value of 64 bits. */
const ELEMENT_BYTES = 12;

/**
 * Arrays without nulls in the server's own binary form, which is read by neither side as text: `array_recv` of its source,
 * https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/arrayfuncs.c
 */
function binaryArray(
  type: number,
  length: number,
  write: (bytes: Buffer, index: number, offset: number) => void,
): Buffer {
  const bytes = Buffer.allocUnsafe(ARRAY_HEADER_BYTES + ELEMENT_BYTES * length);
  bytes.writeInt32BE(1, 0); // dimensions
  bytes.writeInt32BE(0, 4); // no nulls
  bytes.writeInt32BE(type, 8);
  bytes.writeInt32BE(length, 12);
  bytes.writeInt32BE(1, 16); // the index of the first
  for (let index = 0, offset = ARRAY_HEADER_BYTES; index < length; index++, offset += ELEMENT_BYTES) {
    bytes.writeInt32BE(8, offset);
    write(bytes, index, offset + 4);
  }
  return bytes;
}

/** A `bigint[]` of safe integers. */
export const bigintArray = (length: number, at: (index: number) => number): Buffer =>
  binaryArray(pg.types.builtins.INT8, length, (bytes, index, offset) => {
    const value = at(index);
    // In two halves, the lower one modulo 2^32: a BigInt for each would take far longer.
    bytes.writeInt32BE(Math.floor(value / 2 ** 32), offset);
    bytes.writeUInt32BE(value >>> 0, offset + 4);
  });

/** A `double precision[]`. */
export const doubleArray = (length: number, at: (index: number) => number): Buffer =>
  binaryArray(pg.types.builtins.FLOAT8, length, (bytes, index, offset) =>
    // There is one zero, as text has it.
    bytes.writeDoubleBE(at(index) + 0, offset),
  );

/** From so many rows on it is worth asking first whether they are new. */
const MIN_ROWS_TO_CHECK = 1_000;

const INSERT_INTO = 'insert into readings (company_id, sensor_id, at, value)';
const FROM_ARRAYS = 'select $1, unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::double precision[])';
const ON_CONFLICT_UPDATE = 'on conflict (company_id, sensor_id, at) do update set value = excluded.value';

/** Writes readings within a transaction that writes, in the months that they lie in. */
export const postgresBulkReadings = (connection: PostgresConnection, months: MonthlyPartitions): BulkReadings => ({
  async write(companyId, batch, rows) {
    if (rows.length === 0) return;
    await months.create(connection, instantsOf(batch, rows));
    const isNew = rows.length >= MIN_ROWS_TO_CHECK && !(await hasReadingsInRange(connection, companyId, batch, rows));
    await insertReadings(connection, companyId, batch, rows, isNew);
  },
  sumHours: (companyId, spans) => refreshSums(connection, companyId, HOUR_SUMS, spans),
  sumDays: (companyId, spans) => refreshSums(connection, companyId, DAY_SUMS, spans),
});

function* instantsOf({ at }: ReadingBatch, rows: readonly number[]): Generator<number> {
  for (const row of rows) yield at[row] as number;
}

/**
 * As one statement, with the columns as arrays. What is new goes in at once; the rest is first looked up row by row, which
 * takes the server twice as long.
 */
async function insertReadings(
  connection: PostgresConnection,
  companyId: number,
  { sensorIds, at, values }: ReadingBatch,
  rows: readonly number[],
  isNew: boolean,
): Promise<void> {
  const of = (column: ArrayLike<number>) => (index: number) => column[rows[index] as number] as number;
  const { length } = rows;
  const columns = [bigintArray(length, of(sensorIds)), bigintArray(length, of(at)), doubleArray(length, of(values))];
  await connection.query(companyId, {
    name: isNew ? 'acequia_new_readings' : 'acequia_readings',
    text: `${INSERT_INTO} ${FROM_ARRAYS} ${isNew ? '' : ON_CONFLICT_UPDATE}`,
    values: [companyId, ...columns],
  });
}

const HAS_READINGS = `
  select exists (
    select from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as span (sensor_id, first, last)
      cross join lateral (
        select from readings where company_id = $1 and sensor_id = span.sensor_id and at between span.first and span.last limit 1
      ) as standing
  ) as stands`;

/** Whether anything stands from the first to the last of each sensor's rows. Who has the company's turn need not fear that it comes afterwards. */
async function hasReadingsInRange(
  connection: PostgresConnection,
  companyId: number,
  { sensorIds, at }: ReadingBatch,
  rows: readonly number[],
): Promise<boolean> {
  const spans: SensorPeriod[] = [];
  for (const row of rows) {
    const sensorId = sensorIds[row] as number;
    const instant = at[row] as number;
    const last = spans.at(-1);
    if (last?.sensorId === sensorId) {
      last.from = Math.min(last.from, instant);
      last.to = Math.max(last.to, instant);
    } else spans.push({ sensorId, from: instant, to: instant });
  }
  const asked = { name: 'acequia_stands', text: HAS_READINGS, values: [companyId, ...periodColumns(spans)] };
  const { rows: answer } = await connection.query<{ stands: 0 | 1 }>(companyId, asked);
  return answer[0]?.stands === 1;
}

/** Sensors, starts and ends. */
const periodColumns = (spans: readonly SensorPeriod[]): Buffer[] =>
  (['sensorId', 'from', 'to'] as const).map((column) =>
    bigintArray(spans.length, (index) => (spans[index] as SensorPeriod)[column]),
  );

/** Sums of one length, and what they are added up from. */
interface SumTable {
  readonly table: string;
  readonly source: string;
  readonly at: string;
  readonly lengthMs: number;
  readonly count: string;
  readonly sum: string;
}

const HOUR_SUMS: SumTable = {
  ...{ table: 'reading_hours', source: 'readings', at: 'at', lengthMs: 3_600_000 },
  ...{ count: 'count(*)', sum: 'sum(value)' },
};
const DAY_SUMS: SumTable = {
  ...{ table: 'reading_days', source: 'reading_hours', at: 'bucket_at', lengthMs: 86_400_000 },
  ...{ count: 'sum(count)', sum: 'sum(sum)' },
};

/** One statement for all spans; each is read along the key, whatever the server thinks of how many there are. */
const sumStatement = ({ table, source, at, lengthMs, count, sum: total }: SumTable): string => `
  insert into ${table} (company_id, sensor_id, bucket_at, count, sum)
    select $1, span.sensor_id, sums.* from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as span (sensor_id, start, stop)
      cross join lateral (
        select ${at} - (${at} % ${lengthMs} + ${lengthMs}) % ${lengthMs}, ${count}, ${total} from ${source}
          where company_id = $1 and sensor_id = span.sensor_id and ${at} >= span.start and ${at} < span.stop group by 1
      ) as sums
    on conflict (company_id, sensor_id, bucket_at) do update set count = excluded.count, sum = excluded.sum`;

async function refreshSums(
  connection: PostgresConnection,
  companyId: number,
  sums: SumTable,
  spans: readonly SensorPeriod[],
): Promise<void> {
  if (spans.length === 0) return;
  const values = [companyId, ...periodColumns(spans)];
  await connection.query(companyId, { name: `acequia_${sums.table}`, text: sumStatement(sums), values });
}
