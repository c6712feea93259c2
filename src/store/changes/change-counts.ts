import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

const countQuery = preparedQuery((db) => db.selectFrom('change_counts').select('count'));

/**
 * How many transactions have changed rows of the company, in any process, as the snapshot sees it.
 * Equal counts mean equal rows, except for those of keys, sessions and mail.
 */
export async function changeCount(db: CompanyDb): Promise<number> {
  const [row] = await countQuery(db);
  return row?.count ?? 0;
}
