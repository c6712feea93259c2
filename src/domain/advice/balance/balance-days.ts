import type { BalanceDay } from '../../balance/daily-balance.ts';
import { sunShare } from '../../facts/drying-rate.ts';
import { doneWaterings, type WateringFacts } from '../../facts/watering-facts.ts';
import type { WeatherFacts } from '../../facts/weather-facts.ts';
import { itemAt } from '../../items.ts';
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
  readonly weather: Pick<WeatherFacts, 'data' | 'latitude'>;
}

export interface BalanceStart {
  /** The first local day that counts. */
  readonly day: string;
  /** An instant of that day, of which only what came later counts; absent where all of it does. */
  readonly after?: number | undefined;
}

/** A day without weather counts like the others, if no more than this share of them lack it. */
export const MAX_UNKNOWN_SHARE = 0.2;
/** Today's demand is not known yet; it counts like that of these last days. */
const RECENT_DAYS = 3;

/** The days until now: today up to the present hour. */
export function balanceDays(
  { day: from, after = 0 }: BalanceStart,
  { rain, waterings, fractionWetted, share }: WaterOfZone,
  past: PastWeather,
): Result<readonly BalanceDay[], 'weather' | 'doses'> {
  const { now, zone } = past;
  const today = LocalDay.at(now, zone);
  const dates = LocalDay.parse(from)
    .until(today)
    .map(({ iso }) => iso);
  const demand = demandByDay(dates, { today, after }, past);
  if (demand === null) return failure('weather');

  const counted = doneWaterings(waterings, now).filter(({ startedAt }) => startedAt >= after);
  const done = counted.map((watering) => ({
    day: LocalDay.at(watering.startedAt, zone).iso,
    mm: watering.waterMm,
  }));
  if (done.some(({ day, mm }) => mm === null && day >= from)) return failure('doses');

  const sumOn = (
    rows: readonly { readonly day: string; readonly mm: number | null }[],
    day: string,
  ) => rows.reduce((sum, row) => (row.day === day ? sum + (row.mm ?? 0) : sum), 0);
  const fallen = rain.map(({ record, mm }) => ({
    day: record.localDay,
    mm: mm * shareAfter(record, after, zone),
  }));
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

/** Rain of an unknown hour may have fallen at any. */
function shareAfter(
  { localDay, startedAt, isWholeDay }: RainContribution['record'],
  after: number,
  zone: string,
): number {
  if (!isWholeDay) return startedAt >= after ? 1 : 0;
  const day = LocalDay.parse(localDay);
  const [start, end] = [day.startIn(zone), day.next().startIn(zone)];
  return Math.min(1, Math.max(0, (end - after) / (end - start)));
}

/** Null where too many days are unknown. The last date is today. */
function demandByDay(
  dates: readonly string[],
  { today, after }: { readonly today: LocalDay; readonly after: number },
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
  const ofToday = mean(recent) * sunShare(Math.max(after, today.startIn(zone)), now, zone);
  const firstEnd = LocalDay.parse(itemAt(dates, 0)).next().startIn(zone);
  const shareOfFirst = after === 0 ? 1 : Math.min(1, sunShare(after, firstEnd, zone));
  const ofPast = past.map((mm, index) => (mm ?? usual) * (index === 0 ? shareOfFirst : 1));
  return [...ofPast, ofToday];
}
