import type { LogShift } from '../../facts/response-facts.ts';
import { itemAt } from '../../items.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../periods.ts';
import { median } from '../../statistics.ts';
import { type DepthCurve, firstRiseWithinMs, hasRisen } from '../watering-response.ts';
import { earlyRise, MAX_EARLY_MS } from './early-rises.ts';
import { isLarge, type JudgedDay, risesIn } from './watering-days.ts';

/** A longer one would not show in two weeks. */
const MAX_SHIFT_MS = 10 * DAY_MS;

/** How long after its start a watering is seen differs from one to the next by less. */
const TOLERANCE_MS = 6 * HOUR_MS;

/** A rise that begins so long after the end of a watering may be of another one. */
const PROMPT_MS = 12 * HOUR_MS;

/** Two rises at the same distance may be chance, unless both waterings remained unseen. */
const MIN_UNSEEN = 2;
const MIN_OF_ALL = 3;

/** Where water comes as often, any shift by a few days finds a rise for each watering. */
const FREQUENT_MS = 2 * DAY_MS + TOLERANCE_MS;

interface SoughtRises {
  /** The newest days that the soil did not show. */
  readonly unseen: readonly Period[];
  /** The rises that no watering explains when it was logged. */
  readonly unexplained: readonly number[];
}

/**
 * Looks for a shift by which each watering finds a rise: of all large ones, if the soil showed none
 * of them promptly, else of the `unseen` ones among the rises of no other watering.
 */
export function shiftOfLog(
  curves: readonly DepthCurve[],
  judged: readonly JudgedDay[],
  { unseen, unexplained }: SoughtRises,
): LogShift | null {
  if (areFrequent(judged.map(({ day }) => day))) return null;

  const large = judged.filter(({ day }) => isLarge(day));
  const all = large.map(({ day }) => day).reverse();
  const isLogRight = large.length < MIN_OF_ALL || large.some(isPromptlySeen);
  const ofAll = isLogRight ? null : bestShift(curves, all, risesIn(curves, []), MIN_OF_ALL);
  const best =
    ofAll !== null || unseen.length < MIN_UNSEEN
      ? ofAll
      : bestShift(curves, unseen, withoutEarly(unexplained, judged), MIN_UNSEEN);
  return best && { ...best, rises: risesIn(curves, []), record: recordOf(curves) };
}

/** Leaves out the rises of waterings with wrong hours. */
function withoutEarly(rises: readonly number[], judged: readonly JudgedDay[]): readonly number[] {
  const early = new Set(judged.map(({ day }) => earlyRise(rises, day.start)));
  return rises.filter((rise) => !early.has(rise));
}

function recordOf(curves: readonly DepthCurve[]): Period {
  const instants = curves.flatMap(({ points }) => points.map(({ at }) => at));
  return { start: Math.min(...instants), end: Math.max(...instants) };
}

function areFrequent(days: readonly Period[]): boolean {
  const gapsMs = days.slice(1).map(({ start }, index) => start - itemAt(days, index).start);
  return gapsMs.length > 0 && median(gapsMs) <= FREQUENT_MS;
}

const isPromptlySeen = ({ day, depths }: JudgedDay): boolean =>
  hasRisen(depths, day.end + PROMPT_MS);

/**
 * The shift with the most rises, and of those the shortest. Null where as many waterings have a rise
 * near their logged start, because hours that are wrong, or water that arrives late, explain them.
 */
function bestShift(
  curves: readonly DepthCurve[],
  newestFirst: readonly Period[],
  rises: readonly number[],
  minMatches: number,
): Omit<LogShift, 'rises' | 'record'> | null {
  const startedAt = newestFirst.map(({ start }) => start);
  const record = recordOf(curves);
  // A rise until then is the response to the watering as it is logged.
  const minLaterMs = firstRiseWithinMs(curves);
  const isNear = (lagMs: number): boolean => lagMs >= -MAX_EARLY_MS && lagMs < minLaterMs;
  const near = startedAt.filter((start) => rises.some((rise) => isNear(rise - start)));

  const shifts = startedAt
    .flatMap((start) => rises.map((rise) => rise - start))
    .filter((lagMs) => !isNear(lagMs) && Math.abs(lagMs) <= MAX_SHIFT_MS)
    .map((lagMs) => ({ lagMs, roseAt: risesAfter(startedAt, lagMs, rises, record) }))
    .filter(({ roseAt }) => roseAt.length >= minMatches)
    .sort((a, b) => b.roseAt.length - a.roseAt.length || Math.abs(a.lagMs) - Math.abs(b.lagMs));
  const [best] = shifts;
  if (best === undefined || near.length >= best.roseAt.length) return null;

  const days = daysOf(best);
  return {
    days,
    startedAt,
    roseAt: best.roseAt,
    isEitherWay: shifts.some(
      (other) => other.roseAt.length === best.roseAt.length && daysOf(other) === -days,
    ),
  };
}

const daysOf = ({ lagMs }: { readonly lagMs: number }): number => Math.round(lagMs / DAY_MS);

/**
 * The rise after each watering whose shifted start lies in the record; empty if one of them has no
 * rise.
 */
function risesAfter(
  startedAt: readonly number[],
  lagMs: number,
  rises: readonly number[],
  record: Period,
): readonly number[] {
  const expected = startedAt
    .map((start) => start + lagMs)
    .filter((at) => at >= record.start && at <= record.end);
  const roseAt = expected.flatMap(
    (at) => rises.find((rise) => Math.abs(rise - at) <= TOLERANCE_MS) ?? [],
  );
  return roseAt.length === expected.length ? roseAt : [];
}
