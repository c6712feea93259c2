import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { backup, DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { BackupError } from '../../domain/backups/failures.ts';
import type { TableFigures } from '../../schema/backups/manifest.ts';
import { retryWhileBusy } from '../sqlite/connection.ts';
import { backupErrorOf, createPrivately } from './backup-folder.ts';
import { figuresOf, makesNoCopiesIn, migrationsIn, storeIdIn } from './file-contents.ts';

const PAGES_PER_STEP = 256;

/** Bytes 18 and 19 of the file's header: 1 for a rollback journal, 2 for a write-ahead log. */
const FORMAT_VERSIONS_OFFSET = 18;
const WITHOUT_LOG = Uint8Array.of(1, 1);

/**
 * A read transaction on a store that others write to. Its connection does nothing else, because the
 * backup uses it in another thread. While it is open, the write-ahead log keeps growing.
 */
export class StoreSnapshot {
  // A statement of the binding does not keep its database alive.
  readonly #database: DatabaseSyncInstance;

  private constructor(database: DatabaseSyncInstance) {
    this.#database = database;
  }

  static async open(file: string): Promise<StoreSnapshot> {
    // SQLite would make an empty one.
    if (!existsSync(file))
      throw new BackupError('unexpected', `there is no store ${file} any more`);
    const database = new DatabaseSync(file, { timeout: 0 });
    try {
      await retryWhileBusy(() => {
        if (database.isTransaction) database.exec('rollback');
        database.exec('pragma query_only = on; begin');
        // SQLite takes the snapshot at the first read.
        database.prepare('select 1 from sqlite_schema limit 1').get();
      });
      return new StoreSnapshot(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  figures(onRows?: (count: number) => void): Promise<TableFigures[]> {
    return figuresOf(this.#database, onRows);
  }

  migrations(): string[] {
    return migrationsIn(this.#database);
  }

  /** True for a demo. */
  isWithoutCopies(): boolean {
    return makesNoCopiesIn(this.#database);
  }

  /** Null if the store has none yet. */
  storeId(): string | null {
    return storeIdIn(this.#database);
  }

  /**
   * Copies the file in steps, all from the held transaction: without it, the copy would begin again
   * after each write of another process.
   */
  async copyTo(path: string, onPages: (done: number, total: number) => void): Promise<void> {
    try {
      await createPrivately(path);
      await backup(this.#database, path, {
        rate: PAGES_PER_STEP,
        progress: ({ totalPages, remainingPages }) =>
          onPages(totalPages - remainingPages, totalPages),
      });
      await makeSelfContained(path);
    } catch (error) {
      throw backupErrorOf(error, path);
    }
  }

  close(): void {
    // A closed connection lives on while statements of it do, with its transaction.
    if (this.#database.isTransaction) this.#database.exec('rollback');
    this.#database.close();
  }
}

/** Otherwise whoever opens the copy makes a log and its index beside it. The copy has no log. */
async function makeSelfContained(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.write(WITHOUT_LOG, 0, WITHOUT_LOG.length, FORMAT_VERSIONS_OFFSET);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Runs `body` on a copy, which it cannot change. */
export async function withCopy<T>(
  path: string,
  body: (database: DatabaseSyncInstance) => Promise<T>,
): Promise<T> {
  let database: DatabaseSyncInstance | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    return await body(database);
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const { message } = error as Error;
    throw new BackupError('copy_damaged', `${path}: ${message}`, { cause: error });
  } finally {
    database?.close();
  }
}
