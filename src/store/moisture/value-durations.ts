import { sql } from 'kysely';
import type { TimedValue } from '../../domain/moisture/series.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { preparedListQuery, preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

/** How long a sensor repeated its values, as it read them, in a period. */
export interface ValueDurations {
  /** The first of the readings that repeat the newest value without a gap. */
  readonly unchangedSince: number;
  /** How long an earlier value was repeated at most; null if there was none. */
  readonly longestEarlierMs: number | null;
  /** The smallest difference between two readings that follow each other; null if all are equal. */
  readonly smallestStep: number | null;
}

/**
 * After a longer gap an equal value begins a new run, because the values in between are unknown.
 */
const MAX_GAP_MS = DAY_MS;

/** The durations of each sensor with readings in a period, and its lowest and highest value. */
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

  // The first reading of each run of equal values.
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
      // The previous run: from its first reading to its last, which is the reading before this one.
      sql<number | null>`${ref('atBefore')} - ${fn
        .agg<number>('lag', ['at'])
        .over((rows) => rows.partitionBy('sensorId').orderBy('at'))}`.as('previousRunMs'),
    ]);

  return db
    .selectFrom(valueStarts.as('valueStarts'))
    .groupBy('sensorId')
    .select(({ fn }) => [
      'sensorId',
      fn.max<number>('at').as('unchangedSince'),
      fn.max<number | null>('previousRunMs').as('longestEarlierMs'),
      fn.min<number | null>('step').as('smallestStep'),
      fn.min<number>('value').as('lowest'),
      fn.max<number>('value').as('highest'),
    ]);
});

const otherValues = preparedQuery(
  (db, sensorId: number, newestAt: number, start: number, end: number) =>
    db
      .selectFrom('readings')
      .where('sensor_id', '=', sensorId)
      .where('value', '<>', (newest) =>
        newest
          .selectFrom('readings as newest')
          .where('newest.sensor_id', '=', sensorId)
          .where('newest.at', '=', newestAt)
          .select('newest.value'),
      )
      .where('at', '>=', start)
      .where('at', '<', end)
      .select('at')
      .orderBy('at', 'desc')
      .limit(1),
);

/** The span of one statement. At one reading a minute it reads 7,200, in about 10 ms. */
const MAX_STATEMENT_MS = 5 * DAY_MS;

/**
 * The newest reading in a period that differs from the one at `newestAt`, in ms; null if all are
 * equal to it.
 */
export async function lastOtherValueAt(
  db: CompanyDb,
  sensorId: number,
  newestAt: number,
  start: number,
  end: number,
): Promise<number | null> {
  for (let to = end; to > start; to -= MAX_STATEMENT_MS) {
    const from = Math.max(start, to - MAX_STATEMENT_MS);
    const [other] = await otherValues(db, sensorId, newestAt, from, to);
    if (other) return other.at;
  }
  return null;
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
 * How long one sensor repeated its values in a long period; null without readings. Reads the period
 * in several statements, because SQLite blocks the event loop while it runs one.
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
    return { unchangedSince: at, longestEarlierMs: null, smallestStep: null };
  if (value === before.value && at - before.at <= MAX_GAP_MS) return durations;

  const { unchangedSince, longestEarlierMs, smallestStep } = durations;
  // After a gap the value may be the same, which is no step.
  const step = Math.abs(value - before.value);
  const isSmallest = step > 0 && (smallestStep === null || step < smallestStep);
  return {
    unchangedSince: at,
    longestEarlierMs: Math.max(longestEarlierMs ?? 0, before.at - unchangedSince),
    smallestStep: isSmallest ? step : smallestStep,
  };
}
