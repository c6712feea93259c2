import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import { chunksOf } from '../../domain/groups.ts';
import { firstOf } from '../../domain/items.ts';
import { companyIdOf } from '../scope/company-db.ts';
import { adapterOf } from '../store-adapter.ts';
import type { CompanyDb, Tables } from '../tables.ts';
import {
  ColumnPlaceholder,
  ParameterPlaceholder,
  parameterPlaceholders,
  withValues,
} from './placeholders.ts';

// Kysely builds and compiles a query at each call, which takes a third of a warm read
// (bench/warm-read.mjs). Prepared queries are compiled once.

export async function runWithValues<T>(
  db: Kysely<T>,
  query: CompiledQuery,
  values: readonly unknown[],
): Promise<void> {
  await db.executeQuery(withValues(query, values));
}

const rowOf = <Row>(columns: readonly string[], values: readonly unknown[]): Row =>
  Object.fromEntries(columns.map((name, index) => [name, values[index]])) as Row;

/**
 * A server may keep the plan of a query under its name, because its SQL is the same for every
 * company.
 */
interface NamedQuery<Row> extends CompiledQuery<Row> {
  readonly statementName: string;
}

const isNamed = (query: CompiledQuery): query is NamedQuery<unknown> => 'statementName' in query;

export const statementNameOf = (query: CompiledQuery): string | undefined =>
  isNamed(query) ? query.statementName : undefined;

/**
 * The compiled statements of one prepared query: it has one for each company, dialect and length of
 * its list.
 */
const MAX_COMPILED = 1_000;

/** Numbers the names under which a server keeps plans. */
let queryCount = 0;

function newStatementName(): string {
  queryCount++;
  return `acequia_${queryCount}`;
}

class CompiledQueries<Row> {
  readonly #statementName = newStatementName();
  readonly #queries = new Map<string, NamedQuery<Row>>();

