import type { Selectable } from 'kysely';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export type StoredForecast = Selectable<CompanyTables['forecasts']>;

export const storedForecast = (db: CompanyDb): Promise<StoredForecast | undefined> =>
  db
    .selectFrom('forecasts')
    .selectAll()
    .where('fetched_at', 'is not', null)
    .orderBy('fetched_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export async function saveForecast(db: CompanyDb, row: StoredForecast): Promise<void> {
  const { provider: _, ...columns } = row;
  await db
    .insertInto('forecasts')
    .values(row)
    .onConflict((conflict) => conflict.column('provider').doUpdateSet(columns))
    .execute();
}
