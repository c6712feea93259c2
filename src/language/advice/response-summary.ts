import type { FactsOf, ReasonFacts, SilentDepth } from '../../domain/advice/reason.ts';
import type { UnshownRain } from '../../domain/advice/response/unshown-rain.ts';
import type { EarlyRises, UnseenWaterings } from '../../domain/facts/response-facts.ts';
import { groupBy } from '../../domain/groups.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { estimate, exact } from '../../domain/text/figures.ts';
import { call, counted, join, list, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { dateOf, timeOf } from '../../domain/text/times.ts';

const MAX_LISTED = 3;

export function describeUnseen({ startedAt, areScheduled }: UnseenWaterings): Text {
  const waterings = describeStarts(startedAt);
  const checks = say`the valve and the filter, and whether the probe stands in the wetted soil.`;
  return areScheduled
    ? say`Did they run? No depth showed ${waterings}: ask first, because nobody confirmed them; if they ran, check ${checks}`
    : say`No depth showed ${waterings}: check ${checks}`;
}

export function describeLogShift({ startedAt, days: shiftDays }: ReasonFacts['LOG_SHIFTED']): Text {
  const days = counted(Math.abs(shiftDays), 'day');
  return say`No depth showed ${describeStarts(startedAt)}, but each time the soil became wetter ${days} ${shiftDays > 0 ? say`later` : say`earlier`}, when none is logged: either these days are wrong, or this probe gets the water of another valve. Ask which; correct the log only if its days are wrong.${call('correct_watering')}`;
}

export const describeEarly = ({ startedAt, hours }: Omit<EarlyRises, 'roseAt'>): Text =>
  say`The soil became wetter some ${counted(hours, 'hour')} before the logged start of each of ${describeStarts(startedAt)}: either these times are wrong (was morning taken for evening, or the end for the start?), or this probe gets the water of another valve. Ask which; correct the log only if its times are wrong.${call('correct_watering')}`;

export const describeExchange = (other: Text): Text =>
  say`This probe shows the waterings that are logged on ${other}, and ${other} those of this one: the two have probably been exchanged, so that each shows the soil of the other block. Find out which stands where before you water by either, and leave the log as it is unless both stand in the right block.`;

/** Names the starts of waterings; the newest come first. */
function describeStarts(startedAt: readonly number[]): Text {
  const oldest = startedAt.at(-1);
  return startedAt.length > MAX_LISTED && oldest !== undefined
    ? say`the ${startedAt.length} waterings since ${timeOf(oldest)}`
    : say`the waterings of ${list([...startedAt].reverse().map(timeOf))}`;
}

export function describeUnshownRain({ mm, from: first, until }: UnshownRain, zone: string): Text {
  // A whole day ends at midnight, which is of the next day.
  const last = until - 1;
  const isOneDay = LocalDay.at(first, zone).daysUntil(LocalDay.at(last, zone)) === 0;
  const days = isOneDay ? dateOf(last) : say`${dateOf(first)} to ${dateOf(last)}`;
  return say`No depth rose after ${estimate(mm, 'mm')} of rain (${days}), although the soil had room for it: the gauge or the probe is wrong, and no rain is counted. Check the gauge, and whether the probe touches the soil.`;
}

export const describeDepthsJumped = ({ at, points }: FactsOf<'DEPTHS_JUMPED'>): Text =>
  say`All of its depths rose at once${at === undefined ? null : say`, by ${estimate(points)} points or more ${timeOf(at)}`}, with no watering or rain recorded, and water takes hours to come so far down, so no amount is given: ask whether water came then; if so, log it; if not, check the plug, the cable and the power of the probe.${call('log_watering')}`;

export function describeDepthsExchanged({ topCm, deepestCm }: FactsOf<'DEPTHS_EXCHANGED'>): Text {
  const sensors =
    topCm === undefined
      ? say`Its deepest sensor is the first to show water and the first to dry, and its uppermost one is the last`
      : say`The sensor at ${exact(deepestCm, 'cm')} is the first to show water and the first to dry, and the one at ${exact(topCm, 'cm')} is the last`;
  return say`${sensors}: their depths look exchanged, so nothing is said of what its roots lack, nor of water below them. Check which one stands where, then correct the depths.${call('assign_device', 'depths')}`;
}

/** They may be unknown. */
export const describeDepthsSilent = (depths: readonly SilentDepth[] = []): Text =>
  say`Half of the measured soil or more has no recent reading that can be used${depths.length > 0 ? say` (none from ${describeSilent(depths)})` : null}, so no amount is given: check these sensors.`;

/** "10 and 20 cm since today 06:00; 30 cm for more than two weeks" */
function describeSilent(depths: readonly SilentDepth[]): Text {
  const bySince = groupBy(depths, ({ since }) => since);
  const groups = [...bySince].map(([since, silent]) => {
    const depthsCm = silent.map(({ depthCm }) => depthCm);
    return say`${exact(depthsCm, 'cm')} ${since === null ? say`for more than two weeks` : say`since ${timeOf(since)}`}`;
  });
  return join(groups, say`; `);
}

export function describeUnmeasuredRoots({
  measuredToCm,
  rootDepthCm,
}: FactsOf<'DEEP_ROOTS_NOT_MEASURED'>): Text {
  const extent =
    measuredToCm === undefined
      ? say`the uppermost part of its root zone only, but its roots`
      : say`the soil down to ${exact(measuredToCm, 'cm')} only, but roots of ${exact(rootDepthCm, 'cm')}`;
  return say`Its sensors tell of ${extent} usually take up most of their water below that, where the soil is counted as wet as at the deepest sensor: look at it with an auger before you go by this, then put a sensor there, or correct the root depth.${call('set_probe_settings', 'rootDepthCm')}`;
}
