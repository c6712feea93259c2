import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { addParcel, onEachStore, parcelNames } from './temporary-stores.ts';

const FUTURE = "insert into kysely_migration values ('9999-from-the-future', '2199-01-01')";
const PRESENT = "delete from kysely_migration where name = '9999-from-the-future'";

const newerStore = {
  code: 'STORE_UNAVAILABLE',
  message: expect.stringContaining('a newer Acequia'),
  hint: expect.stringContaining('Update Acequia'),
};

const locked = {
  code: 'STORE_UNAVAILABLE',
  message: expect.stringContaining('locked by another program for more than 30 seconds'),
};

interface OtherProgram {
  run(statement: string): Promise<unknown>;
  end(): Promise<void>;
}

async function otherProgram(db: string, isOnServer: boolean): Promise<OtherProgram> {
  if (isOnServer) {
    const client = new pg.Client(db);
    await client.connect();
    return { run: (statement) => client.query(statement), end: () => client.end() };
  }
  const database = new DatabaseSync(db, { timeout: 10_000 });
  return {
    run: async (statement) => database.exec(statement),
    end: async () => database.close(),
  };
}

async function withOther<T>(
  [db, isOnServer]: readonly [string, boolean],
  body: (other: OtherProgram) => Promise<T>,
): Promise<T> {
  const other = await otherProgram(db, isOnServer);
  try {
    return await body(other);
  } finally {
    // Databases are used again.
    await other.run(PRESENT);
    await other.end();
  }
}

const kindsOfWrites = (store: Store) => {
  const update = async () => undefined;
  return [
    store.write(1, addParcel('West')),
    store.writeUnscoped(1, update),
    store.writeAll(update),
    store.writeUnlocked(update),
  ];
};

const ALL_REFUSED = Array.from({ length: 4 }, () => ({
  status: 'rejected',
  reason: expect.objectContaining(newerStore),
}));

const realNow = performance.now.bind(performance);

/** Measures durations as if the program had started so much earlier. */
const letPass = (ms: number): unknown =>
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms);

onEachStore((withStore, isOnServer) => {
  const beginMigration = isOnServer
    ? 'begin; select pg_advisory_xact_lock(1094927702, 0)'
    : 'begin immediate';
  const lockTable = isOnServer
    ? 'begin; lock table waterings in exclusive mode'
    : 'begin immediate';

  it('reads, and refuses every write, once a newer program has migrated the store', () =>
    withStore((store, db) =>
      withOther([db, isOnServer], async (other) => {
        await store.write(1, addParcel('North'));
        await other.run(FUTURE);

        expect(await Promise.allSettled(kindsOfWrites(store))).toEqual(ALL_REFUSED);
        await expect(store.checkWritable()).rejects.toMatchObject(newerStore);
        expect(await store.read(1, parcelNames)).toEqual(['North']);
      }),
    ));

  it('refuses the writes that waited for the migration', () =>
    withStore((store, db) =>
      withOther([db, isOnServer], async (other) => {
        await other.run(beginMigration);
        const writes = Promise.allSettled(kindsOfWrites(store));
        await other.run(FUTURE);
        await other.run('commit');

        expect(await writes).toEqual(ALL_REFUSED);
        expect(await store.read(1, parcelNames)).toEqual([]);
      }),
    ));

  it('does not accept writes once another program has held a lock for 30 s, until it is released', () =>
    withStore((store, db) =>
      withOther([db, isOnServer], async (other) => {
        await store.checkWritable();
        await other.run(lockTable);
        await store.checkWritable();
        letPass(20_000);
        await store.checkWritable();
        letPass(31_000);
        await expect(store.checkWritable()).rejects.toMatchObject(locked);

        await other.run('rollback');
        await store.checkWritable();
        await other.run(lockTable);
        await store.checkWritable();
      }),
    ).finally(() => vi.restoreAllMocks()));

  it('counts the time for which a write has waited for the lock', () =>
    withStore((store, db) =>
      withOther([db, isOnServer], async (other) => {
        await other.run(lockTable);
        await store.checkWritable();
        const waiting = store.write(1, (company) =>
          company.deleteFrom('waterings').where('id', '=', 1).execute(),
        );
        letPass(31_000);
        await expect(store.checkWritable()).rejects.toMatchObject(locked);
        await other.run('rollback');
        await waiting.catch(() => undefined);
        await store.checkWritable();
      }),
    ).finally(() => vi.restoreAllMocks()));
});
