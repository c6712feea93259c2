import { roundAmount } from '../decimal.ts';

/** A gauge that counts all rain since it was started, and starts again from 0 at times. */
export interface RainCounter {
  /** The instant of its newest total. */
  readonly at: number;
  readonly mm: number;
  /** The total before this one, where that was larger; null where it was not. */
  readonly mmBeforeFall: number | null;
}

interface CountedRain {
  /** What fell since the total before; 0 for the first total, of which it is not known. */
  readonly mm: number;
  /** The instant of the total before; null for the first one. */
  readonly since: number | null;
  readonly counter: RainCounter;
}

/** Null for a total that is not newer: what fell until then is in a later one. */
export function rainSince(
  last: RainCounter | null,
  { at, mm }: { readonly at: number; readonly mm: number },
): CountedRain | null {
  if (last === null) return { mm: 0, since: null, counter: { at, mm, mmBeforeFall: null } };
  if (at <= last.at) return null;

  const hasFallen = mm < last.mm;
  const counter = { at, mm, mmBeforeFall: hasFallen ? last.mm : null };
  const fallen = hasFallen ? sinceRestart(mm, last.mm) : risen(last, mm);
  return { mm: roundAmount(fallen), since: last.at, counter };
}

/** A gauge that starts again shows little; one that shows somewhat less did not measure rain. */
const sinceRestart = (mm: number, mmBefore: number): number => (mm <= mmBefore / 2 ? mm : 0);

/**
 * A total that is back at once where it was before it fell shows that the one between was wrong,
 * and that the gauge did not start again.
 */
function risen({ mm, mmBeforeFall }: RainCounter, newMm: number): number {
  if (mmBeforeFall === null || newMm < mmBeforeFall) return newMm - mm;
  return Math.max(0, newMm - mmBeforeFall - sinceRestart(mm, mmBeforeFall));
}
