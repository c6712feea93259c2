import type { ReadingBatch, ReadingsWay, Span } from '../reading-batch.ts';
import { bigintArray, doubleArray } from './binary-arrays.ts';
import type { PostgresConnection } from './connection.ts';
import type { Months } from './months.ts';

/** From so many rows on it is worth asking first whether they are new. */
const ROWS_TO_ASK = 1_000;

const INTO = 'insert into readings (company_id, sensor_id, at, value)';
const FROM = 'select $1, unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::double precision[])';
const IN_PLACE = 'on conflict (company_id, sensor_id, at) do update set value = excluded.value';

/** Writes readings within a transaction that writes, in the months that they lie in. */
export const readingsWay = (connection: PostgresConnection, months: Months): ReadingsWay => ({
  async write(companyId, batch, rows) {
    if (rows.length === 0) return;
    await months.make(connection, instantsOf(batch, rows));
    const isNew = rows.length >= ROWS_TO_ASK && !(await stands(connection, companyId, batch, rows));
    await insert(connection, companyId, batch, rows, isNew);
  },
  sumHours: (companyId, spans) => sum(connection, companyId, HOURS, spans),
  sumDays: (companyId, spans) => sum(connection, companyId, DAYS, spans),
});

function* instantsOf({ at }: ReadingBatch, rows: readonly number[]): Generator<number> {
  for (const row of rows) yield at[row] as number;
}

/**
 * As one statement, with the columns as arrays. What is new goes in at once; the rest is first looked up row by row, which
 * takes the server twice as long.
 */
async function insert(
  connection: PostgresConnection,
  companyId: number,
  { sensorIds, at, values }: ReadingBatch,
  rows: readonly number[],
  isNew: boolean,
): Promise<void> {
  const of = (column: ArrayLike<number>) => (index: number) => column[rows[index] as number] as number;
  const { length } = rows;
  const columns = [bigintArray(length, of(sensorIds)), bigintArray(length, of(at)), doubleArray(length, of(values))];
  await connection.ask(companyId, {
    name: isNew ? 'acequia_new_readings' : 'acequia_readings',
    text: `${INTO} ${FROM} ${isNew ? '' : IN_PLACE}`,
    values: [companyId, ...columns],
  });
}

const STANDS = `
  select exists (
    select from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as span (sensor_id, first, last)
      cross join lateral (
        select from readings where company_id = $1 and sensor_id = span.sensor_id and at between span.first and span.last limit 1
      ) as standing
  ) as stands`;

/** Whether anything stands from the first to the last of each sensor's rows. Who has the company's turn need not fear that it comes afterwards. */
async function stands(
  connection: PostgresConnection,
  companyId: number,
  { sensorIds, at }: ReadingBatch,
  rows: readonly number[],
): Promise<boolean> {
  const spans: Span[] = [];
  for (const row of rows) {
    const sensorId = sensorIds[row] as number;
    const instant = at[row] as number;
    const last = spans.at(-1);
    if (last?.sensorId === sensorId) {
      last.from = Math.min(last.from, instant);
      last.to = Math.max(last.to, instant);
    } else spans.push({ sensorId, from: instant, to: instant });
  }
  const asked = { name: 'acequia_stands', text: STANDS, values: [companyId, ...columnsOf(spans)] };
  const { rows: answer } = await connection.ask<{ stands: 0 | 1 }>(companyId, asked);
  return answer[0]?.stands === 1;
}

/** Sensors, starts and ends. */
const columnsOf = (spans: readonly Span[]): Buffer[] =>
  (['sensorId', 'from', 'to'] as const).map((column) =>
    bigintArray(spans.length, (index) => (spans[index] as Span)[column]),
  );

/** Sums of one length, and what they are added up from. */
interface Sums {
  readonly table: string;
  readonly source: string;
  readonly at: string;
  readonly lengthMs: number;
  readonly count: string;
  readonly sum: string;
}

const HOURS: Sums = {
  ...{ table: 'reading_hours', source: 'readings', at: 'at', lengthMs: 3_600_000 },
  ...{ count: 'count(*)', sum: 'sum(value)' },
};
const DAYS: Sums = {
  ...{ table: 'reading_days', source: 'reading_hours', at: 'bucket_at', lengthMs: 86_400_000 },
  ...{ count: 'sum(count)', sum: 'sum(sum)' },
};

/** One statement for all spans; each is read along the key, whatever the server thinks of how many there are. */
const summing = ({ table, source, at, lengthMs, count, sum: total }: Sums): string => `
  insert into ${table} (company_id, sensor_id, bucket_at, count, sum)
    select $1, span.sensor_id, sums.* from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as span (sensor_id, start, stop)
      cross join lateral (
        select ${at} - (${at} % ${lengthMs} + ${lengthMs}) % ${lengthMs}, ${count}, ${total} from ${source}
          where company_id = $1 and sensor_id = span.sensor_id and ${at} >= span.start and ${at} < span.stop group by 1
      ) as sums
    on conflict (company_id, sensor_id, bucket_at) do update set count = excluded.count, sum = excluded.sum`;

async function sum(
  connection: PostgresConnection,
  companyId: number,
  sums: Sums,
  spans: readonly Span[],
): Promise<void> {
  if (spans.length === 0) return;
  const values = [companyId, ...columnsOf(spans)];
  await connection.ask(companyId, { name: `acequia_${sums.table}`, text: summing(sums), values });
}
