import { keysOf } from '../records.ts';
import type { GrowthStage } from './growth-stages.ts';

export interface DatedStage {
  readonly stage: GrowthStage;
  readonly on: string;
}

/** The dates of a crop from planting to harvest, as far as they are known. Days are local dates. */
export interface CropSeason {
  /** In the words of the person; null if unknown. */
  readonly crop: string | null;
  /** For trees and vines, the day when growth began in spring. */
  readonly plantedOn: string | null;
  readonly harvestedOn: string | null;
  readonly stage: GrowthStage | null;
  /** The day on which the crop was in the stage. */
  readonly stageOn: string | null;
  /** What was said before of the same season, oldest first: it stays true of the days before. */
  readonly earlierStages: readonly DatedStage[] | null;
  readonly rootDepthCm: number | null;
}

export const NO_SEASON: CropSeason = {
  crop: null,
  plantedOn: null,
  harvestedOn: null,
  stage: null,
  stageOn: null,
  earlierStages: null,
  rootDepthCm: null,
};

/** The entered facts of a parcel's crop; undefined keeps what is known, null forgets it. */
export interface SeasonEntry {
  readonly crop?: string | null | undefined;
  readonly plantedOn?: string | null | undefined;
  readonly harvestedOn?: string | null | undefined;
  readonly stage?: GrowthStage | null | undefined;
  /** The day on which the crop was in the stage; undefined for today. */
  readonly stageOn?: string | null | undefined;
  /** Undefined keeps those that are known, and adds the one that is replaced. */
  readonly earlierStages?: readonly DatedStage[] | null | undefined;
  readonly rootDepthCm?: number | null | undefined;
}

export interface SeasonChange {
  readonly season: CropSeason;
  /** The season that was known has ended. */
  readonly isNew: boolean;
}

/**
 * Another crop starts another season, and so does a planting after the harvest. `isSameCrop` tells
 * another crop from another word for it. Returns `known` itself where nothing is new.
 */
export function seasonAfter(
  known: CropSeason,
  entry: SeasonEntry,
  { today, isSameCrop }: { today: string; isSameCrop: (a: string, b: string) => boolean },
): SeasonChange {
  const isOtherCrop =
    known.crop !== null &&
    entry.crop !== undefined &&
    (entry.crop === null || !isSameCrop(known.crop, entry.crop));
  const isReplanted =
    known.harvestedOn !== null && entry.plantedOn != null && entry.plantedOn > known.harvestedOn;
  const isNew = isOtherCrop || isReplanted;
  const before = isNew ? { ...NO_SEASON, crop: isOtherCrop ? null : known.crop } : known;

  const season: CropSeason = {
    crop: entry.crop === undefined ? before.crop : entry.crop,
    plantedOn: entry.plantedOn === undefined ? before.plantedOn : entry.plantedOn,
    harvestedOn: entry.harvestedOn === undefined ? before.harvestedOn : entry.harvestedOn,
    rootDepthCm: entry.rootDepthCm === undefined ? before.rootDepthCm : entry.rootDepthCm,
    ...stagesAfter(before, entry, today),
  };
  return { isNew, season: isSameSeason(season, before) ? before : season };
}

const isSameSeason = (one: CropSeason, other: CropSeason): boolean =>
  keysOf(NO_SEASON).every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));

/** The stages of a season, oldest first. */
export const stagesOf = ({
  stage,
  stageOn,
  earlierStages,
}: Pick<CropSeason, 'stage' | 'stageOn' | 'earlierStages'>): DatedStage[] =>
  stage === null || stageOn === null ? [] : [...(earlierStages ?? []), { stage, on: stageOn }];

/**
 * A stage that is said anew is that from its day on. The first one stays that of the days before it,
 * even where the second is said on the same day.
 */
function stagesAfter(
  before: CropSeason,
  { stage, stageOn, earlierStages }: SeasonEntry,
  today: string,
): Pick<CropSeason, 'stage' | 'stageOn' | 'earlierStages'> {
  const known = {
    stage: before.stage,
    stageOn: before.stageOn,
    earlierStages: before.earlierStages,
  };
  if (stage === undefined) return known;
  if (stage === null) return { stage: null, stageOn: null, earlierStages: null };

  const on = stageOn ?? today;
  if (stage === known.stage && on === known.stageOn)
    return { ...known, earlierStages: earlierStages ?? known.earlierStages };
  const earlier = stagesOf(before).filter((dated, index) => index === 0 || dated.on < on);
  return {
    stage,
    stageOn: on,
    earlierStages: earlierStages ?? (earlier.length === 0 ? null : earlier),
  };
}
