import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { partitionAt, startOfMonth } from '../../../src/store/postgres/monthly-partitions.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { record, recordRows } from '../stored-readings.ts';
import { server, withDatabase } from '../temporary-stores.ts';

const day = 86_400_000;
const july = Date.UTC(2026, 6, 1);

describe('the partition of an instant', () => {
  it('contains the instant, and is the same for all instants that it contains', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 52), max: 2 ** 53 - 1 }), (at) => {
        const { name, from, to } = partitionAt(at);
        expect(from === null || from <= at).toBe(true);
        expect(to === null || at < to).toBe(true);
        for (const edge of [from, to === null ? null : to - 1])
          if (edge !== null) expect(partitionAt(edge).name).toBe(name);
        if (to !== null) expect(partitionAt(to).from).toBe(to);
      }),
    );
  });

  it('is a UTC month from 2000 to 2099, and a single one before and after', () => {
    expect(partitionAt(july - 1)).toEqual({
      name: 'readings_2026_06',
      from: Date.UTC(2026, 5, 1),
      to: july,
    });
    expect(partitionAt(Date.UTC(2000, 0) - 1).name).toBe('readings_before_2000');
    expect(partitionAt(-(2 ** 53)).name).toBe('readings_before_2000');
    expect(partitionAt(Date.UTC(2099, 11, 31)).name).toBe('readings_2099_12');
    expect(partitionAt(2 ** 53).name).toBe('readings_from_2100');
  });

  it('is followed by the next month, across the end of a year', () => {
    expect(startOfMonth(Date.UTC(2026, 10, 30), 2)).toBe(Date.UTC(2027, 0));
    expect(startOfMonth(Date.UTC(2026, 0, 31), -1)).toBe(Date.UTC(2025, 11));
  });
});

const partitionCounts = (store: Store): Promise<Record<string, number>> =>
  store.readAll(async (all) => {
    const { rows } = await sql<{
      name: string;
    }>`select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'readings'::regclass order by 1`.execute(all);
    const counts: Record<string, number> = {};
    for (const { name } of rows) {
      const counted = await sql<{
        count: number;
      }>`select count(*) as count from ${sql.table(name)}`.execute(all);
      counts[name] = counted.rows[0]!.count;
    }
    return counts;
  });

const recordAt = (store: Store, instants: readonly number[], companyId = 1, value = 1) =>
  record(
    store,
    instants.map((at) => [1, at, value]),
    companyId,
  );

const dropPartitions = (store: Store, ...names: string[]) =>
  store.writeAll(async (all) => {
    for (const name of names) await sql`drop table if exists ${sql.table(name)}`.execute(all);
  });

describe.skipIf(server === null)('readings', () => {
  it('are stored in monthly partitions, which are created when needed', () =>
    withDatabase(async (store) => {
      await recordAt(store, [july - 1, july, july + 1, -1, Date.UTC(2150, 0), 8.64e15 + 1]);
      expect(await partitionCounts(store)).toMatchObject({
        readings_before_2000: 1,
        readings_2026_06: 1,
        readings_2026_07: 2,
        readings_from_2100: 2,
      });
    }));

  it('get their partitions when several processes create them at the same time', () =>
    withDatabase(async (store, db) => {
      const other = await openStore({ db });
      const instants = Array.from({ length: 8 }, (_, index) => Date.UTC(2031, index, 2));
      await Promise.all([
        ...[store, other].map((each) => each.ensurePartitions(instants[3]!)),
        recordAt(store, instants),
        recordAt(other, instants.toReversed(), 2),
      ]);
      await other.close();
      const counts = await partitionCounts(store);
      for (const at of instants) expect(counts[partitionAt(at).name]).toBe(2);
    }));

  it('get their partition again after a failed write or after it was dropped', () =>
    withDatabase(async (store) => {
      await dropPartitions(store, 'readings_2032_01');
      const failing = store.write(1, async (db) => {
        await recordRows(db, [[1, Date.UTC(2032, 0, 1), 1]]);
        throw new Error('second thoughts');
      });
      await expect(failing).rejects.toThrow('second thoughts');
      await recordAt(store, [Date.UTC(2032, 0, 1)]);
      await dropPartitions(store, 'readings_2032_01');
      await recordAt(store, [Date.UTC(2032, 0, 2)]);
      expect(await partitionCounts(store)).toMatchObject({ readings_2032_01: 1 });
    }));

  it('of the coming months have partitions in advance', () =>
    withDatabase(async (store) => {
      const names = [
        'readings_2040_11',
        'readings_2040_12',
        'readings_2041_01',
        'readings_2041_02',
      ];
      await dropPartitions(store, ...names);
      await store.ensurePartitions(Date.UTC(2040, 11, 31));
      expect(Object.keys(await partitionCounts(store))).toEqual(expect.arrayContaining(names));
    }));

  it('in bulk replace stored ones and update the sums', () =>
    withDatabase(async (store) => {
      // Enough for COPY, across the end of a month.
      const instants = Array.from(
        { length: 3_000 },
        (_, index) => july - 10 * day + index * 600_000,
      );
      await recordAt(store, instants);
      await recordAt(store, instants.slice(500, 2_000), 1, 5);
      // Twice in one transaction: what was copied before is not copied again.
      await store.write(1, async (db) => {
        for (const value of [7, 9]) {
          const part = instants.slice(1_000, 2_100);
          await recordRows(
            db,
            part.map((at) => [1, at, value]),
          );
        }
      });
      const summed = await store.read(1, (db) =>
        db
          .selectFrom('reading_days')
          .select(({ fn }) => [
            fn.sum<number>('sum').as('sum'),
            fn.sum<number>('count').as('count'),
          ])
          .execute(),
      );
      // 500 + 900 that stayed at 1, 500 at 5, 1,100 at 9.
      expect(summed).toEqual([{ sum: 1_400 + 2_500 + 9_900, count: 3_000 }]);
    }));
});
