import { HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import { allCompanies } from '../../store/company/companies.ts';
import { farmPosition } from '../../store/company/farm-position.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { forecastOf, type StoredForecast, saveForecast } from '../../store/weather/weather.ts';
import {
  ForecastError,
  type ForecastLocation,
  type ForecastProvider,
} from '../weather/open-meteo.ts';

/** A fetched forecast is not fetched again for this long: services compute it every few hours. */
const FRESH_MS = 3 * HOUR_MS;
/** After a failed attempt. */
const RETRY_MS = 30 * MINUTE_MS;
/** A round ends after this many failures, because the provider is probably down. */
const MAX_FAILURES = 3;

export interface ForecastRefreshOptions {
  readonly clock: () => number;
  readonly provider: ForecastProvider;
  readonly signal: AbortSignal;
}

interface DueForecast {
  readonly companyId: number;
  readonly location: ForecastLocation;
}

/**
 * Fetches the forecast of each farm that has a position and an old forecast. Two processes never
 * fetch the same one at once.
 */
export async function refreshForecasts(
  store: Store,
  { clock, provider, signal }: ForecastRefreshOptions,
) {
  const report = { fetched: 0, failed: 0 };
  for (const { companyId, location } of await dueForecasts(store, provider.name, clock())) {
    if (signal.aborted || report.failed >= MAX_FAILURES) break;

    const attemptedAt = clock();
    const claimed = await inCompany(store, companyId, (db) =>
      claim(db, provider.name, attemptedAt),
    );
    if (claimed === null) continue;

    const outcome = await provider.fetch(location, signal).catch((error) => {
      if (error instanceof ForecastError) return error;
      throw error;
    });
    if (signal.aborted) break;

    report[outcome instanceof ForecastError ? 'failed' : 'fetched']++;
    const row: StoredForecast =
      outcome instanceof ForecastError
        ? { ...claimed, failure: outcome.message }
        : { ...claimed, fetched_at: attemptedAt, body: JSON.stringify(outcome), failure: null };
    await inCompany(store, companyId, (db) => saveForecast(db, row));
  }

  return report;
}

export type ForecastReport = Awaited<ReturnType<typeof refreshForecasts>>;

const inCompany = <T>(
  store: Store,
  companyId: number,
  work: (db: CompanyDb) => Promise<T>,
): Promise<T> =>
  store.writeUnscoped(companyId, (all) => work(store.scopeToCompany(all, companyId)));

async function dueForecasts(store: Store, provider: string, now: number): Promise<DueForecast[]> {
  return store.readAll(async (all) => {
    const due: DueForecast[] = [];
    for (const company of await allCompanies(all)) {
      const db = store.scopeToCompany(all, company.id);
      if (!isDue(await forecastOf(db, provider), now)) continue;
      const position = await farmPosition(db);
      if (position !== null)
        due.push({
          companyId: company.id,
          location: { ...position, zone: company.timezone ?? 'UTC' },
        });
    }

    return due;
  });
}

function isDue(stored: StoredForecast | undefined, now: number): boolean {
  if (stored === undefined) return true;
  // The clock of another machine may be ahead.
  const isWithin = (at: number | null, ms: number): boolean =>
    at !== null && Math.abs(now - at) < ms;
  return !isWithin(stored.fetched_at, FRESH_MS) && !isWithin(stored.attempted_at, RETRY_MS);
}

/**
 * Records the attempt before the request, so that no other process makes one. Null if another has
 * done so since. If this process ends before it has the forecast, a later round fetches it.
 */
async function claim(db: CompanyDb, provider: string, now: number): Promise<StoredForecast | null> {
  const stored = await forecastOf(db, provider);
  if (!isDue(stored, now)) return null;
  const row = {
    provider,
    fetched_at: null,
    body: null,
    failure: null,
    ...stored,
    attempted_at: now,
  };
  await saveForecast(db, row);
  return row;
}
