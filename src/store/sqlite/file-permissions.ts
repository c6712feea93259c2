import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Read and write for the owner alone. */
const OWNER_ONLY = 0o600;

/**
 * Creates a missing file for its owner alone; SQLite gives the write-ahead log and its index the permissions of the file.
 * Those left by a process that could only read the file are made writable again together with it.
 */
export function restrictToOwner(file: string): void {
  // SQLite's name for a database in memory, which opening it refuses.
  if (file === ':memory:') return;
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
    return;
  } catch {
    // It exists; whether it can be opened SQLite says.
  }
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return;
  for (const suffix of ['-wal', '-shm']) {
    const besideMode = statSync(file + suffix, { throwIfNoEntry: false })?.mode;
    if (besideMode === undefined || besideMode === mode) continue;
    try {
      chmodSync(file + suffix, mode & 0o777);
    } catch {
      // Only its owner can; whether it can be opened SQLite says.
    }
  }
}
