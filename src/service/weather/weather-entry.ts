import { isIsoDate } from '../../domain/calendar.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { definedFields } from '../../domain/records.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { DayOfWeather } from '../../domain/weather/evapotranspiration.ts';
import { type Language, languageOf } from '../../language/index.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import { WEATHER_VALUES, type WeatherDayEntry } from '../../schema/weather/weather-days.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { type StoredWeather, saveWeather, weatherBetween } from '../../store/weather/weather.ts';
import { NO_WEATHER } from './farm-weather.ts';
import { dayAsSent } from './weather-days.ts';

type WeatherFault = keyof Language['weatherFile']['faults'];

export const describeWeatherFault = (fault: WeatherFault, lang: Lang): Text =>
  languageOf(lang).weatherFile.faults[fault];

/** The fault of a day, or null. A minimum above its maximum means that columns were confused. */
export function faultOfWeather(weather: DayOfWeather): WeatherFault | null {
  const { temperatureMin, temperatureMax, humidityMin, humidityMax, dewPoint } = weather;
  const isAbove = (a: number | null, b: number | null): boolean =>
    a !== null && b !== null && a > b;
  if (isAbove(temperatureMin, temperatureMax)) return 'temperature';
  if (isAbove(humidityMin, humidityMax)) return 'humidity';
  return isAbove(dewPoint, temperatureMax) ? 'dewPoint' : null;
}

/** Adds the values that are sent for a day to those stored. */
export async function mergeWeather(
  db: CompanyDb,
  { day, ...sent }: WeatherDayEntry,
): Promise<{
  readonly weather: StoredWeather;
  readonly isNew: boolean;
  readonly isChanged: boolean;
}> {
  const [stored] = await weatherBetween(db, day, day);
  const weather: StoredWeather = {
    ...NO_WEATHER,
    ...stored,
    ...definedFields(sent),
    localDay: day,
  };
  const isChanged = WEATHER_VALUES.some((name) => weather[name] !== (stored?.[name] ?? null));
  return { weather, isNew: stored === undefined, isChanged };
}

export async function setWeather(
  call: Call,
  { days }: { readonly days: readonly WeatherDayEntry[] },
) {
  const today = LocalDay.at(call.now, call.zone).iso;
  const earlierDays = new Set<string>();
  let changed = 0;

  for (const [index, entry] of days.entries()) {
    const { day } = entry;
    const { weather, isChanged } = await mergeWeather(call.db, entry);
    const fault = faultOfWeather(weather);
    const reason =
      faultOfDay(day, today, earlierDays) ?? (fault && describeWeatherFault(fault, DEFAULT_LANG));
    if (reason !== null)
      throw invalidInputError(
        'invalid_body',
        say`days[${index}] (${dayAsSent(day)}) is not valid: ${reason}.`,
        { hint: say`Correct it and send all days again; nothing was stored.`, field: 'days' },
      );

    earlierDays.add(day);
    if (!isChanged) continue;

    await saveWeather(call.db, weather, call.now);
    changed++;
  }

  return { changed, unchanged: days.length - changed };
}

function faultOfDay(day: string, today: string, earlierDays: ReadonlySet<string>): Text | null {
  if (!isIsoDate(day)) return say`the day does not exist`;
  if (day > today) return say`the day is still to come`;
  return earlierDays.has(day) ? say`the day is sent twice` : null;
}
