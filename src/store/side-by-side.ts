import type { AliasableExpression, Compilable } from 'kysely';
import type { Sums } from '../domain/buckets.ts';
import { lengthOf, listOf, putList } from './lists.ts';
import { readingsWayOf } from './reading-batch.ts';
import type { CompanyDb } from './tables.ts';

/** A reading, or the sum of some: what their values add up to, and how many they are. `at` in ms. */
export interface Sum {
  readonly sensorId: number;
  readonly at: number;
  readonly sum: number;
  readonly count: number;
}

/** The sums of one sensor, each column a list. */
interface Listed {
  readonly sensorId: number;
  readonly at: Buffer;
  readonly sum: Buffer;
  readonly count: Buffer;
}

/** What is found of sums: a row for each, or on a server one for each sensor. */
export type Found = Sum | Listed;

/** A query for sums. */
export type SumQuery = AliasableExpression<Sum> & Compilable<Sum>;

/** A query for sums, as the database of the handle gives them soonest. */
export const asFound = (db: CompanyDb, query: SumQuery): Compilable<Found> =>
  readingsWayOf(db) ? listed(db, query) : query;

const listed = (db: CompanyDb, query: SumQuery): Compilable<Listed> =>
  db
    .selectFrom(query.as('sums'))
    .groupBy('sensorId')
    .select(['sensorId', listOf('at').as('at'), listOf('sum').as('sum'), listOf('count').as('count')]);

/** What such queries found, side by side; sensors by their place in `sensorIds`. */
export function sideBySide(db: CompanyDb, found: readonly Found[][], sensorIds: readonly number[]): Sums {
  const placeOf = new Map(sensorIds.map((id, place) => [id, place]));
  return readingsWayOf(db) ? fromLists(found as Listed[][], placeOf) : fromRows(found as Sum[][], placeOf);
}

const empty = (length: number) => ({
  sensor: new Int32Array(length),
  at: new Float64Array(length),
  sum: new Float64Array(length),
  count: new Float64Array(length),
  length,
});

function fromRows(found: readonly (readonly Sum[])[], placeOf: ReadonlyMap<number, number>): Sums {
  const sums = empty(found.reduce((all, rows) => all + rows.length, 0));
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

function fromLists(found: readonly (readonly Listed[])[], placeOf: ReadonlyMap<number, number>): Sums {
  const lists = found.flat();
  const sums = empty(lists.reduce((all, { at }) => all + lengthOf(at), 0));
  let index = 0;
  for (const { sensorId, at, sum, count } of lists) {
    const end = index + lengthOf(at);
    sums.sensor.fill(placeOf.get(sensorId)!, index, end);
    putList(at, sums.at, index);
    putList(sum, sums.sum, index);
    putList(count, sums.count, index);
    index = end;
  }
  return sums;
}
