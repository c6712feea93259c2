import { z } from 'zod/v3';
import { DAY_MS } from '../../domain/periods.ts';
import type { ForecastDay } from '../../schema/weather.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { newestForecast } from '../../store/weather/weather.ts';

/** The days begin two weeks before the one on which it was fetched. */
const fetchedForecast = z.object({
  elevationM: z.number().nullable(),
  days: z.array(
    z.object({
      day: z.string(),
      rainMm: z.number().nullable(),
      rainProbability: z.number().nullable(),
      et0Mm: z.number().nullable(),
    }),
  ),
});
export type FetchedForecast = z.output<typeof fetchedForecast>;

export interface Forecast {
  readonly provider: string;
  readonly fetchedAt: number;
  readonly elevationM: number | null;
  readonly days: readonly ForecastDay[];
}

/** An older one says nothing that is still true. */
const MAX_AGE_MS = DAY_MS;

export async function usableForecast(db: CompanyDb, now: number): Promise<Forecast | null> {
  const stored = await newestForecast(db);
  if (stored?.body == null || stored.fetched_at === null) return null;
  // The clock of the process that fetched it may be ahead.
  if (Math.abs(now - stored.fetched_at) > MAX_AGE_MS) return null;
  const { provider, fetched_at: fetchedAt } = stored;
  return { provider, fetchedAt, ...fetchedForecast.parse(JSON.parse(stored.body)) };
}
