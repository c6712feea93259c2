import type { CompiledQuery, DatabaseConnection } from 'kysely';

export type TransactionKind = 'read' | 'write';

export interface TransactionObserver {
  /** It has a connection of this process and waits for the store now. Called again for each retry. */
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
 * Throws unless SQLite and PostgreSQL would store each value alike. SQLite's binding takes a date or an object for named
 * parameters, and both databases misread undefined, NaN and booleans.
 */
export function checkParameters(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (value === null || typeof value === 'string' || typeof value === 'bigint') continue;
    if (typeof value === 'number' && Number.isFinite(value)) continue;
    if (value instanceof Uint8Array) continue;
    // Without the value, which must not get into a log.
    throw new TypeError(`A query parameter is a ${typeof value}, which the store does not hold`);
  }
}
