import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { ClientBase, QueryResult as PostgresResult, QueryConfig, QueryResultRow } from 'pg';
import { TABLES_BY_NAME } from '../../schema/tables/index.ts';
import { statementNameOf } from '../queries/prepared-query.ts';
import { companyIdOfQuery } from '../scope/company-db.ts';
import { writtenTable } from '../scope/row-recorder.ts';
import { assertStorable } from '../store-adapter.ts';
import { TransactionAborted } from './failures.ts';
import { type RowScope, setCompanyStatement } from './row-security.ts';

const MANY_ROWS = 100;

/**
 * A session keeps the plans by which it looks for the rows that new ones refer to. If the ids are not
 * the key of their table, a plan that was made while the table had few rows may read all rows of the
 * company for each new one, until the server has collected statistics.
 */
function needsNewPlans({ query, parameters }: CompiledQuery): boolean {
  const isOfMany = parameters.some((value) => Array.isArray(value) && value.length >= MANY_ROWS);
  const table = isOfMany && query.kind === 'InsertQueryNode' ? writtenTable(query) : undefined;
  return table !== undefined && refersToRowsWithSequence(table);
}

const refersToRowsWithSequence = (name: string): boolean =>
  Object.values(TABLES_BY_NAME.get(name)?.columns ?? {}).some(
    ({ properties: { reference } }) =>
      reference !== null && 'seq' in (TABLES_BY_NAME.get(reference.table)?.columns ?? {}),
  );

/**
 * The connection of one open transaction. The client is in pg's pipeline mode: queries are sent
 * without waiting for earlier results, and results arrive in order. Once a query has failed, the
 * server refuses those queued behind it.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: ClientBase;
  #rowScope: RowScope;
  #cursorCount = 0;
  #failure: unknown;
  #hasEnded = false;

  constructor(client: ClientBase, rowScope: RowScope) {
    this.#client = client;
    this.#rowScope = rowScope;
  }

  get failure(): unknown {
    return this.#failure;
  }

  /** Refuses further queries, which would run outside the transaction. */
  end(): void {
    this.#hasEnded = true;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query;
    assertStorable(parameters);

    // Queued in front of the query; if it fails, so does the query.
    if (needsNewPlans(query)) this.#send({ text: 'discard plans' }).catch(() => undefined);
    const config = { text: sql, values: [...parameters], name: statementNameOf(query) };
    const { rows, rowCount, command } = await this.query<R & object>(
      companyIdOfQuery(query) ?? 'all',
      config,
    );

    if (command === 'SELECT' || rowCount === null) return { rows };
    return { rows, numAffectedRows: BigInt(rowCount) };
  }

  async *streamQuery<R>(
    query: CompiledQuery,
    chunkSize = 1,
  ): AsyncIterableIterator<QueryResult<R>> {
    assertStorable(query.parameters);
    const rowScope = companyIdOfQuery(query) ?? 'all';
    this.#cursorCount++;
    const cursor = `acequia_cursor_${this.#cursorCount}`;
    const run = (text: string, values: readonly unknown[] = []) =>
      this.query<R & object>(rowScope, { text, values: [...values] });

    await run(`declare ${cursor} no scroll cursor for ${query.sql}`, query.parameters);
    try {
      for (;;) {
        const { rows } = await run(`fetch ${chunkSize} from ${cursor}`);
        if (rows.length > 0) yield { rows };
        if (rows.length < chunkSize) return;
      }
    } finally {
      if (this.#failure === undefined && !this.#hasEnded) await run(`close ${cursor}`);
    }
  }

  async query<R extends QueryResultRow>(
    rowScope: RowScope,
    query: QueryConfig,
  ): Promise<PostgresResult<R>> {
    if (this.#failure !== undefined) throw new TransactionAborted(this.#failure);
    if (this.#hasEnded)
      throw new Error('The transaction has ended; its handle can no longer be used');
    if (rowScope !== this.#rowScope) {
      this.#rowScope = rowScope;
      // If this statement fails, the transaction is aborted and the query behind it fails too.
      this.#send({ text: setCompanyStatement(rowScope) }).catch(() => undefined);
    }
    return this.#send(query);
  }

  async #send<R extends QueryResultRow>(query: QueryConfig): Promise<PostgresResult<R>> {
    try {
      return await this.#client.query<R>(query);
    } catch (error) {
      if (this.#failure !== undefined) throw new TransactionAborted(this.#failure);
      this.#failure = error;
      throw error;
    }
  }
}
