import { sql } from 'kysely';
import { entryOf } from '../../domain/items.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import { preparedListQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';
import { dayParts, type SplitDayPart } from './series-segments.ts';
import { querySums, type SensorSum } from './sum-queries.ts';

// Kysely cannot infer columns from a union of tables: a table's name in the casts represents any of
// them.

/**
 * Sums of the same part of each UTC day: from `from` to `to`, in ms of the day. One subquery per
 * day, because PostgreSQL may plan a join that compares each hour with each day of a sensor.
 */
function dayPartSums(source: SplitDayPart['source']) {
  const day = sql.ref<number>('reading_days.bucket_at');
  return preparedListQuery((db, sensorIds, start: number, end: number, from: number, to: number) =>
    db
      .selectFrom('reading_days')
      .where('sensor_id', 'in', sensorIds)
      .where(day, '>=', start)
      .where(day, '<', end)
      .select((eb) => {
        const rowsOfSensor = eb
          .selectFrom(source as 'reading_hours')
          .whereRef(`${source as 'reading_hours'}.sensor_id`, '=', 'reading_days.sensor_id');
        const [at, sum, count] =
          source === 'readings'
            ? [sql.ref<number>('readings.at'), sql.ref<number>('readings.value'), sql.lit(1)]
            : [
                sql.ref<number>('reading_hours.bucket_at'),
                sql.ref<number>('reading_hours.sum'),
                sql.ref<number>('reading_hours.count'),
              ];

        const within = rowsOfSensor
          .where(at, '>=', sql<number>`${day} + ${from}`)
          .where(at, '<', sql<number>`${day} + ${to}`);

        return [
          'reading_days.sensor_id as sensorId',
          'reading_days.bucket_at as at',
          within.select(({ fn }) => fn.sum<number | null>(sum).as('sum')).as('sum'),
          within.select(({ fn }) => fn.sum<number | null>(count).as('count')).as('count'),
        ];
      }),
  );
}

const queryDayPartSums = {
  readings: dayPartSums('readings'),
  reading_hours: dayPartSums('reading_hours'),
};

/**
 * Splits the sums of UTC days at the time of day at which a local day ends. Reads the shorter of
 * the two parts of each day; the other one is what remains of the daily sum.
 */
export async function splitDaySums(
  db: CompanyDb,
  sensorIds: readonly number[],
  { start, end }: Period,
  splitMs: number,
): Promise<SensorSum[]> {
  const isEarlierPartShorter = splitMs <= DAY_MS / 2;
  const [from, to] = isEarlierPartShorter ? [0, splitMs] : [splitMs, DAY_MS];
  const keyOf = ({ sensorId, at }: Pick<SensorSum, 'sensorId' | 'at'>): string =>
    `${sensorId} ${at}`;

  const days = await querySums.reading_days(db, sensorIds, start, end);
  const remaining = new Map(days.map((day) => [keyOf(day), { ...day }]));

  const sums: SensorSum[] = [];
  for (const part of dayParts(from, to)) {
    const queryPart = queryDayPartSums[part.source];
    const rows = await queryPart(db, sensorIds, start, end, part.from, part.to);

    for (const row of rows) {
      const { sensorId, at, sum, count } = row;
      if (sum === null || count === null) continue;
      const remainder = entryOf(remaining, keyOf(row));
      remainder.sum -= sum;
      remainder.count -= count;
      sums.push({ sensorId, at: at + part.from, sum, count });
    }
  }

  for (const remainder of remaining.values())
    if (remainder.count > 0)
      sums.push({ ...remainder, at: remainder.at + (isEarlierPartShorter ? splitMs : 0) });

  return sums;
}
