import {
  type CompiledQuery,
  type Dialect,
  DummyDriver,
  type Kysely,
  type KyselyPlugin,
  type QueryExecutor,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  type Selectable,
  SqliteAdapter,
  SqliteQueryCompiler,
  Transaction,
} from 'kysely';
import {
  MAX_BLOCKING_MS,
  type TimeSlice,
  throwIfCancelled,
  yieldOrCancel,
} from '../../domain/event-loop.ts';
import { sliceOf } from '../../domain/shares/loop-turns.ts';
import { companyTaker } from '../../domain/shares/takers.ts';
import type { StoreAdapter } from '../store-adapter.ts';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';
import { CompanyScope } from './company-scope.ts';
import { companyColumn, ScopeError } from './company-scope-rules.ts';
import { markCompanyChanged } from './counted-changes.ts';
import type { RecordedTable } from './recorded-rows.ts';
import { type RowRecorder, recordedWrite, writtenTable } from './row-recorder.ts';

/**
 * Kysely requires a dialect, but the executor of a handle compiles and runs its queries with
 * another one.
 */
const dialect: Dialect = {
  createDriver: () => new DummyDriver(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: () => {
    // Kysely's own introspector would add its migration code to the bundle.
    throw new Error('A database handle cannot list tables');
  },
};

const driver = new DummyDriver();
const config = { dialect };

export const databaseOn = <T>(executor: QueryExecutor): Kysely<T> =>
  new Transaction<T>({ config, dialect, driver, executor });

interface CompanyQuery<R = unknown> extends CompiledQuery<R> {
  readonly companyId: number;
}

const isCompanyQuery = (query: CompiledQuery): query is CompanyQuery => 'companyId' in query;

export const companyIdOfQuery = (query: CompiledQuery): number | undefined =>
  isCompanyQuery(query) ? query.companyId : undefined;

/**
 * Narrows queries to one company when they are compiled, after all plugins. It runs no query that
 * it did not narrow.
 */
class CompanyExecutor implements QueryExecutor {
  readonly #inner: QueryExecutor;
  readonly #companyId: number;
  readonly #recorder: RowRecorder | null;
  readonly #isRecording: boolean;

  constructor(
    inner: QueryExecutor,
    companyId: number,
    recorder: RowRecorder | null = null,
    isRecording = recorder !== null,
  ) {
    this.#inner = inner;
    this.#companyId = companyId;
    this.#recorder = recorder;
    this.#isRecording = isRecording;
  }

  withRecorder(recorder: RowRecorder): CompanyExecutor {
    return new CompanyExecutor(this.#inner, this.#companyId, recorder);
  }

  withoutRecording(): CompanyExecutor {
    return new CompanyExecutor(this.#inner, this.#companyId, this.#recorder, false);
  }

  get recorder(): RowRecorder | null {
    return this.#isRecording ? this.#recorder : null;
  }

  get companyId(): number {
    return this.#companyId;
  }

  /** The executors of both stores have one. */
  get adapter(): StoreAdapter {
    return this.#inner.adapter as StoreAdapter;
  }

  get plugins(): readonly KyselyPlugin[] {
    return this.#inner.plugins;
  }

  transformQuery<T extends RootOperationNode>(node: T, queryId: QueryId): T {
    return this.#inner.transformQuery(node, queryId);
  }

  compileQuery<R = unknown>(node: RootOperationNode, queryId: QueryId): CompanyQuery<R> {
    return this.#compileNarrowed(new CompanyScope(this.#companyId).narrow(node), queryId);
  }

  #compileNarrowed<R>(node: RootOperationNode, queryId: QueryId): CompanyQuery<R> {
    return { ...this.#inner.compileQuery<R>(node, queryId), companyId: this.#companyId };
  }

  async executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    this.#assertNarrowed(query);
    const write = this.#recorder && recordedWrite(query.query);
    if (!write) return this.#run(query);
    if (!this.#isRecording) {
      this.#recorder.readAgain(write.table);
      return this.#run(query);
    }

    if ('deletion' in write) {
      const { rows } = await this.#runNarrowed(write.deletion, query.queryId);
      this.#recorder.recordBefore(write.table, rows, { isDeletion: true });
      return { rows: rows as R[], numAffectedRows: BigInt(rows.length) };
    }

    if ('rowsBefore' in write) {
      const { rows } = await this.#runNarrowed(write.rowsBefore, query.queryId);
      this.#recorder.recordBefore(write.table, rows, { isDeletion: false });
    }

    const result = await this.#run(query);
    if ('insert' in write)
      this.#recorder.recordInserted(
        write.table,
        write.insert,
        result.rows as readonly Record<string, unknown>[],
      );

    return result;
  }

  async *stream<R>(
    query: CompiledQuery<R>,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<R>> {
    this.#assertNarrowed(query);
    for await (const result of this.#inner.stream(query, chunkSize)) yield hideCompany(result);
  }

  provideConnection<T>(): Promise<T> {
    throw new ScopeError("A company's handle provides no connection");
  }

  withConnectionProvider(): QueryExecutor {
    throw new ScopeError("A company's handle accepts no other connection");
  }

  withPlugin(plugin: KyselyPlugin): QueryExecutor {
    return this.#with(this.#inner.withPlugin(plugin));
  }

  withPlugins(plugins: readonly KyselyPlugin[]): QueryExecutor {
    return this.#with(this.#inner.withPlugins(plugins));
  }

  withPluginAtFront(plugin: KyselyPlugin): QueryExecutor {
    return this.#with(this.#inner.withPluginAtFront(plugin));
  }

  withoutPlugins(): QueryExecutor {
    return this.#with(this.#inner.withoutPlugins());
  }

  #with(inner: QueryExecutor): CompanyExecutor {
    return new CompanyExecutor(inner, this.#companyId, this.#recorder, this.#isRecording);
  }

  #runNarrowed(
    node: RootOperationNode,
    queryId: QueryId,
  ): Promise<QueryResult<Record<string, unknown>>> {
    return this.#run(this.#compileNarrowed(node, queryId));
  }

  async #run<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    const result = await this.#inner.executeQuery(query);

    const table = writtenTable(query.query);
    const changedRows = Number(result.numAffectedRows ?? result.rows.length);
    if (table !== undefined && changedRows > 0)
      markCompanyChanged(this.adapter, this.#companyId, table);

    return hideCompany(result);
  }

  #assertNarrowed(query: CompiledQuery): void {
    if (companyIdOfQuery(query) !== this.#companyId)
      throw new ScopeError('A handle runs only queries that were compiled for its company');
  }
}

/** Deletes the column from the rows in place, to spare a copy of each. */
function hideCompany<R>(result: QueryResult<R>): QueryResult<R> {
  const first = result.rows[0];
  if (first && companyColumn in (first as object))
    for (const row of result.rows) delete (row as Record<string, unknown>)[companyColumn];
  return result;
}

export function companyDb(db: Kysely<Tables>, companyId: number): CompanyDb {
  return databaseOn<CompanyTables>(new CompanyExecutor(db.getExecutor(), companyId));
}

function executorOf(db: CompanyDb): CompanyExecutor {
  const executor = db.getExecutor();
  if (executor instanceof CompanyExecutor) return executor;
  throw new ScopeError('The handle is not confined to a company');
}

export const companyIdOf = (db: CompanyDb): number => executorOf(db).companyId;

/** For a long computation on the rows of the company. */
export const sliceOfCompany = (db: CompanyDb): TimeSlice => sliceOf(companyTaker(companyIdOf(db)));

/** The same handle, which also records the rows that it writes. */
export const recordingDb = (db: CompanyDb, recorder: RowRecorder): CompanyDb =>
  databaseOn<CompanyTables>(executorOf(db).withRecorder(recorder));

/**
 * Whole rows as this handle has just inserted them, so that a change which records thousands reads
 * none of them again.
 */
export const recordWholeRows = <Table extends RecordedTable>(
  db: CompanyDb,
  table: Table,
  rows: readonly Partial<Selectable<CompanyTables[Table]>>[],
): void => executorOf(db).recorder?.recordWhole(table, rows);

/** The same handle without a recorder, for rows that are derived from others. */
export const unrecorded = (db: CompanyDb): CompanyDb =>
  databaseOn<CompanyTables>(executorOf(db).withoutRecording());

/**
 * The same handle, whose queries throw once the call has been cancelled and regularly yield to the
 * event loop.
 */
export function cancellable<T>(db: Kysely<T>, signal: AbortSignal): Kysely<T> {
  let lastYield = performance.now();
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (performance.now() - lastYield >= MAX_BLOCKING_MS) {
        await yieldOrCancel(signal);
        lastYield = performance.now();
      }
      throwIfCancelled(signal);
      return result;
    },
  });
}
