import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { ClientBase, QueryResult as PostgresResult, QueryConfig, QueryResultRow } from 'pg';
import { statementNameOf } from '../queries/prepared-query.ts';
import { companyIdOfQuery } from '../scope/company-db.ts';
import { assertStorable } from '../store-adapter.ts';
import { TransactionAborted } from './failures.ts';
import { type RowScope, setCompanyStatement } from './row-security.ts';

/**
 * The connection of one open transaction. The client is in pg's pipeline mode: queries are sent
 * without waiting for earlier results, and results arrive in order. Once a query has failed, the
 * server rejects those queued behind it.
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

  /** Rejects further queries, which would run outside the transaction. */
  end(): void {
    this.#hasEnded = true;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query;
    assertStorable(parameters);

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
