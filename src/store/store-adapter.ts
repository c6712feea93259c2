import type { DialectAdapter, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * What the shared queries need to know about the database of a handle, beyond SQL. A kind of store gives its handles an
 * adapter that implements this.
 */
export interface StoreAdapter extends DialectAdapter {
  /** Names the SQL dialect: queries that are compiled for one cannot be run in another. */
  readonly dialect: string;
  /** Null where inserts of many rows are fast enough. */
  readonly bulkReadings: BulkReadings | null;
  readonly copying: CopyStatements;
}

/** Readings as columns: the sensor's id, the instant in ms since 1970, the value in the sensor's unit. */
export interface ReadingBatch {
  sensorIds: ArrayLike<number>;
  at: ArrayLike<number>;
  values: ArrayLike<number>;
  length: number;
}

/** A sensor and a period [from, to), in ms. */
export interface SensorPeriod {
  sensorId: number;
  from: number;
  to: number;
}

/** Writes many readings at once, within a transaction. */
export interface BulkReadings {
  /** Writes the rows of a batch with these indexes, replacing stored readings. No two of them share sensor and instant. */
  write(companyId: number, batch: ReadingBatch, rows: readonly number[]): Promise<void>;
  /** Computes the hourly sums in these periods from the readings. Periods are whole hours and do not overlap. */
  sumHours(companyId: number, periods: readonly SensorPeriod[]): Promise<void>;
  /** Computes the daily sums in these periods from the hourly ones. Periods are whole days and do not overlap. */
  sumDays(companyId: number, periods: readonly SensorPeriod[]): Promise<void>;
}

/** A row by its columns, whatever its table. */
export type CopiedRow = Readonly<Record<string, string | number | null>>;

/** What copying a store needs that SQL leaves to the database. */
export interface CopyStatements {
  /** Inserts rows with the ids that they have. They all have the columns of the first. */
  insertRows(db: Kysely<Tables>, table: string, rows: readonly CopiedRow[]): Promise<void>;
  /** The highest id that was ever generated in a column; null before the first. */
  lastGeneratedId(db: Kysely<Tables>, table: string, column: string): Promise<number | null>;
  /** Has the next generated id follow this one. */
  setLastGeneratedId(db: Kysely<Tables>, table: string, column: string, id: number): Promise<void>;
}

/** The adapter of a handle. Kysely passes on the one that the store has built the handle with. */
export const adapterOf = <T>(db: Kysely<T>): StoreAdapter => db.getExecutor().adapter as StoreAdapter;
