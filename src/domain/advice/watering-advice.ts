import type { DoseEquipment } from '../irrigation/dose.ts';
import { MAX_DURATION_MIN } from '../irrigation/watering-amount.ts';
import { type Slice, thicknessMm } from '../soil/slices.ts';

/** Field capacity in m3/m3, moisture in % of volume; null when unknown. */
export interface RootZoneSlice extends Slice {
  readonly fieldCapacity: number | null;
  readonly moisture: number | null;
}

export interface WaterDeficit {
  readonly deficitMm: number;
  readonly withoutValue: readonly Slice[];
  readonly withoutLayer: readonly Slice[];
}

/**
 * A slice above field capacity does not offset the others. A slice without a value gets the mean of
 * the others by thickness; one without a layer gets the field capacity of the drawn line (m3/m3),
 * else that of the nearest slice with a layer.
 */
export function rootZoneDeficit(
  slices: readonly RootZoneSlice[],
  lineFieldCapacity: number | null,
): WaterDeficit | null {
  const moisture = meanMoisture(slices);
  const layered = slices.filter(
    (slice): slice is RootZoneSlice & { fieldCapacity: number } => slice.fieldCapacity !== null,
  );
  if (moisture === null || (layered.length === 0 && lineFieldCapacity === null)) return null;

  const capacityOf = (slice: RootZoneSlice): number =>
    slice.fieldCapacity ?? lineFieldCapacity ?? nearestSlice(layered, slice).fieldCapacity;
  const sliceDeficitMm = (slice: RootZoneSlice): number =>
    Math.max(0, capacityOf(slice) - (slice.moisture ?? moisture) / 100) * thicknessMm(slice);

  return {
    deficitMm: slices.reduce((sum, slice) => sum + sliceDeficitMm(slice), 0),
    withoutValue: slices.filter((slice) => slice.moisture === null),
    withoutLayer: slices.filter((slice) => slice.fieldCapacity === null),
  };
}

function meanMoisture(slices: readonly RootZoneSlice[]): number | null {
  let water = 0;
  let thickness = 0;
  for (const slice of slices) {
    if (slice.moisture === null) continue;
    water += slice.moisture * thicknessMm(slice);
    thickness += thicknessMm(slice);
  }
  return thickness === 0 ? null : water / thickness;
}

const middleCm = ({ topCm, bottomCm }: Slice): number => (topCm + bottomCm) / 2;

const nearestSlice = <S extends Slice>(slices: readonly S[], slice: Slice): S =>
  slices.reduce((best, other) =>
    Math.abs(middleCm(other) - middleCm(slice)) < Math.abs(middleCm(best) - middleCm(slice))
      ? other
      : best,
  );

/** Depths over the whole area. */
export interface AdvisedWater {
  /** The part of `waterMm` that serves the roots. */
  readonly netMm: number | null;
  /** To be applied. */
  readonly waterMm: number | null;
  readonly durationMin: number | null;
  readonly volumeM3: number | null;
}

export const UNKNOWN_WATER: AdvisedWater = {
  netMm: null,
  waterMm: null,
  durationMin: null,
  volumeM3: null,
};

/**
 * The water that refills `refillPercent` of the deficit (mm in the wetted zone), less the rain.
 * `share` of the applied water serves the roots.
 */
export function waterToRefill(
  deficitMm: number,
  {
    refillPercent,
    rainMm = 0,
    share = 1,
  }: { readonly refillPercent: number; readonly rainMm?: number; readonly share?: number },
  equipment: Pick<DoseEquipment, 'flowMmPerH' | 'fractionWetted' | 'irrigatedAreaM2'> | null,
): AdvisedWater {
  if (equipment === null) return UNKNOWN_WATER;

  const netMm = Math.max(0, (deficitMm * refillPercent) / 100 - rainMm) * equipment.fractionWetted;
  const waterMm = netMm / share;
  const durationMin = equipment.flowMmPerH === null ? null : (waterMm / equipment.flowMmPerH) * 60;

  return {
    netMm,
    waterMm,
    // A longer duration means a wrong application rate, which then counts as missing.
    durationMin: durationMin !== null && durationMin <= MAX_DURATION_MIN ? durationMin : null,
    volumeM3:
      equipment.irrigatedAreaM2 === null ? null : (waterMm * equipment.irrigatedAreaM2) / 1000,
  };
}

interface Losses {
  readonly efficiencyPercent: number;
  readonly leachingPercent: number;
}

/**
 * Ea (1 - LR): the share of the applied water that serves the roots, so that gross = net / share.
 * Source: R. S. Ayers and D. W. Westcot (1985), Water Quality for Agriculture, FAO Irrigation and
 * Drainage Paper 29, chapter 2.4.
 */
export const netShare = ({ efficiencyPercent, leachingPercent }: Losses): number =>
  (efficiencyPercent / 100) * (1 - leachingPercent / 100);

/** A shorter remainder is no reason for another day. */
const MIN_EXCESS_MIN = 1;

/** Splits a duration equally over as few days as possible. */
export function splitByDay(
  durationMin: number,
  hoursPerDay: number,
): { days: number; minutesPerDay: number } {
  const days = Math.max(1, Math.ceil((durationMin - MIN_EXCESS_MIN) / (60 * hoursPerDay)));
  return { days, minutesPerDay: durationMin / days };
}

/**
 * Waterings over more days have no point: the soil dries meanwhile, and today's figures do not hold
 * that long.
 */
export const FORESEEABLE_DAYS = 14;

/**
 * Waterings over several days must end within `FORESEEABLE_DAYS` and give more net water a day than
 * the soil loses.
 */
export const canCatchUp = (
  { days }: { readonly days: number },
  {
    netMmPerDay,
    dryingMmPerDay,
  }: { readonly netMmPerDay: number; readonly dryingMmPerDay: number },
): boolean => days === 1 || (days <= FORESEEABLE_DAYS && netMmPerDay > dryingMmPerDay);
