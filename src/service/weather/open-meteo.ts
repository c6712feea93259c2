import { z } from 'zod/v3';
import { isIsoDate } from '../../domain/calendar.ts';
import { itemAt } from '../../domain/items.ts';
import { keysOf } from '../../domain/records.ts';
import { DEMAND_RATIO_DAYS } from '../../domain/weather/demand-ratio.ts';
import { elevation } from '../../schema/weather/weather-days.ts';
import type { FetchedForecast } from './farm-weather.ts';

/**
 * Why there is no forecast, as the doctor shows it. Of what the provider sent, it quotes only units
 * and a status.
 */
export class ForecastError extends Error {}

export interface ForecastLocation {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly zone: string;
}

export interface ForecastProvider {
  readonly name: string;
  fetch(location: ForecastLocation, signal: AbortSignal): Promise<FetchedForecast>;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 262_144;
const FORECAST_DAYS = 7;

/** The variables of a day and the units that they must have. Source: open-meteo.com/en/docs. */
const UNITS = {
  precipitation_sum: 'mm',
  precipitation_probability_max: '%',
  et0_fao_evapotranspiration: 'mm',
  temperature_2m_min: '°C',
  temperature_2m_max: '°C',
} as const;
type Variable = keyof typeof UNITS;
const VARIABLES = keysOf(UNITS);

/** A value outside of these bounds is a fault of the provider, so it counts as unknown. */
const BOUNDS: Readonly<Record<Variable, readonly [min: number, max: number]>> = {
  precipitation_sum: [0, 1_000],
  precipitation_probability_max: [0, 100],
  et0_fao_evapotranspiration: [0, 25],
  temperature_2m_min: [-60, 60],
  temperature_2m_max: [-60, 60],
};

/**
 * A hundredth of a degree is about a kilometre: precise enough for a forecast, and too coarse to
 * reveal an address.
 */
const POSITION_DECIMALS = 2;

/** `base` is the address of the public service, or of a copy of Open-Meteo that somebody hosts. */
export const openMeteo = (base: URL, timeoutMs = TIMEOUT_MS): ForecastProvider => ({
  name: 'open-meteo',
  async fetch({ latitude, longitude, zone }, signal) {
    const url = new URL(`${base.pathname.replace(/(?<!\/)\/+$/, '')}/v1/forecast`, base);
    url.search = new URLSearchParams({
      latitude: latitude.toFixed(POSITION_DECIMALS),
      longitude: longitude.toFixed(POSITION_DECIMALS),
      daily: VARIABLES.join(','),
      timezone: zone,
      past_days: String(DEMAND_RATIO_DAYS),
      forecast_days: String(FORECAST_DAYS),
    }).toString();

    return readForecast(await requestJson(url, signal, timeoutMs));
  },
});

/** Follows no redirects: the position of the farm goes to the named host alone. */
async function requestJson(url: URL, signal: AbortSignal, timeoutMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new ForecastError(`the answer has status ${response.status}`);
    }

    return JSON.parse(await readText(response));
  } catch (error) {
    if (error instanceof ForecastError) throw error;
    const { name, cause } = error as Error & { cause?: { code?: string } };
    if (name === 'SyntaxError') throw new ForecastError('the answer is not JSON');
    throw new ForecastError(
      name === 'TimeoutError'
        ? `no answer within ${timeoutMs / 1000} s`
        : `no connection (${cause?.code ?? name})`,
    );
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new ForecastError(`the answer has more than ${MAX_BYTES / 1024} kB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const values = z.array(z.number().nullable()).optional();
const answer = z.object({
  elevation: z.number().nullish(),
  daily_units: z.record(z.string()),
  daily: z.object({
    time: z.array(z.string().refine(isIsoDate)),
    precipitation_sum: values,
    precipitation_probability_max: values,
    et0_fao_evapotranspiration: values,
    temperature_2m_min: values,
    temperature_2m_max: values,
  }),
});

/**
 * Missing days and values are unknown. An answer in other units or of another shape is refused as a
 * whole.
 */
export function readForecast(json: unknown): FetchedForecast {
  const { data } = answer.safeParse(json);
  if (data === undefined) throw new ForecastError('the answer is not the documented one');

  const { daily, daily_units: units } = data;

  const valueAt = (variable: Variable, index: number): number | null => {
    const value = daily[variable]?.[index] ?? null;
    const [min, max] = BOUNDS[variable];
    return value === null || value < min || value > max ? null : value;
  };

  if (daily.time.some((day, index) => index > 0 && day <= itemAt(daily.time, index - 1)))
    throw new ForecastError('its days are not in order, each once');

  for (const variable of VARIABLES) {
    if (daily[variable] === undefined) continue;
    if (daily[variable].length !== daily.time.length)
      throw new ForecastError(`${variable} does not have a value for each day`);
    if (units[variable] !== UNITS[variable])
      throw new ForecastError(
        `${variable} is in ${JSON.stringify(units[variable] ?? null).slice(0, 20)}, not ${UNITS[variable]}`,
      );
  }

  return {
    elevationM: elevation.safeParse(data.elevation).data ?? null,
    days: daily.time.map((day, index) => ({
      day,
      rainMm: valueAt('precipitation_sum', index),
      rainProbability: valueAt('precipitation_probability_max', index),
      et0Mm: valueAt('et0_fao_evapotranspiration', index),
      temperatureMin: valueAt('temperature_2m_min', index),
      temperatureMax: valueAt('temperature_2m_max', index),
    })),
  };
}
