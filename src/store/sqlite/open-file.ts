import { rmSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { say, verbatim } from '../../domain/text/say.ts';
import { type AcequiaError, storeUnavailableError } from '../../schema/error.ts';
import type { TransactionOptions } from '../store-interface.ts';
import type { Tables } from '../tables.ts';
import {
  assertNotMigrated,
  type ConnectionRole,
  rewritePage,
  type SqliteConnection,
} from './connection.ts';
import { diskFullError, lockedFileError, notWritableError } from './failures.ts';
import { QueuedConnection, ReaderPool } from './queued-connection.ts';
import {
  type FileIdentity,
  identityOf,
  isDiskFullAt,
  isSameFile,
  isWritable,
  LOG_SUFFIXES,
} from './store-file.ts';

/** Reads check the file only this often, because the check takes a twentieth of a short read. */
const FILE_CHECK_INTERVAL_MS = 100;

type Body<T> = (db: Kysely<Tables>) => Promise<T>;

/**
 * The connections to one file, which can be removed or replaced while it is open. SQLite would keep
 * writing to the removed file, and all those writes would be lost when the process ends.
 */
export class OpenFile {
  readonly #file: string;
  readonly #readers: ReaderPool<Tables>;
  readonly #writer: QueuedConnection<Tables>;
  readonly #writerConnection: SqliteConnection;
  readonly #identity: FileIdentity | null;
  /** While a connection is open, SQLite itself neither removes nor replaces the write-ahead log. */
  #logIdentity: FileIdentity | null;
  /** If false, the connections can only read, even after the permissions change. */
  readonly #isWritable: boolean;
  readonly #running = new Set<Promise<unknown>>();
  /** Reads need not check the file until this time of the monotonic clock. */
  #readableUntil = 0;
  #closing: Promise<void> | undefined;

  constructor(file: string, reader: SqliteConnection, writer: SqliteConnection) {
    this.#file = file;
    this.#readers = new ReaderPool(file, reader);
    this.#writerConnection = writer;
    this.#writer = new QueuedConnection(writer, 'writer');
    this.#identity = identityOf(file);
    this.#logIdentity = identityOf(`${file}-wal`);
    this.#isWritable = isWritable(file);
  }

  /** False if the file must be opened again because it was replaced or has become writable. */
  isUsableBy(role: ConnectionRole): boolean {
    const now = performance.now();
    if (role === 'reader' && now < this.#readableUntil) return true;
    const isUsable = this.#isInPlace() && (this.#isWritable || !isWritable(this.#file));
    this.#readableUntil = isUsable ? now + FILE_CHECK_INTERVAL_MS : 0;
    return isUsable;
  }

  /** The paths of the store and of its write-ahead log still lead to the open files. */
  #isInPlace(): boolean {
    return (
      isSameFile(this.#identity, identityOf(this.#file)) &&
      (this.#logIdentity === null || isSameFile(this.#logIdentity, identityOf(`${this.#file}-wal`)))
    );
  }

  read<T>(body: Body<T>, options?: TransactionOptions): Promise<T> {
    return this.#track(this.#readers.transaction(body, options));
  }

  /** Throws STORE_UNAVAILABLE if the file was removed or replaced before the write was finished. */
  write<T>(body: Body<T>, options?: TransactionOptions): Promise<T> {
    const checkedBody: Body<T> = async (db) => {
      assertNotMigrated(this.#writerConnection);
      const result = await body(db);
      this.#assertFileNotReplaced();
      return result;
    };

    const transaction = this.#writer.transaction(checkedBody, options).then((result) => {
      if (!this.#isInPlace()) throw replacedFileError(this.#file, { mayBeWritten: true });
      return result;
    });

    return this.#track(transaction);
  }

  /**
   * Throws STORE_UNAVAILABLE if a write would fail; for a lock of another program, once it has been
   * held for as long as a write would wait.
   */
  async checkWritable(): Promise<void> {
    const logs = LOG_SUFFIXES.map((suffix) => this.#file + suffix).filter(
      (path) => identityOf(path) !== null,
    );
    if (![this.#file, ...logs].every(isWritable)) throw notWritableError(this.#file);
    if (await isDiskFullAt(this.#file)) throw diskFullError(this.#file);

    await this.#writer.checkWritable(async () => {
      assertNotMigrated(this.#writerConnection);
      rewritePage(this.#writerConnection);
    });
    if (this.#writer.isLockedTooLong) throw lockedFileError(this.#file);
  }

  /** Waits for the running transactions. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#running).then(() => {
      const isReplaced = !isSameFile(this.#identity, identityOf(this.#file));
      this.#readers.close();
      this.#writer.close();
      if (isReplaced) this.#removeLog();
    });
    return this.#closing;
  }

  /** Otherwise SQLite would apply the log of the replaced file to the one that took its place. */
  #removeLog(): void {
    if (!isSameFile(this.#logIdentity, identityOf(`${this.#file}-wal`))) return;
    for (const suffix of LOG_SUFFIXES) rmSync(this.#file + suffix, { force: true });
  }

  #assertFileNotReplaced(): void {
    this.#logIdentity ??= identityOf(`${this.#file}-wal`);
    if (!this.#isInPlace()) throw replacedFileError(this.#file);
  }

  #track<T>(transaction: Promise<T>): Promise<T> {
    const settled: Promise<boolean> = transaction.then(
      () => this.#running.delete(settled),
      () => this.#running.delete(settled),
    );
    this.#running.add(settled);
    return transaction;
  }
}

const NOTHING_RECORDED = say`Nothing of this call was recorded.`;
const OUTCOME_UNCERTAIN = say`The removed file may hold what this call wrote: look before you repeat it.`;

export const replacedFileError = (file: string, { mayBeWritten = false } = {}): AcequiaError =>
  storeUnavailableError(
    say`The store ${verbatim(file)} was removed or replaced while Acequia was using it.`,
    say`${mayBeWritten ? OUTCOME_UNCERTAIN : NOTHING_RECORDED} Put the file back; Acequia opens it again by itself.`,
    { mayBeWritten, reason: 'its file was removed or replaced' },
  );
