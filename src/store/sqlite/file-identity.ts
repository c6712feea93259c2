import { type BigIntStats, statSync } from 'node:fs';

/** Identifies a file whatever its names and links. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>;

/** The write-ahead log and its index, which SQLite keeps beside the file. */
export const LOG_SUFFIXES = ['-wal', '-shm'] as const;

/** Null if there is no file, or the path to it cannot be followed. */
export function identityOf(path: string): FileIdentity | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

export const isSameFile = (one: FileIdentity | null, other: FileIdentity | null): boolean =>
  one !== null && other !== null && one.dev === other.dev && one.ino === other.ino;
