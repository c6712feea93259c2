import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expectedTables,
  type Reading,
  record,
  storedReadings,
  storedSums,
} from '../stored-readings.ts';
import { server, withDatabase } from '../temporary-stores.ts';

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
        await record(store, readings);
        const rows = (await store.read(1, storedReadings)).filter(
          ({ sensor_id }) => sensor_id >= count * 1_000,
        );
        expect(rows.slice(0, count)).toEqual(expectedTables(readings)[0]);
      }
    }));

  it('have no negative zero', () =>
    withDatabase(async (store) => {
      const readings = Array.from({ length: 1_000 }, (_, index): Reading => [1, index, -0]);
      await record(store, readings);
      expect((await store.read(1, storedReadings)).every(({ value }) => Object.is(value, 0))).toBe(
        true,
      );
    }));

  it('lead to the same sums as recomputation, whether new, between existing ones or replacing them', async () => {
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
            await record(store, readings);
            all.push(...readings);
          }
          expect(await store.read(1, storedSums)).toEqual(expectedTables(all));
        }),
      ),
      { numRuns: 8 },
    );
  });
});
