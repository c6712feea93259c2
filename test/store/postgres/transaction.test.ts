import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { CompanyDb } from '../../../src/store/tables.ts';
import { server, withDatabase } from '../temporary-stores.ts';
import { ServerProxy } from './server-proxy.ts';

const parcels = (db: CompanyDb) => db.selectFrom('parcels').select('name').execute();
const addParcel = (db: CompanyDb) => db.insertInto('parcels').values({ name: 'North' }).execute();

const withProxiedStore = (
  body: (store: Store, proxy: ServerProxy, direct: Store) => Promise<void>,
) =>
  withDatabase(async (direct, db) => {
    const proxy = new ServerProxy(db);
    await proxy.open();
    const store = await openStore({ db: proxy.url });
    try {
      await store.read(1, parcels);
      await body(store, proxy, direct);
    } finally {
      proxy.release();
      await store.close();
      proxy.close();
    }
  });

describe.skipIf(server === null)('a read on PostgreSQL', () => {
  it('has its snapshot before it starts, however late the server begins it', () =>
    withProxiedStore(async (store, proxy, direct) => {
      // By then the connection of the first read is idle again, even if nothing awaited its commit.
      await pause(50);
      proxy.hold('requests');
      const read = store.read(1, async (db) => {
        await direct.write(1, addParcel);
        return parcels(db);
      });
      // If it did not wait for the server, the read would commit its write in this time.
      await vi
        .waitUntil(async () => (await direct.read(1, parcels)).length > 0, { timeout: 200 })
        .catch(() => undefined);
      proxy.release();
      expect(await read).toEqual([]);
      expect(await direct.read(1, parcels)).toEqual([{ name: 'North' }]);
    }));

  it('sends queries without waiting for the answers to earlier ones', () =>
    withProxiedStore(async (store, proxy) => {
      await store.read(1, async (db) => {
        proxy.hold('answers');
        const received = proxy.queriesReceived;
        const answers = Promise.all([parcels(db), parcels(db), parcels(db)]);
        await vi.waitUntil(() => proxy.queriesReceived === received + 3);
        proxy.release();
        await answers;
      });
    }));
});

describe.skipIf(server === null)('a transaction on PostgreSQL', () => {
  it.each(['read', 'write'] as const)('runs no query of a %s that could not be begun', (kind) =>
    withDatabase(async (store) => {
      const body = vi.fn(addParcel);
      const beginFails = { read: "1'", write: 'nonsense' }[kind] as never;
      await expect(store[kind](beginFails, body)).rejects.toThrow();
      expect(body).not.toHaveBeenCalled();
      expect(await store.read(1, parcels)).toEqual([]);
    }),
  );

  it.each(['read', 'write'] as const)(
    'fails a %s with the error of the query that failed first',
    (kind) =>
      withDatabase(async (store) => {
        const later: Promise<unknown>[] = [];
        const failing = store[kind](1, async (db) => {
          const failed = db.selectFrom('parcels').select(sql`1 / 0`.as('never')).execute();
          later.push(parcels(db));
          // The error of the second query arrives here before that of the first.
          await Promise.all([failed.finally(() => undefined).finally(() => undefined), ...later]);
        });
        await expect(failing).rejects.toThrow('division by zero');
        await expect(later[0]).rejects.toThrow('aborted by an earlier failure');
        expect(await store.read(1, parcels)).toEqual([]);
      }),
  );

  it('commits nothing after a failed query, even one that the body has caught', () =>
    withDatabase(async (store) => {
      const failing = store.write(1, async (db) => {
        const failed = db.selectFrom('parcels').select(sql`1 / 0`.as('never')).execute();
        await Promise.allSettled([failed, addParcel(db)]);
      });
      await expect(failing).rejects.toThrow('division by zero');
      expect(await store.read(1, parcels)).toEqual([]);
    }));

  it('notifies its observer of its start before its first query', () =>
    withDatabase(async (store) => {
      const events: string[] = [];
      const observer = {
        onConnectionAcquired: () => events.push('acquired'),
        onBegin: () => events.push('begun'),
        onQuery: () => events.push('query'),
      };
      await store.write(1, parcels, { observer });
      await store.write(1, async () => undefined, { observer });
      expect(events).toEqual(['acquired', 'begun', 'query', 'acquired', 'begun']);
    }));
});
