import { once } from 'node:events';
import { from as copyFrom } from 'pg-copy-streams';
import type { ReadingBatch, ReadingsWay, Span } from '../reading-batch.ts';
import type { PostgresConnection } from './connection.ts';
import type { Months } from './months.ts';

/** From so many rows on the way by COPY is the faster one. */
const ROWS_TO_COPY = 1_000;

const INTO = 'insert into readings (company_id, sensor_id, at, value)';
const IN_PLACE = 'on conflict (company_id, sensor_id, at) do update set value = excluded.value';

/** Writes readings within a transaction that writes, in the months that they lie in. */
export const readingsWay = (connection: PostgresConnection, months: Months): ReadingsWay => ({
  async write(companyId, batch, rows) {
    if (rows.length === 0) return;
    await months.make(connection, instantsOf(batch, rows));
    if (rows.length < ROWS_TO_COPY) await insert(connection, companyId, batch, rows);
    else await copy(connection, companyId, batch, rows);
  },
  sumHours: (companyId, spans) => sum(connection, companyId, HOURS, spans),
  sumDays: (companyId, spans) => sum(connection, companyId, DAYS, spans),
});

function* instantsOf({ at }: ReadingBatch, rows: readonly number[]): Generator<number> {
  for (const row of rows) yield at[row] as number;
}

/** As one statement, with the columns as arrays. */
async function insert(
  connection: PostgresConnection,
  companyId: number,
  batch: ReadingBatch,
  rows: readonly number[],
): Promise<void> {
  const column = (values: ArrayLike<number>): string => `{${rows.map((row) => values[row]).join()}}`;
  await connection.asking(companyId, (client) =>
    client.query({
      name: 'acequia_readings',
      text: `${INTO} select $1, * from unnest($2::bigint[], $3::bigint[], $4::double precision[]) ${IN_PLACE}`,
      values: [companyId, column(batch.sensorIds), column(batch.at), column(batch.values)],
    }),
  );
}

/** By way of a table of this connection, as a copy cannot meet what stands. */
async function copy(
  connection: PostgresConnection,
  companyId: number,
  batch: ReadingBatch,
  rows: readonly number[],
): Promise<void> {
  const { sensorIds, at, values } = batch;
  const lines = rows.map((row) => `${sensorIds[row]}\t${at[row]}\t${values[row]}\n`).join('');
  await connection.asking(companyId, async (client) => {
    await client.query(`create temporary table if not exists acequia_incoming
        (sensor_id bigint not null, at bigint not null, value double precision not null) on commit delete rows;
      delete from acequia_incoming`);
    const stream = client.query(copyFrom('copy acequia_incoming (sensor_id, at, value) from stdin'));
    // Where the server ends the copy, the stream fails once more when what it holds is sent: nobody would hear of it.
    stream.on('error', () => undefined);
    stream.end(lines);
    await once(stream, 'finish');
    await client.query(`${INTO} select $1, sensor_id, at, value from acequia_incoming ${IN_PLACE}`, [companyId]);
  });
}

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
  const column = (of: (span: Span) => number): string => `{${spans.map(of).join()}}`;
  const values = [companyId, column((span) => span.sensorId), column((span) => span.from), column((span) => span.to)];
  await connection.asking(companyId, (client) =>
    client.query({ name: `acequia_${sums.table}`, text: summing(sums), values }),
  );
}
