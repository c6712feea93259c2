import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  DatabaseSync,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from '@photostructure/sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { MAX_BLOCKING_MS } from '../../domain/event-loop.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import { storeUnavailableError } from '../../schema/error.ts';
import { MIGRATION_COUNT } from '../schema/migrations.ts';
import { assertStorable } from '../store-adapter.ts';
import { StoreMigrated } from '../store-state-errors.ts';
import { isBusy } from './failures.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_PAUSE_MS = 20;

export interface BusyOptions {
  readonly timeoutMs?: number | undefined;
  readonly onBusy?: () => void;
}

/**
 * Retries while another program has locked the file, until the timeout, and then throws the last
 * error. Unlike SQLite's own waiting this does not block the event loop, and pauses of random
 * length keep writers from starving.
 */
export async function retryWhileBusy<T>(
  run: () => T | Promise<T>,
  { timeoutMs = DEFAULT_TIMEOUT_MS, onBusy = () => {} }: BusyOptions = {},
): Promise<T> {
  const startedAt = performance.now();
  for (let failures = 0; ; failures++) {
    try {
      return await run();
    } catch (error) {
      if (!isBusy(error)) throw error;
      onBusy();
      if (performance.now() - startedAt > timeoutMs) throw error;
    }
    await pause(1 + Math.random() * Math.min(2 ** failures, MAX_PAUSE_MS));
  }
}

// @photostructure/sqlite 1.2.1 binds numbers between 0 and Number.EPSILON as the integer 0.
const isBoundAsZero = (value: unknown): boolean =>
  typeof value === 'number' && value > 0 && value < Number.EPSILON;

const bindableValues = (parameters: readonly unknown[]): readonly unknown[] =>
  parameters.some(isBoundAsZero)
    ? parameters.map((value) => (isBoundAsZero(value) ? String(value) : value))
    : parameters;

const MAX_STATEMENTS = 200;

export type ConnectionRole = 'reader' | 'writer';

interface PreparedStatement {
  readonly statement: StatementSyncInstance;
  readonly columns: readonly string[];
  /** The number of this use among all uses of the connection. */
  lastUse: number;
}

export class SqliteConnection implements DatabaseConnection {
  // A statement of the binding does not keep its database alive, nor an iterator its statement.
  // Without these references they would be garbage-collected while in use, which crashes the
  // process.
  readonly #database: DatabaseSyncInstance;
  readonly #streaming = new Set<StatementSyncInstance>();
  readonly #prepared = new Map<string, PreparedStatement>();
  #useCount = 0;

  constructor(file: string, readOnly = false) {
    this.#database = new DatabaseSync(file, { timeout: 0, readOnly });
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(script: string): void {
    this.#database.exec(script);
  }

  /** Runs a statement of the store's own, such as `begin`, even outside a transaction. */
  runStep(sql: string, parameters: readonly unknown[] = []): void {
    this.#run(this.#cachedStatement(sql), parameters);
  }

  /** Runs such a statement, and says whether it found a row. */
  stepReturnsRow(sql: string): boolean {
    return this.#run(this.#cachedStatement(sql), []).rows.length > 0;
  }

  /**
   * Changes when another connection, of this process or another, has committed. Like any read, it
   * begins the snapshot of a transaction.
   */
  dataVersion(): number {
    const version = this.#cachedStatement('pragma data_version');
    return firstOf(this.#run<{ data_version: number }>(version, []).rows).data_version;
  }

  rows<R>(sql: string): R[] {
    return this.#run<R>(this.#prepare(sql), []).rows;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#assertRunnable(query);
    return this.#run<R>(this.#cachedStatement(query.sql), query.parameters);
  }

  async *streamQuery<R>(
    query: CompiledQuery,
    chunkSize = 1,
  ): AsyncIterableIterator<QueryResult<R>> {
    this.#assertRunnable(query);

    // Not a cached statement, which another query could run while this one is being read.
    const { statement, columns } = this.#prepare(query.sql);
    this.#streaming.add(statement);

    try {
      let chunk: R[] = [];
      let lastYield = performance.now();

      // The binding declares objects, but the statement returns arrays.
      const rows = statement.iterate(...bindableValues(query.parameters)) as Iterable<unknown[]>;
      for (const values of rows) {
        chunk.push(toRow<R>(columns, values));
        if (chunk.length < chunkSize) continue;

        yield { rows: chunk };
        chunk = [];

        if (performance.now() - lastYield < MAX_BLOCKING_MS) continue;
        await nextTurn();
        lastYield = performance.now();
      }

      if (chunk.length) yield { rows: chunk };
    } finally {
      this.#streaming.delete(statement);
    }
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  #assertRunnable(query: CompiledQuery): void {
    // After an error such as a full disk SQLite rolls back by itself, and a later statement would
    // be committed on its own.
    if (!this.inTransaction)
      throw new Error('The transaction has ended or was aborted by an earlier failure');
    assertStorable(query.parameters);
  }

  #run<R>(
    { statement, columns }: PreparedStatement,
    parameters: readonly unknown[],
  ): QueryResult<R> {
    if (columns.length) {
      const rows = statement.all(...bindableValues(parameters)) as unknown[][];
      return { rows: rows.map((values) => toRow<R>(columns, values)) };
    }
    const { changes, lastInsertRowid } = statement.run(...bindableValues(parameters));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #cachedStatement(sql: string): PreparedStatement {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      prepared = this.#prepare(sql);
      if (this.#prepared.size >= MAX_STATEMENTS) this.#deleteLeastRecentlyUsed();
      this.#prepared.set(sql, prepared);
    }

    this.#useCount++;
    prepared.lastUse = this.#useCount;
    return prepared;
  }

  #deleteLeastRecentlyUsed(): void {
    let oldest: { sql: string; lastUse: number } | undefined;
    for (const [sql, { lastUse }] of this.#prepared)
      if (oldest === undefined || lastUse < oldest.lastUse) oldest = { sql, lastUse };
    if (oldest !== undefined) this.#prepared.delete(oldest.sql);
  }

  #prepare(sql: string): PreparedStatement {
    const statement = this.#database.prepare(sql);
    // The binding's own row objects lack a prototype and are slower.
    statement.setReturnArrays(true);
    return { statement, columns: statement.columns().map((column) => column.name), lastUse: 0 };
  }
}

