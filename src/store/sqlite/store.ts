import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Kysely } from 'kysely';
import { storeUnavailable } from '../../schema/error.ts';
import { companyDb } from '../company-db.ts';
import type { Store } from '../store-interface.ts';
import { unfinishedCopyError } from '../store-state.ts';
import type { CompanyDb, Tables } from '../tables.ts';
import type { TransactionObserver } from '../transaction-observer.ts';
import { openSqliteConnection, retryWhileBusy, type SqliteConnection, useWriteAheadLog } from './connection.ts';
import { folderError, sqliteStoreError } from './failures.ts';
import { fileState } from './file-state.ts';
import { QueuedConnection } from './queued-connection.ts';
import { ReaderPool } from './reader-pool.ts';

export async function openSqliteStore(file: string, isCopyTarget = false): Promise<Store> {
  try {
    await makeFolder(file);
    const writer = await openSqliteConnection(file, 'writer');
    try {
      const state = await retryWhileBusy(() => fileState(writer, file));
      if (state === 'unfinished' && !isCopyTarget) throw unfinishedCopyError(file);
      await useWriteAheadLog(writer, file);
      if (state !== 'current') {
        const { migrateFile } = await import('./migrate.ts');
        await migrateFile(writer, file);
      }
      return new SqliteStore(file, await openSqliteConnection(file, 'reader'), writer);
    } catch (error) {
      writer.close();
      throw error;
    }
  } catch (error) {
    throw sqliteStoreError(error, file);
  }
}

async function makeFolder(file: string): Promise<void> {
  try {
    await makeFolders(dirname(file));
  } catch (error) {
    throw folderError(error, file);
  }
}

/** Like mkdir's own `recursive` option, which never returns where no folder can be created, as in /proc. */
async function makeFolders(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
    });
  try {
    await make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolders(dirname(folder));
    await make();
  }
}

class SqliteStore implements Store {
  readonly #file: string;
  readonly #readers: ReaderPool<Tables>;
  readonly #writer: QueuedConnection<Tables>;
  #running = 0;
  #ended: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(file: string, reader: SqliteConnection, writer: SqliteConnection) {
    this.#file = file;
    this.#readers = new ReaderPool(file, reader);
    this.#writer = new QueuedConnection(writer, 'writer');
  }

  read<T>(companyId: number, body: (db: CompanyDb) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.readAll((db) => body(this.scopeToCompany(db, companyId)), observer);
  }

  write<T>(companyId: number, body: (db: CompanyDb) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.writeAll((db) => body(this.scopeToCompany(db, companyId)), observer);
  }

  writeUnscoped<T>(
    _companyId: number,
    body: (db: Kysely<Tables>) => Promise<T>,
    observer?: TransactionObserver,
  ): Promise<T> {
    return this.writeAll(body, observer);
  }

  readAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run(this.#readers, body, observer);
  }

  writeAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run(this.#writer, body, observer);
  }

  writeUnlocked<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.writeAll(body, observer);
  }

  scopeToCompany(db: Kysely<Tables>, companyId: number): CompanyDb {
    return companyDb(db, companyId);
  }

  async ensurePartitions(): Promise<void> {}

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #run<T>(
    connection: QueuedConnection<Tables> | ReaderPool<Tables>,
    body: (db: Kysely<Tables>) => Promise<T>,
    observer?: TransactionObserver,
  ): Promise<T> {
    if (this.#closing) throw storeUnavailable(`The store ${this.#file} is closed.`, 'Start Acequia again.');
    this.#running++;
    try {
      return await connection.transaction(body, observer);
    } catch (error) {
      throw sqliteStoreError(error, this.#file);
    } finally {
      this.#running--;
      if (this.#running === 0) this.#ended?.();
    }
  }

  async #close(): Promise<void> {
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#ended = resolve;
      });
    }
    this.#readers.close();
    this.#writer.close();
  }
}
