/*
 * Source of the equations and tables named here and in the other files of this folder: R. G. Allen,
 * L. S. Pereira, D. Raes, M. Smith (1998), Crop Evapotranspiration, FAO Irrigation and Drainage
 * Paper 56 (FAO-56), chapters 6 to 8.
 */

export const GROWTH_STAGES = ['initial', 'development', 'mid', 'late'] as const;
export type GrowthStage = (typeof GROWTH_STAGES)[number];

/** Days, as in table 11. */
export type StageLengths = Readonly<Record<GrowthStage, number>>;

/** A coefficient at the beginning, in mid season and at the end, as in tables 12 and 17. */
export interface Coefficients {
  readonly initial: number;
  readonly mid: number;
  readonly end: number;
}

/** Equation 66: constant in the initial and mid stages, linear between and after them. */
export function coefficientOn(
  day: number,
  lengths: StageLengths,
  { initial, mid, end }: Coefficients,
): number {
  const developmentFrom = lengths.initial;
  const midFrom = developmentFrom + lengths.development;
  const lateFrom = midFrom + lengths.mid;

  if (day <= developmentFrom) return initial;
  if (day <= midFrom)
    return initial + ((day - developmentFrom) / lengths.development) * (mid - initial);
  if (day <= lateFrom) return mid;
  return mid + Math.min(1, (day - lateFrom) / lengths.late) * (end - mid);
}

/** The day in the middle of a stage, counted from planting. */
export function middleDayOf(stage: GrowthStage, lengths: StageLengths): number {
  const before = GROWTH_STAGES.slice(0, GROWTH_STAGES.indexOf(stage));
  return before.reduce((sum, earlier) => sum + lengths[earlier], 0) + lengths[stage] / 2;
}

/** How far the crop has grown, 0 to 1, by its coefficient; it does not shrink again. */
export function growthOn(day: number, lengths: StageLengths): number {
  const grown = (day - lengths.initial) / Math.max(1, lengths.development);
  return Math.min(1, Math.max(0, grown));
}
