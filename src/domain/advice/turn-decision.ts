import type { WateringFacts } from '../facts/watering-facts.ts';
import { runningWithin } from '../irrigation/runs.ts';
import { LocalDay } from '../local-day.ts';
import {
  endOfOpening,
  isInTime,
  isSameSeason,
  nextOpenings,
  type WaterTimes,
} from '../moisture/water-times.ts';
import { DAY_MS, HOUR_MIN, HOUR_MS, MINUTE_MS, type Period } from '../periods.ts';
import { isForeseen, surelyLastsUntil } from './forecast-error.ts';

/**
 * `take`: the crop may suffer before the turn after it. `skip`: it surely lasts until then.
 * `open`: it may suffer, and more than half of the least dose would drain, or the soil has no room
 * for any. `unknown`: the day of stress cannot be forecast.
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
  /** The instant of stress, unless the water after the next comes before it. */
  readonly stressAt: number | null;
  /** Stress comes before the next start. */
  readonly isLate: boolean;
  /**
   * The part of the least dose that would drain, over the whole area; null unless `open`, and where
   * nobody said a least dose.
   */
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

/** Null where water comes at any time. */
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
  const [next, afterNext] = nextOpenings(times, {
    ...clock,
    count: 2,
    canBeHad: (opening) => !isUsed(opening) && (isOrdered(opening) || inTime(opening)),
  });
  if (next === undefined) return null;
  const between = { start: next.start, end: afterNext?.start ?? next.start };
  const following = isSameSeason(times, between, zone) ? afterNext : undefined;

  const [missed] = nextOpenings(times, {
    ...clock,
    count: 1,
    canBeHad: (opening) => !isUsed(opening) && !isOrdered(opening),
  });
  const { daysToStress } = inputs;
  const daysUntil = (at: number): number => Math.max(0, at - now) / DAY_MS;
  const roomMm = roomAfter(inputs, daysUntil(next.start));
  const drainedMm = drainedOfLeast(times, roomMm);
  const verdict = verdictOn(daysToStress, {
    followingDays: following === undefined ? null : daysUntil(following.start),
    drainsMost: drainedMm !== null || (roomMm !== null && roomMm < LEAST_ROOM_MM),
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
      stressAt !== null && (following === undefined || stressAt < following.start)
        ? Math.round(stressAt)
        : null,
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

/** A soil with less room, over the whole area, takes up nothing that is worth a turn. */
const LEAST_ROOM_MM = 1;

/** What the root zone takes up then, over the whole area; null if it is not known. */
function roomAfter(
  { deficitMm, lossMmPerDay, appliedPerMm }: TurnInputs,
  days: number,
): number | null {
  return deficitMm === null ? null : (deficitMm + lossMmPerDay * days) * appliedPerMm;
}

/** Null if at least half of the least dose would stay in the root zone, or there is no least dose. */
function drainedOfLeast({ leastMm }: WaterTimes, roomMm: number | null): number | null {
  if (leastMm === null || roomMm === null) return null;
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

/** Nobody asks each day about water that comes each day. */
const MIN_BETWEEN_MS = 1.5 * DAY_MS;

/** Whether to water is decided for each turn, because the next one is days ahead. */
export const comesRarely = ({
  nextAt,
  followingAt,
}: Pick<TurnDecision, 'nextAt' | 'followingAt'>): boolean =>
  followingAt === null || followingAt - nextAt > MIN_BETWEEN_MS;

/**
 * How long water can be given: the hours of an opening, or those that are set for a day if fewer,
 * less the pauses between runs.
 */
export interface RunLimits {
  readonly hoursPerDay: number;
  /** In min, of one turn; null where water comes each day, and a run can go on. */
  readonly longestMin: number | null;
}

export function runLimits(
  times: WaterTimes | null,
  turn: TurnDecision | null,
  hoursPerDay: number,
  { now, zone }: Clock,
): RunLimits {
  if (times === null) return { hoursPerDay, longestMin: null };
  const runningHours = (ofDay: number): number => runningWithin(ofDay * HOUR_MIN, times) / HOUR_MIN;
  if (turn === null) return { hoursPerDay: runningHours(hoursPerDay), longestMin: null };

  const end = endOfOpening(turn.nextAt, times, zone);
  const hours = runningHours(Math.min(hoursPerDay, (end - turn.nextAt) / HOUR_MS));
  if (!comesRarely(turn)) return { hoursPerDay: hours, longestMin: null };
  const leftMin = runningWithin((end - Math.max(now, turn.nextAt)) / MINUTE_MS, times);
  return { hoursPerDay: hours, longestMin: Math.min(leftMin, hours * HOUR_MIN) };
}
