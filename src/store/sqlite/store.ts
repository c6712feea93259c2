import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Kysely } from 'kysely';
import { storeUnavailable } from '../../schema/error.ts';
import { confined } from '../confined.ts';
import { isUnfinished } from '../copy/unfinished.ts';
import type { Store } from '../store-interface.ts';
import type { CompanyDb, Tables } from '../tables.ts';
import type { TransactionObserver } from '../transaction-observer.ts';
import { whileBusy } from './busy.ts';
import { openConnection, type SqliteConnection, useWriteAheadLog } from './connection.ts';
import { folderFailure, storeFailure } from './failures.ts';
import { fileState } from './file-state.ts';
import { Lane } from './lane.ts';
import { ReadLanes } from './read-lanes.ts';

/**
 * Opens the store in a file: makes its folder and the file where they are missing, and brings its tables up to date. A
 * copy that is not whole is opened only to go on with it, for which `isTarget` asks.
 */
export async function openFile(file: string, isTarget = false): Promise<Store> {
  try {
    await makeFolder(file);
    const writer = await openConnection(file, 'writer');
    try {
      const state = await whileBusy(() => fileState(writer, file));
      if (state === 'unfinished' && !isTarget) throw isUnfinished(file);
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

/** The writer of a file is one for all: every write is in everybody's turn. */
class SqliteStore implements Store {
  readonly #file: string;
  readonly #readers: ReadLanes<Tables>;
  readonly #writer: Lane<Tables>;
  #running = 0;
  #ended: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(file: string, reader: SqliteConnection, writer: SqliteConnection) {
    this.#file = file;
    this.#readers = new ReadLanes(file, reader);
    this.#writer = new Lane(writer, 'writer');
  }

  read<T>(companyId: number, body: (db: CompanyDb) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.readAll((db) => body(this.confine(db, companyId)), observer);
  }

  write<T>(companyId: number, body: (db: CompanyDb) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.writeAll((db) => body(this.confine(db, companyId)), observer);
  }

  writeFor<T>(
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

  writeBeside<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.writeAll(body, observer);
  }

  confine(db: Kysely<Tables>, companyId: number): CompanyDb {
    return confined(db, companyId);
  }

  /** A file takes readings of any time. */
  async keepAhead(): Promise<void> {}

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #run<T>(
    lane: Lane<Tables> | ReadLanes<Tables>,
    body: (db: Kysely<Tables>) => Promise<T>,
    observer?: TransactionObserver,
  ): Promise<T> {
    if (this.#closing) throw storeUnavailable(`The store ${this.#file} is closed.`, 'Start Acequia again.');
    this.#running++;
    try {
      return await lane.transaction(body, observer);
    } catch (error) {
      throw storeFailure(error, this.#file);
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
