import { endianness } from 'node:os';
import { type AliasableExpression, type Compilable, sql } from 'kysely';
import type { ColumnarSums } from '../../domain/moisture/bucket-means.ts';
import { bulkReadingsOf } from '../bulk-readings.ts';
import type { CompanyDb } from '../tables.ts';

const DOUBLE_BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * The numbers of a column in one value, which a server sends far sooner than as many rows: each in the eight bytes of a
 * double, so that neither side writes or reads it as text.
 */
export const packedDoubles = (column: string) => sql<Buffer>`string_agg(float8send(${sql.ref(column)}::float8), '')`;

export const packedLength = (list: Buffer): number => list.length / DOUBLE_BYTES;

/** Writes the numbers of a list into an array, from an index on. */
export function unpackInto(list: Buffer, into: Float64Array, index: number): void {
  const bytes = Buffer.from(into.buffer, into.byteOffset + index * DOUBLE_BYTES, list.length);
  list.copy(bytes);
  // The server has the highest byte first.
  if (endianness() === 'LE') bytes.swap64();
}

/** The numbers of a list. */
export function unpackDoubles(list: Buffer): Float64Array {
  const numbers = new Float64Array(packedLength(list));
  unpackInto(list, numbers, 0);
  return numbers;
}

/** A reading, or the sum of some: what their values add up to, and how many they are. `at` in ms. */
export interface SensorSum {
  readonly sensorId: number;
  readonly at: number;
  readonly sum: number;
  readonly count: number;
}

/** The sums of one sensor, each column a list. */
interface PackedSensorSums {
  readonly sensorId: number;
  readonly at: Buffer;
  readonly sum: Buffer;
  readonly count: Buffer;
}

/** What is found of sums: a row for each, or on a server one for each sensor. */
export type SumRow = SensorSum | PackedSensorSums;

/** A query for sums. */
export type SumQuery = AliasableExpression<SensorSum> & Compilable<SensorSum>;

/** A query for sums, as the database of the handle gives them soonest. */
export const sumRowsQuery = (db: CompanyDb, query: SumQuery): Compilable<SumRow> =>
  bulkReadingsOf(db) ? packedSumsQuery(db, query) : query;

const packedSumsQuery = (db: CompanyDb, query: SumQuery): Compilable<PackedSensorSums> =>
  db
    .selectFrom(query.as('sums'))
    .groupBy('sensorId')
    .select([
      'sensorId',
      packedDoubles('at').as('at'),
      packedDoubles('sum').as('sum'),
      packedDoubles('count').as('count'),
    ]);

/** What such queries found, side by side; sensors by their place in `sensorIds`. */
export function columnarSums(db: CompanyDb, found: readonly SumRow[][], sensorIds: readonly number[]): ColumnarSums {
  const placeOf = new Map(sensorIds.map((id, place) => [id, place]));
  return bulkReadingsOf(db)
    ? fromPacked(found as PackedSensorSums[][], placeOf)
    : fromRows(found as SensorSum[][], placeOf);
}

const emptySums = (length: number) => ({
  sensor: new Int32Array(length),
  at: new Float64Array(length),
  sum: new Float64Array(length),
  count: new Float64Array(length),
  length,
});

function fromRows(found: readonly (readonly SensorSum[])[], placeOf: ReadonlyMap<number, number>): ColumnarSums {
  const sums = emptySums(found.reduce((all, rows) => all + rows.length, 0));
  let index = 0;
  for (const rows of found)
    for (const row of rows) {
      sums.sensor[index] = placeOf.get(row.sensorId)!;
      sums.at[index] = row.at;
      sums.sum[index] = row.sum;
      sums.count[index] = row.count;
      index++;
    }
  return sums;
}

function fromPacked(
  found: readonly (readonly PackedSensorSums[])[],
  placeOf: ReadonlyMap<number, number>,
): ColumnarSums {
  const lists = found.flat();
  const sums = emptySums(lists.reduce((all, { at }) => all + packedLength(at), 0));
  let index = 0;
  for (const { sensorId, at, sum, count } of lists) {
    const end = index + packedLength(at);
    sums.sensor.fill(placeOf.get(sensorId)!, index, end);
    unpackInto(at, sums.at, index);
    unpackInto(sum, sums.sum, index);
    unpackInto(count, sums.count, index);
    index = end;
  }
  return sums;
}
