import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordReadings } from '../../../src/store/ingest/reading-writes.ts';
import { propertyRuns } from '../../property-runs.ts';
import { DAY, HOUR, MINUTE } from '../../time.ts';
import { expectedTables, type Reading, record, storedSums } from '../stored-readings.ts';
import { onEachStore, withStore as withFile } from '../temporary-stores.ts';

onEachStore((withStore) => {
  describe('recording readings', () => {
    it('leads to the same sums as recomputation, with late, repeated and corrected readings in any batches', async () => {
      const reading = fc.tuple(
        fc.integer({ min: 1, max: 3 }),
        // Around 1970, where instants are negative, and across many hours and days.
        fc.oneof(
          fc.integer({ min: -40, max: 40 }).map((n) => n * 15 * MINUTE),
          fc.integer({ min: -3 * DAY, max: 5 * DAY }),
          fc.constantFrom(-1, 0, 1, HOUR - 1, HOUR, DAY - 1, DAY, -HOUR, -DAY),
        ),
        // Quarters add up without rounding, so the sums are equal to the last bit.
        fc.integer({ min: -400, max: 400 }).map((n) => n / 4),
      );
      const batches = fc.array(fc.array(reading, { maxLength: 300 }), {
        minLength: 1,
        maxLength: 6,
      });
      await fc.assert(
        fc.asyncProperty(batches, (sequence) =>
          withStore(async (store) => {
            for (const batch of sequence) await record(store, batch);
            expect(await store.read(1, storedSums)).toEqual(expectedTables(sequence.flat()));
          }),
        ),
        { numRuns: propertyRuns(40) },
      );
    });

    it('stores the last value of a repeated instant in one batch', () =>
      withStore(async (store) => {
        await record(store, [
          [1, 0, 10],
          [2, 0, 5],
          [1, 0, 20],
          [1, 0, 30],
        ]);
        const [rows, hours] = await store.read(1, storedSums);
        expect(rows).toEqual([
          { sensor_id: 1, at: 0, value: 30 },
          { sensor_id: 2, at: 0, value: 5 },
        ]);
        expect(hours).toEqual([
          { sensor_id: 1, bucket_at: 0, count: 1, sum: 30 },
          { sensor_id: 2, bucket_at: 0, count: 1, sum: 5 },
        ]);
      }));

    it('changes only the sums of the hour and day of a corrected value', () =>
      withStore(async (store) => {
        await record(store, [
          [1, 0, 10],
          [1, 15 * MINUTE, 20],
          [1, HOUR, 40],
          [1, DAY, 80],
        ]);
        await record(store, [[1, 15 * MINUTE, 22]]);
        const [, hours, days] = await store.read(1, storedSums);
        // 10 + 22 in the first HOUR; 10 + 22 + 40 on the first day.
        expect(hours?.map((row) => 'sum' in row && row.sum)).toEqual([32, 40, 80]);
        expect(days?.map((row) => 'sum' in row && [row.count, row.sum])).toEqual([
          [3, 72],
          [1, 80],
        ]);
      }));

    it('accepts readings of many sensors in any order', async () => {
      const byTime: Reading[] = [];
      for (let n = 0; n < 40; n++)
        for (let sensor = 1; sensor <= 70; sensor++)
          byTime.push([sensor, n * 15 * MINUTE, sensor + n]);
      const bySensor = [...byTime].sort(([s], [t]) => s - t);
      for (const readings of [byTime, bySensor, byTime.toReversed()])
        await withStore(async (store) => {
          await record(store, readings);
          expect(await store.read(1, storedSums)).toEqual(expectedTables(readings));
        });
    });

    it('does not change readings of another company with the same sensor id', () =>
      withStore(async (store) => {
        await record(store, [[1, 0, 10]], 2);
        await record(store, [[1, 0, 20]], 1);
        expect(await store.read(2, storedSums)).toEqual(expectedTables([[1, 0, 10]]));
        expect(await store.read(1, storedSums)).toEqual(expectedTables([[1, 0, 20]]));
      }));

    it('accepts an empty batch', () =>
      withStore(async (store) => {
        await record(store, []);
        expect(await store.read(1, storedSums)).toEqual([[], [], []]);
      }));

    it('accepts typed arrays longer than the batch', () =>
      withStore(async (store) => {
        await store.write(1, (db) =>
          recordReadings(db, {
            sensorIds: Int32Array.of(1, 1, 9),
            at: Float64Array.of(0, HOUR, 5),
            values: Float64Array.of(1, 2, 3),
            length: 2,
          }),
        );
        expect(await store.read(1, storedSums)).toEqual(
          expectedTables([
            [1, 0, 1],
            [1, HOUR, 2],
          ]),
        );
      }));

    const refused: Record<string, Reading> = {
      'a value that is no number': [1, 0, Number.NaN],
      'an infinite value': [1, 0, Number.NEGATIVE_INFINITY],
      'a part of a millisecond': [1, 0.5, 1],
      'no instant': [1, Number.NaN, 1],
      'no sensor': [Number.NaN, 0, 1],
    };
    for (const [kind, reading] of Object.entries(refused))
      it(`refuses ${kind}, and records nothing of the batch`, () =>
        withStore(async (store) => {
          await expect(record(store, [[1, MINUTE, 1], reading])).rejects.toThrow(RangeError);
          expect(await store.read(1, storedSums)).toEqual([[], [], []]);
        }));
  });
});

it('adds at most 60 % to the size of the readings at one every 15 minutes', () =>
  withFile(async (store, file) => {
    const readings: Reading[] = [];
    for (let sensor = 1; sensor <= 5; sensor++)
      for (let n = 0; n < 90 * 96; n++)
        readings.push([sensor, n * 15 * MINUTE, 20 + ((n * 37) % 1000) / 100]);
    await record(store, readings);
    await store.close();
    const database = new DatabaseSync(file, { readOnly: true });
    const size = (name: string) =>
      (
        database.prepare('select sum(pgsize) as bytes from dbstat where name = ?').get(name) as {
          bytes: number;
        }
      ).bytes;
    expect((size('reading_hours') + size('reading_days')) / size('readings')).toBeLessThan(0.6);
    database.close();
  }));
