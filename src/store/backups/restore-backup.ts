import { lstatSync } from 'node:fs';
import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BackupError } from '../../domain/backups/failures.ts';
import type { TableFigures } from '../../schema/backups/manifest.ts';
import { AcequiaError } from '../../schema/error.ts';
import { isRunning } from '../process-ids.ts';
import { releaseClosedFiles } from '../sqlite/connection.ts';
import { LOG_SUFFIXES } from '../sqlite/store-file.ts';
import { openStore, type Store } from '../store.ts';
import {
  backupErrorOf,
  copyPrivately,
  diskSpace,
  type StoredBackup,
  syncFolder,
} from './backup-folder.ts';
import { assertIntact } from './check-backup.ts';
import { type FigureDifference, sha256Of } from './file-contents.ts';
import { StoreSnapshot } from './snapshot.ts';

const COMPANION_SUFFIXES = ['-journal', ...LOG_SUFFIXES];

/** The store appears at its place once it is complete; a crash before leaves this file. */
const UNFINISHED = '.restoring-';

/** Also a link to nothing. */
const isTaken = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** A file that stands at the place of a store; null where there is none. */
export const fileAtPlace = (place: string): string | null =>
  [place, ...COMPANION_SUFFIXES.map((suffix) => place + suffix)].find(isTaken) ?? null;

/**
 * Makes a store of an intact copy. `adapt` changes it before it appears at the place, which must be
 * free. Throws a `BackupError`.
 */
export async function restoreBackup<T>(
  stored: StoredBackup,
  place: string,
  adapt: (store: Store) => Promise<T>,
): Promise<T> {
  const unfinished = `${place}${UNFINISHED}${process.pid}`;
  try {
    await assertIntact(stored);
    await removeUnfinishedOfOthers(place);
    await removeUnfinished(unfinished);
    await copyIntact(stored, unfinished);

    const result = await adaptStore(unfinished, adapt);
    await syncFile(unfinished);
    await putInPlace(unfinished, place);
    await syncFolder(dirname(place));
    return result;
  } catch (error) {
    await removeUnfinished(unfinished).catch(() => undefined);
    throw error instanceof AcequiaError ? error : backupErrorOf(error, dirname(place));
  }
}

async function removeUnfinished(path: string): Promise<void> {
  for (const suffix of ['', ...COMPANION_SUFFIXES]) await rm(path + suffix, { force: true });
}

/** What killed commands left. */
async function removeUnfinishedOfOthers(place: string): Promise<void> {
  const prefix = `${basename(place)}${UNFINISHED}`;
  for (const name of await readdir(dirname(place))) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    if (Number.isSafeInteger(pid) && !isRunning(pid))
      await removeUnfinished(join(dirname(place), name));
  }
}

/** What arrived is read again: the disk may be the reason why there is a restore. */
async function copyIntact({ path, manifest }: StoredBackup, target: string): Promise<void> {
  const space = await diskSpace(dirname(target));
  if (space !== null && space.free < manifest.bytes)
    throw new BackupError('disk_full', `no space left in ${dirname(target)}`);

  await copyPrivately(path, target);
  await syncFile(target);
  if ((await sha256Of(target)) !== manifest.sha256)
    throw new BackupError('copy_damaged', `${target}: its bytes differ from those of ${path}`);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

async function adaptStore<T>(file: string, adapt: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ db: file, isCopiedBeforeMigration: false });
  try {
    return await adapt(store);
  } finally {
    await store.close();
    // Until then the log may stay beside the file.
    await releaseClosedFiles();
  }
}

/** Another process may have made a store there in the meantime. */
async function putInPlace(unfinished: string, place: string): Promise<void> {
  const existing = fileAtPlace(place);
  if (existing !== null) throw appearedMeanwhile(existing);
  try {
    // A link replaces nothing, in one step.
    await link(unfinished, place);
    await rm(unfinished);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw appearedMeanwhile(place);
    // exFAT has no links.
    await rename(unfinished, place);
  }
}

const appearedMeanwhile = (path: string): BackupError =>
  new BackupError('unexpected', `${path} appeared meanwhile, so nothing was put there`);

/** The rows of a store at the place; null where the file is none. */
export async function figuresAt(file: string): Promise<TableFigures[] | null> {
  try {
    const snapshot = await StoreSnapshot.open(file);
    try {
      return await snapshot.figures();
    } finally {
      snapshot.close();
    }
  } catch {
    return null;
  }
}

export const hasMoreRows = ({ expected, found }: FigureDifference): boolean =>
  (found ?? 0) > (expected ?? 0);
