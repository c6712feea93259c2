import { type RawBuilder, sql } from 'kysely';

type Value = string | number | null;

/**
 * The value that an update gives each row, by its key, so that one statement can change rows to
 * different values.
 */
export function valuesByKey(
  keyColumn: string,
  values: ReadonlyMap<string | number, Value>,
): RawBuilder<never> {
  const key = sql.ref(keyColumn);
  // PostgreSQL would take an untyped parameter for a text; an assignment casts to the column's type.
  const isText = [...values.values()].some((value) => typeof value === 'string');
  const type = isText ? sql`text` : sql`double precision`;
  const cases = [...values].map(
    ([rowKey, value]) => sql`when ${key} = ${rowKey} then cast(${value} as ${type})`,
  );
  return sql<never>`case ${sql.join(cases, sql` `)} end`;
}
