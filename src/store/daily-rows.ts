import type { Kysely } from 'kysely';
import { firstOf } from '../domain/items.ts';
import { dayOf } from '../domain/shares/daily-rows.ts';
import { preparedQuery } from './queries/prepared-query.ts';
import type { CompanyDb, Tables } from './tables.ts';

/** Returns how many rows the company has added on the day of `at`. */
export async function dailyRows(db: CompanyDb, at: number): Promise<number> {
  const row = await db
    .selectFrom('daily_rows')
    .select('row_count')
    .where('day', '=', dayOf(at))
    .executeTakeFirst();
  return row?.row_count ?? 0;
}

const addRows = preparedQuery((db, day: number, firstCount: number, count: number) =>
  db
    .insertInto('daily_rows')
    .values({ day, row_count: firstCount })
    .onConflict((conflict) =>
      conflict.columns(['day']).doUpdateSet((eb) => {
        const total = eb('daily_rows.row_count', '+', count);
        return { row_count: eb.case().when(total, '<', 0).then(0).else(total).end() };
      }),
    )
    .returning('row_count'),
);

/**
 * Call it in the transaction that adds the rows, or, with a negative count, deletes planned ones.
 * Returns how many rows of that day count now.
 */
export async function addDailyRows(db: CompanyDb, at: number, count: number): Promise<number> {
  const day = dayOf(at);
  const { row_count: total } = firstOf(await addRows(db, day, Math.max(0, count), count));

  const mayBeFirstOfDay = total === count;
  if (mayBeFirstOfDay) await db.deleteFrom('daily_rows').where('day', '<', day).execute();
  return total;
}

/** How many rows each company has added on the day of `at`, and how many modules it has. */
export const dailyRowsOfCompanies = (db: Kysely<Tables>, at: number) =>
  db
    .selectFrom('daily_rows')
    .innerJoin('companies', 'companies.id', 'daily_rows.company_id')
    .select((eb) => [
      'companies.name',
      'row_count as rows',
      eb
        .selectFrom('modules')
        .whereRef('modules.company_id', '=', 'daily_rows.company_id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('probes'),
    ])
    .where('day', '=', dayOf(at))
    .execute();
