import type { StateFacts } from '../../facts/probe-facts.ts';
import type { EarlyRises } from '../../facts/response-facts.ts';
import { suspectDepthsOf } from '../../facts/trusted-depths.ts';
import { HOUR_MS } from '../../periods.ts';
import { median } from '../../statistics.ts';
import type { AppliedWatering } from '../wetted-fraction.ts';
import { curvesOf, type WaterHours } from '../witness/watering-evidence.ts';
import { isLarge, type JudgedDay, responseOfDay, risesIn, wateringDays } from './watering-days.ts';

/** A rise longer before the logged start is of another day. */
export const MAX_EARLY_MS = 18 * HOUR_MS;

/** Fewer may be chance, or water that somebody gave and did not log. */
const MIN_EARLY = 3;
/** Clocks are wrong by the same time each day; the soil shows water a little sooner or later. */
const LIKE_MS = 2 * HOUR_MS;

/**
 * As far as three waterings may reach back: those of water that comes each third week. Nobody who is
 * asked remembers the hour of an earlier one, and the clock may have been set since.
 */
export const MAX_EARLY_DAYS = 42;

export const earlyRise = (rises: readonly number[], start: number): number | undefined =>
  rises.findLast((rise) => rise < start && rise >= start - MAX_EARLY_MS);

/** Counts those as seen that a rise shortly before explains, which is of no other watering. */
export const seenEarly = (judged: readonly JudgedDay[], rises: readonly number[]): JudgedDay[] =>
  judged.map((judgedDay) =>
    judgedDay.outcome === 'unseen' && earlyRise(rises, judgedDay.day.start) !== undefined
      ? { ...judgedDay, outcome: 'seen_early' }
      : judgedDay,
  );

/** Null unless all waterings that were seen before their logged starts were so by like hours. */
export function earlyRises(
  judged: readonly Pick<JudgedDay, 'day' | 'depths'>[],
  rises: readonly number[],
): EarlyRises | null {
  // Soil that was watered just before is too wet to be doubted.
  const seen = judged
    .filter((judgedDay) => isLarge(judgedDay.day) && !isSeenAtTop(judgedDay))
    .flatMap(({ day: { start } }) => {
      const roseAt = earlyRise(rises, start);
      return roseAt === undefined ? [] : { startedAt: start, roseAt };
    })
    .reverse();
  const leadsMs = seen.map(({ startedAt, roseAt }) => startedAt - roseAt);
  if (seen.length === 0 || Math.max(...leadsMs) - Math.min(...leadsMs) > LIKE_MS) return null;
  return {
    hours: Math.round(median(leadsMs) / HOUR_MS),
    startedAt: seen.map(({ startedAt }) => startedAt),
    roseAt: seen.map(({ roseAt }) => roseAt),
  };
}

/** Below, a rise may be of the same water that came to the top before the logged start. */
const isSeenAtTop = ({ depths }: Pick<JudgedDay, 'depths'>): boolean =>
  (depths.find(({ isConclusive }) => isConclusive)?.event ?? null) !== null;

export const areHoursWrong = ({ startedAt }: EarlyRises): boolean => startedAt.length >= MIN_EARLY;

/**
 * The start of the oldest one of the waterings that the hours are judged by, which are the newest
 * large ones; null if they are too few.
 */
export function judgedFrom(done: readonly AppliedWatering[], zone: string): number | null {
  return wateringDays(done, zone).filter(isLarge).at(-MIN_EARLY)?.start ?? null;
}

/** Of all these waterings, in hours that begin some days before the first one. */
export function earlyRisesIn(
  { steps, ...hours }: WaterHours,
  done: readonly AppliedWatering[],
  { doubts, zone }: Pick<StateFacts, 'doubts'> & { readonly zone: string },
): EarlyRises | null {
  const doubted = suspectDepthsOf(doubts);
  const trusted = hours.depths.filter(({ depthCm }) => !doubted.has(depthCm));
  const curves = curvesOf({ ...hours, steps, depths: trusted });
  const soil = { curves, sensorSteps: steps };
  const judged = wateringDays(done, zone).map((day) => ({ day, depths: responseOfDay(soil, day) }));
  return earlyRises(judged, risesIn(curves, judged));
}
