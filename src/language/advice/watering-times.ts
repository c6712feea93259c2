import { LocalDay } from '../../domain/local-day.ts';
import { list, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { dateOf, timeOf } from '../../domain/text/times.ts';

const MAX_LISTED = 6;

/** When waterings began, as a grower says it: "10 Jul and 12 Jul", oldest first. */
export function listStarts(
  waterings: readonly { readonly startedAt: string }[],
  { zone }: { readonly zone: string },
): Text {
  const times = [...new Set(waterings.map(({ startedAt }) => startedAt))].sort();
  const day = (time: string) => LocalDay.at(Date.parse(time), zone);
  const haveOwnDays = times.every((time, index) => {
    const before = times[index - 1];
    return before === undefined || day(before).daysUntil(day(time)) !== 0;
  });
  const starts = times.map((time) => (haveOwnDays ? dateOf(time) : timeOf(time)));

  const [first, last] = [starts[0], starts.at(-1)];
  return starts.length > MAX_LISTED && first !== undefined && last !== undefined
    ? say`${starts.length} times from ${first} to ${last}`
    : say`${list(starts)}`;
}
