import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { afterFile } from '../cleanup.ts';
import { emptyStore } from './postgres.ts';
import { restoreStatement } from './restore-statement.ts';
import { withPooledStore } from './store-pool.ts';
import { copyStoreAt, isOnPostgres, type StoreLocation, withSecondStore } from './stores.ts';

/** A store created once and left closed, so that each test copies it. */
export type TemplateStore = () => Promise<string>;

const lazyTemplate = (place: () => Promise<string>, make: (db: string) => Promise<unknown>): TemplateStore => {
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

const templateFile = async (): Promise<string> => join(await mkdtemp(join(inject('runFolder'), 'kept-')), 'farm.db');

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

type Fill<Known> = (store: Store, db: string) => Promise<Known>;

type WithFixture<Known> = <T>(body: (store: Store, db: string, known: Known) => Promise<T>) => Promise<T>;

export function storesFilledWith<Known>(fill: Fill<Known>): WithFixture<Known> {
  return isOnPostgres ? databasesFilledWith(fill) : filesFilledWith(fill);
}

function filesFilledWith<Known>(fill: Fill<Known>): WithFixture<Known> {
  let known: Known;
  const filled = templateStore((db) =>
    withSecondStore(db, async (store) => {
      known = await fill(store, db);
    }),
  );
  return async (body) => {
    const { db, remove } = await copyStoreAt(await filled());
    try {
      return await withSecondStore(db, (store) => body(store, db, known));
    } finally {
      await remove();
    }
  };
}

function databasesFilledWith<Known>(fill: Fill<Known>): WithFixture<Known> {
  let filled: Promise<{ known: Known; contents: string }> | undefined;
  const begin = () =>
    withPooledStore(null, async (store, db) => {
      const known = await fill(store, db);
      return { known, contents: await store.readAll(restoreStatement) };
    });
  return async (body) => {
    filled ??= begin();
    const { known, contents } = await filled;
    return withPooledStore(contents, (store, db) => body(store, db, known));
  };
}

export const withNewStore = storesFilledWith(async () => undefined);
