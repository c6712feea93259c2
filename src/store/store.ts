import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Kysely } from 'kysely';
import { storeUnavailable } from '../schema/error.ts';
import { whileBusy } from './busy.ts';
import { confined } from './confined.ts';
import { folderFailure, storeFailure } from './failures.ts';
import { Lane } from './lane.ts';
import { fileState } from './migrations.ts';
import { ReadLanes } from './read-lanes.ts';
import { openConnection, type SqliteConnection, useWriteAheadLog } from './sqlite.ts';
import type { CompanyDb, Tables } from './tables.ts';
import type { TransactionObserver } from './transaction-observer.ts';

/**
 * Where everything is kept. A handle serves until the body that it was given to has ended. Some reads run side by side,
 * more of them and writes take turns: a body works with its handle alone, and never waits for another call of the store.
 */
export interface Store {
  /** One snapshot, confined to the company; never takes a write lock. */
  read<T>(companyId: number, body: (db: CompanyDb) => Promise<T>): Promise<T>;
  /** One durable transaction, confined to the company; rolled back when `body` throws. */
  write<T>(companyId: number, body: (db: CompanyDb) => Promise<T>): Promise<T>;
  /** One snapshot over the companies, for who asks which there are; `observer` hears how it goes. */
  readAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T>;
  /** One durable transaction over the companies, for who makes one. */
  writeAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T>;
  /** The company's handle within the transaction of `writeAll` or `readAll`. */
  confine(db: Kysely<Tables>, companyId: number): CompanyDb;
  /** Finishes what runs, then closes; refuses what comes later. */
  close(): Promise<void>;
}

/**
 * Opens the store in a file: makes its folder and the file where they are missing, and brings its tables up to date.
 * Throws STORE_UNAVAILABLE, with the way out as the hint.
 */
export async function openStore({ file }: { file: string }): Promise<Store> {
  try {
    await makeFolder(file);
    const writer = await openConnection(file, 'writer');
    try {
      const state = await whileBusy(() => fileState(writer, file));
      await useWriteAheadLog(writer, file);
      if (state !== 'current') {
        // Loaded for this alone: most starts find nothing to do.
        const { migrate } = await import('./migrate.ts');
        await migrate(writer, file);
      }
      return new SqliteStore(file, await openConnection(file, 'reader'), writer);
    } catch (error) {
      writer.close();
      throw error;
    }
  } catch (error) {
    throw storeFailure(error, file);
  }
}

async function makeFolder(file: string): Promise<void> {
  try {
    await makeFolders(dirname(file));
  } catch (error) {
    throw folderFailure(error, file);
  }
}

/** Makes a folder and those above it, one by one: where none can be made, Node's own recursion never ends. */
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
  readonly #readers: ReadLanes<Tables>;
  readonly #writer: Lane<Tables>;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(file: string, reader: SqliteConnection, writer: SqliteConnection) {
    this.#file = file;
    this.#readers = new ReadLanes(file, reader);
    this.#writer = new Lane(writer, 'writer');
  }

  read<T>(companyId: number, body: (db: CompanyDb) => Promise<T>): Promise<T> {
    return this.readAll((db) => body(this.confine(db, companyId)));
  }

  write<T>(companyId: number, body: (db: CompanyDb) => Promise<T>): Promise<T> {
    return this.writeAll((db) => body(this.confine(db, companyId)));
  }

  readAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run(this.#readers, body, observer);
  }

  writeAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run(this.#writer, body, observer);
  }

  confine(db: Kysely<Tables>, companyId: number): CompanyDb {
    return confined(db, companyId);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #run<T>(
    lane: Lane<Tables> | ReadLanes<Tables>,
    body: (db: Kysely<Tables>) => Promise<T>,
    observer: TransactionObserver | undefined,
  ): Promise<T> {
    if (this.#closing) throw storeUnavailable(`The store ${this.#file} is closed.`, 'Start Acequia again.');
    const call = this.#transaction(lane, body, observer);
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }

  async #transaction<T>(
    lane: Lane<Tables> | ReadLanes<Tables>,
    body: (db: Kysely<Tables>) => Promise<T>,
    observer: TransactionObserver | undefined,
  ): Promise<T> {
    try {
      return await lane.transaction(body, observer);
    } catch (error) {
      throw storeFailure(error, this.#file);
    }
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    this.#readers.close();
    this.#writer.close();
  }
}
