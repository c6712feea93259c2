import type { DryingRate } from '../../domain/advice/drying-rate.ts';
import { addCivilDays, formatIsoDate } from '../../domain/calendar.ts';
import { civilAt } from '../../domain/time-zone.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { Note } from '../../schema/note.ts';
import type { WeatherPaceBody, WeatherPageBody } from '../../schema/weather.ts';
import type { PerformedOperations } from './operation-reads.ts';

export type WeatherOperations = Pick<PerformedOperations, 'getWeather'>;

export const loadWeather = ({ getWeather }: WeatherOperations): Promise<WeatherPageBody> => getWeather({});

/**
 * Null where the weather says nothing that the drying rate does not know: without a forecast the coming days are taken to
 * be like the newest ones, which a rate of the newest day already follows.
 */
export function paceBeyond({ pace }: WeatherPageBody, rate: DryingRate): WeatherPaceBody | null {
  if (pace == null) return null;
  return pace.basis === 'recent' && rate.basis === 'newest' ? null : pace;
}

export function noteDemandPace(call: ComposedCall, { percent, basis, ...pace }: WeatherPaceBody): void {
  if (percent !== 100) call.note({ kind: 'demand_pace', percent, basis, ...pace });
}

/** Less wets the leaves and not the soil. */
const MIN_RAIN_MM = 1;
const RAIN_DAYS = 5;

/** Of the next days, until the last one with rain. */
export function noteForecastRain(call: ComposedCall, { forecast }: WeatherPageBody, isCounted: boolean): void {
  const last = formatIsoDate(addCivilDays(civilAt(call.now, call.zone), RAIN_DAYS - 1));
  const days = (forecast?.days ?? []).filter(({ day }) => day <= last);
  const wet = days.filter(({ rainMm }) => rainMm !== null && rainMm >= MIN_RAIN_MM);
  const until = wet.at(-1)?.day;
  if (until === undefined) return;
  const mm = days.reduce((sum, { day, rainMm }) => (day <= until ? sum + (rainMm ?? 0) : sum), 0);
  const chances = wet.flatMap(({ rainProbability }) => rainProbability ?? []);
  const probability = chances.length === 0 ? null : Math.max(...chances);
  call.note({ kind: 'forecast_rain', mm, until, probability, isCounted });
}

const SHOWN_DAYS = 7;

/** Of the last days before today. */
export function noteEvapotranspiration(call: ComposedCall, { data, pace }: WeatherPageBody): void {
  const today = civilAt(call.now, call.zone);
  const from = formatIsoDate(addCivilDays(today, -SHOWN_DAYS));
  const days = data.filter(({ day, et0Mm }) => et0Mm !== null && day >= from && day < formatIsoDate(today));
  if (days.length === 0) return;
  const missing = [...new Set(days.flatMap((each) => each.missing))];
  const note: Note = {
    kind: 'reference_evapotranspiration',
    mm: days.reduce((sum, { et0Mm }) => sum + et0Mm! / days.length, 0),
    days: days.length,
    method: days.some(({ method }) => method === 'hargreaves') ? 'hargreaves' : 'penman_monteith',
    missing,
    pace: pace == null ? null : { percent: pace.percent, basis: pace.basis },
  };
  call.note(note);
}
