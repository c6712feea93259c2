import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineAt, type SensorCalibration } from '../../../src/domain/moisture/calibration.ts';
import { pointStart } from '../../../src/domain/moisture/series-points.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/periods.ts';
import { updateCompany } from '../../../src/store/company/companies.ts';
import { advanceLocalDays } from '../../../src/store/moisture/local-days.ts';
import { lastReadings } from '../../../src/store/moisture/reading-lookup.ts';
import { bucketStartsWithReadings, readingSums } from '../../../src/store/moisture/series.ts';
import type { Store } from '../../../src/store/store.ts';
import type { CompanyDb } from '../../../src/store/tables.ts';
import { propertyRuns } from '../../property-runs.ts';
import { recordRows, uncalibrated } from '../stored-readings.ts';
import { onEachStore } from '../temporary-stores.ts';

type Reading = readonly [sensorIndex: number, at: number, value: number];

const addSensors = (store: Store, count: number): Promise<number[]> =>
  store.write(1, async (db) => {
    const { id } = await db
      .insertInto('modules')
      .values({ uid: 'A1' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: count }, (_, index) => ({
      module_id: id,
      type: 'humidity' as const,
      depth: 10 * index,
    }));
    return (await db.insertInto('sensors').values(rows).returning('id').execute()).map(
      (row) => row.id,
    );
  });

const record = (db: CompanyDb, ids: readonly number[], readings: readonly Reading[]) =>
  recordRows(
    db,
    readings.map(([index, at, value]) => [ids[index]!, at, value]),
  );

/** Around 1970, where remainders are negative; at most one reading per sensor and instant. */
const someReadings = fc.uniqueArray(
  fc.tuple(
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: -500, max: 500 }).map((quarters) => quarters * 15 * MINUTE_MS + 7),
    // Quarters add up without rounding, in any order.
    fc.integer({ min: -400, max: 400 }).map((quarters) => quarters / 4),
  ),
  { selector: ([index, at]) => `${index} ${at}`, maxLength: 60 },
);

function expectedSums(
  rows: readonly (readonly [index: number, at: number, sum: number, count: number])[],
  lengthMs: number,
) {
  const added = new Map<string, [number, number]>();
  for (const [index, at, sum, count] of rows) {
    const key = `${index} ${Math.floor(at / lengthMs) * lengthMs}`;
    const [s, n] = added.get(key) ?? [0, 0];
    added.set(key, [s + sum, n + count]);
  }
  return added;
}

/** Slopes and offsets that add up without rounding. */
const someCalibrations: fc.Arbitrary<SensorCalibration> = fc
  .uniqueArray(
    fc.record({
      from: fc.option(
        fc.integer({ min: -500, max: 500 }).map((quarters) => quarters * 15 * MINUTE_MS),
        { freq: 4 },
      ),
      points: fc
        .tuple(fc.integer({ min: 20, max: 40 }), fc.constantFrom(0.5, 1, 2))
        .map(([truePercent, slope]) => [
          { readPercent: 20, truePercent },
          { readPercent: 36, truePercent: truePercent + 16 * slope },
        ]),
    }),
    { selector: ({ from }) => from, maxLength: 3 },
  )
  .map((several) => several.sort((a, b) => (a.from ?? -1e12) - (b.from ?? -1e12)));

