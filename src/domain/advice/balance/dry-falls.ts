import { availableMm } from '../../balance/root-zone-soil.ts';
import type { DryFall } from '../../balance/water-use.ts';
import { daysOfMeans } from '../../facts/day-means.ts';
import { itemAt } from '../../items.ts';
import { LocalDay } from '../../local-day.ts';
import { median } from '../../statistics.ts';
import type { FarmConditions } from '../probe/farm-conditions.ts';
import { totalMm } from '../rain-effect.ts';
import { balanceDays, type PastWeather } from './balance-days.ts';
import { firstKnownDay, MAX_BALANCE_DAYS } from './balance-from-full.ts';
import { type BalancedProbe, balanceLayers, deficitAt, zoneOfProbe } from './probe-balance.ts';
import { expectedUseMm, knownZone } from './zone-balance.ts';

const FALL_DAYS = 2;
/** On the day after water soil still drains, and its surface evaporates most. */
const DAYS_AFTER_WATER = 2;
/** In mm: less rain is dew, or dries where it fell. */
const MIN_RAIN_MM = 0.5;
const NOISES_OF_FALL = 3;
/** The median of second differences of values with normal noise is as many of its deviations. */
const NOISES_OF_SECOND_DIFFERENCE = 1.65;

/** A day of a root zone, in mm of the zone. */
interface ZoneDay {
  readonly day: string;
  /** The mean of what it lacked; null where that was not measured. */
  readonly lackMm: number | null;
  /** The use of the tables. */
  readonly expectedMm: number;
  /** Neither water nor frost is recorded. */
  readonly isDry: boolean;
}

/** The falls by which a probe shows how much water is used, oldest first. */
export function dryFallsOf(probe: BalancedProbe, farm: FarmConditions): DryFall[] {
  const zone = daysOfZone(probe, farm);
  return zone === null ? [] : fallsOf(zone.days, zone.readilyMm);
}

function daysOfZone(
  probe: BalancedProbe,
  farm: FarmConditions,
): { readonly days: readonly ZoneDay[]; readonly readilyMm: number } | null {
  const { facts, past } = zoneOfProbe(probe.facts, balanceLayers(probe), farm);
  const measured = measuredLacks(probe, farm);
  const day = firstDay([...measured.keys()], facts.season?.plantedOn ?? null, past);
  const zone = knownZone(day === null ? null : { day }, facts, past);
  if (day === null || !zone.ok) return null;

  const known = facts.waterings.filter(({ waterMm }) => waterMm !== null);
  const days = balanceDays({ day }, { ...facts, waterings: known }, past);
  if (!days.ok) return null;

  const dates = days.value.map((_, index) => LocalDay.parse(day).plus(index).iso);
  const lacksMm = dates.map((date) => measured.get(date) ?? null);
  const useMm = expectedUseMm({ ...zone.value, days: days.value }, lacksMm);
  const eventful = new Set([
    ...facts.waterings
      .filter(({ status }) => status !== 'skipped')
      .map(({ startedAt }) => LocalDay.at(startedAt, farm.zone).iso),
    ...past.weather.data.flatMap(({ day: of, temperatureMin }) =>
      temperatureMin !== null && temperatureMin <= 0 ? [of] : [],
    ),
  ]);
  // Some rain gets beside plastic.
  const rained = past.rainOn(probe.facts.module.parcelId);
  const rainMmOn = (date: string): number =>
    totalMm(rained.filter(({ record }) => record.localDay === date));
  const { crop, layers } = zone.value;
  return {
    days: dates.map((date, index) => ({
      day: date,
      lackMm: itemAt(lacksMm, index),
      expectedMm: itemAt(useMm, index),
      isDry: !eventful.has(date) && rainMmOn(date) < MIN_RAIN_MM,
    })),
    readilyMm: crop.allowedDepletion * availableMm(layers, crop.rootsCm.max),
  };
}

/** By whole days, of the depths that could be trusted last. */
function measuredLacks(probe: BalancedProbe, { zone }: FarmConditions): Map<string, number> {
  const { dayMeans, dayEnds, freshness } = probe.facts;
  const trusted = new Set(dayEnds.at(-1)?.moistures.map(({ depthCm }) => depthCm));
  if (dayMeans === null || trusted.size === 0 || freshness.newestAt === null) return new Map();

  const lastDay = LocalDay.at(freshness.newestAt, zone).iso;
  return new Map(
    daysOfMeans(dayMeans)
      .filter(({ day }) => day < lastDay)
      .flatMap(({ day, moistures }) => {
        const ofTrusted = moistures.filter(({ depthCm }) => trusted.has(depthCm));
        const isWhole = ofTrusted.length === trusted.size;
        const lackMm = isWhole ? deficitAt(probe, { moistures: ofTrusted }) : null;
        return lackMm === null ? [] : [[day, lackMm] as const];
      }),
  );
}

/** Null where no day has both readings and weather. */
function firstDay(
  measured: readonly string[],
  plantedOn: string | null,
  { now, zone, weather }: PastWeather,
): string | null {
  const today = LocalDay.at(now, zone);
  const known = firstKnownDay(today.plus(-MAX_BALANCE_DAYS), today, weather);
  const [first] = measured;
  if (first === undefined || known === null) return null;
  return [first, known, plantedOn ?? first].reduce((latest, day) => (day > latest ? day : latest));
}

/** Between field capacity and the stress point, one after the other. */
function fallsOf(days: readonly ZoneDay[], readilyMm: number): DryFall[] {
  const noiseMm = noiseOf(days);
  const falls: DryFall[] = [];
  let start = DAYS_AFTER_WATER;

  for (let index = 1; index < days.length; index++) {
    const [before, day] = [itemAt(days, index - 1), itemAt(days, index)];
    if (isWetter(before, day, noiseMm)) start = index + DAYS_AFTER_WATER;
    if (index - start < FALL_DAYS) continue;

    const first = itemAt(days, start);
    const usedMm = (day.lackMm ?? 0) - (first.lackMm ?? 0);
    const isBetween = (first.lackMm ?? 0) > 0 && (day.lackMm ?? 0) <= readilyMm;
    if (isBetween && usedMm >= NOISES_OF_FALL * noiseMm)
      falls.push({
        endsOn: day.day,
        usedMm,
        expectedMm: meanToMean(days.slice(start, index + 1)),
      });
    start = index;
  }

  return falls.filter(({ expectedMm }) => expectedMm > 0);
}

/** A day without a value may hide that it was wetted. */
const isWetter = (before: ZoneDay, day: ZoneDay, noiseMm: number): boolean =>
  !day.isDry ||
  day.lackMm === null ||
  (before.lackMm !== null && before.lackMm - day.lackMm > NOISES_OF_FALL * noiseMm);

/** From the middle of the first day to that of the last. */
const meanToMean = (days: readonly ZoneDay[]): number =>
  days.reduce(
    (sum, { expectedMm }, index) =>
      sum + expectedMm * (index === 0 || index === days.length - 1 ? 0.5 : 1),
    0,
  );

/** The deviation of daily values from a smooth course, on days without water. */
function noiseOf(days: readonly ZoneDay[]): number {
  const differences = days.slice(2).flatMap((day, index) => {
    const [first, second] = [itemAt(days, index), itemAt(days, index + 1)];
    return first.lackMm === null ||
      second.lackMm === null ||
      day.lackMm === null ||
      !second.isDry ||
      !day.isDry
      ? []
      : [Math.abs(first.lackMm - 2 * second.lackMm + day.lackMm)];
  });
  return differences.length === 0 ? 0 : median(differences) / NOISES_OF_SECOND_DIFFERENCE;
}