  /**
   * Compiles the query once per key. `shape` distinguishes queries of one key whose SQL differs.
   */
  async run<T>(
    db: Kysely<T>,
    { key, shape = '' }: { key: string; shape?: string },
    build: () => Compilable<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const id = `${adapterOf(db).dialect} ${shape} ${key}`;
    let query = this.#queries.get(id);
    if (!query) {
      if (this.#queries.size >= MAX_COMPILED) this.#queries.clear();
      query = { ...build().compile(), statementName: `${this.#statementName}${shape}` };
      this.#queries.set(id, query);
    }
    return (await db.executeQuery<Row>(withValues(query, values))).rows;
  }
}

/** `build` gets placeholders instead of the values, so its SQL must not depend on them. */
export function preparedQuery<Values extends readonly unknown[], Row>(
  build: (db: CompanyDb, ...values: Values) => Compilable<Row>,
): (db: CompanyDb, ...values: Values) => Promise<Row[]> {
  const queries = new CompiledQueries<Row>();
  // `build.length` counts `db` and the values.
  const placeholders = parameterPlaceholders<Values>(build.length - 1);
  return async (db, ...values) =>
    queries.run(db, { key: String(companyIdOf(db)) }, () => build(db, ...placeholders), values);
}

/** By default, a query with a longer list is compiled at each call. */
const MAX_LIST_LENGTH = 12;

/**
 * A prepared query whose first value is a list. It is compiled once for each length of the list, and
 * finds nothing for an empty one.
 */
export function preparedListQuery<Values extends readonly unknown[], Row, Id = number>(
  build: (db: CompanyDb, ids: readonly Id[], ...values: Values) => Compilable<Row>,
  maxLength = MAX_LIST_LENGTH,
): (db: CompanyDb, ids: readonly Id[], ...values: Values) => Promise<Row[]> {
  const queries = new CompiledQueries<Row>();
  return async (db, ids, ...values) => {
    const { length } = ids;
    if (length === 0) return [];
    if (length > maxLength) return (await db.executeQuery<Row>(build(db, ids, ...values))).rows;

    const buildWithPlaceholders = () => {
      const idPlaceholders = parameterPlaceholders<Id[]>(length);
      return build(db, idPlaceholders, ...parameterPlaceholders<Values>(values.length, length));
    };

    return queries.run(
      db,
      { key: String(companyIdOf(db)), shape: `_${length}` },
      buildWithPlaceholders,
      [...ids, ...values],
    );
  };
}

/** A prepared query for the rows of all companies. */
export function preparedGlobalQuery<Values extends readonly unknown[], Row>(
  build: (db: Kysely<Tables>, ...values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, ...values: Values) => Promise<Row[]> {
  const queries = new CompiledQueries<Row>();
  const placeholders = parameterPlaceholders<Values>(build.length - 1);
  return (db, ...values) =>
    queries.run(db, { key: 'all' }, () => build(db, ...placeholders), values);
}

/** Enough for the callers of a service; some of them send another key with each call. */
const MAX_FOUND = 1_000;

/**
 * A prepared query for the rows of all companies that calls repeat with the same values. It runs
 * again only after the database has changed, where that is known.
 */
export function repeatedGlobalQuery<Values extends readonly string[], Row>(
  build: (db: Kysely<Tables>, ...values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, ...values: Values) => Promise<readonly Readonly<Row>[]> {
  const run = preparedGlobalQuery(build);
  const name = newStatementName();
  return async (db, ...values) => {
    const { foundRows } = adapterOf(db);
    if (foundRows === null) return run(db, ...values);

    const key = JSON.stringify([name, ...values]);
    // Only this query finds rows under its name.
    const found = foundRows.get(key) as readonly Readonly<Row>[] | undefined;
    if (found) return found;

    const rows = (await run(db, ...values)).map((row) => Object.freeze(row));
    if (foundRows.size >= MAX_FOUND) foundRows.clear();
    foundRows.set(key, rows);
    return rows;
  };
}

/**
 * Inserts rows of values in the order of the columns, with as few statements of these row counts as
 * possible. They are in descending order, and the last one is 1.
 */
export function preparedInserts<Row>(
  columns: readonly string[],
  sizes: readonly number[],
  build: (db: CompanyDb, rows: readonly Row[]) => Compilable<unknown>,
): (db: CompanyDb, rows: readonly (readonly unknown[])[]) => Promise<void> {
  const queries = new CompiledQueries<unknown>();
  const placeholderRows = (size: number): Row[] =>
    chunksOf(parameterPlaceholders(size * columns.length), columns.length).map((row) =>
      rowOf<Row>(columns, row),
    );

  return async (db, rows) => {
    const key = String(companyIdOf(db));
    let start = 0;
    for (const size of sizes)
      for (; rows.length - start >= size; start += size) {
        const values = rows.slice(start, start + size).flat();
        const buildOfSize = () => build(db, placeholderRows(size));
        await queries.run(db, { key, shape: `_${size}` }, buildOfSize, values);
      }
  };
}

/**
 * Inserts rows and returns what `build` returns of each, in any order. Every row must have the columns
 * of the first one. PostgreSQL takes all rows in one statement; SQLite takes as few statements as
 * possible of these row counts, which are in descending order and end with 1.
 */
export function preparedRowInserts<Row extends object, Returned>(
  sizes: readonly number[],
  build: (db: CompanyDb, rows: readonly Row[]) => Compilable<Returned>,
): (db: CompanyDb, rows: readonly Row[]) => Promise<Returned[]> {
  const queries = new CompiledQueries<Returned>();

  const insertColumns = (db: CompanyDb, rows: readonly Row[], names: readonly string[]) => {
    const columns = columnsOf(rows, names);
    const placeholders = columns.map(({ isArray }, index) =>
      isArray ? new ColumnPlaceholder(index) : new ParameterPlaceholder(index),
    );
    const shape = `_${columns.map(({ isArray }) => (isArray ? 1 : 0)).join('')}`;
    return queries.run(
      db,
      { key: String(companyIdOf(db)), shape },
      () => build(db, [rowOf<Row>(names, placeholders)]),
      columns.map(({ value }) => value),
    );
  };

  const insertInSizes = async (db: CompanyDb, rows: readonly Row[], names: readonly string[]) => {
    const key = String(companyIdOf(db));
    const returned: Returned[] = [];
    let start = 0;
    for (const size of sizes)
      for (; rows.length - start >= size; start += size) {
        const values = rows.slice(start, start + size).flatMap((row) => Object.values(row));
        const buildOfSize = () => {
          const placeholders = chunksOf(parameterPlaceholders(values.length), names.length);
          return build(
            db,
            placeholders.map((row) => rowOf<Row>(names, row)),
          );
        };
        returned.push(...(await queries.run(db, { key, shape: `_${size}` }, buildOfSize, values)));
      }
    return returned;
  };

  return async (db, rows) => {
    const names = Object.keys(rows[0] ?? {});
    const takesColumns = adapterOf(db).dialect === 'postgres' && rows.length > 1;
    return takesColumns ? insertColumns(db, rows, names) : insertInSizes(db, rows, names);
  };
}

/** The value of a column where all rows have the same; else those of all rows. */
function columnsOf<Row extends object>(rows: readonly Row[], names: readonly string[]) {
  const columns = names.map((name) => rows.map((row) => row[name as keyof Row]));
  const isSame = columns.map((values) => values.every((value) => value === values[0]));
  // Without an array among them there would be one row.
  const areAllSame = isSame.every(Boolean);
  return columns.map((values, index) => {
    const isArray = !isSame[index] || (areAllSame && index === 0);
    return { isArray, value: isArray ? values : values[0] };
  });
}

/** A prepared insert of one row that returns its id. */
export function preparedInsert<Row extends object>(
  build: (db: CompanyDb, row: Row) => Compilable<{ id: number }>,
): (db: CompanyDb, row: Row) => Promise<number> {
  const run = preparedRowQuery(build);
  return async (db, row) => firstOf(await run(db, row)).id;
}

/** A prepared query with the values of a row. Every row must have the columns of the first one. */
export function preparedRowQuery<Row extends object, Result>(
  build: (db: CompanyDb, row: Row) => Compilable<Result>,
): (db: CompanyDb, row: Row) => Promise<Result[]> {
  const queries = new CompiledQueries<Result>();
  let columns: readonly string[] | undefined;
  return async (db, row) => {
    columns ??= Object.keys(row);
    const names = columns;
    if (Object.keys(row).length !== names.length)
      throw new Error(`The columns of the row differ from ${names}`);

    const buildWithPlaceholders = () =>
      build(db, rowOf<Row>(names, parameterPlaceholders(names.length)));

    const valueByColumn = new Map<string, unknown>(Object.entries(row));
    const values = names.map((name) => valueByColumn.get(name));
    return queries.run(db, { key: String(companyIdOf(db)) }, buildWithPlaceholders, values);
  };
}
