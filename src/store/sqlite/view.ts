import { existsSync } from 'node:fs';
import { firstOf } from '../../domain/items.ts';
import { SECOND_MS } from '../../domain/periods.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import { storeUnavailableError } from '../../schema/error.ts';
import type { StoreState, StoreView } from '../store-interface.ts';
import { storeStateOf } from '../store-state.ts';
import type { Tables } from '../tables.ts';
import { beginWrite, openSqliteConnection, rollback, type SqliteConnection } from './connection.ts';
import { isBusy, sqliteStoreError } from './failures.ts';
import { QueuedConnection } from './queued-connection.ts';
import { assertNotPipe } from './store-file.ts';

export const fileState = (connection: SqliteConnection, file: string): Promise<StoreState> => {
  const names = (query: string) => connection.rows<{ name: string }>(query).map(({ name }) => name);

  return storeStateOf(
    {
      location: file,
      tableNames: names("select name from sqlite_schema where type = 'table'"),
      appliedMigrations: () => names('select name from kysely_migration'),
    },
    () =>
      storeUnavailableError(
        say`The file ${verbatim(file)} is a database of another program.`,
        say`Name another file with --db or ACEQUIA_DB; a missing file is created.`,
      ),
  );
};

export interface SqliteStoreView extends StoreView {
  readonly journalMode: string;
  /** The problems that the checks of SQLite find in the file; empty if it is intact. */
  integrityProblems(): string[];
  /** True if another program keeps a write from beginning. Writes nothing. */
  isLocked(): Promise<boolean>;
}

export async function viewSqliteStore(file: string): Promise<SqliteStoreView> {
  // Closing a read-only connection leaves the write-ahead log alone, which another program may
  // need. Without a log, a read-only connection would create an empty one and leave it behind.
  const hasLog = existsSync(`${file}-wal`);
  assertNotPipe(file);
  const connection = await openSqliteConnection(file, 'reader', { readOnly: hasLog }).catch(
    (error) => {
      throw sqliteStoreError(error, file);
    },
  );
  try {
    return await createView(connection, file);
  } catch (error) {
    connection.close();
    throw sqliteStoreError(error, file);
  }
}

async function createView(connection: SqliteConnection, file: string): Promise<SqliteStoreView> {
  const queue = new QueuedConnection<Tables>(connection, 'reader');
  return {
    state: await fileState(connection, file),
    journalMode: firstOf(connection.rows<{ journal_mode: string }>('pragma journal_mode'))
      .journal_mode,
    integrityProblems: () => integrityProblemsOf(connection),
    isLocked: () => isLockedByOthers(file),
    read: (body) =>
      queue.transaction(body).catch((error) => {
        throw sqliteStoreError(error, file);
      }),
    close: async () => queue.close(),
  };
}

/** The view's own connection stays open, so that closing this one does not move the log. */
async function isLockedByOthers(file: string): Promise<boolean> {
  const connection = await openSqliteConnection(file, 'writer');
  try {
    await beginWrite(connection, { timeoutMs: SECOND_MS });
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    rollback(connection);
    connection.close();
  }
}

const MAX_PROBLEMS = 5;

function integrityProblemsOf(connection: SqliteConnection): string[] {
  try {
    const damage = connection
      .rows<{ integrity_check: string }>(`pragma integrity_check(${MAX_PROBLEMS})`)
      .map(({ integrity_check }) => integrity_check)
      .filter((text) => text !== 'ok');
    const orphans = connection
      .rows<{ table: string; parent: string }>('pragma foreign_key_check')
      .map(({ table, parent }) => `a row of ${table} whose ${parent} is missing`);
    return [...damage, ...new Set(orphans)].slice(0, MAX_PROBLEMS);
  } catch (error) {
    // The check itself can fail on a badly damaged file.
    return [error instanceof Error ? error.message : String(error)];
  }
}
