import type { BulkReadings, ReadingBatch, SensorPeriod } from '../reading-batch.ts';
import { bigintArray, doubleArray } from './binary-arrays.ts';
import type { PostgresConnection } from './connection.ts';
import type { MonthlyPartitions } from './months.ts';

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
