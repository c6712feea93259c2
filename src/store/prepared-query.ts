import type { Compilable, CompiledQuery, DialectAdapter, Kysely } from 'kysely';
import { companyIdOf } from './company-db.ts';
import type { CompanyDb, CompanyTables, Tables } from './tables.ts';

/** Stands in a statement for a value that is given when it runs. */
class ParameterSlot {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** Places for values that are given later. Kysely takes them for values of any column. */
export const parameterSlots = (count: number): never[] =>
  Array.from({ length: count }, (_, index) => new ParameterSlot(index) as never);

/** A statement with values in the slots of its parameters. */
const withValues = <Row>({ query, queryId, sql, parameters }: CompiledQuery<Row>, values: readonly unknown[]) => ({
  query,
  queryId,
  sql,
  parameters: parameters.map((value) => (value instanceof ParameterSlot ? values[value.index] : value)),
});

/** Compiles a statement with slot parameters once, to be run with many values. */
export function compileStatement(
  db: Kysely<CompanyTables>,
  build: () => Compilable<unknown>,
): (values: readonly unknown[]) => Promise<void> {
  const query = build().compile();
  return async (values) => {
    await db.executeQuery(withValues(query, values));
  };
}

/** What is kept for each kind of database, as its adapter tells: the form for one means nothing to another. */
class PerDialect<Kept> {
  readonly #byAdapter = new Map<unknown, Kept>();

  /** What is kept for the database of a handle, made where it is missing. */
  of(db: { getExecutor(): { readonly adapter: DialectAdapter } }, make: () => Kept): Kept {
    const database = db.getExecutor().adapter.constructor;
    const found = this.#byAdapter.get(database) ?? make();
    this.#byAdapter.set(database, found);
    return found;
  }
}

/** Companies whose form of a query is kept; where there are more, all are compiled anew. */
const MAX_COMPANIES = 1_000;

/** Runs a query in the form of a handle's company, which `build` makes once, with values in its slots. */
function compiledPerCompany<Row>() {
  const kept = new PerDialect<Map<number, CompiledQuery<Row>>>();
  return async (db: CompanyDb, build: () => Compilable<Row>, values: readonly unknown[]): Promise<Row[]> => {
    const compiled = kept.of(db, () => new Map());
    const companyId = companyIdOf(db);
    let query = compiled.get(companyId);
    if (!query) {
      if (compiled.size >= MAX_COMPANIES) compiled.clear();
      query = build().compile();
      compiled.set(companyId, query);
    }
    return (await db.executeQuery<Row>(withValues(query, values))).rows;
  };
}

/**
 * A query of every day: narrowed and compiled once for each company, then run with the values of each call. `build` is
 * given slots in the place of values, so that its query must be the same whatever they are.
 */
export function preparedQuery<Values extends readonly unknown[], Row>(
  build: (db: CompanyDb, ...values: Values) => Compilable<Row>,
): (db: CompanyDb, ...values: Values) => Promise<Row[]> {
  const run = compiledPerCompany<Row>();
  const slots = parameterSlots(build.length - 1) as unknown as Values;
  return (db, ...values) => run(db, () => build(db, ...slots), values);
}

/** Lengths of a list whose forms are kept: probes have a few sensors each. */
const MAX_LIST_LENGTHS = 12;

/** The same for a query that names each of a list of ids, in a form for every length of it. */
export function preparedListQuery<Values extends readonly unknown[], Row>(
  build: (db: CompanyDb, ids: readonly number[], ...values: Values) => Compilable<Row>,
): (db: CompanyDb, ids: readonly number[], ...values: Values) => Promise<Row[]> {
  const runs = new Map<number, ReturnType<typeof compiledPerCompany<Row>>>();
  return (db, ids, ...values) => {
    const run = runs.get(ids.length) ?? compiledPerCompany<Row>();
    if (runs.size < MAX_LIST_LENGTHS) runs.set(ids.length, run);
    const slotted = () => {
      const slots = parameterSlots(ids.length + values.length);
      return build(db, slots.slice(0, ids.length), ...(slots.slice(ids.length) as unknown as Values));
    };
    return run(db, slotted, [...ids, ...values]);
  };
}

/** The same for a query over the companies. */
export function preparedGlobalQuery<Values extends readonly unknown[], Row>(
  build: (db: Kysely<Tables>, ...values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, ...values: Values) => Promise<Row[]> {
  const kept = new PerDialect<CompiledQuery<Row>>();
  const slots = parameterSlots(build.length - 1) as unknown as Values;
  return async (db, ...values) => {
    const query = kept.of(db, () => build(db, ...slots).compile());
    return (await db.executeQuery<Row>(withValues(query, values))).rows;
  };
}

/** A company's insert of one row, kept alike; its columns are always those of the first. Tells its id. */
export function preparedInsert<Row extends object>(
  build: (db: CompanyDb, row: Row) => Compilable<{ id: number }>,
): (db: CompanyDb, row: Row) => Promise<number> {
  const run = compiledPerCompany<{ id: number }>();
  let names: readonly string[] | undefined;
  return async (db, row) => {
    names ??= Object.keys(row);
    const columns = names;
    if (Object.keys(row).length !== columns.length) throw new Error(`A row has other columns than ${columns}`);
    const slotted = (): Row => {
      const slots = parameterSlots(columns.length);
      return Object.fromEntries(columns.map((name, index) => [name, slots[index]])) as Row;
    };
    const values = columns.map((name) => (row as Record<string, unknown>)[name]);
    return (await run(db, () => build(db, slotted()), values))[0]!.id;
  };
}
