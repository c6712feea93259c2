import type { Kysely, Selectable } from 'kysely';
import type { DayOfWeather } from '../../domain/weather/evapotranspiration.ts';
import type { CompanyDb, CompanyTables, Tables } from '../tables.ts';

export interface StoredWeather extends DayOfWeather {
  readonly localDay: string;
}

const weatherRows = (db: CompanyDb) =>
  db
    .selectFrom('weather_days')
    .select([
      'local_day as localDay',
      'temperature_min as temperatureMin',
      'temperature_max as temperatureMax',
      'humidity_min as humidityMin',
      'humidity_max as humidityMax',
      'dew_point as dewPoint',
      'wind_ms as windMs',
      'radiation_mj as radiationMj',
    ])
    .orderBy('local_day');

/** Both days are included. */
export const weatherBetween = (db: CompanyDb, from: string, to: string): Promise<StoredWeather[]> =>
  weatherRows(db).where('local_day', '>=', from).where('local_day', '<=', to).execute();

export async function saveWeather(
  db: CompanyDb,
  { localDay, ...weather }: StoredWeather,
  at: number,
): Promise<void> {
  const columns = {
    temperature_min: weather.temperatureMin,
    temperature_max: weather.temperatureMax,
    humidity_min: weather.humidityMin,
    humidity_max: weather.humidityMax,
    dew_point: weather.dewPoint,
    wind_ms: weather.windMs,
    radiation_mj: weather.radiationMj,
    set_at: at,
  };

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
