import { itemAt } from '../../domain/items.ts';
import { DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import type { BulkReadings, ChangedPeriods, ReadingBatch, SensorPeriod } from '../store-adapter.ts';
import type { PostgresConnection } from './connection.ts';
import type { MonthlyPartitions } from './monthly-partitions.ts';

const arrayLiteral = (values: readonly number[]): string => `{${values.join(',')}}`;

/**
 * From this many rows on a query first checks whether all are new: an insert without conflicts
 * takes half the time.
 */
const MIN_ROWS_TO_CHECK = 1_000;

const INSERT_INTO = 'insert into readings (company_id, sensor_id, at, value)';
const FROM_ARRAYS =
  'select $1, unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::double precision[])';
const ON_CONFLICT_UPDATE =
  'on conflict (company_id, sensor_id, at) do update set value = excluded.value';

const NOTHING_CHANGED: ChangedPeriods = { hours: [], days: [] };

export function postgresBulkReadings(
  connection: PostgresConnection,
  partitions: MonthlyPartitions,
): BulkReadings {
  const bulk: BulkReadings = {
    write: (companyId, batch, rows) => bulk.writeWithSums(companyId, batch, rows, NOTHING_CHANGED),
    async writeWithSums(companyId, batch, rows, { hours, days }) {
      if (rows.length === 0) return;

      await partitions.create(connection, instantsOf(batch, rows));
      const areNew =
        rows.length >= MIN_ROWS_TO_CHECK &&
        !(await hasReadingsInRange(connection, companyId, batch, rows));

      // The server runs them in this order. They are sent without waiting for each other's answer.
      await Promise.all([
        insertReadings(connection, companyId, batch, rows, areNew),
        refreshSums(connection, companyId, HOUR_SUMS, hours),
        refreshSums(connection, companyId, DAY_SUMS, days),
      ]);
    },
  };

  return bulk;
}

function* instantsOf({ at }: ReadingBatch, rows: readonly number[]): Generator<number> {
  for (const row of rows) yield itemAt(at, row);
}

async function insertReadings(
  connection: PostgresConnection,
  companyId: number,
  { sensorIds, at, values }: ReadingBatch,
  rows: readonly number[],
  areNew: boolean,
): Promise<void> {
  const columns = [sensorIds, at, values].map((column) =>
    arrayLiteral(rows.map((row) => itemAt(column, row))),
  );
  await connection.query(companyId, {
    name: areNew ? 'acequia_new_readings' : 'acequia_readings',
    text: `${INSERT_INTO} ${FROM_ARRAYS} ${areNew ? '' : ON_CONFLICT_UPDATE}`,
    values: [companyId, ...columns],
  });
}

const HAS_READINGS = `
  select exists (
    select from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as period (sensor_id, first, last)
      cross join lateral (
        select from readings
          where company_id = $1 and sensor_id = period.sensor_id and at between period.first and period.last limit 1
      ) as reading
  ) as "hasReadings"`;

/**
 * The transaction holds the lock of the company, so no other one can add a reading to these ranges
 * afterwards.
 */
async function hasReadingsInRange(
  connection: PostgresConnection,
  companyId: number,
  { sensorIds, at }: ReadingBatch,
  rows: readonly number[],
): Promise<boolean> {
  const periods: SensorPeriod[] = [];
  for (const row of rows) {
    const sensorId = itemAt(sensorIds, row);
    const instant = itemAt(at, row);
    const last = periods.at(-1);
    if (last?.sensorId === sensorId) {
      last.from = Math.min(last.from, instant);
      last.to = Math.max(last.to, instant);
    } else periods.push({ sensorId, from: instant, to: instant });
  }

  const query = {
    name: 'acequia_has_readings',
    text: HAS_READINGS,
    values: [companyId, ...periodColumns(periods)],
  };
  const result = await connection.query<{ hasReadings: 0 | 1 }>(companyId, query);

  return result.rows[0]?.hasReadings === 1;
}

const periodColumns = (periods: readonly SensorPeriod[]): string[] =>
  (['sensorId', 'from', 'to'] as const).map((column) =>
    arrayLiteral(periods.map((period) => period[column])),
  );

/** A table of sums, the table that they are computed from, and the SQL that computes them. */
interface SumTable {
  readonly table: string;
  readonly source: string;
  /** The column of `source` with the instant. */
  readonly at: string;
  readonly bucketMs: number;
  readonly count: string;
  readonly sum: string;
}

const HOUR_SUMS: SumTable = {
  table: 'reading_hours',
  source: 'readings',
  at: 'at',
  bucketMs: HOUR_MS,
  count: 'count(*)',
  sum: 'sum(value)',
};

const DAY_SUMS: SumTable = {
  table: 'reading_days',
  source: 'reading_hours',
  at: 'bucket_at',
  bucketMs: DAY_MS,
  count: 'sum(count)',
  sum: 'sum(sum)',
};

/**
 * The lateral join makes the server read each period by the primary key, whatever its estimates
 * are. The start of a bucket is computed as by `bucketStartSql`.
 */
const sumStatement = ({ table, source, at, bucketMs, count, sum }: SumTable): string => `
  insert into ${table} (company_id, sensor_id, bucket_at, count, sum)
    select $1, period.sensor_id, sums.* from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as period (sensor_id, start, stop)
      cross join lateral (
        select ${at} - (${at} % ${bucketMs} + ${bucketMs}) % ${bucketMs}, ${count}, ${sum} from ${source}
          where company_id = $1 and sensor_id = period.sensor_id and ${at} >= period.start and ${at} < period.stop group by 1
      ) as sums
    on conflict (company_id, sensor_id, bucket_at) do update set count = excluded.count, sum = excluded.sum`;

async function refreshSums(
  connection: PostgresConnection,
  companyId: number,
  sums: SumTable,
  periods: readonly SensorPeriod[],
): Promise<void> {
  if (periods.length === 0) return;
  const values = [companyId, ...periodColumns(periods)];
  await connection.query(companyId, {
    name: `acequia_${sums.table}`,
    text: sumStatement(sums),
    values,
  });
}
