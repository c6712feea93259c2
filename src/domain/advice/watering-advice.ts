import type { DoseSetup } from '../irrigation/dose.ts';
import { type Slice, thicknessMm } from '../soil/soil-slices.ts';

/** A slice of the root zone: what its soil keeps (m3/m3) and what it holds (% of volume), null where that is not known. */
export interface RootZoneSlice extends Slice {
  readonly fieldCapacity: number | null;
  readonly moisture: number | null;
}

/** What a root zone lacks, and on which of its slices that is an estimate. */
export interface WaterDeficit {
  /** Water up to field capacity where the soil is wetted, mm. */
  readonly deficitMm: number;
  readonly withoutValue: readonly Slice[];
  readonly withoutLayer: readonly Slice[];
}

/**
 * Water that the slices lack up to field capacity; one above it lacks none, and makes up for no other. A slice without a
 * value is as wet as the others are by thickness; one without a layer keeps what the line drawn on the curve says (m3/m3),
 * else what the nearest slice with a layer keeps. Null where no slice has a value, or none a field capacity.
 */
export function rootZoneDeficit(
  slices: readonly RootZoneSlice[],
  lineFieldCapacity: number | null,
): WaterDeficit | null {
  const moisture = meanByThickness(slices, 'moisture');
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

/** Field capacity of the slices with a layer, by thickness, in m3/m3; null without any. */
export const meanFieldCapacity = (slices: readonly RootZoneSlice[]): number | null =>
  meanByThickness(slices, 'fieldCapacity');

/** Mean of the slices of which that is known, by thickness, in its unit; null without any. */
function meanByThickness(slices: readonly RootZoneSlice[], what: 'fieldCapacity' | 'moisture'): number | null {
  let [water, thickness] = [0, 0];
  for (const slice of slices) {
    const value = slice[what];
    if (value === null) continue;
    water += value * thicknessMm(slice);
    thickness += thicknessMm(slice);
  }
  return thickness === 0 ? null : water / thickness;
}

const middleCm = ({ topCm, bottomCm }: Slice): number => (topCm + bottomCm) / 2;

/** Of two as near, the upper one. */
const nearestSlice = <S extends Slice>(slices: readonly S[], slice: Slice): S =>
  slices.reduce((best, each) =>
    Math.abs(middleCm(each) - middleCm(slice)) < Math.abs(middleCm(best) - middleCm(slice)) ? each : best,
  );

/** The water that refills a root zone, and how it is given; null where the equipment does not tell. */
export interface AdvisedWater {
  /** Over the whole area. */
  readonly waterMm: number | null;
  readonly durationMin: number | null;
  readonly volumeM3: number | null;
}

/** Longest that a watering can run in a day. */
export const MINUTES_PER_DAY = 24 * 60;

/**
 * What refills a part (%) of the deficit of the wetted zone (mm): spread over the whole area it is less, by the wetted
 * fraction, and minutes and cubic metres follow from the whole area as they do for doses (dose.ts). Losses on the way and
 * leaching are not in it.
 */
export function waterToRefill(
  deficitMm: number,
  refillPercent: number,
  setup: Pick<DoseSetup, 'flowMmPerH' | 'fractionWetted' | 'irrigatedAreaM2'> | null,
): AdvisedWater {
  if (setup === null) return { waterMm: null, durationMin: null, volumeM3: null };
  const waterMm = ((deficitMm * refillPercent) / 100) * setup.fractionWetted;
  const durationMin = setup.flowMmPerH === null ? null : (waterMm / setup.flowMmPerH) * 60;
  return {
    waterMm,
    // A flow of next to nothing would take forever: that is no advice.
    durationMin: durationMin !== null && Number.isFinite(durationMin) ? durationMin : null,
    volumeM3: setup.irrigatedAreaM2 === null ? null : (waterMm * setup.irrigatedAreaM2) / 1000,
  };
}
