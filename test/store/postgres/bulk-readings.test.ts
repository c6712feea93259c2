import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordReadings } from '../../../src/store/ingest/reading-writes.ts';
import type { Store } from '../../../src/store/store.ts';
import { server, withDatabase } from '../temporary-stores.ts';

const hour = 3_600_000;
const day = 24 * hour;

type Reading = readonly [sensorId: number, at: number, value: number];

const recordRows = (store: Store, readings: readonly Reading[]) =>
  store.write(1, (db) =>
    recordReadings(db, {
      sensorIds: readings.map(([sensorId]) => sensorId),
      at: readings.map(([, at]) => at),
      values: readings.map(([, , value]) => value),
      length: readings.length,
    }),
  );

const storedReadings = (store: Store) =>
  store.read(1, (db) =>
    db.selectFrom('readings').select(['sensor_id', 'at', 'value']).orderBy('sensor_id').orderBy('at').execute(),
  );

const storedSums = (store: Store, table: 'reading_hours' | 'reading_days') =>
  store.read(1, (db) =>
    db
      .selectFrom(table)
      .select(['sensor_id', 'bucket_at', 'count', 'sum'])
      .orderBy('sensor_id')
      .orderBy('bucket_at')
      .execute(),
  );

function expectedSums(readings: readonly Reading[]) {
  const last = new Map(readings.map((reading) => [`${reading[0]} ${reading[1]}`, reading]));
  const rows = [...last.values()].sort(([s, a], [t, b]) => s - t || a - b);
  const sums = (period: number) => {
    const buckets = new Map<string, { sensor_id: number; bucket_at: number; count: number; sum: number }>();
    for (const [sensor_id, at, value] of rows) {
      const bucket_at = Math.floor(at / period) * period;
      const bucket = buckets.get(`${sensor_id} ${bucket_at}`) ?? { sensor_id, bucket_at, count: 0, sum: 0 };
      buckets.set(`${sensor_id} ${bucket_at}`, { ...bucket, count: bucket.count + 1, sum: bucket.sum + value });
    }
    return [...buckets.values()];
  };
  return {
    rows: rows.map(([sensor_id, at, value]) => ({ sensor_id, at, value })),
    hours: sums(hour),
    days: sums(day),
  };
}

describe.skipIf(server === null)('bulk readings', () => {
  it('keep every bit of instants and values', () =>
    withDatabase(async (store) => {
      const instants = [
        -(2 ** 53) + 1,
        -(2 ** 32) - 1,
        -(2 ** 32),
        -1,
        0,
        1,
        2 ** 31,
        2 ** 32 - 1,
        2 ** 32,
        2 ** 53 - 1,
      ];
      const values = [0, 0.1 + 0.2, -1e-7, 5e-324, -1.5e300, 2 ** 53 + 2];
      for (const count of [values.length * instants.length, 1_200]) {
        const readings = Array.from({ length: count }, (_, index): Reading => {
          const sensorId = count * 1_000 + Math.floor(index / instants.length);
          return [sensorId, instants[index % instants.length]!, values[index % values.length]!];
        });
        await recordRows(store, readings);
        const rows = (await storedReadings(store)).filter(({ sensor_id }) => sensor_id >= count * 1_000);
        expect(rows.slice(0, count)).toEqual(expectedSums(readings).rows);
      }
    }));

  it('have no negative zero', () =>
    withDatabase(async (store) => {
      const readings = Array.from({ length: 1_000 }, (_, index): Reading => [1, index, -0]);
      await recordRows(store, readings);
      expect((await storedReadings(store)).every(({ value }) => Object.is(value, 0))).toBe(true);
    }));

  it('lead to the same sums as a recount, whether new, between existing ones or replacing them', async () => {
    const batch = fc.record({
      from: fc.integer({ min: -2_000, max: 2_000 }),
      step: fc.constantFrom(1, 2, 3, 7),
      sensors: fc.integer({ min: 1, max: 4 }),
      length: fc.integer({ min: 900, max: 1_500 }),
      value: fc.integer({ min: -400, max: 400 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 4 }), (batches) =>
        withDatabase(async (store) => {
          const all: Reading[] = [];
          for (const { from, step, sensors, length, value } of batches) {
            // Ten minutes apart, around 1970; quarters add up without rounding.
            const readings = Array.from({ length }, (_, index): Reading => {
              const at = (from + Math.floor(index / sensors) * step) * 600_000;
              return [1 + (index % sensors), at, (value + index) / 4];
            });
            await recordRows(store, readings);
            all.push(...readings);
          }
          const { rows, hours, days } = expectedSums(all);
          expect(await storedReadings(store)).toEqual(rows);
          expect(await storedSums(store, 'reading_hours')).toEqual(hours);
          expect(await storedSums(store, 'reading_days')).toEqual(days);
        }),
      ),
      { numRuns: 8 },
    );
  });
});
