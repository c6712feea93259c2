import { keysOf } from '../records.ts';
import type { GrowthStage } from './growth-stages.ts';

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
  readonly rootDepthCm: number | null;
}

export const NO_SEASON: CropSeason = {
  crop: null,
  plantedOn: null,
  harvestedOn: null,
  stage: null,
  stageOn: null,
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

  const season = {
    crop: entry.crop === undefined ? before.crop : entry.crop,
    plantedOn: entry.plantedOn === undefined ? before.plantedOn : entry.plantedOn,
    harvestedOn: entry.harvestedOn === undefined ? before.harvestedOn : entry.harvestedOn,
    rootDepthCm: entry.rootDepthCm === undefined ? before.rootDepthCm : entry.rootDepthCm,
    stage: entry.stage === undefined ? before.stage : entry.stage,
    stageOn: stageOnAfter(before, entry, today),
  };
  return { isNew, season: isSameSeason(season, before) ? before : season };
}

const isSameSeason = (one: CropSeason, other: CropSeason): boolean =>
  keysOf(NO_SEASON).every((name) => one[name] === other[name]);

function stageOnAfter(
  before: CropSeason,
  { stage, stageOn }: SeasonEntry,
  today: string,
): string | null {
  if (stage === undefined) return before.stageOn;
  return stage === null ? null : (stageOn ?? today);
}
