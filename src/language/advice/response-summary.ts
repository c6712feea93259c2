import type { AdviceBody } from '../../schema/advice/advice.ts';
import { englishFormat } from '../en/grammar.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatDate, formatTime, type TimeContext } from '../time.ts';
import { advicePhrases } from './advice-phrases.ts';

const MAX_LISTED = 3;

/** What the soil shows of the last waterings, where that leaves the amount in doubt. */
export function describeResponse(
  { reasons, unseenWaterings, wetSince }: AdviceBody,
  context: TimeContext,
): string[] {
  const { tooWet } = advicePhrases;
  return [
    ...(unseenWaterings && !reasons.includes('STALE_DATA')
      ? [describeUnseen(unseenWaterings, context)]
      : []),
    ...(wetSince === undefined ? [] : [tooWet(formatDate(wetSince, context))]),
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
