import { LocalDay } from '../local-day.ts';
import { median } from '../statistics.ts';

/** Two days without water, by which a root zone dried. Amounts are in mm of the zone. */
export interface DryFall {
  /** The local day of its second value. */
  readonly endsOn: string;
  readonly usedMm: number;
  readonly expectedMm: number;
}

/**
 * Water use over that of the tables, as it is known before a local day. It tells nothing of the
 * cause: crop, roots, wetted fraction and the slope of a sensor change it alike.
 */
export interface WaterUse {
  readonly day: string;
  /** Null until enough falls have shown it. */
  readonly share: number | null;
}

/** At one of them something else than the crop is wrong. */
export const WATER_USE_BOUNDS = { least: 0.3, most: 1.3 } as const;

const MIN_FALLS = 3;
/** A crop grows, so that older falls tell little of its present use. */
const RECENT_DAYS = 28;
const MAX_CHANGE_PER_WEEK = 1.1;
const MAX_CHANGE_PER_DAY = MAX_CHANGE_PER_WEEK ** (1 / 7);

/** Of a parcel, by the falls of each of its probes. It begins at 1 and moves day by day. */
export function learnWaterUse(
  ofProbes: readonly (readonly DryFall[])[],
  days: readonly string[],
): WaterUse[] {
  let share: number | null = null;
  return days.map((day) => {
    const from = LocalDay.parse(day).plus(-RECENT_DAYS).iso;
    const shown = ofProbes.flatMap((falls) => {
      const recent = falls.filter(({ endsOn }) => endsOn >= from && endsOn < day);
      return recent.length < MIN_FALLS ? [] : [medianShare(recent)];
    });
    if (shown.length > 0) share = moved(share ?? 1, median(shown));
    return { day, share };
  });
}

const medianShare = (falls: readonly DryFall[]): number =>
  median(falls.map(({ usedMm, expectedMm }) => usedMm / expectedMm));

function moved(share: number, shown: number): number {
  const { least, most } = WATER_USE_BOUNDS;
  return between(
    Math.max(least, share / MAX_CHANGE_PER_DAY),
    shown,
    Math.min(most, share * MAX_CHANGE_PER_DAY),
  );
}

const between = (low: number, value: number, high: number): number =>
  Math.min(high, Math.max(low, value));

/** Of a balance that begins on a day, so that what it is compared with has taught it nothing. */
export const waterUseBefore = (learned: readonly WaterUse[], day: string): number | null =>
  learned.findLast((use) => use.day <= day)?.share ?? null;
