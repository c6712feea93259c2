import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';
import { lacksPgBouncer, type PoolMode, withPgBouncer } from '../../stores/pgbouncer.ts';
import { addParcel, parcelNames, server, withDatabase } from '../temporary-stores.ts';

const cannotRun = server === null || lacksPgBouncer;

async function withStoreAt<T>(db: string, body: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ db });
  try {
    return await body(store);
  } finally {
    await store.close();
  }
}

async function settingsInForce(store: Store, names: readonly string[]) {
  const shown = names.map((name) =>
    store.readAll(async (all) => (await sql.raw(`show ${name}`).execute(all)).rows[0] as object),
  );
  return Object.assign({}, ...(await Promise.all(shown)));
}

const refusedMode = {
  code: 'STORE_UNAVAILABLE',
  message: expect.stringContaining('a pooler that is not in session mode'),
  hint: expect.stringContaining('pool_mode = session'),
};

describe.skipIf(cannotRun)('through PgBouncer in session mode', () => {
  it('a store works, with the settings of its sessions in force', () =>
    withDatabase((_, direct) =>
      withPgBouncer(direct, { pool_mode: 'session' }, ({ url }) =>
        withStoreAt(url, async (store) => {
          const names = Array.from({ length: 30 }, (_, index) => `North ${index}`);
          await Promise.all(names.map((name) => store.write(1, addParcel(name))));
          const read = await Promise.all(names.map(() => store.read(1, parcelNames)));
          expect(read.every((found) => found.length === names.length)).toBe(true);
          await store.checkWritable();

          const expected = {
            statement_timeout: '2min',
            lock_timeout: '30s',
            idle_in_transaction_session_timeout: '1min',
            TimeZone: 'UTC',
            row_security: 'on',
            extra_float_digits: '1',
            max_parallel_workers_per_gather: '0',
            jit: 'off',
            plan_cache_mode: 'force_generic_plan',
            search_path: 'public',
          };
          expect(await settingsInForce(store, Object.keys(expected))).toEqual(expected);
        }),
      ),
    ));

  it('a store has the time-outs that its address names', () =>
    withDatabase((_, direct) =>
      withPgBouncer(direct, { pool_mode: 'session' }, ({ url }) =>
        withStoreAt(`${url}?statement_timeout=60000`, async (store) => {
          const names = ['statement_timeout', 'lock_timeout'];
          const shown = await settingsInForce(store, names);
          expect(shown).toEqual({ statement_timeout: '1min', lock_timeout: '30s' });
        }),
      ),
    ));

  it('a store is refused in the words of the pooler', () =>
    withDatabase((_, direct) =>
      withPgBouncer(direct, { pool_mode: 'session' }, async ({ url }) => {
        const db = `${url}?options=-cwork_mem%3D8MB`;
        await expect(openStore({ db })).rejects.toMatchObject({
          code: 'STORE_UNAVAILABLE',
          message: expect.stringContaining('unsupported startup parameter: options'),
        });
      }),
    ));

  it('a store is told that the pool is too small for it', () =>
    withDatabase((_, direct) => {
      const settings = { pool_mode: 'session', default_pool_size: 1 } as const;
      return withPgBouncer(direct, settings, async ({ url }) => {
        await expect(openStore({ db: url })).rejects.toMatchObject({
          code: 'STORE_UNAVAILABLE',
          message: expect.stringContaining('did not answer for 5 seconds'),
          hint: expect.stringContaining('default_pool_size'),
        });
      });
    }));
});

describe.skipIf(cannotRun)('through PgBouncer in another mode', () => {
  it.each<[PoolMode, number]>([
    ['transaction', 0],
    ['transaction', 1],
    ['statement', 0],
  ])('a store is refused: %s, round robin %i', (pool_mode, server_round_robin) =>
    withDatabase((_, direct) =>
      withPgBouncer(direct, { pool_mode, server_round_robin }, async ({ url }) => {
        await expect(openStore({ db: url })).rejects.toMatchObject(refusedMode);
        // Many that start at the same time are given several connections in any order.
        const opened = Array.from({ length: 10 }, () => openStore({ db: url }));
        for (const attempt of await Promise.allSettled(opened))
          expect(attempt).toMatchObject({ status: 'rejected', reason: refusedMode });
      }),
    ),
  );

  it('a store that is open is not ready, and its calls are refused', () =>
    withDatabase((_, direct) =>
      withPgBouncer(direct, { pool_mode: 'session' }, ({ url, setMode }) =>
        withStoreAt(url, async (store) => {
          await store.write(1, addParcel('North'));
          await store.checkWritable();
          await setMode('transaction');

          // Alone, the check could be given its own connection to the server every time.
          const check = async () => {
            const calls = Array.from({ length: 40 }, () => store.read(1, parcelNames));
            const checked = store.checkWritable().catch((error) => error);
            for (const call of await Promise.allSettled(calls))
              if (call.status === 'rejected') expect(call.reason).toMatchObject(refusedMode);
            return checked;
          };
          await expect.poll(check, { timeout: 20_000 }).toMatchObject(refusedMode);
        }),
      ),
    ));
});
