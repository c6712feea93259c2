import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { newDatabase } from '../../stores/postgres.ts';
import { queryOnce } from '../../stores/postgres-server.ts';
import { addParcel, parcelNames, server } from '../temporary-stores.ts';

async function withNewDatabase(
  what: 'nothing' | 'tables',
  body: (db: string) => Promise<void>,
): Promise<void> {
  const { db, remove } = await newDatabase(what);
  try {
    await body(db);
  } finally {
    await remove();
  }
}

/** Sets the path for sessions that begin from now on. */
const setPath = (db: string, path: string): Promise<unknown> =>
  queryOnce(db, `alter database ${new URL(db).pathname.slice(1)} set search_path = ${path}`);

const endSessions = (db: string): Promise<unknown> =>
  queryOnce(
    db,
    `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
  );

const namesIn = async (db: string): Promise<string[]> => {
  const store = await openStore({ db });
  return store.read(1, parcelNames).finally(() => store.close());
};

describe.skipIf(server === null)('a search path that no longer leads to the tables', () => {
  it('changes nothing for a store that is open, nor for one that is opened', () =>
    withNewDatabase('tables', async (db) => {
      const store = await openStore({ db });
      try {
        await store.writeAll((all) =>
          all.insertInto('companies').values({ name: 'Mas Rouge' }).execute(),
        );
        await queryOnce(db, 'create schema empty');
        await setPath(db, 'empty');
        await endSessions(db);

        await store.write(1, addParcel('North'));
        expect(await store.read(1, parcelNames)).toEqual(['North']);
        await store.checkWritable();
        expect(await namesIn(db)).toEqual(['North']);
      } finally {
        await store.close();
      }
    }));

  it('is obeyed where it was named with the address', () =>
    withNewDatabase('tables', async (db) => {
      await queryOnce(db, 'create schema trial');
      const trial = `${db}?options=-csearch_path%3Dtrial`;
      expect(await namesIn(trial)).toEqual([]);
      const created = `select count(*)::int from pg_tables where schemaname = 'trial' and tablename = 'waterings'`;
      expect(await queryOnce(db, created)).toEqual([{ count: 1 }]);
    }));

  it('is refused if several schemas hold tables', () =>
    withNewDatabase('tables', async (db) => {
      await queryOnce(db, 'create schema trial; create schema empty');
      await namesIn(`${db}?options=-csearch_path%3Dtrial`);
      expect(await namesIn(db)).toEqual([]);
      await setPath(db, 'empty');

      await expect(openStore({ db })).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('Several schemas'),
        hint: expect.stringContaining('search_path'),
      });
    }));

  it('is refused if it leads nowhere and there are no tables yet', () =>
    withNewDatabase('nothing', async (db) => {
      await setPath(db, 'missing');
      await expect(openStore({ db })).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('names no schema that exists'),
      });
    }));
});
