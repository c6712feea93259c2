import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openStore, type Store } from '../src/store/store.ts';
import { contentsOf } from './postgres/contents.ts';
import { withReadyStore } from './postgres/ready-stores.ts';
import { emptyStore } from './postgres.ts';
import { besides, copyOf, isOnPostgres, type Place } from './stores.ts';

/** Where a store is that was made before: whoever makes it leaves it closed, so that each test copies it. It goes with the run. */
export type Kept = () => Promise<string>;

const kept = (place: () => Promise<string>, make: (db: string) => Promise<unknown>): Kept => {
  let made: Promise<string> | undefined;
  const begin = async (): Promise<string> => {
    const db = await place();
    await make(db);
    return db;
  };
  return () => {
    made ??= begin();
    return made;
  };
};

const keptPlace = async (): Promise<string> => join(await mkdtemp(join(inject('runFolder'), 'kept-')), 'farm.db');

/** A store that is made once for all files of a process. */
export const keptStore = (make: (db: string) => Promise<unknown>): Kept =>
  kept(async () => (isOnPostgres ? (await emptyStore()).db : keptPlace()), make);

/** The file of a store without any row: to copy it takes a tenth of the time in which its tables are made. */
export const emptyFile: Kept = kept(keptPlace, async (db) => (await openStore({ db })).close());

/** A place with the tables of a store, without any row. */
export const newEmptyStore = async (): Promise<Place> => (isOnPostgres ? emptyStore() : copyOf(await emptyFile()));

/** Runs `body` with a store, where it is, and what is known of its rows. */
type WithKnown<Known> = <T>(body: (store: Store, db: string, known: Known) => Promise<T>) => Promise<T>;

/** Stores of one test each that begin with the same rows: `fill` makes them once for all files of a process. */
export function storesWith<Known>(fill: (store: Store) => Promise<Known>): WithKnown<Known> {
  return isOnPostgres ? databasesWith(fill) : filesWith(fill);
}

function filesWith<Known>(fill: (store: Store) => Promise<Known>): WithKnown<Known> {
  let known: Known;
  const filled = keptStore((db) =>
    besides(db, async (store) => {
      known = await fill(store);
    }),
  );
  return async (body) => {
    const { db, remove } = await copyOf(await filled());
    try {
      return await besides(db, (store) => body(store, db, known));
    } finally {
      await remove();
    }
  };
}

function databasesWith<Known>(fill: (store: Store) => Promise<Known>): WithKnown<Known> {
  let filled: Promise<{ known: Known; contents: string }> | undefined;
  const begin = () =>
    withReadyStore(null, async (store) => {
      const known = await fill(store);
      return { known, contents: await store.readAll(contentsOf) };
    });
  return async (body) => {
    filled ??= begin();
    const { known, contents } = await filled;
    return withReadyStore(contents, (store, db) => body(store, db, known));
  };
}

/** Runs `body` with a store that holds no company yet, and leaves nothing behind. */
export const withNewStore = storesWith(async () => undefined);
