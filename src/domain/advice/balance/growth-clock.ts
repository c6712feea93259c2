import type { GrowthClock } from '../../balance/crop-growth.ts';
import { stagesOf } from '../../balance/crop-season.ts';
import { cropTables, isConstant, winterLengths } from '../../balance/crop-tables.ts';
import { middleDayOf, type StageLengths } from '../../balance/growth-stages.ts';
import type { CropSeasonFacts } from '../../facts/probe-facts.ts';
import { itemAt } from '../../items.ts';
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
  const { basal, single } = cropTables(crop);
  if (isConstant(basal ?? single)) return { stageOf: () => 'mid' };

  const first = LocalDay.parse(from);
  const dayAt = (index: number): string => first.plus(index).iso;
  const lengths = lengthsOf(season, crop, site);
  if (lengths === null) {
    const stages = stagesOf(season);
    return stages.length === 0
      ? null
      : { stageOf: (index) => latestOn(dayAt(index), stages).stage };
  }

  const ages = agesOf(season, lengths).filter(
    ({ isByStage, ...known }) => isByStage || isInSeason(ageOn(from, known), lengths),
  );
  return ages.length === 0
    ? null
    : { lengths, dayOf: (index) => ageOn(dayAt(index), latestOn(dayAt(index), ages)) };
}

/** The age of the crop on a local date, in days from planting. */
interface DatedAge {
  readonly on: string;
  readonly age: number;
}

/** By its planting, and by each stage that was said; oldest first. */
function agesOf(
  season: CropSeasonFacts,
  lengths: StageLengths,
): (DatedAge & { readonly isByStage: boolean })[] {
  const { plantedOn } = season;
  const byStage = stagesOf(season).map(({ stage, on }) => ({
    on,
    age: middleDayOf(stage, lengths),
    isByStage: true,
  }));
  const isPlantedBefore = plantedOn !== null && byStage.every(({ on }) => on > plantedOn);
  return isPlantedBefore ? [{ on: plantedOn, age: 0, isByStage: false }, ...byStage] : byStage;
}

const isInSeason = (age: number, lengths: StageLengths): boolean =>
  age >= 0 && age <= totalDays(lengths) + MAX_DAYS_AFTER_SEASON;

const ageOn = (day: string, { on, age }: DatedAge): number =>
  age + LocalDay.parse(on).daysUntil(LocalDay.parse(day));

/** The newest that was said by then; on days before all, the first. */
const latestOn = <Dated extends { readonly on: string }>(
  day: string,
  all: readonly Dated[],
): Dated => all.findLast(({ on }) => on <= day) ?? itemAt(all, 0);

/** Null where table 11 has none. */
function lengthsOf(
  { plantedOn }: CropSeasonFacts,
  crop: Crop,
  site: SeasonSite,
): StageLengths | null {
  const isForWinter = plantedOn !== null && isSownForWinter(LocalDay.parse(plantedOn), site);
  return isForWinter ? winterLengths(crop) : cropTables(crop).lengths;
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
  const lengths = lengthsOf(season, crop, site);
  const ripeningDays = lengths === null ? 0 : ripeningDaysOf(crop, lengths);
  if (harvestedOn !== null) return LocalDay.parse(harvestedOn).plus(-ripeningDays).iso;

  const known = lengths && agesOf(season, lengths).at(-1);
  if (!known) return null;
  const remainingDays = Math.ceil(totalDays(lengths) - known.age) - ripeningDays;
  return LocalDay.parse(known.on).plus(remainingDays).iso;
}

function ripeningDaysOf(crop: Crop, { late }: StageLengths): number {
  const { mid, end } = cropTables(crop).single;
  return end < RIPENING_BELOW * mid ? Math.round(RIPENING_SHARE * late) : 0;
}

const totalDays = (lengths: StageLengths): number =>
  Object.values(lengths).reduce((sum, days) => sum + days, 0);
