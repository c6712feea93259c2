import type { Kysely } from 'kysely';

/** Readings side by side: the sensor's id, the instant in ms, and the value in the sensor's unit. */
export interface ReadingBatch {
  sensorIds: ArrayLike<number>;
  at: ArrayLike<number>;
  values: ArrayLike<number>;
  length: number;
}

/** Sensor and [from, to) of instants. */
export interface SensorPeriod {
  sensorId: number;
  from: number;
  to: number;
}

/** A way to write readings that a database has of its own. */
export interface BulkReadings {
  /** Writes these rows of a batch, one for each sensor and instant, in place of what stands there. */
  write(companyId: number, batch: ReadingBatch, rows: readonly number[]): Promise<void>;
  /** Sums whole hours of readings, and whole days of these sums; no hour or day lies in two spans. */
  sumHours(companyId: number, spans: readonly SensorPeriod[]): Promise<void>;
  sumDays(companyId: number, spans: readonly SensorPeriod[]): Promise<void>;
}

/** The adapter of a handle carries the way, where there is one. */
export const BULK_READINGS = Symbol('the way to write readings');

export function bulkReadingsOf<T>(db: Kysely<T>): BulkReadings | undefined {
  return (db.getExecutor().adapter as { readonly [BULK_READINGS]?: BulkReadings })[BULK_READINGS];
}
