import type { CompiledQuery, DatabaseConnection } from 'kysely';

export type TransactionKind = 'read' | 'write';

export interface TransactionObserver {
  /**
   * From now on the transaction waits for the database, not for a connection. Called again for each
   * retry.
   */
  onConnectionAcquired(): void;
  onBegin(): void;
  onQuery(sql: string, ms: number): void;
}

export const observedConnection = (
  connection: DatabaseConnection,
  observer: TransactionObserver,
): DatabaseConnection => ({
  executeQuery<R>(query: CompiledQuery) {
    const startedAt = performance.now();
    return connection.executeQuery<R>(query).then((result) => {
      observer.onQuery(query.sql, performance.now() - startedAt);
      return result;
    });
  },
  streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
});

/**
 * Throws unless SQLite and PostgreSQL store each value identically. SQLite's binding treats a date
 * or an object as named parameters, and both databases misinterpret undefined, NaN and booleans.
 */
export function checkParameters(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (value === null || typeof value === 'string' || typeof value === 'bigint') continue;
    if (typeof value === 'number' && Number.isFinite(value)) continue;
    if (value instanceof Uint8Array) continue;
    // The message omits the value, which must not appear in a log.
    throw new TypeError(`A query parameter is a ${typeof value}, which the store cannot hold`);
  }
}
