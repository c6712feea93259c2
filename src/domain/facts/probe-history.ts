import type { TimedValue } from '../moisture/series.ts';
import type { Period } from '../periods.ts';
import { dayEnds } from './day-ends.ts';
import { dryingRateOf } from './drying-rate.ts';
import { moistureRecord, residualMoisture } from './moisture-record.ts';
import type { DepthFacts, ProbeFacts, ProbeSeries, SuspectReading } from './probe-facts.ts';
import { curveOfDepths } from './probe-series.ts';
import {
  frozenPeriods,
  type SoilThermometer,
  soilTemperatureAt,
  soilTemperatures,
  type Thermometer,
  thermometersInSoil,
} from './soil-temperature.ts';
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
  /** Those in the soil, from the surface down. */
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

/** What follows from the history. */
export type HistoryFacts = Pick<
  ProbeFacts,
  'dryingRate' | 'soilTemperatures' | 'dayEnds' | 'newestByDepth'
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
  const record = moistureRecord(trustedHistory(days, doubts).depths);
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
    newestByDepth: history.depths.map(({ depthCm, points }) => ({
      depthCm,
      at: points.at(-1)?.at ?? null,
    })),
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
  return { ...history, curve: curveOfDepths(depths), depths };
}
