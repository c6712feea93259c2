import { addCivilDays, daysBetween, formatIsoDate, isIsoDate, parseIsoDate } from '../../domain/calendar.ts';
import { roundTo } from '../../domain/decimal.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { type DayOfWeather, referenceEvapotranspiration } from '../../domain/weather/evapotranspiration.ts';
import { rainByDay } from '../../domain/weather/rain.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInput } from '../../schema/error.ts';
import {
  WEATHER_VALUES,
  type WeatherDayBody,
  type WeatherDayEntry,
  type WeatherValueName,
} from '../../schema/weather.ts';
import { farmLatitude } from '../../store/company/places.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { rainOfDays } from '../../store/weather/rain.ts';
import { type StoredWeather, saveWeather, weatherBetween } from '../../store/weather/weather-days.ts';
import { roundAmount } from '../wire-format.ts';

const NO_WEATHER = Object.fromEntries(WEATHER_VALUES.map((name) => [name, null])) as Record<WeatherValueName, null>;

/** What is wrong with a day, or null: a minimum above its maximum is a mistaken column. */
export function faultOfWeather(weather: DayOfWeather): string | null {
  const { temperatureMin, temperatureMax, humidityMin, humidityMax, dewPoint } = weather;
  const isAbove = (a: number | null, b: number | null): boolean => a !== null && b !== null && a > b;
  if (isAbove(temperatureMin, temperatureMax)) return 'its lowest temperature is above the highest';
  if (isAbove(humidityMin, humidityMax)) return 'its lowest humidity is above the highest';
  return isAbove(dewPoint, temperatureMax) ? 'its dew point is above the highest temperature' : null;
}

export async function mergeWeather(
  db: CompanyDb,
  { day, ...sent }: WeatherDayEntry,
): Promise<{ readonly weather: StoredWeather; readonly isNew: boolean; readonly isChanged: boolean }> {
  const [stored] = await weatherBetween(db, day, day);
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const weather: StoredWeather = { ...NO_WEATHER, ...stored, ...given, localDay: day };
  const isChanged = WEATHER_VALUES.some((name) => weather[name] !== (stored?.[name] ?? null));
  return { weather, isNew: stored === undefined, isChanged };
}

export async function setWeather(call: Call, { days }: { readonly days: readonly WeatherDayEntry[] }) {
  const today = formatIsoDate(civilAt(call.now, call.zone));
  const seen = new Set<string>();
  let changed = 0;
  for (const [index, entry] of days.entries()) {
    const { day } = entry;
    const { weather, isChanged } = await mergeWeather(call.db, entry);
    const fault = !isIsoDate(day)
      ? 'the day does not exist'
      : day > today
        ? 'the day is still to come'
        : seen.has(day)
          ? 'the day is sent twice'
          : faultOfWeather(weather);
    if (fault !== null)
      throw invalidInput('invalid_body', `days[${index}] (${day}) is not valid: ${fault}.`, {
        hint: 'Correct it and send all days again; nothing was stored.',
        field: 'days',
      });
    seen.add(day);
    if (!isChanged) continue;
    await saveWeather(call.db, weather, call.now);
    changed++;
  }
  return { changed, unchanged: days.length - changed };
}

interface WeatherQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly elevationM: number;
}

const DEFAULT_DAYS = 14;
const MAX_DAYS = 400;

export async function listWeather(call: Call, query: WeatherQuery) {
  const today = civilAt(call.now, call.zone);
  const to = query.to ?? formatIsoDate(today);
  const from = query.from ?? formatIsoDate(addCivilDays(parseIsoDate(to), 1 - DEFAULT_DAYS));
  if (![from, to].every(isIsoDate) || from > to || daysBetween(parseIsoDate(from), parseIsoDate(to)) >= MAX_DAYS)
    throw invalidInput('invalid_parameter', `From ${from} to ${to} is no period of 1 to ${MAX_DAYS} days.`, {
      hint: 'Give from and to as dates, such as 2026-07-01; both days are included.',
      field: 'from',
    });
  const latitude = await farmLatitude(call.db);
  const rain = new Map(
    rainByDay(await rainOfDays(call.db, from, to), null).map(({ localDay, mm }) => [localDay, roundAmount(mm)]),
  );
  const stored = new Map((await weatherBetween(call.db, from, to)).map((each) => [each.localDay, each]));
  const days = [...new Set([...stored.keys(), ...rain.keys()])].sort();
  const { elevationM } = query;
  const data = days.map((day): WeatherDayBody => {
    const { localDay: _, ...weather } = stored.get(day) ?? { ...NO_WEATHER, localDay: day };
    const et0 = evapotranspirationOn(day, weather, latitude, elevationM);
    return { day, ...weather, rainMm: rain.get(day) ?? null, ...et0 };
  });
  return { latitude, elevationM, data };
}

function evapotranspirationOn(day: string, weather: DayOfWeather, latitude: number | null, elevationM: number) {
  const date = parseIsoDate(day);
  const dayOfYear = daysBetween({ ...date, month: 1, day: 1 }, date) + 1;
  const { mm, method, missing } = referenceEvapotranspiration(
    weather,
    { latitude: latitude ?? 0, elevationM },
    dayOfYear,
  );
  const isKnown = latitude !== null && mm !== null;
  return { et0Mm: isKnown ? roundTo(mm, 2) : null, method: isKnown ? method : null, missing: [...missing] };
}
