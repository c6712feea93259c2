import type { BalanceDay } from '../../balance/daily-balance.ts';
import { sunShare } from '../../facts/drying-rate.ts';
import { doneWaterings, type WateringFacts } from '../../facts/watering-facts.ts';
import type { WeatherFacts } from '../../facts/weather-facts.ts';
import { LocalDay } from '../../local-day.ts';
import { failure, ok, type Result } from '../../result.ts';
import { mean } from '../../statistics.ts';
import type { RainContribution } from '../../weather/rain.ts';

/** The water that reached a root zone. */
export interface WaterOfZone {
  readonly rain: readonly RainContribution[];
  readonly waterings: readonly WateringFacts[];
  /** The share of the area that irrigation wets. */
  readonly fractionWetted: number;
  /** The share of the applied water that serves the roots. */
  readonly share: number;
}

export interface PastWeather {
  readonly now: number;
  readonly zone: string;
  readonly weather: Pick<WeatherFacts, 'data'>;
}

/** A day without weather counts like the others, if no more than this share of them lack it. */
export const MAX_UNKNOWN_SHARE = 0.2;
/** Today's demand is not known yet; it counts like that of these last days. */
const RECENT_DAYS = 3;

/** The days from a local day until now: today up to the present hour. */
export function balanceDays(
  from: string,
  { rain, waterings, fractionWetted, share }: WaterOfZone,
  past: PastWeather,
): Result<readonly BalanceDay[], 'weather' | 'doses'> {
  const { now, zone } = past;
  const today = LocalDay.at(now, zone);
  const dates = LocalDay.parse(from)
    .until(today)
    .map(({ iso }) => iso);
  const demand = demandByDay(dates, today, past);
  if (demand === null) return failure('weather');

  const done = doneWaterings(waterings, now).map((watering) => ({
    day: LocalDay.at(watering.startedAt, zone).iso,
    mm: watering.waterMm,
  }));
  if (done.some(({ day, mm }) => mm === null && day >= from)) return failure('doses');

  const sumOn = (
    rows: readonly { readonly day: string; readonly mm: number | null }[],
    day: string,
  ) => rows.reduce((sum, row) => (row.day === day ? sum + (row.mm ?? 0) : sum), 0);
  const fallen = rain.map(({ record, mm }) => ({ day: record.localDay, mm }));
  return ok(
    dates.map((day, index) => ({
      et0Mm: demand[index] ?? 0,
      rainMm: sumOn(fallen, day),
      irrigationMm: sumOn(done, day) * share,
      wettedFraction: fractionWetted,
      windMs: null,
      humidityMin: null,
    })),
  );
}

/** Null where too many days are unknown. The last date is today. */
function demandByDay(
  dates: readonly string[],
  today: LocalDay,
  { now, zone, weather }: PastWeather,
): number[] | null {
  const et0 = new Map(weather.data.map(({ day, et0Mm }) => [day, et0Mm]));
  const past = dates.slice(0, -1).map((day) => et0.get(day) ?? null);
  const known = past.filter((mm) => mm !== null);
  // Of a balance that begins today or yesterday they lie before it.
  const recent = weather.data
    .flatMap(({ day, et0Mm }) => (day < today.iso && et0Mm !== null ? [et0Mm] : []))
    .slice(-RECENT_DAYS);
  if (recent.length === 0 || past.length - known.length > MAX_UNKNOWN_SHARE * past.length)
    return null;

  const usual = mean(known.length === 0 ? recent : known);
  const ofToday = mean(recent) * sunShare(today.startIn(zone), now, zone);
  return [...past.map((mm) => mm ?? usual), ofToday];
}
