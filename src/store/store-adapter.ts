import type { DialectAdapter, Kysely } from 'kysely';
import type { ReadingRetention } from '../domain/moisture/reading-retention.ts';
import type { CollectedChanges } from './changes/collected-changes.ts';
import type { Tables } from './tables.ts';

export type StoreDialect = 'sqlite' | 'postgres';

/** The differences between the databases, besides their SQL, that queries for both depend on. */
export interface StoreAdapter extends DialectAdapter {
  /** Queries that were compiled for one dialect cannot run in the other. */
  readonly dialect: StoreDialect;
  /** Null if the database has no faster way to write readings than inserts. */
  readonly bulkReadings: BulkReadings | null;
  /**
   * Rows that earlier reads of the very same state of the database found, by query. Null if it is
   * not known whether the state is the same.
   */
  readonly foundRows: Map<string, readonly unknown[]> | null;
  /** The companies whose rows the transaction has changed (see scope/counted-changes.ts). */
  readonly changedCompanies: Set<number>;
  /** The companies whose modules or sensors it has changed. */
  readonly companiesWithChangedProbes: Set<number>;
  /** The versions of probes that it has read, by company. */
  readonly probesVersions: Map<number, Promise<string | null>>;
  /** Since when it keeps single readings, by company. */
  readonly readingRetentions: Map<number, Promise<ReadingRetention | null>>;
  readonly copyStatements: CopyStatements;
  readonly batchSteps: BatchSteps;
  /** Passed to the listeners of `onCompanyChange` once the transaction is committed. */
  readonly changesToAnnounce: CollectedChanges;
}

/** Columns of readings, all with `length` rows; `at` has instants in ms. */
export interface ReadingBatch {
  sensorIds: ArrayLike<number>;
  at: ArrayLike<number>;
  values: ArrayLike<number>;
  length: number;
}

export interface SensorPeriod {
  sensorId: number;
  from: number;
  to: number;
}

/** Buckets of a sensor that follow each other from `from` to `to`, each of `bucketMs`. */
export interface SumBuckets extends SensorPeriod {
  readonly bucketMs: number;
}

/** Buckets of one table, no two the same, and the table from which their sums are computed. */
export interface ChangedSums {
  readonly table: 'reading_hours' | 'reading_days' | 'reading_local_days';
  readonly source: 'readings' | 'reading_hours';
  readonly buckets: readonly SumBuckets[];
}

export interface BulkReadings {
  /**
   * Writes the rows of the batch with these indexes, of which no two may have the same sensor and
   * instant. They replace stored readings.
   */
  write(companyId: number, batch: ReadingBatch, rows: readonly number[]): Promise<void>;
  /** Also computes the sums that these rows change, in their order. */
  writeWithSums(
    companyId: number,
    batch: ReadingBatch,
    rows: readonly number[],
    changed: readonly ChangedSums[],
  ): Promise<void>;
}

/** How a batch of readings is written, so that others can write meanwhile. */
export interface BatchSteps {
  /** The readings of one transaction, which takes well under 100 ms. */
  readonly readings: number;
  /** Null where the next writer waits in a queue, and needs no pause to find the lock free. */
  readonly pause: { readonly afterMs: number; readonly ms: number } | null;
}

export type CopiedRow = Readonly<Record<string, string | number | null>>;

export interface CopyStatements {
  insertRows(db: Kysely<Tables>, table: string, rows: readonly CopiedRow[]): Promise<void>;
  lastGeneratedId(db: Kysely<Tables>, table: string, column: string): Promise<number | null>;
  setLastGeneratedId(db: Kysely<Tables>, table: string, column: string, id: number): Promise<void>;
}

/** The executors of both stores have a `StoreAdapter`. */
export const adapterOf = <T>(db: Kysely<T>): StoreAdapter =>
  db.getExecutor().adapter as StoreAdapter;

/** Belongs to the transaction of the handle: each transaction has its own adapter. */
export const changesToAnnounce = <T>(db: Kysely<T>): CollectedChanges =>
  adapterOf(db).changesToAnnounce;

/**
 * Throws for a value that SQLite and PostgreSQL would not store identically. SQLite's binding
 * treats a date or an object as named parameters, and both databases misinterpret undefined, NaN
 * and booleans.
 */
export function assertStorable(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (value === null || typeof value === 'string' || typeof value === 'bigint') continue;
    if (typeof value === 'number' && Number.isFinite(value)) continue;
    if (value instanceof Uint8Array) continue;
    if (Array.isArray(value)) {
      assertStorable(value);
      continue;
    }
    // The message omits the value, which must not appear in a log.
    throw new TypeError(`A query parameter is a ${typeof value}, which the store cannot hold`);
  }
}
