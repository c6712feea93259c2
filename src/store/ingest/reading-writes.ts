import { type Compilable, sql } from 'kysely';
import { markForEvaluation } from '../alerts/alert-states.ts';
import { bulkReadingsOf, type ReadingBatch, type SensorPeriod } from '../bulk-readings.ts';
import { companyIdOf } from '../company-db.ts';
import { compileStatement, parameterSlots } from '../prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

export type { ReadingBatch } from '../bulk-readings.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Rows of one insert statement: whole batches go in the largest, what is left over in the smaller ones. */
const ROWS_PER_INSERT = [128, 16, 1] as const;

/** Sensors that one statement sums over the same span. */
const SENSORS_PER_SUM = [32, 1] as const;

/** Touched hours this far apart, in ms, are summed in one go: the hours between give the same sums as before. */
const MAX_GAP_MS = 12 * HOUR_MS;

/**
 * Records readings within a write transaction, with the sums of the hours and days that they touch and a mark on the alerts
 * that they concern: whatever way readings come in, nothing is taken for seen that was not. A sensor has one
 * value at an instant: the last in the batch, in place of what stood there. Batches of 5,000 to 20,000 are fastest.
 * Throws RangeError, before anything is written, at a value that is not finite or an id or instant that is no integer.
 */
export async function recordReadings(db: CompanyDb, batch: ReadingBatch): Promise<void> {
  checkBatch(batch);
  const rows = rowsInKeyOrder(batch);
  const hours = affectedHours(batch, rows);
  const days = affectedDays(hours);
  const way = bulkReadingsOf(db);
  if (way) {
    const companyId = companyIdOf(db);
    await way.write(companyId, batch, rows);
    await way.sumHours(companyId, hours);
    await way.sumDays(companyId, days);
  } else {
    await insertReadings(db, batch, rows);
    await refreshHourSums(db, hours);
    await refreshDaySums(db, days);
  }
  await markForEvaluation(db, firstInstants(batch, rows));
}

function checkBatch({ sensorIds, at, values, length }: ReadingBatch): void {
  for (let row = 0; row < length; row++) {
    if (!Number.isSafeInteger(sensorIds[row]))
      throw new RangeError(`Reading ${row}: sensor ${sensorIds[row]} is no id`);
    if (!Number.isSafeInteger(at[row])) throw new RangeError(`Reading ${row}: ${at[row]} is no instant in ms`);
    if (!Number.isFinite(values[row])) throw new RangeError(`Reading ${row}: the value ${values[row]} is not finite`);
  }
}

/** The batch's rows by sensor and instant, one for each: PostgreSQL refuses a key twice in one upsert. */
function rowsInKeyOrder({ sensorIds, at, length }: ReadingBatch): number[] {
  const bySensor = new Map<number, number[]>();
  for (let row = 0; row < length; row++) {
    const sensorId = sensorIds[row] as number;
    const rows = bySensor.get(sensorId);
    if (rows) rows.push(row);
    else bySensor.set(sensorId, [row]);
  }
  const ordered: number[] = [];
  for (const sensorId of [...bySensor.keys()].sort((a, b) => a - b)) {
    // The sort is stable, so among equal instants the last given comes last.
    const rows = (bySensor.get(sensorId) as number[]).sort((a, b) => (at[a] as number) - (at[b] as number));
    for (let i = 0; i < rows.length; i++)
      if (i + 1 === rows.length || at[rows[i] as number] !== at[rows[i + 1] as number]) ordered.push(rows[i] as number);
  }
  return ordered;
}

/** The first instant of each sensor, of rows in key order. */
function firstInstants({ sensorIds, at }: ReadingBatch, rows: readonly number[]): Map<number, number> {
  const firsts = new Map<number, number>();
  for (const row of rows) if (!firsts.has(sensorIds[row]!)) firsts.set(sensorIds[row]!, at[row]!);
  return firsts;
}

/** The whole hours that these rows touch, as few spans. */
function affectedHours({ sensorIds, at }: ReadingBatch, rows: readonly number[]): SensorPeriod[] {
  const spans: SensorPeriod[] = [];
  for (const row of rows) {
    const from = Math.floor((at[row] as number) / HOUR_MS) * HOUR_MS;
    const last = spans.at(-1);
    if (last && last.sensorId === sensorIds[row] && from <= last.to + MAX_GAP_MS)
      last.to = Math.max(last.to, from + HOUR_MS);
    else spans.push({ sensorId: sensorIds[row] as number, from, to: from + HOUR_MS });
  }
  return spans;
}

/** The same spans widened to whole UTC days, each day in one of them only. */
function affectedDays(spans: readonly SensorPeriod[]): SensorPeriod[] {
  const days: SensorPeriod[] = [];
  for (const { sensorId, ...span } of spans) {
    const from = Math.floor(span.from / DAY_MS) * DAY_MS;
    const to = Math.ceil(span.to / DAY_MS) * DAY_MS;
    const last = days.at(-1);
    if (last?.sensorId === sensorId && from <= last.to) last.to = Math.max(last.to, to);
    else days.push({ sensorId, from, to });
  }
  return days;
}

