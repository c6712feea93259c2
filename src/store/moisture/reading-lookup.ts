import { sql } from 'kysely';
import { chunksOf } from '../../domain/groups.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import { preparedListQuery, preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

export interface SensorReadingBounds {
  readonly sensorId: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly newest: number | null;
}

/**
 * Looks up each end by the primary key, so the cost does not depend on the number of readings in
 * between.
 */
export async function sensorReadingBounds(
  db: CompanyDb,
  sensorIds: readonly number[],
  { start, end }: Period,
): Promise<SensorReadingBounds[]> {
  return sensorIds.length === 0 ? [] : queryReadingBounds(db, sensorIds, start, end);
}

const queryReadingBounds = preparedListQuery((db, sensorIds, start: number, end: number) =>
  db
    .selectFrom('sensors')
    .where('id', 'in', sensorIds)
    .select((sensor) => {
      const readings = sensor
        .selectFrom('readings')
        .whereRef('readings.sensor_id', '=', 'sensors.id');
      const within = readings.where('at', '>=', start).where('at', '<', end);

      return [
        'id as sensorId',
        within.select(({ fn }) => fn.min<number | null>('at').as('at')).as('first'),
        within.select(({ fn }) => fn.max<number | null>('at').as('at')).as('last'),
        readings.select(({ fn }) => fn.max<number | null>('at').as('at')).as('newest'),
      ];
    }),
);

/** The instant of the newest reading of each sensor. */
export const newestReadings = preparedQuery((db) =>
  db
    .selectFrom('sensors')
    .select((sensor) => [
      'id',
      'module_id as moduleId',
      sensor
        .selectFrom('readings')
        .whereRef('readings.sensor_id', '=', 'sensors.id')
        .select(({ fn }) => fn.max<number | null>('at').as('at'))
        .as('at'),
    ])
    .orderBy('id'),
);

export async function lastReadings(
  db: CompanyDb,
  sensorIds: readonly number[],
  before: number,
  limit: number,
): Promise<TimedValue[][]> {
  const newestFirst = await Promise.all(
    sensorIds.map((sensorId) => lastReadingsOfSensor(db, sensorId, before, limit)),
  );
  return newestFirst.map((rows) => rows.reverse());
}

const lastReadingsOfSensor = preparedQuery((db, sensorId: number, before: number, limit: number) =>
  db
    .selectFrom('readings')
    .select(['at', 'value'])
    .where('sensor_id', '=', sensorId)
    .where('at', '<', before)
    .orderBy('at', 'desc')
    .limit(limit),
);

const MAX_INSTANTS_PER_QUERY = 500;
const MAX_SENSORS_PER_QUERY = 100;

export async function readingPeriod(
  db: CompanyDb,
  sensorId: number,
): Promise<{ from: number; to: number } | null> {
  const readings = db
    .selectFrom('readings')
    .select('at')
    .where('sensor_id', '=', sensorId)
    .limit(1);
  const first = await readings.orderBy('at', 'asc').executeTakeFirst();
  const last = await readings.orderBy('at', 'desc').executeTakeFirst();
  return first && last ? { from: first.at, to: last.at } : null;
}

export const existingInstants = async (
  db: CompanyDb,
  sensorId: number,
  instants: readonly number[],
): Promise<number[]> => (await readingsAtInstants(db, [sensorId], instants)).map(({ at }) => at);

interface StoredReading extends TimedValue {
  readonly sensorId: number;
}

export async function readingsAtInstants(
  db: CompanyDb,
  sensorIds: readonly number[],
  instants: readonly number[],
): Promise<StoredReading[]> {
  const readings: StoredReading[][] = [];
  for (const sensorChunk of chunksOf(sensorIds, MAX_SENSORS_PER_QUERY))
    for (const instantChunk of chunksOf(instants, MAX_INSTANTS_PER_QUERY))
      readings.push(
        await db
          .selectFrom('readings')
          .select(['sensor_id as sensorId', 'at', 'value'])
          .where('sensor_id', 'in', sensorChunk)
          .where('at', 'in', instantChunk)
          .execute(),
      );

  return readings.flat();
}

/** After a longer gap a value counts as new, because the values in between are unknown. */
const MAX_GAP_MS = DAY_MS;

/**
 * For each sensor with readings in a period: since when it has repeated its newest value, how long
 * it repeated another one at most, the smallest step between two readings (null without one), and
 * the lowest and highest value.
 */
