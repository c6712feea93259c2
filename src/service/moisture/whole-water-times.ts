import type { WaterTimes } from '../../domain/moisture/water-times.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { invalidInputError } from '../../schema/error.ts';

/** Refuses times of which one contradicts another, or says nothing without another. */
export function assertWholeTimes(times: WaterTimes): void {
  const { everyHours, turnAt, weekdays, fromTime, seasonFrom, seasonUntil } = times;
  if (everyHours !== null && turnAt === null)
    throw invalidTimes(say`Turns need the start of one of them.`, 'turnAt', {
      hint: say`Give the start of any turn, past or ahead, as ${argument('turnAt')}.`,
    });
  if (everyHours === null && turnAt !== null)
    throw invalidTimes(say`One turn does not say when the next one comes.`, 'everyHours', {
      hint: say`Give the time between turns as ${argument('everyHours')}.`,
    });
  if (everyHours !== null && (weekdays !== null || fromTime !== null))
    throw invalidTimes(
      say`Water comes by turns or on weekdays, not both.`,
      weekdays === null ? 'fromTime' : 'weekdays',
      {
        hint: say`Give ${argument('everyHours')} with ${argument('turnAt')}, or ${argument('weekdays')} with ${argument('fromTime')}.`,
      },
    );
  if ((seasonFrom === null) !== (seasonUntil === null))
    throw invalidTimes(
      say`A season has a first and a last day.`,
      seasonFrom === null ? 'seasonFrom' : 'seasonUntil',
      { hint: say`Give ${argument('seasonFrom')} and ${argument('seasonUntil')}.` },
    );
  if (times.pauseMin !== null && times.longestRunMin === null)
    throw invalidTimes(say`A pause needs the longest run before it.`, 'longestRunMin', {
      hint: say`Give it as ${argument('longestRunMin')}.`,
    });
  if (times.leastMm !== null && times.largestMm !== null && times.leastMm > times.largestMm)
    throw invalidTimes(say`The least dose is above the largest.`, 'leastMm', {
      hint: say`Give a least dose of at most ${argument('largestMm')}.`,
    });
}

export const invalidTimes = (message: Text, field: string, { hint }: { readonly hint: Text }) =>
  invalidInputError('invalid_body', message, { hint, field });
