import type { GrowingCrop, GrowthClock } from '../../balance/crop-growth.ts';
import { cropTables, isConstant } from '../../balance/crop-tables.ts';
import { middleDayOf, type StageLengths } from '../../balance/growth-stages.ts';
import { daysBetween, parseIsoDate } from '../../calendar.ts';
import type { CropSeasonFacts } from '../../facts/probe-facts.ts';
import { CROP_DEPLETIONS, type Crop } from '../../soil/allowed-depletion.ts';

/**
 * Roots are as deep as somebody has said and do not grow: table 22 gives a range of which a guess
 * would cost several mm.
 */
export function growingCrop(crop: Crop, rootDepthCm: number): GrowingCrop {
  const { basal, single, heightM } = cropTables(crop);
  return {
    basis: basal === null ? 'single' : 'dual',
    coefficients: basal ?? single,
    height: { initial: heightM, max: heightM },
    rootsCm: { initial: rootDepthCm, max: rootDepthCm },
    allowedDepletion: CROP_DEPLETIONS[crop],
  };
}

/** A crop that stands longer than its table says was not planted on the day that is known. */
const MAX_DAYS_AFTER_SEASON = 60;

/** Null where nobody has said when the crop grows and it matters. `from` is a local date. */
export function growthClock(
  { plantedOn, stage, stageOn }: CropSeasonFacts,
  crop: Crop,
  from: string,
): GrowthClock | null {
  const { lengths, basal, single } = cropTables(crop);
  if (isConstant(basal ?? single)) return { stage: 'mid' };
  if (stage !== null && stageOn !== null) {
    if (lengths === null) return { stage };
    const daysSince = daysFrom(stageOn, from);
    return { lengths, dayOf: (index) => middleDayOf(stage, lengths) + daysSince + index };
  }

  if (plantedOn === null || lengths === null) return null;
  const age = daysFrom(plantedOn, from);
  return age < 0 || age > totalDays(lengths) + MAX_DAYS_AFTER_SEASON
    ? null
    : { lengths, dayOf: (index) => age + index };
}

const daysFrom = (day: string, to: string): number =>
  daysBetween(parseIsoDate(day), parseIsoDate(to));

const totalDays = (lengths: StageLengths): number =>
  Object.values(lengths).reduce((sum, days) => sum + days, 0);
