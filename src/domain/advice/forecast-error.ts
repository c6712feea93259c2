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
