import type { AdviceBody } from '../../schema/advice/advice.ts';
import { englishFormat } from '../en/grammar.ts';
import { formatEstimate } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatDate, formatTime, type TimeContext } from '../time.ts';
import { advicePhrases } from './advice-phrases.ts';

const MAX_LISTED = 3;

/** What the soil shows of the last waterings and of rain, where that leaves a doubt. */
export function describeResponse(
  { reasons, unseenWaterings, wetSince, unshownRain }: AdviceBody,
  context: TimeContext,
): string[] {
  const { tooWet } = advicePhrases;
  return [
    ...(unseenWaterings && !reasons.includes('STALE_DATA')
      ? [describeUnseen(unseenWaterings, context)]
      : []),
    ...(wetSince === undefined ? [] : [tooWet(formatDate(wetSince, context))]),
    ...(unshownRain === undefined ? [] : [describeUnshownRain(unshownRain, context)]),
  ];
}

/** The other probes on the same valve that hold much more or less of what their soil can. */
export async function describeDiffering(
  { differing = [] }: AdviceBody,
  { directory }: SummaryContext,
): Promise<string[]> {
  if (differing.length === 0) return [];
  const names = await Promise.all(differing.map((id) => moduleName(directory, id)));
  return [advicePhrases.probesDiffer(englishFormat.list(names))];
}

function describeUnseen(
  { startedAt, areScheduled, shiftDays }: NonNullable<AdviceBody['unseenWaterings']>,
  context: TimeContext,
): string {
  const { logShifted, noResponse, wateringsSince, wateringsOf } = advicePhrases;
  const oldestFirst = startedAt.map((time) => formatTime(time, context)).reverse();
  const waterings =
    startedAt.length > MAX_LISTED
      ? wateringsSince(startedAt.length, oldestFirst[0] ?? '')
      : wateringsOf(englishFormat.list(oldestFirst));
  return shiftDays === null
    ? noResponse(waterings, areScheduled)
    : logShifted(waterings, shiftDays);
}

function describeUnshownRain(
  { mm, from, until }: NonNullable<AdviceBody['unshownRain']>,
  context: TimeContext,
): string {
  // A whole day ends at midnight, which is of the next day.
  const lastDay = new Date(Date.parse(until) - 1).toISOString();
  const [first, last] = [formatDate(from, context), formatDate(lastDay, context)];
  return advicePhrases.unshownRain(formatEstimate(mm), first === last ? null : first, last);
}
