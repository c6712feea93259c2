import { addCivilDays, formatIsoDate } from '../../calendar.ts';
import { type DayEnd, dayEnds } from '../../facts/day-ends.ts';
import { DRYING_RATE_DAYS, type ProbeFacts } from '../../facts/probe-facts.ts';
import type { DepthHours, ProbeHistory } from '../../facts/probe-history.ts';
import { hasSoilMoisture } from '../../facts/probe-series.ts';
import { weightOf } from '../../facts/trusted-depths.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import {
  MAX_NOISE_POINTS,
  maxDailyFall,
  noisePoints,
  suddenFall,
} from '../../moisture/sensor-faults.ts';
import { implausibleValue } from '../../moisture/suspect-readings.ts';
import { DAY_MS, type Period } from '../../periods.ts';
import { isFrozen } from '../../soil/frozen-soil.ts';
import { thicknessMm } from '../../soil/slices.ts';
import { civilAt } from '../../time-zone.ts';

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
  const earliest = formatIsoDate(addCivilDays(civilAt(now, zone), -DRYING_RATE_DAYS));
  return last === undefined || last < earliest;
}

type SilentProbe = Pick<ProbeFacts, 'module' | 'freshness' | 'recent' | 'dayEnds'>;
