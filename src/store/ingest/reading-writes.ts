import type { Insertable } from 'kysely';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import type { DevicePeriod } from '../../domain/ingest/device-periods.ts';
import { firstOf, itemAt, lastOf } from '../../domain/items.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import { bucketStart, HOUR_MS } from '../../domain/periods.ts';
import { say } from '../../domain/text/say.ts';
import { storeUnavailableError } from '../../schema/error.ts';
import {
  announceReadings,
  readingAnnouncement,
  type SensorWatchers,
  watchersOf,
} from '../alerts/reading-announcements.ts';
import { type DaysOfReadings, zoneOfLocalDays } from '../company/local-day-zone.ts';
import { changedSums } from '../moisture/changed-sums.ts';
import { readingsAtInstants } from '../moisture/reading-lookup.ts';
import { readingRetention } from '../moisture/reading-retention.ts';
import { deleteSums, refreshSums } from '../moisture/sum-writes.ts';
import { preparedInserts } from '../queries/prepared-query.ts';
import { companyIdOf } from '../scope/company-db.ts';
import { adapterOf, type ReadingBatch, type SensorPeriod } from '../store-adapter.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export type { ReadingBatch } from '../store-adapter.ts';

const INSTANTS_PER_DELETE = 500;

/** The numbers of rows of one statement, largest first. */
const INSERT_SIZES = [128, 16, 4, 3, 2, 1];

/**
 * Affected hours that are at most this far apart are summed together; the sums of the hours between
 * do not change.
 */
const MAX_GAP_MS = 12 * HOUR_MS;

/**
 * A sensor has one value at an instant: the last one of the batch replaces an earlier one. Batches
 * of 5,000 to 20,000 rows are fastest. Throws RangeError, before it writes anything, if a value is
 * not finite or an id or instant is not an integer, and STORE_UNAVAILABLE if single readings are no
 * longer kept of its time.
 */
export async function recordReadings(
  db: CompanyDb,
  batch: ReadingBatch,
  knownContext?: ReadingContext,
): Promise<void> {
  assertValidBatch(batch);
  const rows = rowsInKeyOrder(batch);
  const hours = affectedHours(batch, rows);
  const firstInstants = firstInstantsOf(batch, rows);
  const context = knownContext ?? (await readingContext(db, [...firstInstants.keys()]));
  if (context.keptFrom !== null) assertKept(firstInstants.values(), context.keptFrom);
  const announcement = readingAnnouncement(context.watchers, firstInstants);
  const sums = changedSums(hours, context);

  const { bulkReadings, changedCompanies } = adapterOf(db);
  if (bulkReadings) {
    const companyId = companyIdOf(db);
    changedCompanies.add(companyId);
    await Promise.all([
      bulkReadings.writeWithSums(companyId, batch, rows, sums),
      announceReadings(db, announcement),
    ]);
  } else {
    await insertReadings(db, batch, rows);
    await refreshSums(db, sums);
    await announceReadings(db, announcement);
  }
}

/** The rows that a write of readings depends on. */
export interface ReadingContext extends DaysOfReadings {
  readonly watchers: SensorWatchers;
  /** By sensor id. */
  readonly periods: ReadonlyMap<number, readonly DevicePeriod[]>;
}

export async function readingContext(
  db: CompanyDb,
  sensorIds: readonly number[],
): Promise<ReadingContext> {
  const [stored, watchers] = await Promise.all([zoneOfLocalDays(db), watchersOf(db, sensorIds)]);
  const periods = watchers.flatMap(({ period }) => period ?? []);
  const byId = new Map(periods.map((period) => [period.id, period]));
  return { ...stored, watchers, periods: groupBy(byId.values(), ({ sensorId }) => sensorId) };
}

/**
 * Readers of items and files reject such readings; here arrive those that were read just before
 * others went. Sent again, they are rejected.
 */
function assertKept(instants: Iterable<number>, keptFrom: number): void {
  for (const at of instants)
    if (at < keptFrom)
      throw storeUnavailableError(
        say`Single readings of that time are no longer kept, since a moment ago.`,
        say`Send them again: those that are kept are stored.`,
      );
}

/** The first instant of which single readings are kept, and may be deleted one by one. */
const keptFromOf = async (db: CompanyDb): Promise<number> =>
  (await readingRetention(db))?.keptFrom ?? Number.MIN_SAFE_INTEGER;

/**
 * Deletes these readings, except those whose stored value is another one by now, and recomputes the
 * sums of their hours and days.
 */
export async function deleteReadings(
  db: CompanyDb,
  readings: readonly { readonly sensorId: number; readonly at: number; readonly value: number }[],
): Promise<void> {
  const hours: SensorPeriod[] = [];
  const keptFrom = await keptFromOf(db);
  const kept = readings.filter(({ at }) => at >= keptFrom);
  for (const [sensorId, ofSensor] of groupBy(kept, (reading) => reading.sensorId)) {
    const instants = [...new Set(ofSensor.map(({ at }) => at))].sort((a, b) => a - b);
    const sent = new Set(ofSensor.map(keyOfReading));
    for (const chunk of chunksOf(instants, INSTANTS_PER_DELETE)) {
      const stored = await readingsAtInstants(db, [sensorId], chunk);
      const unchanged = stored.filter((reading) => sent.has(keyOfReading(reading)));
      if (unchanged.length === 0) continue;

      await db
        .deleteFrom('readings')
        .where('sensor_id', '=', sensorId)
        .where(
          'at',
          'in',
          unchanged.map(({ at }) => at),
        )
        .execute();
    }
    hours.push({
      sensorId,
      from: hourOf(firstOf(instants)),
      to: hourOf(lastOf(instants)) + HOUR_MS,
    });
  }
  await updateAfterDeletion(db, hours);
}

