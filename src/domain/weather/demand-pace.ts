/** Millimetres of reference evapotranspiration of consecutive days, null where unknown. */
export type DailyDemand = readonly (number | null)[];

export interface DemandPace {
  /** Mean of the coming days in % of that of the last ones. */
  readonly percent: number;
  /** `recent`: without a forecast, the coming days are taken to be like the newest three. */
  readonly basis: 'forecast' | 'recent';
  readonly comingMm: number;
  readonly comingDays: number;
  readonly lastMm: number;
  readonly lastDays: number;
}

export const PACE_DAYS = 14;
const MAX_COMING_DAYS = 7;
const RECENT_DAYS = 3;
const MIN_LAST_DAYS = 7;
/** As of an outlook that a person gives. */
const [MIN_PERCENT, MAX_PERCENT] = [10, 300];
/** Below it, in mm a day, a ratio says nothing: frost, or an instrument that failed. */
const MIN_LAST_MM = 0.2;

/**
 * The use of water follows the demand of the air (FAO-56, chapter 6), so the ratio of two means needs no crop
 * coefficient. Both must come from the same source and method, whose error then cancels out. `last` ends yesterday,
 * `coming` begins today.
 */
export function demandPace(last: DailyDemand, coming: DailyDemand | null): DemandPace | null {
  const known = knownOf(last.slice(-PACE_DAYS));
  const lastMm = meanOf(known);
  if (known.length < MIN_LAST_DAYS || lastMm < MIN_LAST_MM) return null;
  const ahead = coming === null ? last.slice(-RECENT_DAYS) : upToGap(coming).slice(0, MAX_COMING_DAYS);
  const aheadMm = knownOf(ahead);
  if (aheadMm.length === 0 || (coming === null && aheadMm.length < RECENT_DAYS)) return null;
  const comingMm = meanOf(aheadMm);
  return {
    percent: Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, Math.round((100 * comingMm) / lastMm))),
    basis: coming === null ? 'recent' : 'forecast',
    ...{ comingMm, comingDays: aheadMm.length, lastMm, lastDays: known.length },
  };
}

const knownOf = (days: DailyDemand): number[] => days.filter((mm) => mm !== null);

function upToGap(days: DailyDemand): DailyDemand {
  const gap = days.indexOf(null);
  return gap === -1 ? days : days.slice(0, gap);
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, each) => sum + each, 0) / values.length;
