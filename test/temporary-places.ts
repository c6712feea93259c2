import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile, afterTest } from './cleanup.ts';
import { copyStoreAt, newLocation, type StoreLocation } from './stores/stores.ts';

export const newFolder = (): Promise<string> => makeFolder(afterTest);

export const folderForFile = (): Promise<string> => makeFolder(afterFile);

async function makeFolder(after: typeof afterTest): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-acceptance-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const newStorePlace = async (): Promise<string> => removeAfterTest(await newLocation());

export const copyOfStore = async (db: string): Promise<string> =>
  removeAfterTest(await copyStoreAt(db));

function removeAfterTest({ db, remove }: StoreLocation): string {
  afterTest(remove);
  return db;
}
