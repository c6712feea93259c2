import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import { companyIdOf } from './company-db.ts';
import { adapterOf } from './store-adapter.ts';
import type { CompanyDb, Tables } from './tables.ts';

// Kysely builds and compiles a query at each call, which takes a third of a warm read (bench/warm-read.mjs). Prepared
// queries are compiled once.

class ParameterSlot {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

export const parameterSlots = (count: number): never[] =>
  Array.from({ length: count }, (_, index) => new ParameterSlot(index) as never);

const withValues = <Query extends CompiledQuery>(query: Query, values: readonly unknown[]): Query => ({
  ...query,
  parameters: query.parameters.map((value) => (value instanceof ParameterSlot ? values[value.index] : value)),
});

export async function runWithValues<T>(db: Kysely<T>, query: CompiledQuery, values: readonly unknown[]): Promise<void> {
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
    const slots = parameterSlots(size * columns.length);
    const slotRow = (index: number) =>
      Object.fromEntries(columns.map((name, column) => [name, slots[index * columns.length + column]])) as Row;
    const insert = build(Array.from({ length: size }, (_, index) => slotRow(index))).compile();
    for (; rows.length - start >= size; start += size)
      await runWithValues(db, insert, rows.slice(start, start + size).flat());
  }
}

/** A server may keep the plan of a query under its name, because its SQL is the same for every company. */
interface NamedQuery<Row> extends CompiledQuery<Row> {
  readonly statementName: string;
}

const isNamed = (query: CompiledQuery): query is NamedQuery<unknown> => 'statementName' in query;

export const statementNameOf = (query: CompiledQuery): string | undefined =>
  isNamed(query) ? query.statementName : undefined;

const MAX_COMPILED = 1_000;

let queryCount = 0;

class CompiledForms<Row> {
  readonly #statementName = `acequia_${++queryCount}`;
  readonly #forms = new Map<string, NamedQuery<Row>>();

  /** Runs the form for `key`, which `build` creates the first time. `shape` distinguishes forms with different SQL. */
  async run<T>(
    db: Kysely<T>,
    { key, shape = '' }: { key: string; shape?: string },
    build: () => Compilable<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const id = `${adapterOf(db).dialect} ${shape} ${key}`;
    let query = this.#forms.get(id);
    if (!query) {
      if (this.#forms.size >= MAX_COMPILED) this.#forms.clear();
      query = { ...build().compile(), statementName: `${this.#statementName}${shape}` };
      this.#forms.set(id, query);
    }
    return (await db.executeQuery<Row>(withValues(query, values))).rows;
  }
}

/** `build` gets slots in place of the values, so the form of the query must not depend on the values. */
export function preparedQuery<Values extends readonly unknown[], Row>(
  build: (db: CompanyDb, ...values: Values) => Compilable<Row>,
): (db: CompanyDb, ...values: Values) => Promise<Row[]> {
  const forms = new CompiledForms<Row>();
  const slots = parameterSlots(build.length - 1) as unknown as Values;
  return async (db, ...values) => forms.run(db, { key: String(companyIdOf(db)) }, () => build(db, ...slots), values);
}

const MAX_LIST_LENGTH = 12;

export function preparedListQuery<Values extends readonly unknown[], Row>(
  build: (db: CompanyDb, ids: readonly number[], ...values: Values) => Compilable<Row>,
): (db: CompanyDb, ids: readonly number[], ...values: Values) => Promise<Row[]> {
  const forms = new CompiledForms<Row>();
  return async (db, ids, ...values) => {
    const { length } = ids;
    if (length > MAX_LIST_LENGTH) return (await db.executeQuery<Row>(build(db, ids, ...values))).rows;
    const buildWithSlots = () => {
      const slots = parameterSlots(length + values.length);
      return build(db, slots.slice(0, length), ...(slots.slice(length) as unknown as Values));
    };
    return forms.run(db, { key: String(companyIdOf(db)), shape: `_${length}` }, buildWithSlots, [...ids, ...values]);
  };
}

export function preparedGlobalQuery<Values extends readonly unknown[], Row>(
  build: (db: Kysely<Tables>, ...values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, ...values: Values) => Promise<Row[]> {
  const forms = new CompiledForms<Row>();
  const slots = parameterSlots(build.length - 1) as unknown as Values;
  return (db, ...values) => forms.run(db, { key: 'all' }, () => build(db, ...slots), values);
}

/** A prepared insert of one row that returns its id. Every row must have the columns of the first one. */
export function preparedInsert<Row extends object>(
  build: (db: CompanyDb, row: Row) => Compilable<{ id: number }>,
): (db: CompanyDb, row: Row) => Promise<number> {
  const forms = new CompiledForms<{ id: number }>();
  let columns: readonly string[] | undefined;
  return async (db, row) => {
    columns ??= Object.keys(row);
    const names = columns;
    if (Object.keys(row).length !== names.length) throw new Error(`The columns of the row differ from ${names}`);
    const buildWithSlots = () => {
      const slots = parameterSlots(names.length);
      return build(db, Object.fromEntries(names.map((name, index) => [name, slots[index]])) as Row);
    };
    const values = names.map((name) => (row as Record<string, unknown>)[name]);
    const [inserted] = await forms.run(db, { key: String(companyIdOf(db)) }, buildWithSlots, values);
    return inserted!.id;
  };
}
