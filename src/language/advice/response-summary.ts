import { withoutNulls } from '../../domain/items.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { estimate } from '../../domain/text/figures.ts';
import { call, counted, list, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { dateOf, timeOf } from '../../domain/text/times.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText } from '../text/names-of-farm.ts';

const MAX_LISTED = 3;

/** What the soil shows of the last waterings and of rain, where that leaves a doubt. */
export const describeResponse = (
  { reasons, unseenWaterings, wetSince, unshownRain }: AdviceBody,
  { zone }: { readonly zone: string },
): Text[] =>
  withoutNulls([
    unseenWaterings === undefined || reasons.includes('STALE_DATA')
      ? null
      : describeUnseen(unseenWaterings),
    wetSince === undefined
      ? null
      : say`This probe has been more than 4 points above its drawn field capacity since ${dateOf(wetSince)}, although no water came in the last three days, and drained soil does not stay so wet: look for a leak, a wet spot or salt, and whether the roots get air.`,
    unshownRain === undefined ? null : describeUnshownRain(unshownRain, zone),
  ]);

/** The other probes on the same valve that hold much more or less of what their soil can. */
export async function describeDiffering(
  { differing = [] }: AdviceBody,
  { directory }: SummaryContext,
): Promise<Text[]> {
  if (differing.length === 0) return [];

  const names = await Promise.all(differing.map((id) => moduleText(directory, id)));
  return [
    say`For its soil it is much wetter or drier than ${list(names)} on the same valve: look at both places before you water by one of them.`,
  ];
}

type UnseenWaterings = NonNullable<AdviceBody['unseenWaterings']>;

function describeUnseen({ startedAt, areScheduled, shiftDays }: UnseenWaterings): Text {
  const waterings = describeStarts(startedAt);
  if (shiftDays !== null) {
    const days = counted(Math.abs(shiftDays), 'day');
    return say`The log may be wrong by ${days}: no depth showed ${waterings}, but each time the soil became wetter ${days} ${shiftDays > 0 ? say`later` : say`earlier`}, when none is logged. Ask for the days and correct them.${call('correct_watering')}`;
  }

  const checks = say`the valve and the filter, and whether the probe stands in the wetted soil.`;
  return areScheduled
    ? say`Did they run? No depth showed ${waterings}: ask first, because nobody confirmed them; if they ran, check ${checks}`
    : say`No depth showed ${waterings}: check ${checks}`;
}

/** Of waterings, the newest first. */
function describeStarts(startedAt: UnseenWaterings['startedAt']): Text {
  const oldest = startedAt.at(-1);
  return startedAt.length > MAX_LISTED && oldest !== undefined
    ? say`the ${startedAt.length} waterings since ${timeOf(oldest)}`
    : say`the waterings of ${list([...startedAt].reverse().map(timeOf))}`;
}

function describeUnshownRain(
  { mm, from, until }: NonNullable<AdviceBody['unshownRain']>,
  zone: string,
): Text {
  // A whole day ends at midnight, which is of the next day.
  const [first, last] = [Date.parse(from), Date.parse(until) - 1];
  const isOneDay = LocalDay.at(first, zone).daysUntil(LocalDay.at(last, zone)) === 0;
  const days = isOneDay ? dateOf(last) : say`${dateOf(first)} to ${dateOf(last)}`;
  return say`No depth rose after ${estimate(mm, 'mm')} of rain (${days}), although the soil had room for it: the gauge or the probe is wrong, and no rain is counted. Check the gauge, and whether the probe touches the soil.`;
}
