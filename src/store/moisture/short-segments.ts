import { preparedListQuery } from '../queries/prepared-query.ts';
import { adapterOf, type StoreDialect } from '../store-adapter.ts';
import type { CompanyDb } from '../tables.ts';
import { BUCKET_MS, type Segment } from './series-segments.ts';
import { perSource } from './sum-queries.ts';

/** For each sensor, the instant of the row after its first `count`; null if it has no more. */
const queryNextAfter = perSource((source) => {
  const at = source === 'readings' ? 'at' : 'bucket_at';
  return preparedListQuery((db, sensorIds, start: number, end: number, count: number) =>
    db
      .selectFrom('sensors')
      .where('id', 'in', sensorIds)
      .select((sensor) =>
        sensor
          .selectFrom(source)
          .whereRef(`${source}.sensor_id`, '=', 'sensors.id')
          .where(at, '>=', start)
          .where(at, '<', end)
          .select(at)
          .orderBy(at)
          .limit(1)
          .offset(count)
          .as('next'),
      ),
  );
});

/**
 * The rows that one statement reads. SQLite blocks the event loop while it runs, PostgreSQL only
 * while its result is parsed.
 */
export const MAX_ROWS_READ: Readonly<Record<StoreDialect, number>> = {
  sqlite: 5_000,
  postgres: 10_000,
};

/**
 * Divides segments in the order of time, so that each is short enough for one statement. A caller
 * that may stop early sets `firstRows`, the rows of the first one for each sensor; each next one
 * has four times as many.
 */
export async function* shortSegments(
  db: CompanyDb,
  sensorIds: readonly number[],
  segments: readonly Segment[],
  firstRows = Number.POSITIVE_INFINITY,
): AsyncGenerator<Segment> {
  if (sensorIds.length === 0) return;

  const maxRows = Math.max(1, Math.floor(MAX_ROWS_READ[adapterOf(db).dialect] / sensorIds.length));
  let rowsPerSensor = Math.min(maxRows, firstRows);

  for (const { source, start, end } of segments)
    for (let from = start; from < end; ) {
      // A bucket has at most one row, so a few buckets need not be counted.
      const isShort = source !== 'readings' && (end - from) / BUCKET_MS[source] <= rowsPerSensor;
      const after = isShort
        ? []
        : await queryNextAfter[source](db, sensorIds, from, end, rowsPerSensor);
      const to = Math.min(end, ...after.flatMap(({ next }) => next ?? []));
      yield { source, start: from, end: to };

      from = to;
      rowsPerSensor = Math.min(maxRows, rowsPerSensor * 4);
    }
}
