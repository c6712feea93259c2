import { type Compilable, type CompiledQuery, type Expression, type Insertable, sql } from 'kysely';
import { groupBy } from '../../domain/groups.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import { announceReadings } from '../alerts/reading-announcements.ts';
import { bucketStartSql } from '../moisture/sum-queries.ts';
import {
  insertInBatches,
  parameterPlaceholders,
  runWithValues,
} from '../queries/prepared-query.ts';
import { companyIdOf } from '../scope/company-db.ts';
import { adapterOf, type ReadingBatch, type SensorPeriod } from '../store-adapter.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export type { ReadingBatch } from '../store-adapter.ts';

/** The numbers of rows of one statement, largest first. */
const INSERT_SIZES = [128, 16, 1];

/** The numbers of sensors of one statement, which share a period; largest first. */
const SENSORS_PER_SUM = [32, 1] as const;

/**
 * Affected hours that are at most this far apart are summed together; the sums of the hours between
 * do not change.
 */
const MAX_GAP_MS = 12 * HOUR_MS;

/**
 * A sensor has one value at an instant: the last one of the batch replaces an earlier one. Batches
 * of 5,000 to 20,000 rows are fastest. Throws RangeError, before it writes anything, if a value is
 * not finite or an id or instant is not an integer.
 */
export async function recordReadings(db: CompanyDb, batch: ReadingBatch): Promise<void> {
  assertValidBatch(batch);
  const rows = rowsInKeyOrder(batch);
  const hours = affectedHours(batch, rows);
  const days = affectedDays(hours);
  const firstInstants = firstInstantsOf(batch, rows);

  const { bulkReadings, changedCompanies } = adapterOf(db);
  if (bulkReadings) {
    const companyId = companyIdOf(db);
    changedCompanies.add(companyId);
    await Promise.all([
      bulkReadings.writeWithSums(companyId, batch, rows, { hours, days }),
      announceReadings(db, firstInstants),
    ]);
  } else {
    await insertReadings(db, batch, rows);
    await refreshHourSums(db, hours);
    await refreshDaySums(db, days);
    await announceReadings(db, firstInstants);
  }
}

/**
 * Deletes these readings, except those whose stored value is another one by now, and recomputes the
 * sums of their hours and days.
 */
export async function deleteReadings(
  db: CompanyDb,
  readings: readonly { readonly sensorId: number; readonly at: number; readonly value: number }[],
): Promise<void> {
  const affectedBySensor = new Map<number, { from: number; to: number }>();
  for (const { sensorId, at, value } of readings) {
    await db
      .deleteFrom('readings')
      .where('sensor_id', '=', sensorId)
      .where('at', '=', at)
      .where('value', '=', value)
      .execute();
    const day = Math.floor(at / DAY_MS) * DAY_MS;
    const { from, to } = affectedBySensor.get(sensorId) ?? { from: day, to: day };
    affectedBySensor.set(sensorId, { from: Math.min(from, day), to: Math.max(to, day + DAY_MS) });
  }

  const periods = [...affectedBySensor].map(([sensorId, period]) => ({ sensorId, ...period }));
  for (const { sensorId, from, to } of periods)
    for (const table of ['reading_hours', 'reading_days'] as const)
      await db
        .deleteFrom(table)
        .where('sensor_id', '=', sensorId)
        .where('bucket_at', '>=', from)
        .where('bucket_at', '<', to)
        .execute();

  await refreshHourSums(db, periods);
  await refreshDaySums(db, periods);
  await announceReadings(db, new Map(periods.map(({ sensorId, from }) => [sensorId, from])));
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
 * Row indexes ordered by sensor and instant, one per key, because PostgreSQL rejects an upsert with
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
    const from = Math.floor(itemAt(at, row) / HOUR_MS) * HOUR_MS;
    const last = periods.at(-1);
    if (last?.sensorId === sensorId && from <= last.to + MAX_GAP_MS)
      last.to = Math.max(last.to, from + HOUR_MS);
    else periods.push({ sensorId, from, to: from + HOUR_MS });
  }
  return periods;
}

