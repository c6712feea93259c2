import type { LogShift } from '../../facts/response-facts.ts';
import { isOnProbe, type WateringFacts } from '../../facts/watering-facts.ts';
import { groupBy } from '../../groups.ts';
import { DAY_MS, HOUR_MS } from '../../periods.ts';

/** Clocks differ. */
const MAX_RISE_BEFORE_MS = HOUR_MS;
/** A later rise may be of other water. */
const MAX_RISE_AFTER_MS = DAY_MS;

/** One rise may follow by chance. */
const MIN_SHOWN = 2;

const isOf = (start: number, rise: number): boolean =>
  rise >= start - MAX_RISE_BEFORE_MS && rise <= start + MAX_RISE_AFTER_MS;

/**
 * True if each of two probes shows the water that is logged on the other, at the time of that log.
 * Two logs that are wrong by as many days the same way would look alike, so these are left out.
 */
export const areExchanged = (a: LogShift, b: LogShift): boolean =>
  (a.isEitherWay || b.isEitherWay || Math.sign(a.days) !== Math.sign(b.days)) &&
  shows(a, b.startedAt) &&
  shows(b, a.startedAt);

/** All rises of the shift follow a watering of this log, and each of its waterings has a rise. */
function shows({ roseAt, rises, record }: LogShift, log: readonly number[]): boolean {
  const due = log.filter(
    (start) => start >= record.start && start + MAX_RISE_AFTER_MS <= record.end,
  );
  const hasRise = (start: number): boolean => rises.some((rise) => isOf(start, rise));
  return (
    due.every(hasRise) &&
    log.filter(hasRise).length >= MIN_SHOWN &&
    roseAt.every((rise) => log.some((start) => isOf(start, rise)))
  );
}

/** The ids of the modules, the own one excepted, of which a watering is logged for each rise. */
export function modulesWateredAt(
  roseAt: readonly number[],
  waterings: readonly Pick<WateringFacts, 'moduleId' | 'startedAt' | 'status'>[],
  ownId: number,
): number[] {
  const others = waterings
    .filter(isOnProbe)
    .filter(({ moduleId, status }) => status === 'done' && moduleId !== ownId);
  return [...groupBy(others, ({ moduleId }) => moduleId)].flatMap(([moduleId, log]) =>
    roseAt.every((rise) => log.some(({ startedAt }) => isOf(startedAt, rise))) ? moduleId : [],
  );
}
