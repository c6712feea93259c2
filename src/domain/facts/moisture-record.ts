import { firstOf, itemAt } from '../items.ts';
import type { TimedValue } from '../moisture/series.ts';
import { pointStart } from '../moisture/series-points.ts';
import { DAY_MS, type Period } from '../periods.ts';
import { isFrozen } from '../soil/frozen-soil.ts';
import { driestMoisture } from '../soil/soil-catalog.ts';
import type { DepthFacts } from './probe-facts.ts';

/** The record of a probe: the days on which all depths of its curve had sound values. */
export interface MoistureRecord {
  readonly days: number;
  /** The lowest mean of such a day, in % by the curve; null without one. */
  readonly lowest: number | null;
}

/** How far back days count: each season once, and the cost of reading them stays bounded. */
const RECORD_DAYS = 400;

/** The whole local days before the present one. */
export const recordPeriod = (now: number, zone: string): Period => ({
  start: pointStart(now - RECORD_DAYS * DAY_MS, DAY_MS, zone),
  end: pointStart(now, DAY_MS, zone),
});

/** Its points are daily means, oldest first. */
interface DepthDays extends Pick<DepthFacts, 'weight' | 'wiltingPoint' | 'points'> {
  /** In degrees Celsius; empty without a thermometer in the soil. */
  readonly soilTemperature: readonly TimedValue[];
}

export function moistureRecord(depths: readonly DepthDays[]): MoistureRecord {
  const weighted = depths.filter(({ weight }) => weight > 0);
  if (weighted.length === 0) return { days: 0, lowest: null };

  const soundDays = weighted.map(soundPoints);
  const rows = weighted.map(() => 0);
  let days = 0;
  let lowest = Number.POSITIVE_INFINITY;
  // Years of many probes pass here at once, so that nothing is created for a day.
  for (const { at } of firstOf(soundDays)) {
    let sum = 0;
    let isWhole = true;
    for (let depth = 0; depth < weighted.length; depth++) {
      const points = itemAt(soundDays, depth);
      let row = itemAt(rows, depth);
      while (row < points.length && itemAt(points, row).at < at) row++;
      rows[depth] = row;
      const point = points[row];
      if (point?.at === at) sum += itemAt(weighted, depth).weight * point.value;
      else isWhole = false;
    }
    if (!isWhole) continue;
    days++;
    lowest = Math.min(lowest, sum);
  }

  const weight = weighted.reduce((sum, depth) => sum + depth.weight, 0);
  return { days, lowest: days === 0 ? null : lowest / weight };
}

/** Leaves out days of frozen soil, and values that are drier than the soil can be. */
function soundPoints({ points, wiltingPoint, soilTemperature }: DepthDays): readonly TimedValue[] {
  const driest = wiltingPoint === null ? 0 : 100 * driestMoisture(wiltingPoint);
  const frozenDays = new Set(
    soilTemperature.filter(({ value }) => isFrozen(value)).map(({ at }) => at),
  );
  return points.filter(({ at, value }) => value > driest && !frozenDays.has(at));
}

/** With fewer days the lowest value says little of how dry the soil can become. */
const MIN_RECORD_DAYS = 60;

/** In points. With 2 instead of 1 the forecasts of all data that were tried hardly differ. */
const BELOW_LOWEST_POINTS = 1;

/**
 * The moisture in % that the soil approaches as it dries: a little below the lowest of its record,
 * and at most the wilting point. Null if too little is known. Where frost went unnoticed for want of
 * a thermometer it is too low, which only makes the exponential fall straighter.
 */
export function residualMoisture(
  { days, lowest }: MoistureRecord,
  wiltingPoint: number | null,
): number | null {
  if (lowest === null || days < MIN_RECORD_DAYS) return null;
  return Math.min(lowest - BELOW_LOWEST_POINTS, wiltingPoint ?? Number.POSITIVE_INFINITY);
}
