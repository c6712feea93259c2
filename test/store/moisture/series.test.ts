import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordReadings } from '../../../src/store/ingest/reading-writes.ts';
import { packedLength, unpackDoubles, unpackInto } from '../../../src/store/moisture/columnar-sums.ts';
import { lastInstants, lastReadings } from '../../../src/store/moisture/reading-lookup.ts';
import { readingSums } from '../../../src/store/moisture/series.ts';
import type { Store } from '../../../src/store/store.ts';
import type { CompanyDb } from '../../../src/store/tables.ts';
import { onEachStore } from '../temporary-stores.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Reading = readonly [place: number, at: number, value: number];

/** Makes so many sensors of one probe in company 1; their ids. */
const addSensors = (store: Store, count: number): Promise<number[]> =>
  store.write(1, async (db) => {
    const { id } = await db.insertInto('modules').values({ uid: 'A1' }).returning('id').executeTakeFirstOrThrow();
    const rows = Array.from({ length: count }, (_, place) => ({ module_id: id, type: 'humidity', depth: 10 * place }));
    return (await db.insertInto('sensors').values(rows).returning('id').execute()).map((row) => row.id);
  });

const record = (db: CompanyDb, ids: readonly number[], readings: readonly Reading[]) =>
  recordReadings(db, {
    sensorIds: readings.map(([place]) => ids[place]!),
    at: readings.map(([, at]) => at),
    values: readings.map(([, , value]) => value),
    length: readings.length,
  });

/** Around 1970, where remainders turn negative; each instant of a sensor once. */
const someReadings = fc.uniqueArray(
  fc.tuple(
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: -500, max: 500 }).map((quarters) => quarters * 15 * MINUTE + 7),
    // Quarters add up without rounding, in whatever order.
    fc.integer({ min: -400, max: 400 }).map((quarters) => quarters / 4),
  ),
  { selector: ([place, at]) => `${place} ${at}`, maxLength: 60 },
);

/** Sum and count by sensor and start of the bucket, added up the plain way. */
function expectedSums(
  rows: readonly (readonly [place: number, at: number, sum: number, count: number])[],
  lengthMs: number,
) {
  const added = new Map<string, [number, number]>();
  for (const [place, at, sum, count] of rows) {
    const key = `${place} ${Math.floor(at / lengthMs) * lengthMs}`;
    const [s, n] = added.get(key) ?? [0, 0];
    added.set(key, [s + sum, n + count]);
  }
  return added;
}

onEachStore((withStore) => {
  describe('the sums of a period', () => {
    it('are those of the readings in it, whatever is asked for: raw, of a part of an hour, of hours, days or weeks', () =>
      withStore(async (store) => {
        const ids = await addSensors(store, 3);
        const interval = fc.constantFrom(null, 1, 20 * MINUTE, HOUR, 3 * HOUR, DAY, 7 * DAY, 5 * HOUR);
        const instant = fc.integer({ min: -5 * DAY, max: 5 * DAY });
        await fc.assert(
          fc.asyncProperty(someReadings, instant, instant, interval, async (readings, start, end, intervalMs) => {
            const undone = new Error('undone');
            const found = store.write(1, async (db) => {
              await record(db, ids, readings);
              const sums = await readingSums(db, ids, { start, end }, intervalMs);
              const rows = Array.from(
                { length: sums.length },
                (_, row) => [sums.sensor[row]!, sums.at[row]!, sums.sum[row]!, sums.count![row]!] as const,
              );
              const within = readings.filter(([, at]) => at >= start && at < end);
              const plain = within.map(([place, at, value]) => [place, at, value, 1] as const);
              expect(expectedSums(rows, intervalMs ?? 1)).toEqual(expectedSums(plain, intervalMs ?? 1));
              throw undone;
            });
            await expect(found).rejects.toBe(undone);
          }),
          { numRuns: 60 },
        );
      }));

    it('come to the last bit, also where a value has no short decimal', () =>
      withStore(async (store) => {
        const ids = await addSensors(store, 1);
        const values = [0.1, 1 / 3, -1e-300, 123_456_789.123_456_78];
        await store.write(1, (db) =>
          record(
            db,
            ids,
            values.map((value, at) => [0, at * MINUTE, value]),
          ),
        );
        const { sum } = await store.read(1, (db) => readingSums(db, ids, { start: 0, end: HOUR }, null));
        expect(Array.from(sum).sort()).toEqual(values.toSorted());
      }));
  });

  describe('the last instants of sensors', () => {
    it('are those of their last readings, sensor by sensor and oldest first', () =>
      withStore(async (store) => {
        const ids = await addSensors(store, 4);
        const readings = [0, 1, 2].flatMap((place) =>
          Array.from({ length: 5 * place }, (_, n): Reading => [place, (place - n) * HOUR, n]),
        );
        await store.write(1, (db) => record(db, ids, readings));
        const asked = [ids[2]!, ids[0]!, ids[3]!, ids[1]!];
        const [last, instants] = await store.read(1, (db) =>
          Promise.all([lastReadings(db, asked, HOUR, 3), lastInstants(db, asked, HOUR, 3)]),
        );
        // Sensor 2 has 2 h, 1 h, 0 h, -1 h, -2 h …, of which 2 h and 1 h are not before 1 h; sensor 1 has 1 h … -3 h.
        expect(instants.map((list) => Array.from(list, (at) => at / HOUR))).toEqual([[-2, -1, 0], [], [], [-2, -1, 0]]);
        expect(instants.map((list) => Array.from(list))).toEqual(last.map((list) => list.map(({ at }) => at)));
      }));

    it('are none where no sensor is asked for', () =>
      withStore(async (store) => {
        expect(await store.read(1, (db) => lastInstants(db, [], 0, 3))).toEqual([]);
      }));
  });
});

/** As a server sends them: eight bytes each, the highest first. */
function bigEndianDoubles(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [place, number] of numbers.entries()) bytes.writeDoubleBE(number, 8 * place);
  return bytes;
}

it('gives every number of a list back to the last bit', () => {
  fc.assert(
    fc.property(fc.array(fc.double()), (numbers) => {
      expect(Array.from(unpackDoubles(bigEndianDoubles(numbers)))).toEqual(numbers);
      expect(packedLength(bigEndianDoubles(numbers))).toBe(numbers.length);
    }),
  );
});

it('writes a list where it is told to, and leaves the list as it was', () => {
  const into = Float64Array.of(1, 2, 3, 4);
  const list = bigEndianDoubles([20.5, -30]);
  unpackInto(list, into.subarray(1), 1);
  expect([...into]).toEqual([1, 2, 20.5, -30]);
  expect(list).toEqual(bigEndianDoubles([20.5, -30]));
});
