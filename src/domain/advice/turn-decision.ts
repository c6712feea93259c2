import { nextOpenings, type WaterTimes } from '../moisture/water-times.ts';
import { DAY_MS, HOUR_MS, type Period } from '../periods.ts';
import { FORESEEABLE_DAYS } from './watering-advice.ts';

/**
 * By days ahead, the error of a forecast of the day of stress, in days. Source: docs/validation.md,
 * the largest RMSE at 1 and 3 days, and at 7 the mean error on a vineyard that no rule was fitted
 * to. Beyond, it grows as from 3 to 7 days.
 */
const ERRORS = [
  { ahead: 0, days: 0.9 },
  { ahead: 1, days: 1.6 },
  { ahead: 3, days: 2.3 },
  { ahead: 7, days: 4.1 },
] as const;

export function forecastErrorDays(aheadDays: number): number {
  const [start, , before, last] = ERRORS;
  if (aheadDays <= 0) return start.days;
  const to = ERRORS.find(({ ahead }) => ahead >= aheadDays) ?? last;
  const from = ERRORS.findLast(({ ahead }) => ahead < Math.min(aheadDays, last.ahead)) ?? before;
  const slope = (to.days - from.days) / (to.ahead - from.ahead);
  return from.days + (aheadDays - from.ahead) * slope;
}

/**
 * The crop surely lasts until then: what it lacks then and the error of the forecast stay below
 * what it bears. False where its day of stress is unknown or too far ahead to be forecast.
 */
export const surelyLastsUntil = (daysToStress: number | null, aheadDays: number): boolean =>
  isForeseen(daysToStress) && aheadDays + forecastErrorDays(aheadDays) < daysToStress;

/** Known, and not so far ahead that it is said as "more than two weeks". */
export const isForeseen = (daysToStress: number | null): daysToStress is number =>
  daysToStress !== null && daysToStress < FORESEEABLE_DAYS;

/**
 * `take`: the crop may suffer before the turn after it. `skip`: it surely lasts until then.
 * `open`: it may suffer, and more than half of the least dose would drain. `unknown`: the day of
 * stress cannot be forecast.
 */
export type TurnVerdict = 'take' | 'skip' | 'open' | 'unknown';

export interface TurnDecision {
  readonly verdict: TurnVerdict;
  /** The next time at which water can be had. */
  readonly next: Period;
  /** The start of the one after it; null if the season of water ends before. */
  readonly followingAt: number | null;
  /** The latest instant to order it; null without notice. */
  readonly orderBy: number | null;
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
  const [next, following] = times === null ? [] : nextOpenings(times, { ...clock, count: 2 });
  if (times === null || next === undefined) return null;

  const { now } = clock;
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
    next,
    followingAt: following?.start ?? null,
    orderBy: times.noticeHours === null ? null : next.start - times.noticeHours * HOUR_MS,
    stressAt: stressAt !== null && stressAt < (following ?? next).start ? stressAt : null,
    isLate,
    drainedMm: verdict === 'open' ? drainedMm : null,
    fullLastsDays:
      following === undefined ? null : fullLasts(inputs, (following.start - next.start) / DAY_MS),
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
