import { availableMm } from '../../balance/root-zone-soil.ts';
import { type CropSeasonFacts, DRYING_RATE_DAYS } from '../../facts/probe-facts.ts';
import { doneWaterings, type WateringFacts } from '../../facts/watering-facts.ts';
import type { WeatherFacts } from '../../facts/weather-facts.ts';
import { LocalDay } from '../../local-day.ts';
import { DAY_MS } from '../../periods.ts';
import { failure, ok, type Result } from '../../result.ts';
import type { BalanceNeed, FullSoilBasis } from '../reason.ts';
import { balanceDays, MAX_UNKNOWN_SHARE, type PastWeather } from './balance-days.ts';
import {
  type BalanceEstimate,
  knownZone,
  type WettedRootZone,
  zoneBalance,
} from './zone-balance.ts';

interface Past extends PastWeather {
  /** The local day on which the soil was full, if somebody has said so. */
  readonly filledOn: string | null;
}

export interface FullSoilEstimate extends BalanceEstimate {
  readonly from: FullSoilBasis;
}

export type FullSoilAnswer = Result<FullSoilEstimate, readonly BalanceNeed[]>;

/** How far back a full soil is looked for. */
export const MAX_BALANCE_DAYS = 120;

/** The period of the waterings before those that are known of every probe. */
export const earlierWateringPeriod = (now: number) => ({
  from: now - MAX_BALANCE_DAYS * DAY_MS,
  to: now - DRYING_RATE_DAYS * DAY_MS,
});

/** A deficit that counts as none, in mm. */
const FULL_MM = 0.5;

/** The balance of a root zone of which no reading says how much water it holds. */
export function balanceFromFullSoil(facts: WettedRootZone, past: Past): FullSoilAnswer {
  const { season, waterings } = facts;
  const zone = knownZone(startOf(season, past), facts, past);
  if (!zone.ok) return zone;

  const { start, layers, rootDepthCm } = zone.value;
  const known = waterings.filter(({ waterMm }) => waterMm !== null);
  const days = balanceDays(start, { ...facts, waterings: known }, past);
  if (!days.ok) return failure([days.failure]);

  // A soil of unknown content counts as dry as it can be: once it is full, it is full for certain.
  const startMm = start.from === null ? availableMm(layers, rootDepthCm) : 0;
  const result = zoneBalance({ ...zone.value, days: days.value }, startMm);
  const fullAt = result.deficitsMm.findLastIndex((mm) => mm <= FULL_MM);
  const from = fullAt < 0 ? start.from : 'filled';
  if (from === null) return failure([start.lacksWeather ? 'weather' : 'full_soil']);

  const today = LocalDay.at(past.now, past.zone).iso;
  const dayAfter = LocalDay.parse(start.day).plus(fullAt + 1).iso;
  const since = dayAfter > today ? today : dayAfter;
  return hasUnknownDose(waterings, since, past)
    ? failure(['doses'])
    : ok({ ...result, since, from });
}

interface Start {
  readonly day: string;
  /** Null where the soil holds nobody knows how much. */
  readonly from: 'said' | 'planting' | null;
  /** Too little weather is known of the days between planting and this one. */
  readonly lacksWeather: boolean;
}

/** Null without weather. */
function startOf(
  season: CropSeasonFacts | null,
  { now, zone, weather, filledOn }: Past,
): Start | null {
  const today = LocalDay.at(now, zone);
  const earliest = today.plus(-MAX_BALANCE_DAYS);
  const first = firstKnownDay(earliest, today, weather);
  if (first === null) return null;
  if (filledOn !== null) return { day: filledOn, from: 'said', lacksWeather: false };

  const plantedOn = season?.plantedOn ?? null;
  if (plantedOn !== null && plantedOn >= first && plantedOn <= today.iso)
    return { day: plantedOn, from: 'planting', lacksWeather: false };
  const lacksWeather = plantedOn !== null && plantedOn >= earliest.iso;
  return { day: first, from: null, lacksWeather };
}

/** The earliest day from which on enough weather is known. */
export function firstKnownDay(
  earliest: LocalDay,
  today: LocalDay,
  { data }: Pick<WeatherFacts, 'data'>,
): string | null {
  const known = new Set(data.flatMap(({ day, et0Mm }) => (et0Mm === null ? [] : [day])));
  const past = earliest.until(today.plus(-1));
  let count = 0;
  let first: string | null = null;
  for (const [index, { iso: day }] of past.reverse().entries()) {
    if (!known.has(day)) continue;
    count++;
    if (count >= (1 - MAX_UNKNOWN_SHARE) * (index + 1)) first = day;
  }
  return first;
}

const hasUnknownDose = (
  waterings: readonly WateringFacts[],
  since: string,
  { now, zone }: Past,
): boolean =>
  doneWaterings(waterings, now).some(
    ({ startedAt, waterMm }) => waterMm === null && LocalDay.at(startedAt, zone).iso >= since,
  );
