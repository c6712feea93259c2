import { z } from 'zod/v3';
import { roundTo } from '../../domain/decimal.ts';
import { itemAt } from '../../domain/items.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { DAY_MS, SECOND_MS } from '../../domain/periods.ts';
import { recordOf } from '../../domain/records.ts';
import {
  type DayOfWeather,
  referenceEvapotranspiration,
  type WeatherSite,
} from '../../domain/weather/evapotranspiration.ts';
import {
  type DayOfReadings,
  dayOfReadings,
  spansInPeriods,
} from '../../domain/weather/station-days.ts';
import {
  type ForecastDay,
  WEATHER_VALUES,
  type WeatherValueName,
} from '../../schema/weather/weather-days.ts';
import type { CompanyDb } from '../../store/tables.ts';
import {
  type StationMeasure,
  type StationSpan,
  stationSpans,
} from '../../store/weather/station-readings.ts';
import { newestForecast, weatherBetween } from '../../store/weather/weather.ts';

export const NO_WEATHER: Readonly<Record<WeatherValueName, null>> = recordOf(
  WEATHER_VALUES.map((name) => [name, null]),
);

/**
 * The weather of each local day from `from` to `to`. Values that were entered or imported replace
 * those of stations.
 */
export async function weatherByDay(
  db: CompanyDb,
  { from, to, zone }: { readonly from: string; readonly to: string; readonly zone: string },
): Promise<Map<string, DayOfWeather>> {
  const measuredByDay = await measuredDays(db, daysFrom(from, to), zone);
  const enteredByDay = new Map(
    (await weatherBetween(db, from, to)).map(({ localDay, ...day }) => [localDay, day]),
  );

  return new Map(
    daysFrom(from, to).flatMap((day): [string, DayOfWeather][] => {
      const [entered, measured] = [enteredByDay.get(day), measuredByDay.get(day)];
      if (entered === undefined && measured === undefined) return [];

      const merged: DayOfWeather = recordOf(
        WEATHER_VALUES.map((name) => [name, entered?.[name] ?? measured?.[name] ?? null]),
      );
      return [[day, merged]];
    }),
  );
}

export const daysFrom = (from: string, to: string): string[] =>
  LocalDay.parse(from)
    .until(LocalDay.parse(to))
    .map(({ iso }) => iso);

async function measuredDays(
  db: CompanyDb,
  days: readonly string[],
  zone: string,
): Promise<Map<string, DayOfWeather>> {
  const periods = days.map((day) => LocalDay.parse(day).periodIn(zone));

  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined) return new Map();

  const spans = await stationSpans(db, { start: first.start, end: last.end });
  const spansByDay = spansInPeriods(spans, periods);

  return new Map(
    days.flatMap((day, index): [string, DayOfWeather][] => {
      const series = seriesOfStations(itemAt(spansByDay, index));
      const weather = toDayOfWeather((measure) => {
        // The first station with readings of the day counts.
        for (const spansOfStation of series.get(measure) ?? []) {
          const readings = dayOfReadings(spansOfStation, itemAt(periods, index));
          if (readings !== null) return readings;
        }
        return null;
      });
      return Object.values(weather).every((value) => value === null) ? [] : [[day, weather]];
    }),
  );
}

/** For each measure, one series per station, in the order of their ids. */
function seriesOfStations(spans: readonly StationSpan[]): Map<StationMeasure, StationSpan[][]> {
  const byMeasure = new Map<StationMeasure, Map<number, StationSpan[]>>();
  for (const span of spans) {
    const stations = byMeasure.get(span.measure) ?? new Map<number, StationSpan[]>();
    byMeasure.set(span.measure, stations);
    const series = stations.get(span.stationId);
    if (series === undefined) stations.set(span.stationId, [span]);
    else series.push(span);
  }

  return new Map(
    [...byMeasure].map(([measure, stations]) => [
      measure,
      [...stations].sort(([a], [b]) => a - b).map(([, series]) => series),
    ]),
  );
}

const DECIMALS = 2;
const round = (value: number | undefined): number | null =>
  value === undefined ? null : roundTo(value, DECIMALS);

function toDayOfWeather(
  readingsOf: (measure: StationMeasure) => DayOfReadings | null,
): DayOfWeather {
  const [temperature, humidity] = [readingsOf('temperature'), readingsOf('humidity')];
  const radiation = readingsOf('radiation');
  return {
    temperatureMin: round(temperature?.min),
    temperatureMax: round(temperature?.max),
    humidityMin: round(humidity?.min),
    humidityMax: round(humidity?.max),
    dewPoint: null,
    windMs: round(readingsOf('wind')?.mean),
    // From the mean in W/m2 to MJ/m2 of the day.
    radiationMj: round(
      radiation === null ? undefined : (radiation.mean * (DAY_MS / SECOND_MS)) / 1e6,
    ),
  };
}

export function evapotranspirationOn(day: string, weather: DayOfWeather, site: WeatherSite) {
  const date = LocalDay.parse(day);
  const newYear = LocalDay.of({ ...date.civil, month: 1, day: 1 });
  return referenceEvapotranspiration(weather, site, newYear.daysUntil(date) + 1);
}

/** The temperatures of a forecast that an earlier version stored are unknown. */
const temperature = z.number().nullable().default(null);

/** Its days begin two weeks before the request, for the comparison with the last days. */
const fetchedForecast = z.object({
  elevationM: z.number().nullable(),
  days: z.array(
    z.object({
      day: z.string(),
      rainMm: z.number().nullable(),
      rainProbability: z.number().nullable(),
      et0Mm: z.number().nullable(),
      temperatureMin: temperature,
      temperatureMax: temperature,
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

/** An older forecast is not used. */
const MAX_AGE_MS = DAY_MS;

export async function usableForecast(db: CompanyDb, now: number): Promise<Forecast | null> {
  const stored = await newestForecast(db);
  if (stored?.body == null || stored.fetched_at === null) return null;
  // The clock of the process that fetched it may be ahead.
  if (Math.abs(now - stored.fetched_at) > MAX_AGE_MS) return null;
  const { provider, fetched_at: fetchedAt } = stored;
  return { provider, fetchedAt, ...fetchedForecast.parse(JSON.parse(stored.body)) };
}
