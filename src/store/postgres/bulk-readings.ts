import { itemAt } from '../../domain/items.ts';
import type { BulkReadings, ChangedSums, ReadingBatch, SensorPeriod } from '../store-adapter.ts';
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

export function postgresBulkReadings(
  connection: PostgresConnection,
  partitions: MonthlyPartitions,
): BulkReadings {
  const bulk: BulkReadings = {
    write: (companyId, batch, rows) => bulk.writeWithSums(companyId, batch, rows, []),
    async writeWithSums(companyId, batch, rows, changed) {
      if (rows.length === 0) return;

      await partitions.create(connection, instantsOf(batch, rows));
      const areNew =
        rows.length >= MIN_ROWS_TO_CHECK &&
        !(await hasReadingsInRange(connection, companyId, batch, rows));

      // The server runs them in this order. They are sent without waiting for each other's answer.
      await Promise.all([
        insertReadings(connection, companyId, batch, rows, areNew),
        ...changed.map((sums) => refreshSums(connection, companyId, sums)),
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

/** The columns of a source with the instant, and the SQL that counts and adds up its rows. */
const SOURCES = {
  readings: { at: 'at', count: 'count(*)', sum: 'sum(value)' },
  reading_hours: { at: 'bucket_at', count: 'sum(count)', sum: 'sum(sum)' },
} as const satisfies Record<ChangedSums['source'], unknown>;

/**
 * The lateral join makes the server read the buckets of a sensor by the primary key, whatever its
 * estimates are.
 */
function sumStatement({ table, source }: Pick<ChangedSums, 'table' | 'source'>): string {
  const { at, count, sum } = SOURCES[source];
  return `
  insert into ${table} (company_id, sensor_id, bucket_at, count, sum)
    select $1, buckets.sensor_id, sums.*
      from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) as buckets (sensor_id, start, stop, length)
      cross join lateral (
        select ${at} - (${at} - buckets.start) % buckets.length, ${count}, ${sum} from ${source}
          where company_id = $1 and sensor_id = buckets.sensor_id and ${at} >= buckets.start and ${at} < buckets.stop group by 1
      ) as sums
    on conflict (company_id, sensor_id, bucket_at) do update set count = excluded.count, sum = excluded.sum`;
}

async function refreshSums(
  connection: PostgresConnection,
  companyId: number,
  { table, source, buckets }: ChangedSums,
): Promise<void> {
  if (buckets.length === 0) return;
  const lengths = arrayLiteral(buckets.map(({ bucketMs }) => bucketMs));
  await connection.query(companyId, {
    name: `acequia_${table}_of_${source}`,
    text: sumStatement({ table, source }),
    values: [companyId, ...periodColumns(buckets), lengths],
  });
}
