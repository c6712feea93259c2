import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { storeUnavailable } from '../../schema/error.ts';
import { checkParameters } from '../parameters.ts';
import { bound } from './bound.ts';
import { whileBusy } from './busy.ts';

/** Prepared statements kept for a connection; the shapes in daily use are far fewer. */
const statementsKept = 200;

/** How long a stream may hold the event loop between two turns, in ms. */
const longestHold = 10;

/** What a connection is for: a reader cannot write, a writer takes the write lock when its transaction begins. */
export type Side = 'reader' | 'writer';

interface Prepared {
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
  readonly #prepared = new Map<string, Prepared>();
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
  step(sql: string): void {
    this.#run(this.#kept(sql), []);
  }

  /** Rows of one statement, outside Kysely. */
  rows<R>(sql: string): R[] {
    return this.#run<R>(this.#prepare(sql), []).rows;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#check(query);
    return this.#run<R>(this.#kept(query.sql), query.parameters);
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
      for (const values of statement.iterate(...bound(query.parameters)) as Iterable<unknown[]>) {
        chunk.push(row<R>(columns, values));
        if (chunk.length < chunkSize) continue;
        yield { rows: chunk };
        chunk = [];
        if (performance.now() - turn < longestHold) continue;
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

  #run<R>({ statement, columns }: Prepared, parameters: readonly unknown[]): QueryResult<R> {
    if (columns.length) {
      const rows = statement.all(...bound(parameters)) as unknown[][];
      return { rows: rows.map((values) => row<R>(columns, values)) };
    }
    const { changes, lastInsertRowid } = statement.run(...bound(parameters));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** A statement from the kept ones, the longest unused giving way. */
  #kept(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      prepared = this.#prepare(sql);
      if (this.#prepared.size >= statementsKept) this.#prepared.delete(this.#longestUnused());
      this.#prepared.set(sql, prepared);
    }
    prepared.lastUse = ++this.#uses;
    return prepared;
  }

  #longestUnused(): string {
    return [...this.#prepared].reduce((one, other) => (other[1].lastUse < one[1].lastUse ? other : one))[0];
  }

  #prepare(sql: string): Prepared {
    const statement = this.#database.prepare(sql);
    // Rows as arrays are read faster than the binding's own objects, which also lack a prototype.
    statement.setReturnArrays(true);
    return { statement, columns: statement.columns().map((column) => column.name), lastUse: 0 };
  }
}

function row<R>(columns: readonly string[], values: readonly unknown[]): R {
  const object: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) object[columns[i] as string] = values[i];
  return object as R;
}

/** Begins a transaction: a writer's holds the write lock at once, a reader's sees one snapshot from here on. */
export function begin(connection: SqliteConnection, side: Side): Promise<void> {
  return whileBusy(() => {
    // A rollback that failed before must not fail everything after it.
    rollback(connection);
    if (side === 'writer') {
      connection.step('begin immediate');
      return;
    }
    connection.step('begin');
    try {
      // A deferred transaction takes its snapshot with its first read: here, where a busy file can be waited for.
      connection.step('select 1 from sqlite_schema limit 1');
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
export async function openConnection(file: string, side: Side, readOnly = false): Promise<SqliteConnection> {
  const connection = await whileBusy(() => new SqliteConnection(file, readOnly));
  try {
    await whileBusy(() =>
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
  const journal = await whileBusy(() => connection.rows<{ journal_mode: string }>('pragma journal_mode = wal')[0]);
  if (journal?.journal_mode !== 'wal')
    throw storeUnavailable(
      `The store ${file} is where no write-ahead log can be kept.`,
      'Name a file on a local disk with --db or ACEQUIA_DB; a network share does not serve.',
    );
}
