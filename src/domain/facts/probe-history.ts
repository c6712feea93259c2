import { LocalDay } from '../local-day.ts';
import { isFreshAt } from '../moisture/coverage.ts';
import { implausibleValue } from '../moisture/quality-flags.ts';
import {
  MAX_NOISE_POINTS,
  maxDailyFall,
  noisePoints,
  suddenFall,
} from '../moisture/sensor-faults.ts';
import type { TimedValue } from '../moisture/series.ts';
import { DAY_MS, type Period } from '../periods.ts';
import { isFrozen } from '../soil/frozen-soil.ts';
import { thicknessMm } from '../soil/slices.ts';
import { type DayEnd, dayEnds } from './day-ends.ts';
import { dayMeansOf } from './day-means.ts';
import { dryingRateOf } from './drying-rate.ts';
import { moistureRecord, residualMoisture } from './moisture-record.ts';
import {
  type DepthFacts,
  DRYING_RATE_DAYS,
  type ProbeFacts,
  type ProbeSeries,
  type SuspectReading,
} from './probe-facts.ts';
import { curveOfDepths, hasSoilMoisture } from './probe-series.ts';
import {
  frozenPeriods,
  type SoilThermometer,
  soilTemperatureAt,
  soilTemperatures,
  type Thermometer,
  thermometersInSoil,
} from './soil-temperature.ts';
import { suspectDepthsOf, weightOf } from './trusted-depths.ts';

/** The measurements of a depth in the last `DRYING_RATE_DAYS`: its points are hourly means. */
export interface DepthHours extends DepthFacts {
  /**
   * Hourly means in degrees Celsius of the thermometer at this depth, or of the nearest one in the
   * soil; empty without one.
   */
  readonly soilTemperature: readonly TimedValue[];
}

export interface ProbeHistory {
  /** The weighted mean of the depths. */
  readonly curve: readonly TimedValue[];
  /** The depths from the surface down, with those below the roots. */
  readonly depths: readonly DepthHours[];
  /** The thermometers in the soil, from the surface down. */
  readonly thermometers: readonly SoilThermometer[];
}

export function probeHistory(
  { curve, depths }: ProbeSeries,
  thermometers: readonly Thermometer[],
): ProbeHistory {
  const inSoil = thermometersInSoil(thermometers);
  return {
    curve,
    thermometers: inSoil,
    depths: depths.map((depth) => ({
      ...depth,
      soilTemperature: soilTemperatureAt(depth.depthCm, inSoil),
    })),
  };
}

/** The facts that follow from the history. */
export type HistoryFacts = Pick<
  ProbeFacts,
  'dryingRate' | 'soilTemperatures' | 'dayEnds' | 'dayMeans' | 'newestByDepth'
>;

interface HistoryContext {
  /** Daily means of all that is known of the probe. */
  readonly days: ProbeHistory;
  readonly doubts: readonly SuspectReading[];
  /** In %, by the curve; null if unknown. */
  readonly wiltingPoint: number | null;
  readonly watered: readonly Period[];
  readonly zone: string;
}

/**
 * It depends on the means and not on the present instant, because it is kept until the first hour
 * leaves the history, a day ends or another reading arrives.
 */
export function historyFacts(
  history: ProbeHistory,
  { days, doubts, wiltingPoint, watered, zone }: HistoryContext,
): HistoryFacts {
  const { curve, depths, thermometers } = trustedHistory(history, doubts);
  const trustedDays = trustedHistory(days, doubts).depths;
  const record = moistureRecord(trustedDays);
  const frozen = thermometers.flatMap(({ points }) => frozenPeriods(points));
  return {
    // While soil freezes or thaws its sensors fall and rise without any water lost or gained.
    dryingRate: dryingRateOf(
      { points: curve, deepest: depths.at(-1)?.points ?? [] },
      [...watered, ...frozen],
      { zone, residual: residualMoisture(record, wiltingPoint) },
    ),
    soilTemperatures: soilTemperatures(thermometers),
    dayEnds: dayEnds(depths, zone),
    dayMeans: dayMeansOf(trustedDays, zone),
    newestByDepth: history.depths.map(({ depthCm, points }) => ({
      depthCm,
      at: points.at(-1)?.at ?? null,
    })),
  };
}

/** Leaves out the depths with suspect readings. */
export function trustedHistory(
  history: ProbeHistory,
  suspect: readonly SuspectReading[],
): ProbeHistory {
  const suspectDepths = suspectDepthsOf(suspect);
  if (suspectDepths.size === 0) return history;
  const depths = history.depths.filter(({ depthCm }) => !suspectDepths.has(depthCm));
  return { ...history, curve: curveOfDepths(depths), depths };
}

/** After a longer silence a balance from the last readings is no better than one from full soil. */
const MAX_SILENT_DAYS = 60;

/**
 * The last days with readings of a probe that is silent now; null for one that reports, and where
 * they lie too far back.
 */
export function periodBeforeSilence(newestAt: number | null, now: number): Period | null {
  if (newestAt === null || isFreshAt(newestAt, now) || newestAt < now - MAX_SILENT_DAYS * DAY_MS)
    return null;
  return { start: newestAt - DRYING_RATE_DAYS * DAY_MS, end: newestAt + 1 };
}

/**
 * The ends of the last days of a silent probe, from the hours of `periodBeforeSilence`. Its present
 * state tells nothing of faults before the silence, so they are looked for here. None where what can
 * be trusted is less than half of the curve.
 */
export function dayEndsBeforeSilence(
  { depths }: ProbeHistory,
  { zone, fractionWetted }: { readonly zone: string; readonly fractionWetted: number },
): DayEnd[] {
  const faulty = depths.filter((depth) => isFaulty(depth, fractionWetted));
  const doubted = new Set(faulty.map(({ depthCm }) => depthCm));
  if (weightOf(depths, doubted) >= 0.5) return [];
  return dayEnds(
    depths.filter(({ depthCm }) => !doubted.has(depthCm)),
    zone,
  );
}

/** Drifts are not looked for: without the waterings before the silence a gain is no fault. */
function isFaulty(depth: DepthHours, fractionWetted: number): boolean {
  const { points, soilTemperature, slice, weight, wiltingPoint, saturation } = depth;
  const newest = points.at(-1)?.value;
  if (newest === undefined) return false;

  const noise = noisePoints(points);
  const celsius = soilTemperature.at(-1)?.value;
  const maxFallPerDay = maxDailyFall(weight, slice ? thicknessMm(slice) : 0, {
    fractionWetted,
    largestEtcMm: null,
  });
  return (
    (noise !== null && noise >= MAX_NOISE_POINTS) ||
    // In ice a sensor shows too little.
    (celsius !== undefined && isFrozen(celsius)) ||
    (wiltingPoint !== null &&
      saturation !== null &&
      implausibleValue(newest, { wiltingPoint, saturation }) !== null) ||
    suddenFall(depth, newest, maxFallPerDay) !== null
  );
}

/**
 * A balance in its place begins before the days whose rain, weather and waterings are loaded for
 * every probe.
 */
export function isLongSilent(
  { module, freshness, recent, dayEnds: ends }: SilentProbe,
  { now, zone }: { readonly now: number; readonly zone: string },
): boolean {
  if (freshness.isFresh || module.category === 'TENSIOMETER' || !hasSoilMoisture(recent, module))
    return false;
  const last = ends.at(-1)?.day;
  const earliest = LocalDay.at(now, zone).plus(-DRYING_RATE_DAYS).iso;
  return last === undefined || last < earliest;
}

type SilentProbe = Pick<ProbeFacts, 'module' | 'freshness' | 'recent' | 'dayEnds'>;
