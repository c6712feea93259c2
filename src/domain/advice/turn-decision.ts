import type { WateringFacts } from '../facts/watering-facts.ts';
import { LocalDay } from '../local-day.ts';
import { isInTime, nextOpenings, type WaterTimes } from '../moisture/water-times.ts';
import { DAY_MS, HOUR_MS, type Period } from '../periods.ts';
import { isForeseen, surelyLastsUntil } from './forecast-error.ts';

/**
 * `take`: the crop may suffer before the turn after it. `skip`: it surely lasts until then.
 * `open`: it may suffer, and more than half of the least dose would drain. `unknown`: the day of
 * stress cannot be forecast.
 */
export const TURN_VERDICTS = ['take', 'skip', 'open', 'unknown'] as const;
type TurnVerdict = (typeof TURN_VERDICTS)[number];

export interface TurnDecision {
  readonly verdict: TurnVerdict;
  /** The next time at which water can be had; in the past while it runs. */
  readonly nextAt: number;
  /** It begins today, or runs. */
  readonly isToday: boolean;
  /** The start of the one after it; null if the season of water ends before. */
  readonly followingAt: number | null;
  /** The latest instant to order it; null without notice, and once a watering is planned in it. */
  readonly orderBy: number | null;
  /** An earlier one that it is too late to order, and in which nothing is planned. */
  readonly missedAt: number | null;
  /** The instant of stress where it comes before the next start, or before the one after it. */
  readonly stressAt: number | null;
  /** Stress comes before the next start. */
  readonly isLate: boolean;
  /** The part of the least dose that would drain, over the whole area; null unless `open`. */
  readonly drainedMm: number | null;
  /** The days that full soil lasts, where that is less than from one turn to the next. */
  readonly fullLastsDays: number | null;
}

interface TurnInputs {
  readonly daysToStress: number | null;
  /** In the wetted zone; null if unknown. */
  readonly deficitMm: number | null;
  /** What the wetted zone loses in a day; 0 if unknown. */
  readonly lossMmPerDay: number;
  /** To be applied over the whole area for each mm of the deficit. */
  readonly appliedPerMm: number;
  /** Of the valve. */
  readonly waterings: readonly Pick<WateringFacts, 'startedAt' | 'status'>[];
}

interface Clock {
  readonly now: number;
  readonly zone: string;
}

/** Null where water comes at any time, or no more this season. */
export function decideTurn(
  times: WaterTimes | null,
  inputs: TurnInputs,
  clock: Clock,
): TurnDecision | null {
  if (times === null) return null;
  const { now, zone } = clock;
  const hasWatering = (opening: Period, status: WateringFacts['status']): boolean =>
    inputs.waterings.some(
      (watering) =>
        watering.status === status &&
        watering.startedAt >= opening.start &&
        watering.startedAt < opening.end,
    );
  const isUsed = (opening: Period): boolean => hasWatering(opening, 'done');
  // Who plans a watering in a turn has ordered it.
  const isOrdered = (opening: Period): boolean => hasWatering(opening, 'planned');
  const inTime = isInTime(times, now);
  const [next, following] = nextOpenings(times, {
    ...clock,
    count: 2,
    canBeHad: (opening) => !isUsed(opening) && (isOrdered(opening) || inTime(opening)),
  });
  if (next === undefined) return null;

  const [missed] = nextOpenings(times, {
    ...clock,
    count: 1,
    canBeHad: (opening) => !isUsed(opening) && !isOrdered(opening),
  });
  const { daysToStress } = inputs;
  const daysUntil = (at: number): number => Math.max(0, at - now) / DAY_MS;
  const drainedMm = drainedOfLeast(times, inputs, daysUntil(next.start));
  const verdict = verdictOn(daysToStress, {
    followingDays: following === undefined ? null : daysUntil(following.start),
    drainsMost: drainedMm !== null,
  });
  const stressAt = isForeseen(daysToStress) ? now + daysToStress * DAY_MS : null;
  const isLate = stressAt !== null && stressAt < next.start;

  return {
    verdict,
    nextAt: next.start,
    isToday: next.start < LocalDay.at(now, zone).next().startIn(zone),
    followingAt: following?.start ?? null,
    orderBy:
      times.noticeHours === null || isOrdered(next)
        ? null
        : next.start - times.noticeHours * HOUR_MS,
    missedAt: missed !== undefined && missed.start < next.start ? missed.start : null,
    stressAt:
      stressAt !== null && stressAt < (following ?? next).start ? Math.round(stressAt) : null,
    isLate,
    drainedMm: verdict === 'open' ? drainedMm : null,
    fullLastsDays:
      following === undefined
        ? null
        : fullLasts(inputs, regularDays(times, (following.start - next.start) / DAY_MS)),
  };
}

function verdictOn(
  daysToStress: number | null,
  {
    followingDays,
    drainsMost,
  }: { readonly followingDays: number | null; readonly drainsMost: boolean },
): TurnVerdict {
  if (!isForeseen(daysToStress)) return 'unknown';
  if (followingDays !== null && surelyLastsUntil(daysToStress, followingDays)) return 'skip';
  return drainsMost ? 'open' : 'take';
}

/** Null where at least half of the least dose would stay in the root zone, or nobody said a least dose. */
function drainedOfLeast(
  { leastMm }: WaterTimes,
  { deficitMm, lossMmPerDay, appliedPerMm }: TurnInputs,
  aheadDays: number,
): number | null {
  if (leastMm === null || deficitMm === null) return null;
  const roomMm = (deficitMm + lossMmPerDay * aheadDays) * appliedPerMm;
  return leastMm - roomMm > leastMm / 2 ? leastMm - roomMm : null;
}

/** What lies between two turns because one is dropped or a season ends says nothing of the others. */
const regularDays = ({ everyHours }: WaterTimes, betweenDays: number): number =>
  Math.min(betweenDays, everyHours === null ? 7 : (everyHours * HOUR_MS) / DAY_MS);

/** Null where full soil lasts from one turn to the next, or it is not known. */
function fullLasts(
  { daysToStress, deficitMm, lossMmPerDay }: TurnInputs,
  betweenDays: number,
): number | null {
  if (!isForeseen(daysToStress) || daysToStress === 0) return null;
  if (deficitMm === null || lossMmPerDay <= 0) return null;
  const days = daysToStress + deficitMm / lossMmPerDay;
  return days < betweenDays ? days : null;
}
