import type {
  CompiledQuery,
  DialectAdapter,
  Kysely,
  KyselyPlugin,
  QueryExecutor,
  QueryId,
  QueryResult,
  RootOperationNode,
} from 'kysely';
import { databaseOn } from './dialect.ts';
import { CompanyScope, companyColumn, ScopeError } from './scope.ts';
import type { CompanyDb, CompanyTables, Tables } from './tables.ts';

/** Which company a compiled query was narrowed to: what nobody narrowed is not run. */
const companyIdByQuery = new WeakMap<RootOperationNode, number>();

/** The company that a query is confined to; undefined for one over the companies. */
export const companyIdOfQuery = ({ query }: CompiledQuery): number | undefined => companyIdByQuery.get(query);

/**
 * Narrows queries as the last thing before they become SQL, so that neither a plugin nor a query compiled elsewhere goes
 * past it.
 */
class CompanyExecutor implements QueryExecutor {
  readonly #inner: QueryExecutor;
  readonly #companyId: number;

  constructor(inner: QueryExecutor, companyId: number) {
    this.#inner = inner;
    this.#companyId = companyId;
  }

  get companyId(): number {
    return this.#companyId;
  }

  get adapter(): DialectAdapter {
    return this.#inner.adapter;
  }

  get plugins(): readonly KyselyPlugin[] {
    return this.#inner.plugins;
  }

  transformQuery<T extends RootOperationNode>(node: T, queryId: QueryId): T {
    return this.#inner.transformQuery(node, queryId);
  }

  compileQuery<R = unknown>(node: RootOperationNode, queryId: QueryId): CompiledQuery<R> {
    const query = this.#inner.compileQuery<R>(new CompanyScope(this.#companyId).narrow(node), queryId);
    companyIdByQuery.set(query.query, this.#companyId);
    return query;
  }

  async executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    this.#refuseUnlessNarrowed(query);
    return hideCompany(await this.#inner.executeQuery(query));
  }

  async *stream<R>(query: CompiledQuery<R>, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    this.#refuseUnlessNarrowed(query);
    for await (const result of this.#inner.stream(query, chunkSize)) yield hideCompany(result);
  }

  provideConnection<T>(): Promise<T> {
    throw new ScopeError("A company's handle gives no connection");
  }

  withConnectionProvider(): QueryExecutor {
    throw new ScopeError("A company's handle takes no other connection");
  }

  withPlugin(plugin: KyselyPlugin): QueryExecutor {
    return new CompanyExecutor(this.#inner.withPlugin(plugin), this.#companyId);
  }

  withPlugins(plugins: readonly KyselyPlugin[]): QueryExecutor {
    return new CompanyExecutor(this.#inner.withPlugins(plugins), this.#companyId);
  }

  withPluginAtFront(plugin: KyselyPlugin): QueryExecutor {
    return new CompanyExecutor(this.#inner.withPluginAtFront(plugin), this.#companyId);
  }

  withoutPlugins(): QueryExecutor {
    return new CompanyExecutor(this.#inner.withoutPlugins(), this.#companyId);
  }

  #refuseUnlessNarrowed({ query }: CompiledQuery): void {
    if (companyIdByQuery.get(query) !== this.#companyId)
      throw new ScopeError('A query that another handle compiled is not run');
  }
}

/** `select *` brings the hidden column along: taken off again. */
function hideCompany<R>(result: QueryResult<R>): QueryResult<R> {
  const first = result.rows[0];
  if (first && companyColumn in (first as object))
    for (const row of result.rows) delete (row as Record<string, unknown>)[companyColumn];
  return result;
}

/** The handle of one company within the transaction of `db`. */
export function companyDb(db: Kysely<Tables>, companyId: number): CompanyDb {
  return databaseOn<CompanyTables>(new CompanyExecutor(db.getExecutor(), companyId));
}

/** The company that a handle is confined to. */
export function companyIdOf(db: CompanyDb): number {
  const executor = db.getExecutor();
  if (executor instanceof CompanyExecutor) return executor.companyId;
  throw new ScopeError('The handle is not confined to a company');
}
