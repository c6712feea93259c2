import type { CompiledQuery, DatabaseConnection } from 'kysely';

export type TransactionKind = 'read' | 'write';

export interface TransactionObserver {
  /**
   * From now on the transaction waits for the database, not for a connection. Called again for each
   * retry.
   */
  onConnectionAcquired(): void;
  onBegin(): void;
  onQueryStart?(): void;
  onQuery(sql: string, ms: number): void;
}

export const observedConnection = (
  connection: DatabaseConnection,
  observer: TransactionObserver,
): DatabaseConnection => ({
  executeQuery<R>(query: CompiledQuery) {
    observer.onQueryStart?.();
    const startedAt = performance.now();
    return connection.executeQuery<R>(query).then((result) => {
      observer.onQuery(query.sql, performance.now() - startedAt);
      return result;
    });
  },
  streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
});
