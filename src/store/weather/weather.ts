import type { Kysely, Selectable } from 'kysely';
import type { DayOfWeather } from '../../domain/weather/evapotranspiration.ts';
import { weatherFields } from '../../schema/weather/weather-days.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';

export interface StoredWeather extends DayOfWeather {
  readonly localDay: string;
}

const mapper = new ResourceMapper(weatherFields);

/** Both days are included. */
export async function weatherBetween(
  db: CompanyDb,
  from: string,
  to: string,
): Promise<StoredWeather[]> {
  const rows = await db
    .selectFrom('weather_days')
    .selectAll()
    .where('local_day', '>=', from)
    .where('local_day', '<=', to)
    .orderBy('local_day')
    .execute();
  return rows.map((row) => ({ localDay: row.local_day, ...mapper.toValue(row) }));
}

export async function saveWeather(
  db: CompanyDb,
  { localDay, ...weather }: StoredWeather,
  at: number,
): Promise<void> {
  const columns = { ...mapper.toColumns(weather), set_at: at };

  const isStored = (await weatherBetween(db, localDay, localDay)).length > 0;
  if (isStored)
    await db.updateTable('weather_days').set(columns).where('local_day', '=', localDay).execute();
  else
    await db
      .insertInto('weather_days')
      .values({ local_day: localDay, ...columns })
      .execute();
}

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

/** The forecasts of all companies. */
export const allForecasts = (all: Kysely<Tables>): Promise<StoredForecast[]> =>
  all
    .selectFrom('forecasts')
    .select(['provider', 'attempted_at', 'fetched_at', 'body', 'failure'])
    .execute();