function affectedDays(hours: readonly SensorPeriod[]): SensorPeriod[] {
  const days: SensorPeriod[] = [];
  for (const { sensorId, ...period } of hours) {
    const from = Math.floor(period.from / DAY_MS) * DAY_MS;
    const to = Math.ceil(period.to / DAY_MS) * DAY_MS;
    const last = days.at(-1);
    if (last?.sensorId === sensorId && from <= last.to) last.to = Math.max(last.to, to);
    else days.push({ sensorId, from, to });
  }
  return days;
}

async function insertReadings(
  db: CompanyDb,
  batch: ReadingBatch,
  rows: readonly number[],
): Promise<void> {
  const values = rows.map((row) => [batch.sensorIds[row], batch.at[row], batch.values[row]]);
  const build = (placeholders: readonly Insertable<CompanyTables['readings']>[]) =>
    db
      .insertInto('readings')
      .values(placeholders)
      .onConflict((conflict) =>
        conflict
          .columns(['sensor_id', 'at'])
          .doUpdateSet((set) => ({ value: set.ref('excluded.value') })),
      );

  await insertInBatches(db, ['sensor_id', 'at', 'value'], values, INSERT_SIZES, build);
}

const hourStart = bucketStartSql('at', sql.lit(HOUR_MS));
const dayStart = bucketStartSql('bucket_at', sql.lit(DAY_MS));

const refreshHourSums = (db: CompanyDb, periods: readonly SensorPeriod[]): Promise<void> =>
  forPeriods(db, periods, (sensorIds, from, to) =>
    upsertSums(
      db,
      'reading_hours',
      db
        .selectFrom('readings')
        .where('sensor_id', 'in', sensorIds)
        .where('at', '>=', from)
        .where('at', '<', to)
        .groupBy(['sensor_id', hourStart])
        .select(({ fn }) => [
          'sensor_id',
          hourStart.as('bucket_at'),
          fn.countAll<number>().as('count'),
          fn.sum<number>('value').as('sum'),
        ]),
    ),
  );

const refreshDaySums = (db: CompanyDb, periods: readonly SensorPeriod[]): Promise<void> =>
  forPeriods(db, periods, (sensorIds, from, to) =>
    upsertSums(
      db,
      'reading_days',
      db
        .selectFrom('reading_hours')
        .where('sensor_id', 'in', sensorIds)
        .where('bucket_at', '>=', from)
        .where('bucket_at', '<', to)
        .groupBy(['sensor_id', dayStart])
        .select(({ fn }) => [
          'sensor_id',
          dayStart.as('bucket_at'),
          fn.sum<number>('count').as('count'),
          fn.sum<number>('sum').as('sum'),
        ]),
    ),
  );

type SumRow = { sensor_id: number; bucket_at: number; count: number; sum: number };

const upsertSums = (
  db: CompanyDb,
  table: 'reading_hours' | 'reading_days',
  sums: Expression<SumRow>,
): Compilable<unknown> =>
  db
    .insertInto(table)
    .columns(['sensor_id', 'bucket_at', 'count', 'sum'])
    .expression(sums)
    .onConflict((conflict) =>
      conflict
        .columns(['sensor_id', 'bucket_at'])
        .doUpdateSet((set) => ({ count: set.ref('excluded.count'), sum: set.ref('excluded.sum') })),
    );

type BuildSums = (sensorIds: readonly number[], from: number, to: number) => Compilable<unknown>;

/** Runs `build` for each period with as many of its sensors at a time as a statement may have. */
async function forPeriods(
  db: CompanyDb,
  periods: readonly SensorPeriod[],
  build: BuildSums,
): Promise<void> {
  // Splicing below empties these groups.
  const byPeriod = groupBy(periods, ({ from, to }) => `${from} ${to}`);
  for (const size of SENSORS_PER_SUM) {
    let statement: CompiledQuery | undefined;
    for (const remaining of byPeriod.values())
      while (remaining.length >= size) {
        statement ??= sumStatement(size, build);
        const sensors = remaining.splice(0, size);
        const { from, to } = firstOf(sensors);
        const sensorIds = sensors.map(({ sensorId }) => sensorId);
        await runWithValues(db, statement, [from, to, ...sensorIds]);
      }
  }
}

/** Its parameters are the start and the end of the period, then the ids. */
function sumStatement(sensorCount: number, build: BuildSums): CompiledQuery {
  const [from, to] = parameterPlaceholders<[number, number]>(2);
  return build(parameterPlaceholders<number[]>(sensorCount, 2), from, to).compile();
}
