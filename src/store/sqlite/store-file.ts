import {
  accessSync,
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { say, verbatim } from '../../domain/text/say.ts';
import { storeUnavailableError } from '../../schema/error.ts';

/** Identifies a file regardless of its names and links. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>;

/** The write-ahead log and its index, which SQLite keeps beside the file. */
export const LOG_SUFFIXES = ['-wal', '-shm'] as const;

/** Null if there is no file, or its path cannot be followed. */
export function identityOf(path: string): FileIdentity | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

export const isSameFile = (one: FileIdentity | null, other: FileIdentity | null): boolean =>
  one !== null && other !== null && one.dev === other.dev && one.ino === other.ino;

/** Read and write for the owner alone. */
const OWNER_ONLY = 0o600;

const GROUP_AND_OTHERS = 0o077;

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/**
 * Creates a missing file so that only its owner may read and write it; SQLite gives the write-ahead
 * log and its index the same permissions. Where a process that could only read the file left them
 * behind, they get the file's permissions again.
 */
export function ensureFile(file: string): void {
  // SQLite's name for a database in memory, which is refused when it is opened.
  if (file === ':memory:') return;
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch {
    // It exists. SQLite reports it if the file cannot be opened.
    for (const suffix of LOG_SUFFIXES) copyMode(file, file + suffix);
  }
}

function copyMode(from: string, to: string): void {
  try {
    if (modeOf(to) !== modeOf(from)) chmodSync(to, modeOf(from));
  } catch {
    // It is missing, or belongs to another user. SQLite reports it if the file cannot be opened.
  }
}

export interface FilePermissions {
  readonly path: string;
  readonly mode: number;
  /** The id of the user who may change the mode. */
  readonly ownerId: number;
}

/**
 * The file and its logs, where the group or others may read, write or execute them. Windows has no
 * such modes.
 */
export function filesOpenToOthers(file: string): FilePermissions[] {
  if (process.platform === 'win32') return [];
  return existingFilesOf(file).filter(({ mode }) => (mode & GROUP_AND_OTHERS) !== 0);
}

function existingFilesOf(file: string): FilePermissions[] {
  // The store has no file yet, or is named ":memory:", which is refused when it is opened.
  if (identityOf(file) === null) return [];

  // SQLite keeps the logs beside the file that a link leads to.
  const path = realpathSync(file);
  return ['', ...LOG_SUFFIXES].flatMap((suffix) => {
    const stats = statSync(path + suffix, { throwIfNoEntry: false });
    return stats ? [{ path: path + suffix, mode: stats.mode & 0o777, ownerId: stats.uid }] : [];
  });
}

/** Opening a pipe would wait without end for somebody at its other end. */
export function assertNotPipe(file: string): void {
  // SQLite reports it if the path cannot be followed.
  if (identityOf(file) === null) return;
  const stats = statSync(file);
  if (stats.isFile() || stats.isDirectory()) return;
  throw storeUnavailableError(
    say`${verbatim(file)} is a pipe or a device, not a file.`,
    say`Name a file with --db or ACEQUIA_DB; a missing file is created.`,
  );
}

/** A file that another program copied may be readable for every user of the machine. */
export function closeToOthers(file: string): void {
  for (const { path, mode } of filesOpenToOthers(file)) {
    try {
      chmodSync(path, mode & OWNER_ONLY);
    } catch {
      // Only the owner may, and not every file system has modes. The store works all the same, and
      // the doctor reports it.
    }
  }
}

export function isWritable(path: string): boolean {
  try {
    const isFolder = statSync(path).isDirectory();
    accessSync(path, isFolder ? constants.W_OK | constants.X_OK : constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Less than a write over a large parcel needs. */
const MIN_FREE_BYTES = 1_000_000;

/**
 * The write-ahead log may still have space for small writes on a disk that is full. Free space is
 * unknown on a file system that says it has no blocks at all.
 */
export async function isDiskFullAt(path: string): Promise<boolean> {
  const { blocks, bsize, bfree, bavail } = await statfs(path);
  const available = process.getuid?.() === 0 ? bfree : bavail;
  return blocks > 0 && available * bsize < MIN_FREE_BYTES;
}
