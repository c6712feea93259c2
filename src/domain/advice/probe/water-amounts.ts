import { roundAmount, roundAmountOrNull, roundTo } from '../../decimal.ts';
import type { DepthFacts, EquipmentFacts } from '../../facts/probe-facts.ts';
import type { WaterTimes } from '../../moisture/water-times.ts';
import { thicknessMm } from '../../soil/slices.ts';
import type { AdviceSettings } from '../advice.ts';
import {
  type AdvisedWater,
  canCatchUp,
  netShare,
  type RootZoneSlice,
  splitByDay,
  UNKNOWN_WATER,
  type WaterDeficit,
  waterToRefill,
} from '../watering-advice.ts';
import type { StressForecast } from './stress-forecast.ts';

export const MINUTE_DECIMALS = 1;
export const DAY_DECIMALS = 1;

export const rootZoneSlices = (depths: readonly DepthFacts[]): RootZoneSlice[] =>
  depths.flatMap(({ slice, fieldCapacity, points }) =>
    slice === null ? [] : [{ ...slice, fieldCapacity, moisture: points.at(-1)?.value ?? null }],
  );

export function waterFor(
  deficit: Pick<WaterDeficit, 'deficitMm'> | null,
  { refillPercent, ...losses }: AdviceSettings,
  rainMm: number,
  installation: EquipmentFacts | null,
): AdvisedWater {
  if (deficit === null) return UNKNOWN_WATER;
  const target = { refillPercent, rainMm, share: netShare(losses) };
  return waterToRefill(deficit.deficitMm, target, installation);
}

/**
 * Neither more than the largest dose, nor more than the longest run (min) applies, nor, where any is
 * needed, less than the least dose. What that has beyond the need is not for the roots.
 */
export function withinDoses(
  water: AdvisedWater,
  times: Pick<WaterTimes, 'leastMm' | 'largestMm'> | null,
  longestMin: number | null,
): AdvisedWater {
  const { waterMm, netMm, durationMin } = water;
  if (waterMm === null || waterMm === 0) return water;
  const unlimited = Number.POSITIVE_INFINITY;
  const possibleMm = Math.min(
    Math.max(waterMm, times?.leastMm ?? 0),
    times?.largestMm ?? unlimited,
    durationMin && longestMin !== null ? (waterMm * longestMin) / durationMin : unlimited,
  );
  if (possibleMm === waterMm) return water;
  const share = possibleMm / waterMm;
  const shareOf = (figure: number | null): number | null => figure && figure * share;
  return {
    netMm: share < 1 ? shareOf(netMm) : netMm,
    waterMm: possibleMm,
    durationMin: shareOf(water.durationMin),
    volumeM3: shareOf(water.volumeM3),
  };
}

/** A run time divided into days. */
export interface DailySplit {
  readonly days: number;
  readonly minutesPerDay: number;
  readonly canCatchUp: boolean;
}

/** Null if the duration is unknown. */
export function splitOverDays(
  { netMm, durationMin }: AdvisedWater,
  hoursPerDay: number,
  dryingMm: number,
): DailySplit | null {
  if (durationMin === null || netMm === null) return null;

  const split = splitByDay(durationMin, hoursPerDay);
  const perDay = {
    netMmPerDay: (netMm * 60 * hoursPerDay) / durationMin,
    dryingMmPerDay: dryingMm,
  };
  return { ...split, canCatchUp: canCatchUp(split, perDay) };
}

/** `needed` is the water without limits of time or dose. */
export const roundedAmounts = (
  deficit: Pick<WaterDeficit, 'deficitMm'> | null,
  { netMm, waterMm, durationMin, volumeM3 }: AdvisedWater,
  { daily, needed }: { readonly daily: DailySplit | null; readonly needed: AdvisedWater },
) => ({
  deficitMm: deficit && roundAmount(deficit.deficitMm),
  refillMm:
    needed.waterMm !== null && waterMm !== null && needed.waterMm > waterMm
      ? roundAmount(needed.waterMm)
      : undefined,
  netMm: roundAmountOrNull(netMm),
  waterMm: roundAmountOrNull(waterMm),
  durationMin: durationMin === null ? null : roundTo(durationMin, MINUTE_DECIMALS),
  daily: daily && {
    days: daily.days,
    minutesPerDay: roundTo(daily.minutesPerDay, MINUTE_DECIMALS),
  },
  volumeM3: roundAmountOrNull(volumeM3),
});

const rootZoneMm = (slices: readonly RootZoneSlice[]): number =>
  slices.reduce((sum, slice) => sum + thicknessMm(slice), 0);

/** The rain spread over the root zone, in points of volume. */
export const pointsOfRain = (rainMm: number, slices: readonly RootZoneSlice[]): number =>
  rainMm === 0 ? 0 : (100 * rainMm) / rootZoneMm(slices);

/**
 * The loss of the wetted zone in a day, spread over the whole area like netMm; 0 if the drying rate
 * is unknown.
 */
export const dryingMmPerDay = (
  stress: StressForecast,
  slices: readonly RootZoneSlice[],
  installation: EquipmentFacts | null,
): number => zoneLossMmPerDay(stress, slices) * (installation?.fractionWetted ?? 1);

/** The same in the wetted zone. */
export const zoneLossMmPerDay = (
  { pointsPerDay }: Pick<StressForecast, 'pointsPerDay'>,
  slices: readonly RootZoneSlice[],
): number => (pointsPerDay / 100) * rootZoneMm(slices);

/** To be applied over the whole area for each mm that the wetted zone lacks. */
export const appliedPerMm = (
  { refillPercent, ...losses }: AdviceSettings,
  installation: EquipmentFacts | null,
): number => ((refillPercent / 100) * (installation?.fractionWetted ?? 1)) / netShare(losses);

/** While water comes by turns, the equipment applies what the turn brings. */
export function withFlowOfTurn<E extends Pick<EquipmentFacts, 'flowMmPerH' | 'irrigatedAreaM2'>>(
  installation: E | null,
  times: WaterTimes | null | undefined,
): E | null {
  const flowLPerH = times?.flowLPerH ?? null;
  if (installation === null || installation.irrigatedAreaM2 === null || flowLPerH === null)
    return installation;
  return { ...installation, flowMmPerH: flowLPerH / installation.irrigatedAreaM2 };
}
