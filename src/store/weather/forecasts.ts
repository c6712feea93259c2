import type { Kysely, Selectable } from 'kysely';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';

export type StoredForecast = Selectable<CompanyTables['forecasts']>;

export const newestForecast = (db: CompanyDb): Promise<StoredForecast | undefined> =>
  db
    .selectFrom('forecasts')
    .selectAll()
    .where('fetched_at', 'is not', null)
    .orderBy('fetched_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export const forecastOf = (db: CompanyDb, provider: string): Promise<StoredForecast | undefined> =>
  db.selectFrom('forecasts').selectAll().where('provider', '=', provider).executeTakeFirst();

export async function saveForecast(db: CompanyDb, row: StoredForecast): Promise<void> {
  const { provider: _, ...columns } = row;
  await db
    .insertInto('forecasts')
    .values(row)
    .onConflict((conflict) => conflict.column('provider').doUpdateSet(columns))
    .execute();
}

/** Of all companies. */
export const allForecasts = (all: Kysely<Tables>): Promise<StoredForecast[]> =>
  all.selectFrom('forecasts').select(['provider', 'tried_at', 'fetched_at', 'body', 'failure']).execute();
