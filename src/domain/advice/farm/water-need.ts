import { sumDoses } from '../../irrigation/dose.ts';
import type { WateringAdvice } from '../advice.ts';

type WaterNeed = Pick<WateringAdvice, 'waterMm' | 'daysToStress' | 'turn'>;

/** The water is split equally over `days`. An unknown dose does not count. */
export function needsWaterToday(
  { waterMm, daysToStress, turn }: WaterNeed,
  plannedTodayMm: readonly (number | null)[],
  days = 1,
): boolean {
  // Where water comes by turns, one is taken before the crop needs it, and none between them.
  const isDue =
    turn === undefined
      ? daysToStress !== null && daysToStress <= 1
      : turn.isToday && turn.verdict === 'take';
  if (!isDue) return false;

  const plannedMm = plannedTodayMm.reduce<number>((sum, mm) => sum + (mm ?? 0), 0);
  return waterMm === null || plannedMm < waterMm / days;
}

/**
 * The water still needed after the doses planned today, and today's share of it. Only for probes
 * that need water today: others may get negative values. If one of the doses is unknown, none of
 * them counts.
 */
export function remainingNeed(
  { waterMm, durationMin }: Pick<WateringAdvice, 'waterMm' | 'durationMin'>,
  plannedTodayMm: readonly (number | null)[],
  days = 1,
): { mm: number | null; minutes: number | null; todayMin: number | null } {
  if (waterMm === null || waterMm === 0)
    return { mm: waterMm, minutes: durationMin, todayMin: durationMin };
  const plannedMm = sumDoses(plannedTodayMm) ?? 0;
  const mm = waterMm - plannedMm;
  if (durationMin === null) return { mm, minutes: null, todayMin: null };
  const plannedMin = (durationMin * plannedMm) / waterMm;
  return { mm, minutes: durationMin - plannedMin, todayMin: durationMin / days - plannedMin };
}

/**
 * The most urgent first, of probes that need water today: sooner stress, then the larger need. An
 * unknown need counts as none.
 */
export const compareByNeed = (a: WaterNeed, b: WaterNeed): number =>
  (a.daysToStress ?? 0) - (b.daysToStress ?? 0) || (b.waterMm ?? 0) - (a.waterMm ?? 0);
