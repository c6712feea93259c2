import { isIsoDate } from '../../domain/calendar.ts';
import { roundAmount, roundTo } from '../../domain/decimal.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import type { Name, Time } from '../../domain/text/text.ts';
import { localDay } from '../../domain/text/times.ts';
import {
  DEMAND_RATIO_DAYS,
  type DemandRatio,
  demandRatio,
} from '../../domain/weather/demand-ratio.ts';
import type {
  DayOfWeather,
  ReferenceEvapotranspiration,
  WeatherSite,
} from '../../domain/weather/evapotranspiration.ts';
import { RAIN_MARGIN_DAYS, rainByDay } from '../../domain/weather/rain.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import type {
  DemandRatioBody,
  WeatherDayBody,
  WeatherPageBody,
} from '../../schema/weather/weather-days.ts';
import { toIso } from '../../schema/wire-format.ts';
import { farmPosition } from '../../store/company/farm-position.ts';
import { rainOfDays } from '../../store/weather/rain.ts';
import {
  daysFrom,
  evapotranspirationOn,
  type Forecast,
  NO_WEATHER,
  usableForecast,
  weatherByDay,
} from './farm-weather.ts';

interface WeatherQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly elevationM?: number | undefined;
}

const DEFAULT_DAYS = 14;
const MAX_DAYS = 400;

export async function listWeather(
  call: Pick<Call, 'db' | 'now' | 'zone'>,
  query: WeatherQuery,
): Promise<WeatherPageBody> {
  const { db, zone } = call;
  const today = LocalDay.at(call.now, zone).iso;
  const { from, to } = requestedDays(query, today);
  const latitude = (await farmPosition(db))?.latitude ?? null;
  const forecast = await usableForecast(db, call.now);
  const elevationM = query.elevationM ?? forecast?.elevationM ?? 0;
  const site = latitude === null ? null : { latitude, elevationM };
  const firstComparedDay = addDays(today, -DEMAND_RATIO_DAYS);
  const weather = await weatherByDay(db, {
    from: from < firstComparedDay ? from : firstComparedDay,
    to: to > today ? to : today,
    zone,
  });

  const rain = new Map(
    // Includes the records of the days before and after, because they decide what counts.
    rainByDay(
      await rainOfDays(db, addDays(from, -RAIN_MARGIN_DAYS), addDays(to, RAIN_MARGIN_DAYS)),
      null,
    ).map(({ localDay, mm }) => [localDay, roundAmount(mm)]),
  );

  const data = daysFrom(from, to)
    .filter((day) => weather.has(day) || rain.has(day))
    .map((day): WeatherDayBody => {
      const weatherOfDay = weather.get(day) ?? { ...NO_WEATHER };
      return {
        day,
        ...weatherOfDay,
        rainMm: rain.get(day) ?? null,
        ...toEt0Body(evapotranspirationOn(day, weatherOfDay, site ?? NO_SITE), site),
      };
    });

  return {
    latitude,
    elevationM,
    data,
    pace: demandRatioOf({ today, site, weather, forecast }),
    forecast: forecast && {
      provider: forecast.provider,
      fetchedAt: toIso(forecast.fetchedAt),
      days: forecast.days.filter(({ day }) => day >= today),
      lastDays: forecast.days
        .filter(({ day }) => day < today)
        .map(({ day, temperatureMin, temperatureMax }) => ({
          day,
          temperatureMin,
          temperatureMax,
        })),
    },
  };
}

/** A text that is no day stays as it was sent. */
export const dayAsSent = (text: string): Time | Name =>
  isIsoDate(text) ? localDay(text) : verbatim(text);

const addDays = (day: string, days: number): string => LocalDay.parse(day).plus(days).iso;

function requestedDays(query: WeatherQuery, today: string): { from: string; to: string } {
  const to = query.to ?? today;
  const from = query.from ?? addDays(to, 1 - DEFAULT_DAYS);
  if (
    ![from, to].every(isIsoDate) ||
    from > to ||
    LocalDay.parse(from).daysUntil(LocalDay.parse(to)) >= MAX_DAYS
  )
    throw invalidInputError(
      'invalid_parameter',
      say`From ${dayAsSent(from)} to ${dayAsSent(to)} is no period of 1 to ${MAX_DAYS} days.`,
      {
        hint: say`Give ${argument('from')} and ${argument('to')} as dates, such as 2026-07-01; both days are included.`,
        field: 'from',
      },
    );

  return { from, to };
}

/** For a farm without a position: any site shows which values of a day are missing. */
const NO_SITE: WeatherSite = { latitude: 0, elevationM: 0 };

function toEt0Body({ mm, method, missing }: ReferenceEvapotranspiration, site: WeatherSite | null) {
  const isKnown = site !== null && mm !== null;
  return {
    et0Mm: isKnown ? roundTo(mm, 2) : null,
    method: isKnown ? method : null,
    missing: [...missing],
  };
}

interface DemandRatioInputs {
  readonly today: string;
  readonly site: WeatherSite | null;
  readonly weather: ReadonlyMap<string, DayOfWeather>;
  readonly forecast: Forecast | null;
}

/**
 * Compares the forecast with its own figures for the last days. Without a forecast, uses the newest
 * days of the farm.
 */
function demandRatioOf({
  today,
  site,
  weather,
  forecast,
}: DemandRatioInputs): DemandRatioBody | null {
  const lastDays = daysFrom(addDays(today, -DEMAND_RATIO_DAYS), addDays(today, -1));
  if (forecast !== null) {
    const et0 = new Map(forecast.days.map(({ day, et0Mm }) => [day, et0Mm]));
    const coming = daysFrom(today, forecast.days.at(-1)?.day ?? today).map(
      (day) => et0.get(day) ?? null,
    );
    const ratio = demandRatio(
      lastDays.map((day) => et0.get(day) ?? null),
      coming,
    );
    if (ratio !== null) return toDemandRatioBody(ratio, { method: 'penman_monteith', missing: [] });
  }

  if (site === null) return null;

  const days = lastDays.map((day) =>
    evapotranspirationOn(day, weather.get(day) ?? NO_WEATHER, site),
  );
  const comparable = days.every(({ mm, method }) => mm === null || method === 'penman_monteith')
    ? days
    : lastDays.map((day) => evapotranspirationOn(day, temperaturesOnly(weather.get(day)), site));
  const ratio = demandRatio(
    comparable.map(({ mm }) => mm),
    null,
  );

  if (ratio === null) return null;

  const computedDays = days.filter(({ mm }) => mm !== null);
  const missing = [...new Set(computedDays.flatMap((day) => day.missing))];
  const method = missing.length === 0 ? 'penman_monteith' : 'hargreaves';
  return toDemandRatioBody(ratio, { method, missing });
}

/**
 * Without radiation, every day is computed by the method of Hargreaves. Two methods in one comparison
 * would differ by a tenth or more.
 */
const temperaturesOnly = (weather: DayOfWeather | undefined): DayOfWeather => ({
  ...(weather ?? NO_WEATHER),
  radiationMj: null,
});

const toDemandRatioBody = (
  { percent, basis, comingMm, comingDays, lastMm, lastDays }: DemandRatio,
  computation: Pick<DemandRatioBody, 'method' | 'missing'>,
): DemandRatioBody => ({
  percent,
  basis,
  comingMm: roundTo(comingMm, 2),
  comingDays,
  lastMm: roundTo(lastMm, 2),
  lastDays,
  ...computation,
});
