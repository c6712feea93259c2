import { accessSync, type BigIntStats, chmodSync, closeSync, constants, openSync, statSync } from 'node:fs';

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

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/**
 * Creates a missing file so that only its owner may read and write it; SQLite gives the write-ahead log and its index the
 * same permissions. Where a process that could only read the file left them behind, they get the file's permissions again.
 */
export function ensurePrivateFile(file: string): void {
  // SQLite's name for a database in memory, which is rejected when it is opened.
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

export function isWritable(path: string): boolean {
  try {
    accessSync(path, statSync(path).isDirectory() ? constants.W_OK | constants.X_OK : constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