const keyOfReading = ({ at, value }: TimedValue): string => `${at} ${value}`;

const hourOf = (at: number): number => bucketStart(at, HOUR_MS);

/** Deletes the newest `limit` readings of a period, bounds included, and returns them. */
export async function deleteNewestReadings(
  db: CompanyDb,
  sensorId: number,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<TimedValue[]> {
  const newest = await db
    .selectFrom('readings')
    .select(['at', 'value'])
    .where('sensor_id', '=', sensorId)
    .where('at', '>=', Math.max(from, await keptFromOf(db)))
    .where('at', '<=', to)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
  const [last] = newest;
  if (last === undefined) return [];

  const { at: firstAt } = lastOf(newest);
  await db
    .deleteFrom('readings')
    .where('sensor_id', '=', sensorId)
    .where('at', '>=', firstAt)
    .where('at', '<=', last.at)
    .execute();
  await updateAfterDeletion(db, [
    { sensorId, from: hourOf(firstAt), to: hourOf(last.at) + HOUR_MS },
  ]);
  return newest;
}

async function updateAfterDeletion(db: CompanyDb, hours: readonly SensorPeriod[]): Promise<void> {
  const sensorIds = hours.map(({ sensorId }) => sensorId);
  const context = await readingContext(db, sensorIds);
  const sums = changedSums(hours, context);
  await deleteSums(db, sums);
  await refreshSums(db, sums);
  const firstInstants = new Map(hours.map(({ sensorId, from }) => [sensorId, from]));
  await announceReadings(db, readingAnnouncement(context.watchers, firstInstants));
}

function assertValidBatch({ sensorIds, at, values, length }: ReadingBatch): void {
  for (let row = 0; row < length; row++) {
    if (!Number.isSafeInteger(sensorIds[row]))
      throw new RangeError(`Reading ${row}: sensor ${sensorIds[row]} is not an id`);
    if (!Number.isSafeInteger(at[row]))
      throw new RangeError(`Reading ${row}: ${at[row]} is not an instant in ms`);
    if (!Number.isFinite(values[row]))
      throw new RangeError(`Reading ${row}: the value ${values[row]} is not finite`);
  }
}

/**
 * Row indexes ordered by sensor and instant, one per key, because PostgreSQL refuses an upsert with
 * a repeated key.
 */
function rowsInKeyOrder({ sensorIds, at, length }: ReadingBatch): number[] {
  const bySensor = new Map<number, number[]>();
  for (let row = 0; row < length; row++) {
    const sensorId = itemAt(sensorIds, row);
    const rows = bySensor.get(sensorId);
    if (rows) rows.push(row);
    else bySensor.set(sensorId, [row]);
  }

  const ordered: number[] = [];
  for (const [, rows] of [...bySensor].sort(([a], [b]) => a - b)) {
    // The sort is stable: among equal instants the last row of the batch stays last.
    rows.sort((a, b) => itemAt(at, a) - itemAt(at, b));
    for (const [index, row] of rows.entries()) {
      const next = rows[index + 1];
      if (next === undefined || at[row] !== at[next]) ordered.push(row);
    }
  }

  return ordered;
}

/** The first instant of each sensor by its id; the rows are in key order. */
function firstInstantsOf(
  { sensorIds, at }: ReadingBatch,
  rows: readonly number[],
): Map<number, number> {
  const firstInstants = new Map<number, number>();
  for (const row of rows) {
    const sensorId = itemAt(sensorIds, row);
    if (!firstInstants.has(sensorId)) firstInstants.set(sensorId, itemAt(at, row));
  }
  return firstInstants;
}

function affectedHours({ sensorIds, at }: ReadingBatch, rows: readonly number[]): SensorPeriod[] {
  const periods: SensorPeriod[] = [];
  for (const row of rows) {
    const sensorId = itemAt(sensorIds, row);
    const from = hourOf(itemAt(at, row));
    const last = periods.at(-1);
    if (last?.sensorId === sensorId && from <= last.to + MAX_GAP_MS)
      last.to = Math.max(last.to, from + HOUR_MS);
    else periods.push({ sensorId, from, to: from + HOUR_MS });
  }
  return periods;
}

async function insertReadings(
  db: CompanyDb,
  batch: ReadingBatch,
  rows: readonly number[],
): Promise<void> {
  const values = rows.map((row) => [batch.sensorIds[row], batch.at[row], batch.values[row]]);
  await upsertReadings(db, values);
}

const upsertReadings = preparedInserts<Insertable<CompanyTables['readings']>>(
  ['sensor_id', 'at', 'value'],
  INSERT_SIZES,
  (db, rows) =>
    db
      .insertInto('readings')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['sensor_id', 'at'])
          .doUpdateSet((set) => ({ value: set.ref('excluded.value') })),
      ),
);
