import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Kysely } from 'kysely';
import { companyTaker } from '../../domain/shares/takers.ts';
import { StoreClosedError } from '../../schema/error.ts';
import { CollectedChanges } from '../changes/collected-changes.ts';
import { type CompanyChangeListener, CompanyChangeListeners } from '../company-changes.ts';
import { companyDb } from '../scope/company-db.ts';
import { changesToAnnounce } from '../store-adapter.ts';
import type { OpenOptions, Store, TransactionOptions } from '../store-interface.ts';
import { unfinishedCopyError } from '../store-state-errors.ts';
import type { CompanyDb, Tables } from '../tables.ts';
import { clearFile } from './clear-file.ts';
import {
  type ConnectionRole,
  openSqliteConnection,
  releaseClosedFiles,
  retryWhileBusy,
  useWriteAheadLog,
} from './connection.ts';
import { folderError, sqliteStoreError } from './failures.ts';
import { OpenFile, replacedFileError } from './open-file.ts';
import { assertNotPipe, closeToOthers, ensureFile } from './store-file.ts';
import { fileState } from './view.ts';

export async function openSqliteStore(file: string, options: OpenOptions = {}): Promise<Store> {
  const open = (): Promise<OpenFile> => openOrCreateFile(file, options);
  return new SqliteStore(file, open, await open());
}

async function openOrCreateFile(
  file: string,
  { isCopyTarget = false, isCopiedBeforeMigration = true }: OpenOptions,
): Promise<OpenFile> {
  try {
    await makeFolder(file);
    assertNotPipe(file);
    ensureFile(file);

    const writer = await openSqliteConnection(file, 'writer');
    try {
      const state = await retryWhileBusy(() => fileState(writer, file));
      if (state === 'unfinishedCopy' && !isCopyTarget) throw unfinishedCopyError(file);

      // Not before it is known to be a store: a file of another program keeps its mode.
      closeToOthers(file);
      await useWriteAheadLog(writer, file);

      if (state !== 'current') {
        const { migrateFile } = await import('./migrate.ts');
        await migrateFile(writer, file, isCopiedBeforeMigration);
      }

      return new OpenFile(file, await openSqliteConnection(file, 'reader'), writer);
    } catch (error) {
      writer.close();
      await releaseClosedFiles();
      throw error;
    }
  } catch (error) {
    throw sqliteStoreError(error, file);
  }
}

/** Makes the folder of a store file, as far as it is missing, for its owner alone. */
export async function makeFolder(file: string): Promise<void> {
  try {
    await makeFolders(dirname(file));
  } catch (error) {
    throw folderError(error, file);
  }
}

/**
 * Replaces mkdir's `recursive` option, which never returns where no folder can be created, as in
 * /proc.
 */
async function makeFolders(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder, 0o700).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
    });

  try {
    await make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder)
      throw error;
    await makeFolders(dirname(folder));
    await make();
  }
}

/** SQLite does not report writes of other processes, so listeners are called regularly. */
const OTHER_PROCESSES_EVERY_MS = 2_000;

class SqliteStore implements Store {
  readonly #file: string;
  readonly #open: () => Promise<OpenFile>;
  #openFile: OpenFile | null;
  #reopening: Promise<OpenFile> | null = null;
  #isClosed = false;
  readonly #companyChanges = new CompanyChangeListeners((emit) => {
    const timer = setInterval(() => emit(null), OTHER_PROCESSES_EVERY_MS).unref();
    return () => clearInterval(timer);
  });

  constructor(file: string, open: () => Promise<OpenFile>, openFile: OpenFile) {
    this.#file = file;
    this.#open = open;
    this.#openFile = openFile;
  }

  read<T>(
    companyId: number,
    body: (db: CompanyDb) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.readAll((db) => body(this.scopeToCompany(db, companyId)), {
      taker: companyTaker(companyId),
      ...options,
    });
  }

  write<T>(
    companyId: number,
    body: (db: CompanyDb) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    const scoped = (db: Kysely<Tables>) => body(this.scopeToCompany(db, companyId));
    return this.writeUnscoped(companyId, scoped, options);
  }

  writeUnscoped<T>(
    companyId: number,
    body: (db: Kysely<Tables>) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.writeAll(body, { taker: companyTaker(companyId), ...options });
  }

  readAll<T>(body: (db: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#run('reader', (openFile) => openFile.read(body, options));
  }

  writeAll<T>(body: (db: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#run('writer', async (openFile) => {
      let changes = new CollectedChanges();
      const bodyWithChanges = (db: Kysely<Tables>): Promise<T> => {
        changes = changesToAnnounce(db);
        return body(db);
      };

      const result = await openFile.write(bodyWithChanges, options);
      for (const change of changes.take()) this.#companyChanges.emit(change);
      return result;
    });
  }

  writeUnlocked<T>(
    body: (db: Kysely<Tables>) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.writeAll(body, options);
  }

  scopeToCompany(db: Kysely<Tables>, companyId: number): CompanyDb {
    return companyDb(db, companyId);
  }

  onCompanyChange(listener: CompanyChangeListener): () => void {
    return this.#companyChanges.add(listener);
  }

  checkWritable(): Promise<void> {
    return this.#run('writer', (openFile) => openFile.checkWritable());
  }

  async ensurePartitions(): Promise<void> {}

  clearFreeSpace(): Promise<void> {
    return this.#run('writer', () => clearFile(this.#file));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#companyChanges.close();
    await this.#reopening?.catch(() => {});
    await this.#openFile?.close();
  }

  async #run<T>(role: ConnectionRole, transaction: (openFile: OpenFile) => Promise<T>): Promise<T> {
    try {
      const openFile = this.#openFile?.isUsableBy(role) ? this.#openFile : await this.#reopen();
      if (this.#isClosed) throw new StoreClosedError(this.#file);
      return await transaction(openFile);
    } catch (error) {
      throw sqliteStoreError(error, this.#file);
    }
  }

  /**
   * Opens what is at the path now. A missing file is not created: someone may be about to restore
   * it.
   */
  #reopen(): Promise<OpenFile> {
    this.#reopening ??= (async () => {
      if (!existsSync(this.#file)) throw replacedFileError(this.#file);
      // Close first: it moves the write-ahead log into the file, even a log that was removed from
      // its folder.
      await this.#openFile?.close();
      this.#openFile = null;
      await releaseClosedFiles();
      this.#openFile = await this.#open();
      return this.#openFile;
    })().finally(() => {
      this.#reopening = null;
    });

    return this.#reopening;
  }
}
