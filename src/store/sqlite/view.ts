import { existsSync } from 'node:fs';
import type { StoreView } from '../store-interface.ts';
import type { Tables } from '../tables.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';
import { sqliteStoreError } from './failures.ts';
import { fileState } from './file-state.ts';
import { QueuedConnection } from './queued-connection.ts';

/** The view of a file. */
export interface SqliteStoreView extends StoreView {
  /** "wal" is what this program sets. */
  readonly journalMode: string;
  /** What SQLite finds wrong with the file and with the references between its rows; reads all of it. */
  faults(): string[];
}

/** Opens the view of a file that is there. Throws STORE_UNAVAILABLE, with the way out as the hint. */
export async function viewSqliteStore(file: string): Promise<SqliteStoreView> {
  // A log beside the file is in use, or was left by a crash and may be needed: it stays. Without one, a read-only
  // connection would make an empty log and leave it behind.
  const connection = await openSqliteConnection(file, 'reader', existsSync(`${file}-wal`)).catch((error) => {
    throw sqliteStoreError(error, file);
  });
  try {
    return viewOn(connection, file);
  } catch (error) {
    connection.close();
    throw sqliteStoreError(error, file);
  }
}

function viewOn(connection: SqliteConnection, file: string): SqliteStoreView {
  const lane = new QueuedConnection<Tables>(connection, 'reader');
  return {
    state: fileState(connection, file),
    journalMode: connection.rows<{ journal_mode: string }>('pragma journal_mode')[0]!.journal_mode,
    faults: () => faultsOf(connection),
    read: (body) =>
      lane.transaction(body).catch((error) => {
        throw sqliteStoreError(error, file);
      }),
    close: async () => lane.close(),
  };
}

/** At most so many are counted out; one is enough to act on. */
const MAX_FAULTS = 5;

function faultsOf(connection: SqliteConnection): string[] {
  try {
    const found = connection
      .rows<{ integrity_check: string }>(`pragma integrity_check(${MAX_FAULTS})`)
      .map(({ integrity_check }) => integrity_check)
      .filter((text) => text !== 'ok');
    const orphans = connection
      .rows<{ table: string; parent: string }>('pragma foreign_key_check')
      .map(({ table, parent }) => `a row of ${table} whose ${parent} is missing`);
    return [...found, ...new Set(orphans)].slice(0, MAX_FAULTS);
  } catch (error) {
    // A file that is damaged badly enough cannot be checked to the end.
    return [error instanceof Error ? error.message : String(error)];
  }
}
