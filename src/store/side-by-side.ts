import { type AliasableExpression, sql } from 'kysely';
import type { Sums } from '../domain/buckets.ts';
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
  readonly at: readonly number[];
  readonly sum: readonly number[];
  readonly count: readonly number[];
}

/** A query for sums. */
export interface SumQuery extends AliasableExpression<Sum> {
  execute(): Promise<Sum[]>;
}

/** What queries find, one after the other, side by side; sensors by their place in `sensorIds`. */
export async function sideBySide(
  db: CompanyDb,
  queries: readonly SumQuery[],
  sensorIds: readonly number[],
): Promise<Sums> {
  const placeOf = new Map(sensorIds.map((id, place) => [id, place]));
  return readingsWayOf(db)
    ? fromLists(await inTurn(queries, (query) => listed(db, query).execute()), placeOf)
    : fromRows(await inTurn(queries, (query) => query.execute()), placeOf);
}

async function inTurn<T>(queries: readonly SumQuery[], ask: (query: SumQuery) => Promise<T[]>): Promise<T[][]> {
  const found: T[][] = [];
  for (const query of queries) found.push(await ask(query));
  return found;
}

/** A server sends a few lists far sooner than thousands of rows. */
const listed = (db: CompanyDb, query: SumQuery) =>
  db
    .selectFrom(query.as('sums'))
    .groupBy('sensorId')
    .select(['sensorId', listOf('at').as('at'), listOf('sum').as('sum'), listOf('count').as('count')]);

const listOf = (column: keyof Sum) => sql<number[]>`json_agg(${sql.ref(column)})`;

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
  const sums = empty(lists.reduce((all, { at }) => all + at.length, 0));
  let index = 0;
  for (const { sensorId, at, sum, count } of lists) {
    sums.sensor.fill(placeOf.get(sensorId)!, index, index + at.length);
    sums.at.set(at, index);
    sums.sum.set(sum, index);
    sums.count.set(count, index);
    index += at.length;
  }
  return sums;
}
