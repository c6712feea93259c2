import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { storeUnavailable } from '../../schema/error.ts';
import { checkParameters } from '../transaction-observer.ts';

import { isBusy } from './failures.ts';

/** How long another program may hold the store before we say so, in ms. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** Longest pause between two attempts, in ms: short beside any transaction that a person would notice. */
const MAX_PAUSE_MS = 20;

/**
 * Runs `attempt` until the file is free for it. SQLite's own waiting would block the event loop and lets writers starve;
 * short pauses of random length do neither. When patience (ms) is over, the failure of the last attempt is thrown.
 */
export async function retryWhileBusy<T>(attempt: () => T, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<T> {
  const start = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > timeoutMs) throw error;
    }
    await pause(1 + Math.random() * Math.min(2 ** tries, MAX_PAUSE_MS));
  }
}

/** Whether the binding would take a number for the 0 that it is so close to. */
const isBoundAsZero = (value: unknown): boolean => typeof value === 'number' && value > 0 && value < Number.EPSILON;

/** Parameters as the binding keeps them: what it would take for 0 is given as text, which a column of numbers reads. */
export const bindableValues = (parameters: readonly unknown[]): readonly unknown[] =>
  parameters.some(isBoundAsZero)
    ? parameters.map((value) => (isBoundAsZero(value) ? String(value) : value))
    : parameters;

/** Prepared statements kept for a connection; the shapes in daily use are far fewer. */
const MAX_STATEMENTS = 200;

/** How long a stream may hold the event loop between two turns, in ms. */
const MAX_BLOCKING_MS = 10;

/** What a connection is for: a reader cannot write, a writer takes the write lock when its transaction begins. */
export type ConnectionRole = 'reader' | 'writer';

interface PreparedStatement {
  readonly statement: StatementSyncInstance;
  /** Names of the result's columns; none where the statement answers with counts. */
  readonly columns: readonly string[];
  /** Which use of a kept statement, of all, was the last one of this. */
  lastUse: number;
}

/** One SQLite connection as Kysely sees it. Opening is blocking and fast; who opens waits while the file is busy. */
export class SqliteConnection implements DatabaseConnection {
  // The binding's objects do not keep alive what they read from: a statement its database, an iterator its statement.
  // Were these references dropped, that would be collected under them, and the process would crash.
  readonly #database: DatabaseSyncInstance;
  readonly #streaming = new Set<StatementSyncInstance>();
  readonly #prepared = new Map<string, PreparedStatement>();
  #uses = 0;