function toRow<R>(columns: readonly string[], values: readonly unknown[]): R {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index++) row[itemAt(columns, index)] = values[index];
  return row as R;
}

export function beginWrite(connection: SqliteConnection, options?: BusyOptions): Promise<void> {
  return retryWhileBusy(() => {
    rollback(connection);
    connection.runStep('begin immediate');
  }, options);
}

/** More migrations are applied than this program knows. */
const IS_NEWER = `select 1 from kysely_migration limit 1 offset ${MIGRATION_COUNT}`;

/** Throws in a transaction on a store that a newer program has migrated. */
export function assertNotMigrated(connection: SqliteConnection): void {
  if (connection.stepReturnsRow(IS_NEWER)) throw new StoreMigrated();
}

/** Returns the version of the data that the transaction reads. */
export function beginRead(connection: SqliteConnection): Promise<number> {
  return retryWhileBusy(() => {
    rollback(connection);
    connection.runStep('begin');
    try {
      // SQLite takes the snapshot at the first read, which must happen here, where a busy file is
      // retried.
      return connection.dataVersion();
    } catch (error) {
      rollback(connection);
      throw error;
    }
  });
}

/** Writes a page without changing it. */
export function rewritePage(connection: SqliteConnection): void {
  const [row] = connection.rows<{ user_version: number }>('pragma user_version');
  connection.exec(`pragma user_version = ${row?.user_version ?? 0}`);
}

export function rollback(connection: SqliteConnection): void {
  if (connection.inTransaction) connection.exec('rollback');
}

/**
 * Moves the write-ahead log into the file. A failure is harmless: the log is always read together
 * with the file.
 */
export function checkpoint(connection: SqliteConnection): void {
  try {
    connection.exec('pragma wal_checkpoint(truncate)');
  } catch {}
}

/**
 * Opens a connection with the settings that SQLite does not store in the file. `synchronous = full`
 * makes every commit durable in WAL mode. A `readOnly` connection never moves the log into the
 * file, even when it is closed.
 */
export async function openSqliteConnection(
  file: string,
  role: ConnectionRole,
  { readOnly = false } = {},
): Promise<SqliteConnection> {
  const connection = await retryWhileBusy(() => new SqliteConnection(file, readOnly));
  try {
    await retryWhileBusy(() =>
      connection.exec(
        `pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory;
         pragma journal_size_limit = 67108864; pragma query_only = ${role === 'reader' ? 'on' : 'off'}`,
      ),
    );
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * The binding finalizes statements only when they are garbage-collected. Until then SQLite keeps
 * the file of a closed connection open: the log stays beside it, and a new connection shares the
 * access rights of the old one.
 */
export async function releaseClosedFiles(): Promise<void> {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  await nextTurn();
}

export async function useWriteAheadLog(connection: SqliteConnection, file: string): Promise<void> {
  const journal = await retryWhileBusy(
    () => connection.rows<{ journal_mode: string }>('pragma journal_mode = wal')[0],
  );
  if (journal?.journal_mode !== 'wal')
    throw storeUnavailableError(
      say`The file system of the store ${verbatim(file)} does not support a write-ahead log.`,
      say`Name a file on a local disk with --db or ACEQUIA_DB; a network share does not work.`,
    );
}
