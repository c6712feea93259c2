import type { DoseSetup } from './dose.ts';

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