  constructor(file: string, readOnly = false) {
    this.#database = new DatabaseSync(file, { timeout: 0, readOnly });
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Statements without parameters or results. */
  exec(script: string): void {
    this.#database.exec(script);
  }

  /** One statement that every transaction runs, kept prepared; its result does not matter. */
  runStep(sql: string): void {
    this.#run(this.#cachedStatement(sql), []);
  }

  /** Rows of one statement, outside Kysely. */
  rows<R>(sql: string): R[] {
    return this.#run<R>(this.#prepare(sql), []).rows;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#check(query);
    return this.#run<R>(this.#cachedStatement(query.sql), query.parameters);
  }

  /** Rows as they are read, `chunkSize` at a time; the event loop gets its turn in between. */
  async *streamQuery<R>(query: CompiledQuery, chunkSize = 1): AsyncIterableIterator<QueryResult<R>> {
    this.#check(query);
    // Its own statement: a kept one could be asked again while this one is half read.
    const { statement, columns } = this.#prepare(query.sql);
    this.#streaming.add(statement);
    try {
      let chunk: R[] = [];
      let turn = performance.now();
      for (const values of statement.iterate(...bindableValues(query.parameters)) as Iterable<unknown[]>) {
        chunk.push(toRow<R>(columns, values));
        if (chunk.length < chunkSize) continue;
        yield { rows: chunk };
        chunk = [];
        if (performance.now() - turn < MAX_BLOCKING_MS) continue;
        await nextTurn();
        turn = performance.now();
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

  #check(query: CompiledQuery): void {
    // A failure such as a full disk may have ended the transaction; what followed would be kept on its own.
    if (!this.inTransaction) throw new Error('The transaction has ended, by an earlier failure or by its own end');
    checkParameters(query.parameters);
  }

  #run<R>({ statement, columns }: PreparedStatement, parameters: readonly unknown[]): QueryResult<R> {
    if (columns.length) {
      const rows = statement.all(...bindableValues(parameters)) as unknown[][];
      return { rows: rows.map((values) => toRow<R>(columns, values)) };
    }
    const { changes, lastInsertRowid } = statement.run(...bindableValues(parameters));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** A statement from the kept ones, the longest unused giving way. */
  #cachedStatement(sql: string): PreparedStatement {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      prepared = this.#prepare(sql);
      if (this.#prepared.size >= MAX_STATEMENTS) this.#prepared.delete(this.#leastRecentlyUsed());
      this.#prepared.set(sql, prepared);
    }
    prepared.lastUse = ++this.#uses;
    return prepared;
  }

  #leastRecentlyUsed(): string {
    return [...this.#prepared].reduce((one, other) => (other[1].lastUse < one[1].lastUse ? other : one))[0];
  }

  #prepare(sql: string): PreparedStatement {
    const statement = this.#database.prepare(sql);
    // Rows as arrays are read faster than the binding's own objects, which also lack a prototype.
    statement.setReturnArrays(true);
    return { statement, columns: statement.columns().map((column) => column.name), lastUse: 0 };
  }
}

function toRow<R>(columns: readonly string[], values: readonly unknown[]): R {
  const object: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) object[columns[i] as string] = values[i];
  return object as R;
}

/** Begins a transaction: a writer's holds the write lock at once, a reader's sees one snapshot from here on. */
export function beginTransaction(connection: SqliteConnection, side: ConnectionRole): Promise<void> {
  return retryWhileBusy(() => {
    // A rollback that failed before must not fail everything after it.
    rollback(connection);
    if (side === 'writer') {
      connection.runStep('begin immediate');
      return;
    }
    connection.runStep('begin');
    try {
      // A deferred transaction takes its snapshot with its first read: here, where a busy file can be waited for.
      connection.runStep('select 1 from sqlite_schema limit 1');
    } catch (error) {
      rollback(connection);
      throw error;
    }
  });
}

/** Rolls back what is open; SQLite may have done so itself, after a full disk for one. */
export function rollback(connection: SqliteConnection): void {
  if (connection.inTransaction) connection.exec('rollback');
}

/** Moves the log into the file and empties it. Where that fails (others read, the disk is full) nothing is lost: the log is read together with the file. */
export function checkpoint(connection: SqliteConnection): void {
  try {
    connection.exec('pragma wal_checkpoint(truncate)');
  } catch {}
}

/**
 * Opens a connection with every setting that SQLite does not keep in the file. `synchronous = full` is what makes an
 * answered write durable in WAL mode. With `readOnly` not even closing moves the log into the file.
 */
export async function openSqliteConnection(
  file: string,
  side: ConnectionRole,
  readOnly = false,
): Promise<SqliteConnection> {
  const connection = await retryWhileBusy(() => new SqliteConnection(file, readOnly));
  try {
    await retryWhileBusy(() =>
      connection.exec(
        `pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory;
         pragma journal_size_limit = 67108864; pragma query_only = ${side === 'reader' ? 'on' : 'off'}`,
      ),
    );
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Sets the file to a write-ahead log, which it keeps: readers and the writer do not wait for each other. Programs that
 * start at once on a new file are served one after the other.
 */
export async function useWriteAheadLog(connection: SqliteConnection, file: string): Promise<void> {
  const journal = await retryWhileBusy(() => connection.rows<{ journal_mode: string }>('pragma journal_mode = wal')[0]);
  if (journal?.journal_mode !== 'wal')
    throw storeUnavailable(
      `The store ${file} is where no write-ahead log can be kept.`,
      'Name a file on a local disk with --db or ACEQUIA_DB; a network share does not serve.',
    );
}
