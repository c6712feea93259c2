import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { takeLease } from '../../../src/store/leases.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { CompanyDb } from '../../../src/store/tables.ts';
import { addParcel, parcelNames, server, withDatabase } from '../temporary-stores.ts';

const withStores = (count: number, body: (stores: readonly Store[]) => Promise<void>) =>
  withDatabase(async (first, db) => {
    const others = await Promise.all(Array.from({ length: count - 1 }, () => openStore({ db })));
    try {
      await body([first, ...others]);
    } finally {
      for (const store of others) await store.close();
    }
  });

function deferred(): { readonly promise: Promise<void>; give(): void } {
  let give = (): void => undefined;
  const input = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { promise: input, give: () => give() };
}

describe.skipIf(server === null)('the lock on a company', () => {
  it('is taken before the first read, so that concurrent increments are not lost', () =>
    withStores(3, async (stores) => {
      await stores[0]!.write(1, (db) =>
        db.insertInto('gateways').values({ imei: '1', assigned_at: 0 }).execute(),
      );
      const count = (store: Store) =>
        store.write(1, async (db) => {
          const { battery_mv: counted } = await db
            .selectFrom('gateways')
            .select('battery_mv')
            .executeTakeFirstOrThrow();
          await db
            .updateTable('gateways')
            .set({ battery_mv: (counted ?? 0) + 1 })
            .execute();
        });
      await Promise.all(Array.from({ length: 60 }, (_, index) => count(stores[index % 3]!)));
      const counted = await stores[1]!.read(1, (db) =>
        db.selectFrom('gateways').select('battery_mv').execute(),
      );
      expect(counted).toEqual([{ battery_mv: 60 }]);
    }));

  it('does not block other companies, unlocked writes or reads', () =>
    withStores(2, async ([first, second]) => {
      const [begun, enough] = [deferred(), deferred()];
      const lasting = first!.write(1, async (db) => {
        await addParcel('North')(db);
        begun.give();
        await enough.promise;
      });
      await begun.promise;
      // More than the connections for writes: they must wait without holding one.
      const waiting = Array.from({ length: 8 }, (_, index) =>
        first!.write(1, addParcel(`P${index}`)),
      );
      for (const store of [first!, second!]) {
        const lease = { name: 'housekeeping', holder: 'me', until: 1 };
        expect(await store.writeUnlocked((all) => takeLease(all, lease, 0))).toBe(true);
        expect(await store.read(1, parcelNames)).toEqual([]);
      }
      await second!.write(2, addParcel('South'));
      await first!.write(2, addParcel('East'));
      enough.give();
      await Promise.all([lasting, ...waiting]);
      expect(await second!.read(2, parcelNames)).toEqual(['South', 'East']);
    }));

  it('is taken for every company by a write over all of them', () =>
    withStores(2, async ([first, second]) => {
      const [begun, enough] = [deferred(), deferred()];
      const order: string[] = [];
      const lasting = first!.write(1, async (db) => {
        await parcelNames(db);
        begun.give();
        await enough.promise;
        order.push('the company');
      });
      await begun.promise;
      const all = second!.writeAll(async (db) => {
        await db.selectFrom('companies').select('id').execute();
        order.push('all');
      });
      await expect.poll(() => second!.readAll(isAnyLockAwaited)).toBe(true);
      const after = first!.write(2, async (db) => {
        await parcelNames(db);
        order.push('after');
      });
      enough.give();
      await Promise.all([lasting, all, after]);
      expect(order).toEqual(['the company', 'all', 'after']);
    }));
});

const isAnyLockAwaited = async (
  all: Parameters<Parameters<Store['readAll']>[0]>[0],
): Promise<boolean> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(all);
  return rows[0]!.count > 0;
};

describe.skipIf(server === null)('an unlocked write', () => {
  it('gives a lease to one of many concurrent requests', () =>
    withStores(3, async (stores) => {
      const takes = Array.from({ length: 30 }, (_, index) =>
        stores[index % 3]!.writeUnlocked((all) =>
          takeLease(all, { name: 'outbox', holder: `h${index}`, until: 9 }, 5),
        ),
      );
      expect((await Promise.all(takes)).filter((isTaken) => isTaken)).toHaveLength(1);
    }));

  it('is retried after a deadlock, so that both are committed', () =>
    withStores(2, async (stores) => {
      const lock = (id: number, holder: string) =>
        `update companies set city = '${holder}' where id = ${id}`;
      const reached = [deferred(), deferred()];
      const runs = [0, 0];
      await Promise.all(
        stores.map((store, index) =>
          store.writeUnlocked(async (all) => {
            runs[index]!++;
            await sql.raw(lock(index + 1, 'first')).execute(all);
            reached[index]!.give();
            await reached[1 - index]!.promise;
            await sql.raw(lock(2 - index, 'second')).execute(all);
            await all
              .insertInto('leases')
              .values({ name: `done ${index}`, holder: 'x', expires_at: 0 })
              .execute();
          }),
        ),
      );
      expect(runs[0]! + runs[1]!).toBe(3);
      const leases = await stores[0]!.readAll((all) =>
        all.selectFrom('leases').select('name').orderBy('name').execute(),
      );
      expect(leases).toEqual([{ name: 'done 0' }, { name: 'done 1' }]);
    }));
});

describe.skipIf(server === null)('a write', () => {
  it('is on disk when it resolves, even if the default of the server is asynchronous', () =>
    withStores(1, async ([store]) => {
      const query = (db: string) => sql<{ value: string }>`select current_setting(${db}) as value`;
      const shown = await store!.writeAll(async (all) => ({
        before: (
          await sql<{
            value: string;
          }>`select reset_val as value from pg_settings where name = 'synchronous_commit'`.execute(
            all,
          )
        ).rows[0]!.value,
        now: (await query('synchronous_commit').execute(all)).rows[0]!.value,
        zone: (await query('TimeZone').execute(all)).rows[0]!.value,
      }));
      expect(shown.now).toBe(shown.before === 'remote_apply' ? 'remote_apply' : 'on');
      expect(shown.zone).toBe('UTC');
    }));

  it('does not run queries that its body did not await, in it or after it', () =>
    withStores(1, async ([store]) => {
      const failing = store!.write(1, async (db) => {
        for (const name of ['North', 'South', 'East']) addParcel(name)(db).catch(() => undefined);
        throw new Error('second thoughts');
      });
      await expect(failing).rejects.toThrow('second thoughts');
      let stored: CompanyDb | undefined;
      await store!.write(1, async (db) => {
        stored = db;
        await addParcel('West')(db);
      });
      await expect(addParcel('Late')(stored!)).rejects.toThrow('can no longer be used');
      expect(await store!.read(1, parcelNames)).toEqual(['West']);
    }));
});
