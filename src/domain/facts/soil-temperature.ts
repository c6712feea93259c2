import { lastOf, leastBy } from '../items.ts';
import type { TimedValue } from '../moisture/series.ts';
import { HOUR_MS, type Period } from '../periods.ts';
import { isFrozen } from '../soil/frozen-soil.ts';
import { mean } from '../statistics.ts';

/** The points are hourly means in degrees Celsius, oldest first. */
export interface Thermometer {
  /** Null in the air, or at an unknown depth. */
  readonly depthCm: number | null;
  readonly points: readonly TimedValue[];
}

export interface SoilThermometer extends Thermometer {
  readonly depthCm: number;
}

/** The readings of a thermometer in the soil. */
export interface SoilTemperature {
  readonly depthCm: number;
  /** The newest hourly mean in degrees Celsius, and its hour. */
  readonly celsius: number;
  readonly at: number;
  /** The mean of the last two weeks; null where less than a week of them is known. */
  readonly meanCelsius: number | null;
}

/** From the surface down. One on the surface shows the air. */
export const thermometersInSoil = (thermometers: readonly Thermometer[]): SoilThermometer[] =>
  thermometers
    .flatMap(({ depthCm, points }) =>
      depthCm === null || depthCm <= 0 ? [] : [{ depthCm, points }],
    )
    .sort((a, b) => a.depthCm - b.depthCm);

/** The temperature of the nearest thermometer; empty without one. */
export function soilTemperatureAt(
  depthCm: number,
  thermometers: readonly SoilThermometer[],
): readonly TimedValue[] {
  if (thermometers.length === 0) return [];
  return leastBy(thermometers, (thermometer) => Math.abs(thermometer.depthCm - depthCm)).points;
}

const MIN_HOURS_OF_MEAN = 7 * 24;

export const soilTemperatures = (thermometers: readonly SoilThermometer[]): SoilTemperature[] =>
  thermometers.flatMap(({ depthCm, points }) => {
    if (points.length === 0) return [];
    const { at, value: celsius } = lastOf(points);
    const meanCelsius =
      points.length < MIN_HOURS_OF_MEAN ? null : mean(points.map(({ value }) => value));
    return [{ depthCm, celsius, at, meanCelsius }];
  });

/** Deeper or shallower soil than this from a thermometer may be warmer or colder. */
const REACH_CM = 15;

/** The nearest thermometer that tells of this depth; undefined without one. */
export const thermometerAt = <T extends { readonly depthCm: number }>(
  thermometers: readonly T[],
  depthCm: number,
): T | undefined => {
  const distance = (thermometer: T): number => Math.abs(thermometer.depthCm - depthCm);
  const [nearest] = [...thermometers].sort((a, b) => distance(a) - distance(b));
  return nearest !== undefined && distance(nearest) <= REACH_CM ? nearest : undefined;
};

/** While ice melts, and some hours after it, moisture rises although no water arrives. */
export const THAW_MS = 12 * HOUR_MS;

/** When the soil at a depth was frozen or thawing, by the thermometers that tell of it. */
export const frozenByThermometers =
  (thermometers: readonly SoilThermometer[]) =>
  (depthCm: number): readonly Period[] =>
    frozenPeriods(thermometerAt(thermometers, depthCm)?.points ?? []);

/** When this soil was frozen or thawing. */
export function frozenPeriods(points: readonly TimedValue[]): Period[] {
  const periods: { start: number; end: number }[] = [];
  for (const { at, value } of points) {
    if (!isFrozen(value)) continue;
    const last = periods.at(-1);
    const end = at + HOUR_MS + THAW_MS;
    if (last !== undefined && at <= last.end) last.end = end;
    else periods.push({ start: at, end });
  }
  return periods;
}
