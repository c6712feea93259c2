import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { afterFile } from '../cleanup.ts';
import { emptyStore, type TestDatabase } from './postgres.ts';
import { restoreStatement } from './restore-statement.ts';
import { copyStoreAt, isOnPostgres, type StoreLocation, withSecondStore } from './stores.ts';

/** A store created once and left closed, so that each test copies it. */
type TemplateStore = () => Promise<string>;

const lazyTemplate = (
  place: () => Promise<string>,
  make: (db: string) => Promise<unknown>,
): TemplateStore => {
  let template: Promise<string> | undefined;
  const begin = async (): Promise<string> => {
    const db = await place();
    await make(db);
    return db;
  };
  return () => {
    template ??= begin();
    return template;
  };
};

const templateFile = async (): Promise<string> =>
  join(await mkdtemp(join(inject('runFolder'), 'kept-')), 'farm.db');

export const templateStore = (make: (db: string) => Promise<unknown>): TemplateStore =>
  lazyTemplate(async () => (isOnPostgres ? (await emptyStore()).db : templateFile()), make);

/** To copy it takes a tenth of the time that creating its tables takes. */
export const emptyTemplateFile: TemplateStore = lazyTemplate(templateFile, async (db) =>
  (await openStore({ db })).close(),
);

export const newEmptyStore = async (): Promise<StoreLocation> =>
  isOnPostgres ? emptyStore() : copyStoreAt(await emptyTemplateFile());

export async function emptyStoreForFile(): Promise<string> {
  const { db, remove } = await newEmptyStore();
  afterFile(remove);
  return db;
}

type Fill<Fixture> = (store: Store, db: string) => Promise<Fixture>;

type WithFixture<Fixture> = <T>(
  body: (store: Store, db: string, fixture: Fixture) => Promise<T>,
) => Promise<T>;

export function storesFilledWith<Fixture>(fill: Fill<Fixture>): WithFixture<Fixture> {
  return isOnPostgres ? databasesFilledWith(fill) : filesFilledWith(fill);
}

function filesFilledWith<Fixture>(fill: Fill<Fixture>): WithFixture<Fixture> {
  let fixture: Fixture;
  const filled = templateStore((db) =>
    withSecondStore(db, async (store) => {
      fixture = await fill(store, db);
    }),
  );
  return async (body) => {
    const { db, remove } = await copyStoreAt(await filled());
    try {
      return await withSecondStore(db, (store) => body(store, db, fixture));
    } finally {
      await remove();
    }
  };
}

function databasesFilledWith<Fixture>(fill: Fill<Fixture>): WithFixture<Fixture> {
  let filled: Promise<{ fixture: Fixture; contents: string }> | undefined;
  const begin = () =>
    withPooledStore(null, async (store, db) => {
      const fixture = await fill(store, db);
      return { fixture, contents: await store.readAll(restoreStatement) };
    });
  return async (body) => {
    filled ??= begin();
    const { fixture, contents } = await filled;
    return withPooledStore(contents, (store, db) => body(store, db, fixture));
  };
}

export const withNewStore = storesFilledWith(async () => undefined);

interface OpenStore extends TestDatabase {
  readonly store: Store;
}

/** Open stores for reuse: to connect takes longer than most tests. */
const idleStores: OpenStore[] = [];

async function openNewStore(): Promise<OpenStore> {
  const database = await emptyStore();
  return { ...database, store: await openStore(database) };
}

async function withPooledStore<T>(
  contents: string | null,
  body: (store: Store, db: string) => Promise<T>,
): Promise<T> {
  const occupied = await acquireStore(contents);
  try {
    return await body(occupied.store, occupied.db);
  } finally {
    idleStores.push(occupied);
  }
}

/** A store that cannot be filled, for example because a test closed it, is dropped. */
async function acquireStore(contents: string | null): Promise<OpenStore> {
  const next = contents === null ? undefined : idleStores.pop();
  const occupied = next ?? (await openNewStore());
  if (contents === null) return occupied;
  try {
    await occupied.store.writeAll((all) => sql.raw(contents).execute(all));
    return occupied;
  } catch (error) {
    await occupied.store.close();
    await occupied.remove();
    if (next === undefined) throw error;
    return acquireStore(contents);
  }
}