async function insertReadings(db: CompanyDb, batch: ReadingBatch, rows: readonly number[]): Promise<void> {
  let done = 0;
  for (const size of ROWS_PER_INSERT) {
    if (rows.length - done < size) continue;
    const insert = compileStatement(db, () => insertStatement(db, parameterSlots(size * 3)));
    const values = new Array<number>(size * 3);
    for (; rows.length - done >= size; done += size) {
      for (let i = 0; i < size; i++) {
        const row = rows[done + i] as number;
        values[3 * i] = batch.sensorIds[row] as number;
        values[3 * i + 1] = batch.at[row] as number;
        values[3 * i + 2] = batch.values[row] as number;
      }
      await insert(values);
    }
  }
}

function insertStatement(db: CompanyDb, slots: readonly number[]) {
  const rows = Array.from({ length: slots.length / 3 }, (_, i) => {
    const [sensor_id, at, value] = slots.slice(3 * i, 3 * i + 3) as [number, number, number];
    return { sensor_id, at, value };
  });
  return db
    .insertInto('readings')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['sensor_id', 'at']).doUpdateSet((set) => ({ value: set.ref('excluded.value') })),
    );
}

/** The start of the period that an instant lies in, also before 1970, where a remainder is negative. */
const bucketStartSql = (column: 'at' | 'bucket_at', period: number) =>
  sql<number>`${sql.ref(column)} - (${sql.ref(column)} % ${sql.lit(period)} + ${sql.lit(period)}) % ${sql.lit(period)}`;

async function refreshHourSums(db: CompanyDb, spans: readonly SensorPeriod[]): Promise<void> {
  await forPeriods(db, spans, (sensorIds, from, to) =>
    db
      .insertInto('reading_hours')
      .columns(['sensor_id', 'bucket_at', 'count', 'sum'])
      .expression(
        db
          .selectFrom('readings')
          .where('sensor_id', 'in', sensorIds)
          .where('at', '>=', from)
          .where('at', '<', to)
          .groupBy(['sensor_id', bucketStartSql('at', HOUR_MS)])
          .select(({ fn }) => [
            'sensor_id',
            bucketStartSql('at', HOUR_MS).as('bucket_at'),
            fn.countAll<number>().as('count'),
            fn.sum<number>('value').as('sum'),
          ]),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['sensor_id', 'bucket_at'])
          .doUpdateSet((set) => ({ count: set.ref('excluded.count'), sum: set.ref('excluded.sum') })),
      ),
  );
}

/** Days are summed from their hours, which stand already. */
async function refreshDaySums(db: CompanyDb, spans: readonly SensorPeriod[]): Promise<void> {
  await forPeriods(db, spans, (sensorIds, from, to) =>
    db
      .insertInto('reading_days')
      .columns(['sensor_id', 'bucket_at', 'count', 'sum'])
      .expression(
        db
          .selectFrom('reading_hours')
          .where('sensor_id', 'in', sensorIds)
          .where('bucket_at', '>=', from)
          .where('bucket_at', '<', to)
          .groupBy(['sensor_id', bucketStartSql('bucket_at', DAY_MS)])
          .select(({ fn }) => [
            'sensor_id',
            bucketStartSql('bucket_at', DAY_MS).as('bucket_at'),
            fn.sum<number>('count').as('count'),
            fn.sum<number>('sum').as('sum'),
          ]),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['sensor_id', 'bucket_at'])
          .doUpdateSet((set) => ({ count: set.ref('excluded.count'), sum: set.ref('excluded.sum') })),
      ),
  );
}

/** Runs a statement over every span, sensors with the same span together: stations report at the same instants. */
async function forPeriods(
  db: CompanyDb,
  spans: readonly SensorPeriod[],
  build: (sensorIds: readonly number[], from: number, to: number) => Compilable<unknown>,
): Promise<void> {
  const bySpan = new Map<string, SensorPeriod[]>();
  for (const span of spans) {
    const key = `${span.from} ${span.to}`;
    const same = bySpan.get(key);
    if (same) same.push(span);
    else bySpan.set(key, [span]);
  }
  for (const size of SENSORS_PER_SUM) {
    let sum: ReturnType<typeof compileStatement> | undefined;
    for (const same of bySpan.values())
      while (same.length >= size) {
        sum ??= compileStatement(db, () => {
          const [from, to, ...ids] = parameterSlots(2 + size) as number[];
          return build(ids, from!, to!);
        });
        const { from, to } = same[0] as SensorPeriod;
        await sum([from, to, ...same.splice(0, size).map((span) => span.sensorId)]);
      }
  }
}
