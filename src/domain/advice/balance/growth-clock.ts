import type { GrowthClock } from '../../balance/crop-growth.ts';
import { cropTables, isConstant, winterLengths } from '../../balance/crop-tables.ts';
import { middleDayOf, type StageLengths } from '../../balance/growth-stages.ts';
import type { CropSeasonFacts } from '../../facts/probe-facts.ts';
import { LocalDay } from '../../local-day.ts';
import type { Crop } from '../../soil/allowed-depletion.ts';
import { isSownForWinter, type SeasonSite } from '../../weather/winter.ts';

/** A crop that stands longer than its table says was not planted on the day that is known. */
const MAX_DAYS_AFTER_SEASON = 60;

/** Null where nobody has said when the crop grows and it matters. `from` is a local date. */
export function growthClock(
  season: CropSeasonFacts,
  crop: Crop,
  from: string,
  site: SeasonSite,
): GrowthClock | null {
  const { stage, stageOn } = season;
  const { basal, single } = cropTables(crop);
  if (isConstant(basal ?? single)) return { stage: 'mid' };
  if (stage !== null && stageOn !== null && cropTables(crop).lengths === null) return { stage };

  const known = knownSeason(season, crop, site);
  if (known === null) return null;
  const { lengths, dated, isByStage } = known;
  const age = dated.age + daysUntil(dated.on, from);
  const isTooOld = age < 0 || age > totalDays(lengths) + MAX_DAYS_AFTER_SEASON;
  return isTooOld && !isByStage ? null : { lengths, dayOf: (index) => age + index };
}

interface KnownSeason {
  readonly lengths: StageLengths;
  /** The age of the crop on a local date, in days from planting. */
  readonly dated: { readonly on: string; readonly age: number };
  readonly isByStage: boolean;
}

/** Null where table 11 has no lengths, or neither a planting nor a stage is known. */
function knownSeason(
  { plantedOn, stage, stageOn }: CropSeasonFacts,
  crop: Crop,
  site: SeasonSite,
): KnownSeason | null {
  const isForWinter = plantedOn !== null && isSownForWinter(LocalDay.parse(plantedOn), site);
  const lengths = isForWinter ? winterLengths(crop) : cropTables(crop).lengths;
  if (lengths === null) return null;

  if (stage !== null && stageOn !== null)
    return { lengths, dated: { on: stageOn, age: middleDayOf(stage, lengths) }, isByStage: true };
  return plantedOn === null
    ? null
    : { lengths, dated: { on: plantedOn, age: 0 }, isByStage: false };
}

/**
 * The share of a late season in which a crop that ripens gets no more water. An assumption: of 40
 * days of onions it leaves 13, of 30 days of wheat 10. Onions get none in their last 15 to 25 days, wheat
 * none while it ripens (J. Doorenbos, A. H. Kassam (1979), Yield Response to Water, FAO-33).
 */
const RIPENING_SHARE = 1 / 3;

/**
 * A crop of which the coefficient falls to less than this share ripens, and is not picked green.
 * FAO-56, chapter 6: Kc end is small where a crop senesces and dries out in the field.
 */
const RIPENING_BELOW = 0.75;

/**
 * From this local date on an annual crop needs no more water: one that ripens shortly before its
 * harvest, or before the usual end of its season while the harvest is unknown; others at that end.
 * Null if it is unknown.
 */
export function needsNoWaterFrom(
  season: CropSeasonFacts,
  crop: Crop,
  site: SeasonSite,
): string | null {
  const { harvestedOn } = season;
  const known = knownSeason(season, crop, site);
  const ripeningDays = known === null ? 0 : ripeningDaysOf(crop, known.lengths);
  if (harvestedOn !== null) return LocalDay.parse(harvestedOn).plus(-ripeningDays).iso;
  if (known === null) return null;

  const { lengths, dated } = known;
  const remainingDays = Math.ceil(totalDays(lengths) - dated.age) - ripeningDays;
  return LocalDay.parse(dated.on).plus(remainingDays).iso;
}

function ripeningDaysOf(crop: Crop, { late }: StageLengths): number {
  const { mid, end } = cropTables(crop).single;
  return end < RIPENING_BELOW * mid ? Math.round(RIPENING_SHARE * late) : 0;
}

const daysUntil = (day: string, to: string): number =>
  LocalDay.parse(day).daysUntil(LocalDay.parse(to));

const totalDays = (lengths: StageLengths): number =>
  Object.values(lengths).reduce((sum, days) => sum + days, 0);
