import type { CompiledQuery, DatabaseConnection } from 'kysely';

/** A reader's transaction sees one snapshot, a writer's may change what is kept. */
export type TransactionKind = 'read' | 'write';

/** Hears how one transaction goes, as it goes. It must not throw. */
export interface TransactionObserver {
  /** Its turn among those of this process has come; from here on it waits for the store. Told again where it is run anew. */
  onConnectionAcquired(): void;
  /** The store has let it begin. */
  onBegin(): void;
  /** A query was answered after so many ms; `sql` has places in place of values. */
  onQuery(sql: string, ms: number): void;
}

/** The same connection, whose queries an observer hears of; a stream goes as fast as who reads it, and is not timed. */
export const observedConnection = (
  connection: DatabaseConnection,
  observer: TransactionObserver,
): DatabaseConnection => ({
  executeQuery<R>(query: CompiledQuery) {
    const begun = performance.now();
    return connection.executeQuery<R>(query).then((result) => {
      observer.onQuery(query.sql, performance.now() - begun);
      return result;
    });
  },
  streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
});

/**
 * Only what SQLite and PostgreSQL store alike. SQLite's binding would take a date or an object for named parameters, and
 * either database undefined, NaN and booleans for something else than was meant.
 */
export function checkParameters(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (value === null || typeof value === 'string' || typeof value === 'bigint') continue;
    if (typeof value === 'number' && Number.isFinite(value)) continue;
    if (value instanceof Uint8Array) continue;
    // Without the value: what is logged of it is nobody's words.
    throw new TypeError(`A query parameter is a ${typeof value}, which the store does not hold`);
  }
}
