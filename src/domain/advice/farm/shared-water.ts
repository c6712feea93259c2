import { LocalDay } from '../../local-day.ts';
import { isRestricted, nextOpenings, type WaterTimes } from '../../moisture/water-times.ts';
import { DAY_MS, HOUR_MIN, MINUTE_MS, type Period } from '../../periods.ts';

/** A source of water and the parcels that draw from it. */
export interface SharedSource {
  readonly name: string;
  /** Null: at any time. */
  readonly waterTimes: WaterTimes | null;
  readonly parcelIds: readonly number[];
}

/** What a valve needs today. */
export interface Draw {
  readonly parcelId: number;
  /** Null for a parcel without a probe. */
  readonly moduleId: number | null;
  readonly minutes: number;
  readonly daysToStress: number | null;
}

/** A watering of a parcel that is planned; it uses hours of its source. */
export interface PlannedDraw {
  readonly parcelId: number;
  readonly startedAt: number;
  readonly minutes: number;
}

export interface SharedDraw extends Omit<Draw, 'daysToStress'> {
  /** When water comes that is left for it, in ms. */
  readonly startsAt: number;
  /** The crop suffers before that. */
  readonly isAfterStress: boolean;
}

/** A source whose next water does not suffice for all that need some today. */
export interface ShortSource {
  readonly name: string;
  /** When the next water begins, or began, in ms. */
  readonly from: number;
  /** What it gives then, in min, less what is planned. */
  readonly givenMin: number;
  readonly neededMin: number;
  /** Soonest stress first. */
  readonly shares: readonly SharedDraw[];
}

interface Clock {
  readonly now: number;
  readonly zone: string;
}

/**
 * Sources whose hours do not suffice today, one valve after another: who has the soonest stress is
 * watered first, and each other one when enough is left for it.
 */
export function shortSources(
  sources: readonly SharedSource[],
  draws: readonly Draw[],
  planned: readonly PlannedDraw[],
  clock: Clock,
): ShortSource[] {
  return sources.flatMap((source) => {
    const isOfSource = ({ parcelId }: { readonly parcelId: number }): boolean =>
      source.parcelIds.includes(parcelId);
    return shortSource(source, draws.filter(isOfSource), planned.filter(isOfSource), clock) ?? [];
  });
}

function shortSource(
  { name, waterTimes }: SharedSource,
  draws: readonly Draw[],
  planned: readonly PlannedDraw[],
  clock: Clock,
): ShortSource | null {
  const windows = upcomingWindows(waterTimes, clock).map(({ start, end }) => {
    const limitMin = (waterTimes?.hoursPerDay ?? 24) * HOUR_MIN;
    const openMin = (end - Math.max(start, clock.now)) / MINUTE_MS;
    const plannedMin = planned
      .filter(({ startedAt }) => startedAt >= start && startedAt < end)
      .reduce((sum, { minutes }) => sum + minutes, 0);
    const givenMin = Math.max(0, Math.min(limitMin, openMin) - plannedMin);
    const usualMin = Math.min(limitMin, (end - start) / MINUTE_MS);
    return { start, givenMin, usualMin, leftMin: givenMin };
  });
  const [first] = windows;
  if (first === undefined) return null;

  const shares = [...draws]
    .sort(bySoonestStress)
    .flatMap(({ daysToStress, ...draw }): SharedDraw[] => {
      // What takes longer than the source gives at a time has all of one.
      const window = windows.find(
        ({ usualMin, leftMin }) => leftMin >= Math.min(draw.minutes, usualMin),
      );
      if (window === undefined) return [];
      window.leftMin -= draw.minutes;
      const stressAt =
        daysToStress === null ? Number.POSITIVE_INFINITY : clock.now + daysToStress * DAY_MS;
      return [{ ...draw, startsAt: window.start, isAfterStress: stressAt < window.start }];
    });
  if (shares.every(({ startsAt }) => startsAt === first.start)) return null;

  return {
    name,
    from: first.start,
    givenMin: first.givenMin,
    neededMin: draws.reduce((sum, { minutes }) => sum + minutes, 0),
    shares,
  };
}

const bySoonestStress = (a: Draw, b: Draw): number =>
  (a.daysToStress ?? Number.MAX_VALUE) - (b.daysToStress ?? Number.MAX_VALUE) ||
  a.parcelId - b.parcelId;

/** Nobody plans further ahead by what is needed today. */
const MAX_WINDOWS = 14;

/** The next periods with water; days, where it comes at any time. */
function upcomingWindows(times: WaterTimes | null, { now, zone }: Clock): Period[] {
  if (times !== null && isRestricted(times))
    return nextOpenings({ ...times, noticeHours: null }, { now, zone, count: MAX_WINDOWS });

  const today = LocalDay.at(now, zone);
  return Array.from({ length: MAX_WINDOWS }, (_, days) => {
    const day = today.plus(days);
    return { start: day.startIn(zone), end: day.next().startIn(zone) };
  });
}
