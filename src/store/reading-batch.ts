import type { Kysely } from 'kysely';

/** Readings side by side: the sensor's id, the instant in ms, and the value in the sensor's unit. */
export interface ReadingBatch {
  sensorIds: ArrayLike<number>;
  at: ArrayLike<number>;
  values: ArrayLike<number>;
  length: number;
}

/** Sensor and [from, to) of instants. */
export interface Span {
  sensorId: number;
  from: number;
  to: number;
}

/** A way to write readings that a database has of its own. */
export interface ReadingsWay {
  /** Writes these rows of a batch, one for each sensor and instant, in place of what stands there. */
  write(companyId: number, batch: ReadingBatch, rows: readonly number[]): Promise<void>;
  /** Sums whole hours of readings, and whole days of these sums; no hour or day lies in two spans. */
  sumHours(companyId: number, spans: readonly Span[]): Promise<void>;
  sumDays(companyId: number, spans: readonly Span[]): Promise<void>;
}

/** The adapter of a handle carries the way, where there is one. */
export const READINGS_WAY = Symbol('the way to write readings');

export function readingsWayOf<T>(db: Kysely<T>): ReadingsWay | undefined {
  return (db.getExecutor().adapter as { readonly [READINGS_WAY]?: ReadingsWay })[READINGS_WAY];
}
