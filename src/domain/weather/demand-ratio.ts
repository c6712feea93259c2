/** Millimetres of reference evapotranspiration of consecutive days, null where unknown. */
export type DailyDemand = readonly (number | null)[];

export interface DemandRatio {
  /** The mean of the coming days in % of the mean of the last days. */
  readonly percent: number;
  /** `recent`: without a forecast, the coming days are taken to be like the newest three. */
  readonly basis: 'forecast' | 'recent';
  /** The daily means in mm. */
  readonly comingMm: number;
  readonly comingDays: number;
  readonly lastMm: number;
  readonly lastDays: number;
}

export const DEMAND_RATIO_DAYS = 14;
const MAX_COMING_DAYS = 7;
const RECENT_DAYS = 3;
const MIN_LAST_DAYS = 7;
/** The same limits as for an outlook that a person enters. */
const MIN_PERCENT = 10;
const MAX_PERCENT = 300;
/** A lower daily mean, caused by frost or a failed instrument, gives no meaningful ratio. */
const MIN_LAST_MM = 0.2;

/**
 * The use of water follows the demand of the air (FAO-56, chapter 6), so the ratio of two means
 * needs no crop coefficient. Both must come from the same source and method, so that their error
 * cancels out. `last` ends yesterday, `coming` begins today.
 */
export function demandRatio(last: DailyDemand, coming: DailyDemand | null): DemandRatio | null {
  const lastDaysMm = knownOf(last.slice(-DEMAND_RATIO_DAYS));
  const lastMm = meanOf(lastDaysMm);
  if (lastDaysMm.length < MIN_LAST_DAYS || lastMm < MIN_LAST_MM) return null;

  const takenAsComing =
    coming === null ? last.slice(-RECENT_DAYS) : upToGap(coming).slice(0, MAX_COMING_DAYS);
  const comingDaysMm = knownOf(takenAsComing);
  if (comingDaysMm.length === 0 || (coming === null && comingDaysMm.length < RECENT_DAYS))
    return null;

  const comingMm = meanOf(comingDaysMm);
  return {
    percent: Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, Math.round((100 * comingMm) / lastMm))),
    basis: coming === null ? 'recent' : 'forecast',
    comingMm,
    comingDays: comingDaysMm.length,
    lastMm,
    lastDays: lastDaysMm.length,
  };
}

const knownOf = (days: DailyDemand): number[] => days.filter((mm) => mm !== null);

function upToGap(days: DailyDemand): DailyDemand {
  const gap = days.indexOf(null);
  return gap === -1 ? days : days.slice(0, gap);
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
