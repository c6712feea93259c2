import { describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';
import { setReadOnly } from '../../stores/postgres.ts';
import { queryOnce } from '../../stores/postgres-server.ts';
import { addParcel, parcelNames, server, withDatabase } from '../temporary-stores.ts';

const refused = {
  code: 'STORE_UNAVAILABLE',
  status: 503,
  message: expect.stringContaining('accepts no writes'),
};

/** A store that opened its connections while the server was read-only. */
const withReadOnlyServer = (body: (store: Store, db: string) => Promise<void>): Promise<void> =>
  withDatabase(async (_, db) => {
    await setReadOnly(db, 'on');
    const store = await openStore({ db });
    try {
      await body(store, db);
    } finally {
      await store.close();
      await setReadOnly(db, 'off');
    }
  });

describe.skipIf(server === null)('a server that accepts no writes', () => {
  it('is read, and refuses writes until it accepts them, without a new store', () =>
    withReadOnlyServer(async (store, db) => {
      expect(await store.read(1, parcelNames)).toEqual([]);
      await expect(store.write(1, addParcel('North'))).rejects.toMatchObject(refused);

      await setReadOnly(db, 'off');

      await store.write(1, addParcel('South'));
      expect(await store.read(1, parcelNames)).toEqual(['South']);
    }));

  it('has the write tried again on a new connection, and written once', () =>
    withReadOnlyServer(async (store, db) => {
      let runs = 0;
      await store.write(1, async (company) => {
        if (++runs === 1) await setReadOnly(db, 'off');
        await addParcel('North')(company);
      });
      expect(runs).toBe(2);
      expect(await store.read(1, parcelNames)).toEqual(['North']);
    }));

  it('is not ready, and is once it accepts writes', () =>
    withReadOnlyServer(async (store, db) => {
      await expect(store.checkWritable()).rejects.toMatchObject(refused);
      await setReadOnly(db, 'off');
      await store.checkWritable();
    }));

  it('is not ready although the store had a connection that could write', () =>
    withDatabase(async (store, db) => {
      await store.checkWritable();
      await setReadOnly(db, 'on');
      try {
        await endConnections(db);
        await expect(store.checkWritable()).rejects.toMatchObject(refused);
      } finally {
        await setReadOnly(db, 'off');
      }
      await store.checkWritable();
    }));
});

const endConnections = (db: string): Promise<unknown> =>
  queryOnce(
    db,
    `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name = 'acequia'`,
  );
