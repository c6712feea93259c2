import { AcequiaError, invalidInput } from '../../schema/error.ts';
import type { ForecastProvider } from '../../service/weather/open-meteo.ts';
import type { Log } from '../process/log.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const PUBLIC_SERVICE = 'https://api.open-meteo.com';

/** Null: no forecast is fetched. Nothing but the named host is ever contacted. */
export function readForecastAddress({ ACEQUIA_FORECAST: text = '' }: Environment): URL | null {
  const value = text.trim();
  if (value === '') return null;
  if (value === 'open-meteo') return new URL(PUBLIC_SERVICE);
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash) return url;
  throw invalidInput('invalid_parameter', 'ACEQUIA_FORECAST is neither open-meteo nor an http address.', {
    hint: 'Write open-meteo, or the address of your own Open-Meteo, such as http://127.0.0.1:8080; unset it for no forecast.',
    field: 'ACEQUIA_FORECAST',
  });
}

export type OpenForecast = () => Promise<ForecastProvider>;

/** A malformed address is logged; calls must be answered all the same. */
export function forecastOpener(log: Pick<Log, 'warn'>): OpenForecast | undefined {
  try {
    return forecastProviderOf(process.env);
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    void log.warn({ hint: error.hint }, `No forecast is fetched: ${error.message}`);
    return undefined;
  }
}

export function forecastProviderOf(env: Environment): OpenForecast | undefined {
  const address = readForecastAddress(env);
  return address ? async () => (await import('../../service/weather/open-meteo.ts')).openMeteo(address) : undefined;
}
