import { firstOf, lastOf } from '../../items.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../periods.ts';
import type { RainContribution } from '../../weather/rain.ts';
import { rainEnd, SOAKING_MS, totalMm } from '../rain-effect.ts';

/** Rain that no depth showed although the soil had room for it; in ms. */
export interface UnshownRain {
  readonly mm: number;
  readonly from: number;
  readonly until: number;
}

/**
 * So much rain in one event always made a depth rise, beside the gauge of a prairie (Kings Creek, 21
 * events in two years) and beside that of OpenAgri.
 */
const MIN_RAIN_MM = 20;

/** Dry time between two events. */
const DRY_MS = 6 * HOUR_MS;

const CLOCK_TOLERANCE_MS = HOUR_MS;
/** Rain that a person reads in the morning often fell the day before. */
const READ_LATE_MS = DAY_MS;

/**
 * The newest heavy rain, if it fell while the soil stood still: then the gauge or the probe is wrong.
 * Null if a depth rose, or if nothing can be said. Later heavy rain that the soil showed clears both.
 */
export function unshownRain(
  rain: readonly RainContribution[],
  stillPeriods: readonly Period[],
): UnshownRain | null {
  const stillUntil = lastSoakedInstant(stillPeriods);
  const heavy = rainEvents(rain.filter((contribution) => rainEnd(contribution) <= stillUntil))
    .map((event) => ({ event, mm: totalMm(event) }))
    .findLast(({ mm }) => mm >= MIN_RAIN_MM);
  if (heavy === undefined) return null;

  const { event, mm } = heavy;
  const { record } = firstOf(event);
  const lateMs = record.isWholeDay ? READ_LATE_MS : CLOCK_TOLERANCE_MS;
  const [from, until] = [record.startedAt, Math.max(...event.map(rainEnd))];
  const isUnshown = stillPeriods.some(
    ({ start, end }) => start <= from - lateMs && end >= until + SOAKING_MS,
  );
  return isUnshown ? { mm, from, until } : null;
}

/** Rain until then has had time to reach the sensors. */
const lastSoakedInstant = (stillPeriods: readonly Period[]): number =>
  (stillPeriods.at(-1)?.end ?? Number.NEGATIVE_INFINITY) - SOAKING_MS;

/** Oldest first. */
function rainEvents(rain: readonly RainContribution[]): RainContribution[][] {
  const events: RainContribution[][] = [];
  const inOrder = [...rain].sort((a, b) => a.record.startedAt - b.record.startedAt);
  let until = Number.NEGATIVE_INFINITY;
  for (const contribution of inOrder) {
    if (contribution.record.startedAt - until < DRY_MS) lastOf(events).push(contribution);
    else events.push([contribution]);
    until = Math.max(until, rainEnd(contribution));
  }
  return events;
}
