import {
  hoursStandBefore,
  type ReadingRetention,
} from '../../domain/moisture/reading-retention.ts';
import { pointStart } from '../../domain/moisture/series-points.ts';
import { bucketStart, DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { hasLocalDays } from '../company/local-day-zone.ts';
import { announceChange } from '../company-changes.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import { companyIdOf } from '../scope/company-db.ts';
import { adapterOf, type SensorPeriod } from '../store-adapter.ts';
import type { CompanyDb } from '../tables.ts';
import { changedSums } from './changed-sums.ts';
import { readingRetention } from './reading-retention.ts';
import { renewReadingVersions } from './reading-versions.ts';
import { bucketStartSql } from './sum-queries.ts';
import { refreshSums } from './sum-writes.ts';

/** Some readings of a sensor, in the order of time. */
export interface ReadingsStep {
  readonly sensorId: number;
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

/** The rows of one statement: SQLite blocks the event loop while it runs. */
const READINGS_PER_STEP = 5_000;

const nextSensor = preparedQuery((db, fromId: number, before: number) =>
  db
    .selectFrom('sensors')
    .select('id')
    .where('id', '>=', fromId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('readings')
          .select('readings.sensor_id')
          .whereRef('readings.sensor_id', '=', 'sensors.id')
          .where('readings.at', '<', before),
      ),
    )
    .orderBy('id')
    .limit(1),
);

const readingAfter = preparedQuery(
  (db, sensorId: number, from: number, before: number, count: number) =>
    db
      .selectFrom('readings')
      .select('at')
      .where('sensor_id', '=', sensorId)
      .where('at', '>=', from)
      .where('at', '<', before)
      .orderBy('at')
      .limit(1)
      .offset(count),
);

/**
 * The readings before an instant that follow those of the last step, by sensor and time; null after
 * the last ones. A step begins with a whole hour. Those of these sensors are left out.
 */
export async function nextReadingsStep(
  db: CompanyDb,
  before: number,
  last: ReadingsStep | null,
  except: ReadonlySet<number>,
): Promise<ReadingsStep | null> {
  if (last !== null && last.to < before) {
    const step = await stepFrom(db, last.sensorId, last.to, before);
    if (step !== null) return step;
  }

  for (let fromId = last === null ? 0 : last.sensorId + 1; ; ) {
    const [sensor] = await nextSensor(db, fromId, before);
    if (sensor === undefined) return null;
    if (!except.has(sensor.id)) return stepFrom(db, sensor.id, Number.MIN_SAFE_INTEGER, before);
    fromId = sensor.id + 1;
  }
}

async function stepFrom(
  db: CompanyDb,
  sensorId: number,
  from: number,
  before: number,
): Promise<ReadingsStep | null> {
  const [first] = await readingAfter(db, sensorId, from, before, 0);
  if (first === undefined) return null;
  const [next] = await readingAfter(db, sensorId, from, before, READINGS_PER_STEP);
  // Whole hours; one hour may have more readings than a step.
  const to =
    next && Math.max(bucketStart(next.at, HOUR_MS), bucketStart(first.at, HOUR_MS) + HOUR_MS);
  return { sensorId, from: bucketStart(first.at, HOUR_MS), to: Math.min(to ?? before, before) };
}

/** The hours of the step of which some sum is missing: of the hour itself, or of its days. */
export async function hoursWithoutSums(
  db: CompanyDb,
  { sensorId, from, to }: ReadingsStep,
  zone: string,
): Promise<SensorPeriod[]> {
  const hours = await db
    .selectFrom('readings')
    .select(bucketStartSql('at', HOUR_MS).as('at'))
    .distinct()
    .where('sensor_id', '=', sensorId)
    .where('at', '>=', from)
    .where('at', '<', to)
    .execute();

  const startsIn = async (table: SumTable): Promise<ReadonlySet<number>> => {
    const around = { start: from - 2 * DAY_MS, end: to };
    return new Set(await bucketStartsOf(db, table, sensorId, around));
  };
  const [ofHours, ofDays, ofLocalDays] = [
    await startsIn('reading_hours'),
    await startsIn('reading_days'),
    await startsIn('reading_local_days'),
  ];

  const lacksSum = (hour: number): boolean =>
    !ofHours.has(hour) ||
    !ofDays.has(bucketStart(hour, DAY_MS)) ||
    // A local day may begin within the hour.
    !(
      ofLocalDays.has(pointStart(hour, DAY_MS, zone)) ||
      ofLocalDays.has(pointStart(hour + HOUR_MS - 1, DAY_MS, zone))
    );
  return hours
    .map(({ at }) => at)
    .filter(lacksSum)
    .sort((a, b) => a - b)
    .map((hour) => ({ sensorId, from: hour, to: hour + HOUR_MS }));
}

type SumTable = 'reading_hours' | 'reading_days' | 'reading_local_days';

async function bucketStartsOf(
  db: CompanyDb,
  table: SumTable,
  sensorId: number,
  { start, end }: Period,
): Promise<number[]> {
  const rows = await db
    .selectFrom(table)
    .select('bucket_at')
    .where('sensor_id', '=', sensorId)
    .where('bucket_at', '>=', start)
    .where('bucket_at', '<', end)
    .execute();
  return rows.map((row) => row.bucket_at);
}

export async function writeMissingSums(
  db: CompanyDb,
  hours: readonly SensorPeriod[],
  zone: string,
): Promise<void> {
  const keptFrom = (await readingRetention(db))?.keptFrom ?? null;
  await refreshSums(db, changedSums(hours, { zone, keptFrom }));
}

/**
 * From then on no single readings before the instant are read or written. An instant that a company
 * has already never becomes earlier. Null, without a change, while local days are still being
 * computed in the zone.
 */
export async function keepReadingsFrom(
  db: CompanyDb,
  keptFrom: number,
  zone: string,
): Promise<ReadingRetention | null> {
  if (!(await hasLocalDays(db, zone))) return null;
  const stored = await readingRetention(db);
  if (stored !== null && stored.keptFrom >= keptFrom) return stored;

  const dayZone = stored === null || stored.dayZone === zone ? zone : null;
  await db.deleteFrom('reading_retention').execute();
  await db
    .insertInto('reading_retention')
    .values({ kept_from: keptFrom, day_zone: dayZone })
    .execute();
  adapterOf(db).readingRetentions.delete(companyIdOf(db));

  // What was computed from single readings may now follow from hours.
  const modules = await db.selectFrom('modules').select('id').execute();
  const moduleIds = modules.map(({ id }) => id);
  await renewReadingVersions(db, moduleIds);
  announceChange(db, moduleIds);
  return { keptFrom, dayZone };
}

/** Deletes the readings of a step for which hours stand. Returns how many there were. */
export async function deleteReadingsOfStep(
  db: CompanyDb,
  { sensorId, from, to }: ReadingsStep,
  retention: ReadingRetention,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('readings')
    .where('sensor_id', '=', sensorId)
    .where('at', '>=', from)
    .where('at', '<', Math.min(to, hoursStandBefore(retention)))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function countReadingsOfStep(
  db: CompanyDb,
  { sensorId, from, to }: ReadingsStep,
): Promise<number> {
  const { count } = await db
    .selectFrom('readings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('sensor_id', '=', sensorId)
    .where('at', '>=', from)
    .where('at', '<', to)
    .executeTakeFirstOrThrow();
  return count;
}
