import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile, afterTest } from './cleanup.ts';
import { copyStoreAt, newLocation, type StoreLocation } from './stores/stores.ts';

/** An empty folder for one test. */
export const newFolder = (): Promise<string> => makeFolder(afterTest);

/** An empty folder for all tests of a file. */
export const folderForFile = (): Promise<string> => makeFolder(afterFile);

async function makeFolder(after: typeof afterTest): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-acceptance-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A place for a store, for one test: the value of `--db`. */
export const newStorePlace = async (): Promise<string> => removeAfterTest(await newLocation());

/** A copy of a store that nobody has open, for one test. */
export const copyOfStore = async (db: string): Promise<string> => removeAfterTest(await copyStoreAt(db));

function removeAfterTest({ db, remove }: StoreLocation): string {
  afterTest(remove);
  return db;
}