export const valueDurations = preparedListQuery((db, sensorIds, start: number, end: number) => {
  const readings = db
    .selectFrom('readings')
    .where('sensor_id', 'in', sensorIds)
    .where('at', '>=', start)
    .where('at', '<', end)
    .select(({ fn }) => [
      'sensor_id as sensorId',
      'at',
      'value',
      fn
        .agg<number | null>('lag', ['at'])
        .over((rows) => rows.partitionBy('sensor_id').orderBy('at'))
        .as('atBefore'),
      fn
        .agg<number | null>('lag', ['value'])
        .over((rows) => rows.partitionBy('sensor_id').orderBy('at'))
        .as('valueBefore'),
    ]);

  const valueStarts = db
    .selectFrom(readings.as('readings_with_earlier'))
    .where(({ eb, ref }) =>
      eb.or([
        eb('atBefore', 'is', null),
        eb('value', '<>', ref('valueBefore')),
        eb(sql`${ref('at')} - ${ref('atBefore')}`, '>', MAX_GAP_MS),
      ]),
    )
    .select(({ fn, ref }) => [
      'sensorId',
      'at',
      'value',
      sql<number | null>`nullif(abs(${ref('value')} - ${ref('valueBefore')}), 0)`.as('step'),
      sql<number | null>`${ref('atBefore')} - ${fn
        .agg<number>('lag', ['at'])
        .over((rows) => rows.partitionBy('sensorId').orderBy('at'))}`.as('earlierMs'),
    ]);

  return db
    .selectFrom(valueStarts.as('valueStarts'))
    .groupBy('sensorId')
    .select(({ fn }) => [
      'sensorId',
      fn.min<number>('at').as('firstAt'),
      fn.max<number>('at').as('unchangedSince'),
      fn.max<number | null>('earlierMs').as('longestEarlierMs'),
      fn.min<number | null>('step').as('smallestStep'),
      fn.min<number>('value').as('lowest'),
      fn.max<number>('value').as('highest'),
    ]);
});

const otherValues = preparedQuery(
  (db, sensorId: number, value: number, start: number, end: number) =>
    db
      .selectFrom('readings')
      .where('sensor_id', '=', sensorId)
      .where('value', '<>', value)
      .where('at', '>=', start)
      .where('at', '<', end)
      .select('at')
      .orderBy('at', 'desc')
      .limit(1),
);

/** The span of one statement. At one reading a minute it reads 7,200, in about 10 ms. */
const MAX_STATEMENT_MS = 5 * DAY_MS;

/** The newest reading in a period that differs from `value`, in ms; null if all are equal to it. */
export async function lastOtherValueAt(
  db: CompanyDb,
  sensorId: number,
  value: number,
  start: number,
  end: number,
): Promise<number | null> {
  for (let to = end; to > start; to -= MAX_STATEMENT_MS) {
    const from = Math.max(start, to - MAX_STATEMENT_MS);
    const [other] = await otherValues(db, sensorId, value, from, to);
    if (other) return other.at;
  }
  return null;
}

export interface ValueDurations {
  readonly firstAt: number;
  readonly unchangedSince: number;
  readonly longestEarlierMs: number | null;
  readonly smallestStep: number | null;
}

const readingsFrom = preparedQuery((db, sensorId: number, start: number, end: number) =>
  db
    .selectFrom('readings')
    .select(['at', 'value'])
    .where('sensor_id', '=', sensorId)
    .where('at', '>=', start)
    .where('at', '<', end)
    .orderBy('at'),
);

/**
 * As `valueDurations`, for a long period of one sensor; null without readings. In statements that
 * each read few of them, because SQLite blocks the event loop while it runs one.
 */
export async function valueDurationsOfSensor(
  db: CompanyDb,
  sensorId: number,
  start: number,
  end: number,
): Promise<ValueDurations | null> {
  let durations: ValueDurations | null = null;
  let before: TimedValue | null = null;

  for (let from = start; from < end; from += MAX_STATEMENT_MS) {
    const to = Math.min(end, from + MAX_STATEMENT_MS);
    for (const reading of await readingsFrom(db, sensorId, from, to)) {
      durations = withReading(durations, before, reading);
      before = reading;
    }
  }

  return durations;
}

function withReading(
  durations: ValueDurations | null,
  before: TimedValue | null,
  { at, value }: TimedValue,
): ValueDurations {
  if (durations === null || before === null)
    return { firstAt: at, unchangedSince: at, longestEarlierMs: null, smallestStep: null };
  if (value === before.value && at - before.at <= MAX_GAP_MS) return durations;

  const { firstAt, unchangedSince, longestEarlierMs, smallestStep } = durations;
  // After a gap the value may be the same, which is no step.
  const step = Math.abs(value - before.value);
  const isSmallest = step > 0 && (smallestStep === null || step < smallestStep);
  return {
    firstAt,
    unchangedSince: at,
    longestEarlierMs: Math.max(longestEarlierMs ?? 0, before.at - unchangedSince),
    smallestStep: isSmallest ? step : smallestStep,
  };
}
