import { copyFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { whileBusy } from '../../src/store/busy.ts';
import { storeFailure } from '../../src/store/failures.ts';
import { openStore } from '../../src/store/store.ts';
import type { CompanyDb } from '../../src/store/tables.ts';
import { withStore } from './temporary.ts';

const addParcel = (name: string) => (db: CompanyDb) => db.insertInto('parcels').values({ name }).execute();

const parcelNames = async (db: CompanyDb) =>
  (await db.selectFrom('parcels').select('name').orderBy('id').execute()).map(({ name }) => name);

describe('a write', () => {
  it('is undone whole when its body throws', () =>
    withStore(async (store) => {
      const failing = store.write(1, async (db) => {
        await addParcel('North')(db);
        throw new Error('second thoughts');
      });
      await expect(failing).rejects.toThrow('second thoughts');
      expect(await store.read(1, parcelNames)).toEqual([]);
    }));

  it('after one that failed is kept', () =>
    withStore(async (store) => {
      await store.write(1, addParcel('North'));
      await expect(store.write(1, addParcel('North'))).rejects.toThrow('UNIQUE');
      await store.write(1, addParcel('South'));
      expect(await store.read(1, parcelNames)).toEqual(['North', 'South']);
    }));

  it('is on disk when it is answered', () =>
    withStore(async (store, file) => {
      const settings = await store.writeAll(async (db) => ({
        ...((await sql`pragma synchronous`.execute(db)).rows[0] as object),
        ...((await sql`pragma journal_mode`.execute(db)).rows[0] as object),
        ...((await sql`pragma foreign_keys`.execute(db)).rows[0] as object),
      }));
      // 2 is FULL: the log is synchronised at every commit.
      expect(settings).toEqual({ synchronous: 2, journal_mode: 'wal', foreign_keys: 1 });
      await store.write(1, addParcel('North'));
      const beside = new DatabaseSync(file, { readOnly: true });
      expect(beside.prepare('select name from parcels').all()).toEqual([{ name: 'North' }]);
      beside.close();
    }));

  it('waits its turn behind those asked before', () =>
    withStore(async (store) => {
      const names = Array.from({ length: 50 }, (_, i) => `P${i}`);
      await Promise.all(names.map((name) => store.write(1, addParcel(name))));
      expect(await store.read(1, parcelNames)).toEqual(names);
    }));

  it('sees what it wrote, while reads do not until it is done', () =>
    withStore(async (store) => {
      await store.write(1, async (db) => {
        await addParcel('North')(db);
        expect(await parcelNames(db)).toEqual(['North']);
        expect(await store.read(1, parcelNames)).toEqual([]);
      });
      expect(await store.read(1, parcelNames)).toEqual(['North']);
    }));

  it('waits for another program, while reads are answered', () =>
    withStore(async (store, file) => {
      const other = new DatabaseSync(file);
      other.exec("begin immediate; insert into parcels (company_id, name) values (1, 'Theirs')");
      const write = store.write(1, addParcel('Ours'));
      // SQLite's own waiting would hold the event loop, and these reads, for as long as the lock.
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

describe('a read', () => {
  it('sees one snapshot, also of what is written meanwhile', () =>
    withStore(async (store) => {
      await store.write(1, addParcel('North'));
      await store.read(1, async (db) => {
        await store.write(1, addParcel('South'));
        expect(await parcelNames(db)).toEqual(['North']);
        expect(await parcelNames(db)).toEqual(['North']);
      });
      expect(await store.read(1, parcelNames)).toEqual(['North', 'South']);
    }));

  it('is answered while others last', () =>
    withStore(async (store) => {
      await store.write(1, addParcel('North'));
      let end = () => {};
      const long = new Promise<void>((resolve) => {
        end = resolve;
      });
      const lasting = [1, 2].map(() => store.read(1, () => long));
      // Would wait for ever behind the others.
      expect(await Promise.all([store.read(1, parcelNames), store.read(1, parcelNames)])).toEqual([
        ['North'],
        ['North'],
      ]);
      end();
      await Promise.all(lasting);
    }));

  it('takes its turn where many last, and is answered when one of them ends', () =>
    withStore(async (store) => {
      const ends: (() => void)[] = [];
      const lasting = Array.from({ length: 9 }, () =>
        store.read(1, () => new Promise<void>((resolve) => ends.push(resolve))),
      );
      const after = store.read(1, parcelNames);
      while (ends.length < 9) {
        await pause(1);
        for (const end of ends) end();
      }
      await Promise.all(lasting);
      expect(await after).toEqual([]);
    }));

  it('cannot write', () =>
    withStore(async (store) => {
      await expect(store.read(1, addParcel('North'))).rejects.toThrow();
      expect(await store.read(1, parcelNames)).toEqual([]);
    }));

  it('is answered while another program holds the write lock', () =>
    withStore(async (store, file) => {
      const other = new DatabaseSync(file);
      other.exec('begin immediate');
      expect(await store.read(1, parcelNames)).toEqual([]);
      other.exec('rollback');
      other.close();
    }));
});

describe('closing', () => {
  it('finishes what runs and what was asked, then refuses', () =>
    withStore(async (store, file) => {
      const writes = ['North', 'South'].map((name) =>
        store.write(1, async (db) => {
          await pause(10);
          await addParcel(name)(db);
        }),
      );
      const read = store.read(1, parcelNames);
      const closed = store.close();
      await expect(store.write(1, addParcel('Late'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      await Promise.all([...writes, closed]);
      expect(await read).toEqual([]);

      const again = await openStore({ file });
      expect(await again.read(1, parcelNames)).toEqual(['North', 'South']);
      await again.close();
    }));

  it('leaves everything in the one file, and may be asked for twice', () =>
    withStore(async (store, file) => {
      await store.write(1, addParcel('North'));
      await Promise.all([store.close(), store.close()]);
      await copyFile(file, `${file}.copy`);
      const copy = await openStore({ file: `${file}.copy` });
      expect(await copy.read(1, parcelNames)).toEqual(['North']);
      await copy.close();
    }));
});

describe('waiting for a busy file', () => {
  const busy = () => Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });

  it('ends with the first attempt that succeeds', async () => {
    let tries = 0;
    const answer = await whileBusy(() => {
      if (++tries < 4) throw busy();
      return 'free';
    });
    expect(answer).toBe('free');
    expect(tries).toBe(4);
  });

  it('ends when patience does, with an error that says who is in the way', async () => {
    const failure = await whileBusy(() => {
      throw busy();
    }, 50).catch((error: unknown) => storeFailure(error, '/data/acequia.db'));
    expect(failure).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('held by another program'),
    });
  });

  it('does not wait for another failure', async () => {
    let tries = 0;
    const failing = whileBusy(() => {
      tries++;
      throw new Error('no such table');
    });
    await expect(failing).rejects.toThrow('no such table');
    expect(tries).toBe(1);
  });
});