onEachStore((withStore, isOnServer) => {
  describe('the sums of a period', () => {
    it('equal those of its readings, for any interval', () =>
      withStore(async (store) => {
        const ids = await addSensors(store, 3);
        const interval = fc.constantFrom(
          null,
          1,
          20 * MINUTE_MS,
          HOUR_MS,
          3 * HOUR_MS,
          DAY_MS,
          7 * DAY_MS,
          5 * HOUR_MS,
        );
        const instant = fc.integer({ min: -5 * DAY_MS, max: 5 * DAY_MS });
        await fc.assert(
          fc.asyncProperty(
            someReadings,
            instant,
            instant,
            interval,
            async (readings, start, end, intervalMs) => {
              const rollback = new Error('rollback');
              const checked = store.write(1, async (db) => {
                await record(db, ids, readings);
                const sums = await readingSums(db, uncalibrated(ids), { start, end }, intervalMs);
                const rows = Array.from(
                  { length: sums.length },
                  (_, row) =>
                    [sums.sensor[row]!, sums.at[row]!, sums.sum[row]!, sums.count![row]!] as const,
                );
                const within = readings.filter(([, at]) => at >= start && at < end);
                const plain = within.map(([index, at, value]) => [index, at, value, 1] as const);
                expect(expectedSums(rows, intervalMs ?? 1)).toEqual(
                  expectedSums(plain, intervalMs ?? 1),
                );
                throw rollback;
              });
              await expect(checked).rejects.toBe(rollback);
            },
          ),
          { numRuns: propertyRuns(60) },
        );
      }));

    it('equal those of its calibrated readings, whenever a calibration begins', () =>
      withStore(async (store) => {
        const ids = await addSensors(store, 3);
        const zones = fc.constantFrom(null, 'Asia/Kolkata');
        const intervals = fc.constantFrom(null, 20 * MINUTE_MS, HOUR_MS, DAY_MS, 7 * DAY_MS);
        await fc.assert(
          fc.asyncProperty(
            // A 0 means a lost contact.
            someReadings.map((all) => all.map((r): Reading => [r[0], r[1], Math.abs(r[2]) + 0.25])),
            fc.tuple(someCalibrations, someCalibrations),
            intervals,
            zones,
            async (readings, calibrations, intervalMs, zone) => {
              const rollback = new Error('rollback');
              const sensors = ids.map((id, index) => ({
                id,
                calibration: calibrations[index] ?? [],
              }));
              const expected = readings.map(([index, at, value]) => {
                const { slope, offset } = lineAt(sensors[index]!.calibration, at);
                return [index, at, slope * value + offset, 1] as const;
              });
              const startOf = (at: number) =>
                intervalMs === null ? at : pointStart(at, intervalMs, zone);
              const inPoints = (
                rows: readonly (readonly [index: number, at: number, sum: number, count: number])[],
              ) =>
                expectedSums(
                  rows.map(([index, at, ...sum]) => [index, startOf(at), ...sum]),
                  1,
                );

              const checked = store.write(1, async (db) => {
                await record(db, ids, readings);
                const period = { start: -6 * DAY_MS, end: 6 * DAY_MS };
                const sums = await readingSums(db, sensors, period, intervalMs, zone);
                const rows = Array.from(
                  { length: sums.length },
                  (_, row) =>
                    [sums.sensor[row]!, sums.at[row]!, sums.sum[row]!, sums.count![row]!] as const,
                );
                expect(inPoints(rows)).toEqual(inPoints(expected));

                for (const [index, sensor] of sensors.entries()) {
                  const last = await lastReadings(db, [sensor], period.end, 100);
                  const own = expected.filter((row) => row[0] === index);
                  const values = own.sort((a, b) => a[1] - b[1]).map((row) => row[2]);
                  expect(last[0]!.map(({ value }) => value)).toEqual(values);
                }
                throw rollback;
              });
              await expect(checked).rejects.toBe(rollback);
            },
          ),
          { numRuns: propertyRuns(30) },
        );
      }));

    it.for([
      ['Europe/Paris', '2026-03-29'],
      ['Europe/Paris', '2026-10-25'],
      ['Asia/Kolkata', '2026-07-01'],
      ['Asia/Kathmandu', '2026-07-01'],
      ['Australia/Lord_Howe', '2026-04-05'],
      ['America/Santiago', '2026-09-06'],
    ] as const)(
      'equal those of its readings for points on the clock of %s around %s',
      ([zone, date]) =>
        withStore(async (store) => {
          const ids = await addSensors(store, 2);
          const steps = Array.from(
            { length: 6 * 96 },
            (_, quarter) => Date.parse(date) + (quarter - 300) * 15 * MINUTE_MS,
          );
          const readings = steps.flatMap((at, quarter): Reading[] => [[quarter % 2, at, quarter]]);
          await store.write(1, (db) => record(db, ids, readings));
          const period = { start: steps[10]! + 1, end: steps.at(-9)! };
          const within = readings.filter(([, at]) => at >= period.start && at < period.end);
          for (const intervalMs of [DAY_MS, 12 * HOUR_MS, 3 * HOUR_MS, HOUR_MS, 7 * MINUTE_MS]) {
            const startOf = (at: number) => pointStart(at, intervalMs, zone);
            const sums = await store.read(1, (db) =>
              readingSums(db, uncalibrated(ids), period, intervalMs, zone),
            );
            const added = new Map<string, number>();
            for (let row = 0; row < sums.length; row++) {
              const key = `${sums.sensor[row]!} ${startOf(sums.at[row]!)}`;
              added.set(key, (added.get(key) ?? 0) + sums.sum[row]!);
            }
            const expected = new Map<string, number>();
            for (const [sensor, at, value] of within) {
              const key = `${sensor} ${startOf(at)}`;
              expected.set(key, (expected.get(key) ?? 0) + value);
            }
            expect(Object.fromEntries(added)).toEqual(Object.fromEntries(expected));
            const bounds = { first: period.start, last: period.end - 1 };
            const starts = await store.read(1, (db) =>
              bucketStartsWithReadings(db, ids, bounds, intervalMs, 999, zone),
            );
            expect(starts).toEqual([...new Set(within.map(([, at]) => startOf(at)))]);
          }
        }),
    );

    it('of a year of local days are read in five statements, however often the clocks change', () =>
      withStore(async (store) => {
        const ids = await addSensors(store, 2);
        const start = Date.UTC(2025, 0, 1);
        const period = { start, end: start + 365 * DAY_MS };
        const hours = Array.from(
          { length: 365 * 24 },
          (_, hour): Reading => [hour % 2, start + hour * HOUR_MS, hour],
        );
        await store.write(1, (db) => record(db, ids, hours));
        for (const zone of ['Europe/Paris', 'Europe/London', 'America/Santiago']) {
          await store.writeAll((db) => updateCompany(db, 1, { timezone: zone }));
          while (!(await store.write(1, (db) => advanceLocalDays(db, zone))));
          let statements = 0;
          const count = await store.read(1, async (db) => {
            const counted = db.withPlugin({
              transformQuery: ({ node }) => node,
              transformResult: async ({ result }) => {
                statements++;
                return result;
              },
            });
            const sums = await readingSums(counted, uncalibrated(ids), period, DAY_MS, zone);
            const days = new Set(
              Array.from({ length: sums.length }, (_, row) =>
                pointStart(sums.at[row]!, DAY_MS, zone),
              ),
            );
            expect([...days].every((day) => day > start - DAY_MS && day < period.end)).toBe(true);
            return Array.from(sums.count!).reduce((sum, each) => sum + each, 0);
          });
          expect(count).toBe(hours.length);
          // The zone, the days, the hours at both ends, and a count of the rows of the days.
          expect(statements).toBeLessThanOrEqual(5);
        }
      }));

    it('keep every bit of a value', () =>
      withStore(async (store) => {
        const ids = await addSensors(store, 1);
        const values = [0.1, 1 / 3, -1e-300, 123_456_789.123_456_78];
        await store.write(1, (db) =>
          record(
            db,
            ids,
            values.map((value, at) => [0, at * MINUTE_MS, value]),
          ),
        );
        const { sum } = await store.read(1, (db) =>
          readingSums(db, uncalibrated(ids), { start: 0, end: HOUR_MS }, null),
        );
        expect(Array.from(sum).sort()).toEqual(values.toSorted());
      }));
  });

  describe('a long period', () => {
    // On SQLite a statement blocks the event loop, so the number of its rows is limited.
    it.for([
      ['each reading', null],
      ['buckets of 7 minutes', 7 * MINUTE_MS],
      ['hours', HOUR_MS],
    ] as const)('is read by %s in statements of few rows', ([, intervalMs]) =>
      withStore(async (store) => {
        const ids = await addSensors(store, 3);
        const dense = Array.from({ length: 4_000 }, (_, n) => n * 1000);
        const sparse = Array.from({ length: 2_000 }, (_, n) => DAY_MS + n * HOUR_MS);
        const instants = [...dense, ...sparse];
        await store.write(1, (db) =>
          record(
            db,
            ids,
            instants.flatMap((at) => [0, 1, 2].map((index): Reading => [index, at, 1])),
          ),
        );
        const scanned: number[] = [];
        const period = { start: -DAY_MS, end: 10_000 * DAY_MS };
        await store.read(1, async (db) => {
          const watched = db.withPlugin({
            transformQuery: ({ node }) => node,
            transformResult: async ({ result }) => {
              const counts = result.rows.map(({ count = 0 }) => Number(count));
              scanned.push(
                intervalMs === HOUR_MS
                  ? counts.length
                  : counts.reduce((sum, each) => sum + each, 0),
              );
              return result;
            },
          });
          const sums = await readingSums(watched, uncalibrated(ids), period, intervalMs);
          expect(Array.from(sums.count!).reduce((sum, each) => sum + each, 0)).toBe(
            3 * instants.length,
          );
          const bounds = { first: 0, last: instants.at(-1)! };
          const starts = new Set(
            instants.map((at) => Math.floor(at / (intervalMs ?? 1)) * (intervalMs ?? 1)),
          );
          const counted = await bucketStartsWithReadings(db, ids, bounds, intervalMs, 20_000);
          expect(counted).toEqual([...starts]);
          expect(await bucketStartsWithReadings(db, ids, bounds, intervalMs, 700)).toEqual(
            counted.slice(0, 700),
          );
        });
        expect(Math.max(...scanned)).toBeGreaterThan(1_000);
        // A statement does not block the event loop on PostgreSQL, only its result does.
        expect(Math.max(...scanned)).toBeLessThanOrEqual(isOnServer ? 10_000 : 5_000);
      }),
    );
  });

  describe('the last readings of sensors', () => {
    it('come sensor by sensor, oldest first', () =>
      withStore(async (store) => {
        const ids = await addSensors(store, 4);
        const readings = [0, 1, 2].flatMap((index) =>
          Array.from({ length: 5 * index }, (_, n): Reading => [index, (index - n) * HOUR_MS, n]),
        );
        await store.write(1, (db) => record(db, ids, readings));
        const query = [ids[2]!, ids[0]!, ids[3]!, ids[1]!];
        const last = await store.read(1, (db) => lastReadings(db, uncalibrated(query), HOUR_MS, 3));
        // Sensor 2 has 2 h, 1 h, 0 h, -1 h, -2 h …, of which 2 h and 1 h are not before 1 h; sensor
        // 1 has 1 h … -3 h.
        const expected = [4, 3, 2].map((value) => ({ at: (2 - value) * HOUR_MS, value }));
        expect(last).toEqual([
          expected,
          [],
          [],
          expected.map(({ at, value }) => ({ at, value: value - 1 })),
        ]);
      }));
  });
});
