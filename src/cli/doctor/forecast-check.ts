import { AcequiaError } from '../../schema/error.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { allForecasts } from '../../store/weather/weather.ts';
import { readForecastAddress } from '../forecast/forecast-settings.ts';
import { type DoctorFinding, findingsAbout, formatRoughDuration } from './findings.ts';

/** Nothing where none is configured. Does not contact the provider. */
export async function checkForecast(
  env: Readonly<Record<string, string | undefined>>,
  now: number,
  view: StoreView | null,
): Promise<DoctorFinding[]> {
  const finding = findingsAbout('forecast');
  const address = addressOrError(env);
  if (address === null) return [];
  if (address instanceof AcequiaError) return [finding.bad(address.message, address.hint ?? '')];
  const forecasts = view === null ? [] : await view.read(allForecasts);
  if (forecasts.length === 0)
    return [
      finding.doubtful(
        `none was fetched from ${address.host} yet`,
        'A running server, or "acequia tick", fetches it. The farm needs a module with a position, or a parcel with an outline.',
      ),
    ];
  const failed = forecasts.filter(({ failure }) => failure !== null);
  const newest = Math.max(...forecasts.map(({ fetched_at: at }) => at ?? Number.NEGATIVE_INFINITY));
  const age = Number.isFinite(newest)
    ? `the newest is ${formatRoughDuration(Math.max(0, now - newest))} old`
    : 'there is none';
  if (failed.length === 0) return [finding.good(`from ${address.host}; ${age}`)];
  return [
    finding.doubtful(
      `the last attempt at ${address.host} failed: ${failed[0]!.failure}; ${age}`,
      'It is tried again every half an hour. Check ACEQUIA_FORECAST and the connection; advice goes on without a forecast.',
    ),
  ];
}

function addressOrError(env: Parameters<typeof readForecastAddress>[0]): URL | AcequiaError | null {
  try {
    return readForecastAddress(env);
  } catch (error) {
    if (error instanceof AcequiaError) return error;
    throw error;
  }
}
