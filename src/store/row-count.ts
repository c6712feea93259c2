import type { SelectQueryBuilder } from 'kysely';

export async function rowCount<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counted = query.select((eb) => eb.fn.countAll().as('count')).$castTo<{ count: number }>();
  return (await counted.executeTakeFirstOrThrow()).count;
}
