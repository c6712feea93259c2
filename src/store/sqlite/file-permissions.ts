import { accessSync, chmodSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { LOG_SUFFIXES } from './file-identity.ts';

/** Read and write for the owner alone. */
const OWNER_ONLY = 0o600;

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/**
 * Creates a missing file for its owner alone; SQLite gives the write-ahead log and its index the permissions of the file.
 * Those left by a process that could only read the file are made writable again together with it.
 */
export function restrictToOwner(file: string): void {
  // SQLite's name for a database in memory, which opening it refuses.
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
