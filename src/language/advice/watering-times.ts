import { daysBetween } from '../../domain/calendar.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { englishFormat } from '../en/grammar.ts';
import { formatDate, formatTime, type TimeContext } from '../time.ts';
import { reviewPhrases } from './review-phrases.ts';

const MAX_LISTED = 6;

/** When waterings began, as a grower says it: "10 Jul and 12 Jul", oldest first. */
export function listStarts(
  waterings: readonly { readonly startedAt: string }[],
  context: TimeContext,
): string {
  const times = [...new Set(waterings.map(({ startedAt }) => startedAt))].sort();
  const day = (time: string) => civilAt(Date.parse(time), context.zone);
  const haveOwnDays = times.every((time, index) => {
    const before = times[index - 1];
    return before === undefined || daysBetween(day(before), day(time)) !== 0;
  });
  const texts = times.map((time) =>
    haveOwnDays ? formatDate(time, context) : formatTime(time, context),
  );
  const [first, last] = [texts[0], texts.at(-1)];
  return texts.length > MAX_LISTED && first !== undefined && last !== undefined
    ? reviewPhrases.manyTimes(texts.length, first, last)
    : englishFormat.list(texts);
}
