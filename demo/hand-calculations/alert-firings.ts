import { roundTo } from '../../src/domain/decimal.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import type { WeightsBody } from '../../src/schema/moisture/series.ts';
import { atLocalTime, dateAgo } from '../farm/calendar.ts';
import { PROBE_DEPTHS_CM } from '../farm/demo-farm.ts';
import type { ProbeMoisture } from '../farm/future-readings.ts';

export interface WeightedReading {
  readonly at: number;
  readonly value: number;
}

/** % by volume. */
export interface AlertLimits {
  readonly threshold: number;
  readonly resolvesAt: number;
}

export interface DemoFiring {
  readonly start: number;
  readonly end: number | null;
  readonly lowest: number;
}

/**
 * Thirtieths of the uptake at 10, 20, 30, 40 and 60 cm of a root zone of 60 cm, whose quarters take
 * up 40, 30, 20 and 10 %: the sensors represent the soil down to 15, 25, 35, 50 and 60 cm.
 */
export const WEIGHT_THIRTIETHS = [12, 6, 5, 5, 2];

export const hasExpectedWeights = ({ byDepth }: WeightsBody): boolean =>
  byDepth.length === WEIGHT_THIRTIETHS.length &&
  byDepth.every(
    ({ depth, weight }, index) =>
      depth === PROBE_DEPTHS_CM[index] && Math.abs(weight - WEIGHT_THIRTIETHS[index]! / 30) < 1e-4,
  );

export const weightedReadings = ({ instants, values }: ProbeMoisture): WeightedReading[] =>
  Array.from(instants, (at, index) => {
    const total = WEIGHT_THIRTIETHS.reduce(
      (sum, share, depth) => sum + share * values[depth]![index]!,
      0,
    );
    return { at, value: roundTo(total / 30, 1) };
  });

export function newestByHand(moisture: ProbeMoisture): string {
  const products = WEIGHT_THIRTIETHS.map(
    (share, index) => `${share} x ${moisture.values[index]!.at(-1)}`,
  );
  return `(${products.join(' + ')}) / 30 = ${weightedReadings(moisture).at(-1)!.value} %`;
}

/** Independent of the product's rule. */
export function firingsByHand(
  readings: readonly WeightedReading[],
  { threshold, resolvesAt }: AlertLimits,
): DemoFiring[] {
  const firings: DemoFiring[] = [];
  for (const { at, value } of readings) {
    const current = firings.at(-1);
    if (current === undefined || current.end !== null) {
      if (value < threshold) firings.push({ start: at, end: null, lowest: value });
    } else
      firings[firings.length - 1] =
        value >= resolvesAt
          ? { ...current, end: at }
          : { ...current, lowest: Math.min(current.lowest, value) };
  }
  return firings;
}

/** Each reading counts until the next; rounded to one decimal. */
export function hoursBelowByHand(
  readings: readonly WeightedReading[],
  { threshold }: AlertLimits,
): number {
  let belowMs = 0;
  for (const [index, { at, value }] of readings.entries())
    if (value < threshold && index + 1 < readings.length) belowMs += readings[index + 1]!.at - at;
  return roundTo(belowMs / HOUR_MS, 1);
}

/** Counts one reminder at 08:00 on each day of a firing except its first. */
export function remindersByHand(firings: readonly DemoFiring[], now: number): number {
  let mornings = 0;
  for (const { start, end } of firings)
    for (let ago = Math.ceil((now - start) / DAY_MS) + 1; ago >= 0; ago--) {
      const at = atLocalTime(now, ago, 8);
      if (dateAgo(at, 0) > dateAgo(start, 0) && at < (end ?? now)) mornings += 1;
    }
  return mornings;
}
