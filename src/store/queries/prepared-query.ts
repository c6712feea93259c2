import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import { companyIdOf } from '../scope/company-db.ts';
import { adapterOf } from '../store-adapter.ts';
import type { CompanyDb, Tables } from '../tables.ts';

// Kysely builds and compiles a query at each call, which takes a third of a warm read
// (bench/warm-read.mjs). Prepared queries are compiled once.

class ParameterPlaceholder {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

export const parameterPlaceholders = (count: number): never[] =>
  Array.from({ length: count }, (_, index) => new ParameterPlaceholder(index) as never);

const withValues = <Query extends CompiledQuery>(
  query: Query,
  values: readonly unknown[],
): Query => ({
  ...query,
  parameters: query.parameters.map((value) =>
    value instanceof ParameterPlaceholder ? values[value.index] : value,
  ),
});

export async function runWithValues<T>(
  db: Kysely<T>,
  query: CompiledQuery,
  values: readonly unknown[],
): Promise<void> {
  await db.executeQuery(withValues(query, values));
}

export async function insertInBatches<Row>(
  db: CompanyDb,
  columns: readonly (keyof Row & string)[],
  rows: readonly (readonly unknown[])[],
  sizes: readonly number[],
  build: (rows: readonly Row[]) => Compilable<unknown>,
): Promise<void> {
  let start = 0;
  for (const size of sizes) {
    if (rows.length - start < size) continue;

    const placeholders = parameterPlaceholders(size * columns.length);

    const placeholderRow = (index: number) =>
      Object.fromEntries(
        columns.map((name, column) => [name, placeholders[index * columns.length + column]]),
      ) as Row;

    const insert = build(
      Array.from({ length: size }, (_, index) => placeholderRow(index)),
    ).compile();
    for (; rows.length - start >= size; start += size)
      await runWithValues(db, insert, rows.slice(start, start + size).flat());
  }
}

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

/** The limit of one prepared query, which has one per company, dialect and length of a list. */
const MAX_COMPILED = 1_000;

/** Numbers the names under which a server keeps plans. */
let queryCount = 0;

class CompiledQueries<Row> {
  readonly #statementName = `acequia_${++queryCount}`;
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
  const placeholders = parameterPlaceholders(build.length - 1) as unknown as Values;
  return async (db, ...values) =>
    queries.run(db, { key: String(companyIdOf(db)) }, () => build(db, ...placeholders), values);
}

/** A query with a longer list is compiled at each call. */
const MAX_LIST_LENGTH = 12;

export function preparedListQuery<Values extends readonly unknown[], Row, Id = number>(
  build: (db: CompanyDb, ids: readonly Id[], ...values: Values) => Compilable<Row>,
): (db: CompanyDb, ids: readonly Id[], ...values: Values) => Promise<Row[]> {
  const queries = new CompiledQueries<Row>();
  return async (db, ids, ...values) => {
    const { length } = ids;
    if (length > MAX_LIST_LENGTH)
      return (await db.executeQuery<Row>(build(db, ids, ...values))).rows;

    const buildWithPlaceholders = () => {
      const placeholders = parameterPlaceholders(length + values.length);
      return build(
        db,
        placeholders.slice(0, length),
        ...(placeholders.slice(length) as unknown as Values),
      );
    };

    return queries.run(
      db,
      { key: String(companyIdOf(db)), shape: `_${length}` },
      buildWithPlaceholders,
      [...ids, ...values],
    );
  };
}

export function preparedGlobalQuery<Values extends readonly unknown[], Row>(
  build: (db: Kysely<Tables>, ...values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, ...values: Values) => Promise<Row[]> {
  const queries = new CompiledQueries<Row>();
  const placeholders = parameterPlaceholders(build.length - 1) as unknown as Values;
  return (db, ...values) =>
    queries.run(db, { key: 'all' }, () => build(db, ...placeholders), values);
}

/**
 * A prepared insert of one row that returns its id. Every row must have the columns of the first
 * one.
 */
export function preparedInsert<Row extends object>(
  build: (db: CompanyDb, row: Row) => Compilable<{ id: number }>,
): (db: CompanyDb, row: Row) => Promise<number> {
  const queries = new CompiledQueries<{ id: number }>();
  let columns: readonly string[] | undefined;
  return async (db, row) => {
    columns ??= Object.keys(row);
    const names = columns;
    if (Object.keys(row).length !== names.length)
      throw new Error(`The columns of the row differ from ${names}`);

    const buildWithPlaceholders = () => {
      const placeholders = parameterPlaceholders(names.length);
      return build(
        db,
        Object.fromEntries(names.map((name, index) => [name, placeholders[index]])) as Row,
      );
    };

    const values = names.map((name) => (row as Record<string, unknown>)[name]);
    const [inserted] = await queries.run(
      db,
      { key: String(companyIdOf(db)) },
      buildWithPlaceholders,
      values,
    );

    return inserted!.id;
  };
}
