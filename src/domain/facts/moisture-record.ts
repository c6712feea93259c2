import { firstOf } from '../items.ts';
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

/** Its points are daily means. */
interface DepthDays extends Pick<DepthFacts, 'weight' | 'wiltingPoint' | 'points'> {
  /** In degrees Celsius; empty without a thermometer in the soil. */
  readonly soilTemperature: readonly TimedValue[];
}

export function moistureRecord(depths: readonly DepthDays[]): MoistureRecord {
  const weighted = depths.filter(({ weight }) => weight > 0);
  if (weighted.length === 0) return { days: 0, lowest: null };

  const soundDays = weighted.map(soundValues);
  const curve = [...firstOf(soundDays).keys()].flatMap((day) => {
    const values = soundDays.flatMap((ofDepth, index) => {
      const value = ofDepth.get(day);
      return value === undefined ? [] : [weighted[index]!.weight * value];
    });
    return values.length === weighted.length ? [values.reduce((sum, value) => sum + value, 0)] : [];
  });

  const weight = weighted.reduce((sum, depth) => sum + depth.weight, 0);
  return {
    days: curve.length,
    lowest: curve.length === 0 ? null : Math.min(...curve) / weight,
  };
}

/**
 * Leaves out days of frozen soil, and values that are drier than the soil can be; the keys are
 * days.
 */
function soundValues({ points, wiltingPoint, soilTemperature }: DepthDays): Map<number, number> {
  const driest = wiltingPoint === null ? 0 : 100 * driestMoisture(wiltingPoint);
  const frozenDays = new Set(
    soilTemperature.flatMap(({ at, value }) => (isFrozen(value) ? [at] : [])),
  );
  return new Map(
    points.flatMap(({ at, value }) =>
      value > driest && !frozenDays.has(at) ? [[at, value] as const] : [],
    ),
  );
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
