import { type BigIntStats, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { quote } from '../../language/text.ts';
import { invalidInput } from '../../schema/error.ts';
import { isPostgresUrl } from '../../store/store-location.ts';

/** SQLite keeps its write-ahead log, the log's index and a rollback journal beside the file. */
const STORE_FILE_SUFFIXES = ['', '-wal', '-shm', '-journal'];

/**
 * Throws invalid_parameter if writing `output` would overwrite a file of one of these stores, under whatever name or link, or
 * the write-ahead log of any file.
 */
export function refuseStoreFile(output: string, option: string, stores: readonly string[]): void {
  if (isPostgresUrl(output)) return;
  const target = realLocation(output);
  const owner = target.replace(/-(wal|shm|journal)$/, '');
  const store = [
    ...stores.filter((db) => !isPostgresUrl(db)),
    ...(owner !== target && existsSync(owner) ? [owner] : []),
  ].find((db) => STORE_FILE_SUFFIXES.some((suffix) => isSameFile(target, realLocation(realLocation(db) + suffix))));
  if (store === undefined) return;
  throw invalidInput('invalid_parameter', `${quote(output)} is a file of the store ${store}.`, {
    hint: `Nothing was written. Give ${option} another name.`,
    field: option,
  });
}

/** With links resolved; a missing file is resolved by its folder. */
function realLocation(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const absolute = resolve(path);
    if (dirname(absolute) === absolute) return absolute;
    return join(realLocation(dirname(absolute)), basename(absolute));
  }
}

function isSameFile(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [fileStats(one), fileStats(other)];
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino;
}

const fileStats = (path: string): BigIntStats | undefined => {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A part of the path is not a folder: writing there fails by itself.
    return undefined;
  }
};
