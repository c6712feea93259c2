import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';
import { addParcel, parcelNames, server, withDatabase } from '../temporary-stores.ts';
import { ServerProxy } from './server-proxy.ts';

const terminateOtherConnections = async (store: Store): Promise<number> =>
  store.readAll(async (all) => {
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'acequia'`.execute(
      all,
    );
    return rows.length;
  });

const withTwoStores = (body: (store: Store, other: Store) => Promise<void>) =>
  withDatabase(async (store, db) => {
    const other = await openStore({ db });
    try {
      await body(store, other);
    } finally {
      await other.close();
    }
  });

describe.skipIf(server === null)('a lost connection', () => {
  it('does no harm while it is idle', () =>
    withTwoStores(async (store, other) => {
      await store.write(1, addParcel('North'));
      expect(await store.read(1, parcelNames)).toEqual(['North']);
      expect(await terminateOtherConnections(other)).toBeGreaterThan(0);
      await store.write(1, addParcel('South'));
      expect(await store.read(1, parcelNames)).toEqual(['North', 'South']);
    }));

  it('during a read has it retried, in a new snapshot', () =>
    withTwoStores(async (store, other) => {
      let runs = 0;
      const names = await store.read(1, async (db) => {
        if (++runs > 1) return parcelNames(db);
        await parcelNames(db);
        await other.write(1, addParcel('North'));
        await terminateOtherConnections(other);
        return parcelNames(db);
      });
      expect({ runs, names }).toEqual({ runs: 2, names: ['North'] });
    }));

  it('during a write has it retried, and written once', () =>
    withTwoStores(async (store, other) => {
      let runs = 0;
      await store.write(1, async (db) => {
        await addParcel('North')(db);
        if (++runs === 1) await terminateOtherConnections(other);
        await addParcel('South')(db);
      });
      expect(runs).toBe(2);
      expect(await store.read(1, parcelNames)).toEqual(['North', 'South']);
    }));

  it('before the commit has the write retried', () =>
    withTwoStores(async (store, other) => {
      let runs = 0;
      await store.write(1, async (db) => {
        await addParcel('North')(db);
        if (++runs > 1) return;
        await terminateOtherConnections(other);
        // The client notices the end of a connection a moment later.
        await expect(parcelNames(db)).rejects.toThrow();
      });
      expect(runs).toBe(2);
      expect(await store.read(1, parcelNames)).toEqual(['North']);
    }));

  it('during the commit is reported as possibly saved, without a retry', () =>
    withTwoStores(async (store, other) => {
      // The commit takes as long as this check, which runs first.
      await store.writeAll(async (all) => {
        await sql
          .raw(`create function slow() returns trigger language plpgsql as
          $$ begin perform pg_advisory_xact_lock(7); return null; end $$`)
          .execute(all);
        await sql
          .raw(`create constraint trigger slow after insert on parcels deferrable initially deferred
          for each row execute function slow()`)
          .execute(all);
      });
      let runs = 0;
      try {
        await other.writeUnlocked(async (all) => {
          await sql`select pg_advisory_xact_lock(7)`.execute(all);
          const write = store.write(1, (db) => {
            runs++;
            return addParcel('North')(db);
          });
          const refused = expect(write).rejects.toMatchObject({
            code: 'STORE_UNAVAILABLE',
            status: 503,
            message: expect.stringContaining('may have been saved'),
            hint: expect.stringContaining('idempotencyKey'),
          });
          const waiting = sql<{
            pid: number;
          }>`select pid from pg_locks where locktype = 'advisory' and not granted
            and objid = 7 and database = (select oid from pg_database where datname = current_database())`;
          for (;;) {
            const { rows } = await waiting.execute(all);
            if (rows.length === 0) continue;
            await sql`select pg_terminate_backend(${rows[0]!.pid}::integer)`.execute(all);
            break;
          }
          await refused;
        });
      } finally {
        await store.writeAll((all) => sql`drop function slow cascade`.execute(all));
      }
      expect(runs).toBe(1);
      // It was not: the server ended it during the check.
      expect(await store.read(1, parcelNames)).toEqual([]);
    }));
});

describe.skipIf(server === null)('an unreachable server', () => {
  it('is a clear error of each call, until it can be reached again', () =>
    withDatabase(async (_, db) => {
      const proxy = new ServerProxy(db);
      await proxy.open();
      const store = await openStore({ db: proxy.url });
      try {
        await store.write(1, addParcel('North'));
        proxy.close();
        const gone = {
          code: 'STORE_UNAVAILABLE',
          status: 503,
          hint: expect.stringContaining('PostgreSQL runs'),
        };
        await Promise.all([
          expect(store.read(1, parcelNames)).rejects.toMatchObject(gone),
          expect(store.write(1, addParcel('South'))).rejects.toMatchObject(gone),
        ]);
        await expect(openStore({ db: proxy.url })).rejects.toMatchObject(gone);
        await proxy.open();
        expect(await store.read(1, parcelNames)).toEqual(['North']);
        await store.write(1, addParcel('South'));
        expect(await store.read(1, parcelNames)).toEqual(['North', 'South']);
      } finally {
        await store.close();
        proxy.close();
      }
    }));
});
