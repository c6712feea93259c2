import { firstOf } from '../items.ts';
import type { TimedValue } from '../moisture/series.ts';
import type { Period } from '../periods.ts';
import { dryingRateOf } from './drying-rate.ts';
import { moistureRecord, residualMoisture } from './moisture-record.ts';
import type { DepthFacts, ProbeFacts, ProbeSeries, SuspectReading } from './probe-facts.ts';
import { curveOfDepths } from './probe-series.ts';
import { depthsInDoubt } from './trusted-depths.ts';

/** What a depth measured in the last `DRYING_RATE_DAYS`: its points are hourly means. */
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
  /** Those below the roots too, from the surface down. */
  readonly depths: readonly DepthHours[];
}

export interface Thermometer {
  /** Null in the air, or at an unknown depth. */
  readonly depthCm: number | null;
  readonly points: readonly TimedValue[];
}

export function probeHistory(
  { curve, depths }: ProbeSeries,
  thermometers: readonly Thermometer[],
): ProbeHistory {
  const inSoil = thermometers.flatMap(({ depthCm, points }) =>
    depthCm === null ? [] : [{ depthCm, points }],
  );
  return {
    curve,
    depths: depths.map((depth) => ({
      ...depth,
      soilTemperature: inSoil.length === 0 ? [] : nearestTo(depth.depthCm, inSoil).points,
    })),
  };
}

const nearestTo = <T extends { readonly depthCm: number }>(
  depthCm: number,
  sensors: readonly T[],
): T =>
  sensors.reduce(
    (best, sensor) =>
      Math.abs(sensor.depthCm - depthCm) < Math.abs(best.depthCm - depthCm) ? sensor : best,
    firstOf(sensors),
  );

/** What follows from the history. */
export type HistoryFacts = Pick<ProbeFacts, 'dryingRate'>;

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
  const { curve, depths } = trustedHistory(history, doubts);
  const record = moistureRecord(trustedHistory(days, doubts).depths);
  return {
    dryingRate: dryingRateOf({ points: curve, deepest: depths.at(-1)?.points ?? [] }, watered, {
      zone,
      residual: residualMoisture(record, wiltingPoint),
    }),
  };
}

/** Without the depths in doubt. */
export function trustedHistory(
  history: ProbeHistory,
  doubts: readonly SuspectReading[],
): ProbeHistory {
  const inDoubt = depthsInDoubt(doubts);
  if (inDoubt.size === 0) return history;
  const depths = history.depths.filter(({ depthCm }) => !inDoubt.has(depthCm));
  return { curve: curveOfDepths(depths), depths };
}
