import { copyFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { repeatedGlobalQuery } from '../../../src/store/queries/prepared-query.ts';
import { retryWhileBusy } from '../../../src/store/sqlite/connection.ts';
import { sqliteStoreError } from '../../../src/store/sqlite/failures.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Tables } from '../../../src/store/tables.ts';
import { addParcel, parcelNames, withStore } from '../temporary-stores.ts';

describe('a write to a file', () => {
  it('is on disk when it resolves', () =>
    withStore(async (store, file) => {
      const settings = await store.writeAll(async (db) => ({
        ...((await sql`pragma synchronous`.execute(db)).rows[0] as object),
        ...((await sql`pragma journal_mode`.execute(db)).rows[0] as object),
        ...((await sql`pragma foreign_keys`.execute(db)).rows[0] as object),
      }));
      // 2 is FULL: the log is synchronised at every commit.
      expect(settings).toEqual({ synchronous: 2, journal_mode: 'wal', foreign_keys: 1 });
      await store.write(1, addParcel('North'));
      const otherConnection = new DatabaseSync(file, { readOnly: true });
      expect(otherConnection.prepare('select name from parcels').all()).toEqual([
        { name: 'North' },
      ]);
      otherConnection.close();
    }));

  it('waits for another program, unlike reads', () =>
    withStore(async (store, file) => {
      const other = new DatabaseSync(file);
      other.exec("begin immediate; insert into parcels (company_id, name) values (1, 'Theirs')");
      const write = store.write(1, addParcel('Ours'));
      // SQLite's own waiting would block the event loop, and these reads, as long as the lock.
      for (let i = 0; i < 5; i++) {
        expect(await store.read(1, parcelNames)).toEqual([]);
        await pause(20);
      }
      other.exec('commit');
      await write;
      expect(await store.read(1, parcelNames)).toEqual(['Theirs', 'Ours']);
      other.close();
    }));
});

describe.each(['read', 'write'] as const)('a long %s of a file', (side) => {
  it('lets others run between its statements', () =>
    withStore(async (store) => {
      let turns = 0;
      const count = (): void => {
        turns++;
        timer = setImmediate(count);
      };
      let timer = setImmediate(count);
      await store[side](1, async (db) => {
        const begun = performance.now();
        while (performance.now() - begun < 200) await parcelNames(db);
        expect(turns).toBeGreaterThan(1);
      }).finally(() => clearImmediate(timer));
    }));
});

describe('a read of a file', () => {
  it('does not wait for the write lock of another program', () =>
    withStore(async (store, file) => {
      const other = new DatabaseSync(file);
      other.exec('begin immediate');
      expect(await store.read(1, parcelNames)).toEqual([]);
      other.exec('rollback');
      other.close();
    }));
});

describe('closing a file', () => {
  it('leaves everything in one file, and can be repeated', () =>
    withStore(async (store, file) => {
      await store.write(1, addParcel('North'));
      await Promise.all([store.close(), store.close()]);
      await copyFile(file, `${file}.copy`);
      const copy = await openStore({ db: `${file}.copy` });
      expect(await copy.read(1, parcelNames)).toEqual(['North']);
      await copy.close();
    }));
});

describe('waiting for a busy file', () => {
  const busy = () =>
    Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });

  it('ends with the first attempt that succeeds', async () => {
    let tries = 0;
    const answer = await retryWhileBusy(() => {
      if (++tries < 4) throw busy();
      return 'free';
    });
    expect(answer).toBe('free');
    expect(tries).toBe(4);
  });

  it('ends at the timeout, with an error that names the cause', async () => {
    const failure = await retryWhileBusy(
      () => {
        throw busy();
      },
      { timeoutMs: 50 },
    ).catch((error: unknown) => sqliteStoreError(error, '/data/acequia.db'));
    expect(failure).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('locked by another program'),
    });
  });

  it('does not retry other errors', async () => {
    let tries = 0;
    const failing = retryWhileBusy(() => {
      tries++;
      throw new Error('no such table');
    });
    await expect(failing).rejects.toThrow('no such table');
    expect(tries).toBe(1);
  });
});

describe('a query that calls repeat', () => {
  const companiesCalled = repeatedGlobalQuery((db, name: string) =>
    db.selectFrom('companies').select(['id', 'name']).where('name', '=', name),
  );

  it('runs again only after a commit, of this program or another, and never in a write', () =>
    withStore(async (store, file) => {
      let queries = 0;
      const observer = {
        onConnectionAcquired: () => undefined,
        onBegin: () => undefined,
        onQuery: () => void queries++,
      };
      const read = () => store.readAll((all) => companiesCalled(all, 'Mas Neuf'), { observer });
      const rename = (from: string, to: string) => (all: Kysely<Tables>) =>
        all.updateTable('companies').set({ name: to }).where('name', '=', from).execute();
      const [first] = await store.readAll((all) =>
        all.selectFrom('companies').selectAll().execute(),
      );

      for (let i = 0; i < 3; i++) expect(await read()).toEqual([]);
      expect(queries).toBe(1);

      await store.writeAll(rename(first!.name, 'Mas Neuf'));
      for (let i = 0; i < 3; i++) expect(await read()).toEqual([{ id: 1, name: 'Mas Neuf' }]);
      expect(queries).toBe(2);

      const another = await openStore({ db: file });
      await another.writeAll(rename('Mas Neuf', 'Mas Vieux'));
      await another.close();
      for (let i = 0; i < 3; i++) expect(await read()).toEqual([]);
      expect(queries).toBe(3);

      await store.writeAll(async (all) => {
        expect(await companiesCalled(all, 'Mas Neuf')).toEqual([]);
        await rename('Mas Vieux', 'Mas Neuf')(all);
        expect(await companiesCalled(all, 'Mas Neuf')).toEqual([{ id: 1, name: 'Mas Neuf' }]);
      });
    }));
});
