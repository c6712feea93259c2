import { DAY_MS, type Period } from '../domain/periods.ts';
import { argument } from '../domain/text/program-names.ts';
import { say } from '../domain/text/say.ts';
import type { Text } from '../domain/text/text.ts';
import { timeOf } from '../domain/text/times.ts';
import { invalidInputError } from '../schema/error.ts';

export interface PeriodQuery {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** The bounds of a list may both be left out. */
export function assertStartBeforeEnd({
  from,
  to,
}: {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}): void {
  if (from === undefined || to === undefined || from < to) return;
  throw invalidInputError(
    'invalid_parameter',
    say`The start of the period is not before its end.`,
    {
      hint: say`Give the start of the period as ${argument('from')} and its end as ${argument('to')}.`,
      field: 'from',
    },
  );
}

const LONG_PERIOD_MS = 31 * DAY_MS;

/** Readings of more than a month take long to add up. */
export const isLongPeriod = ({ start, end }: PeriodQuery, now: number): boolean =>
  start !== undefined && (end ?? now) - start > LONG_PERIOD_MS;

interface PeriodLimits {
  readonly defaultMs: number;
  readonly longest?: { readonly ms: number; readonly text: Text };
  readonly errorCode: 'invalid_date' | 'invalid_parameter';
}

export function requestedPeriod(
  { start: requestedStart, end }: PeriodQuery,
  now: number,
  { defaultMs, longest, errorCode }: PeriodLimits,
): Period {
  const period = { start: requestedStart ?? (end ?? now) - defaultMs, end: end ?? now };
  const field = requestedStart === undefined ? 'end' : 'start';
  if (period.start >= period.end)
    throw invalidInputError(
      errorCode,
      say`The start of the period, ${timeOf(period.start)}, is not before its end, ${timeOf(period.end)}.`,
      {
        hint: say`Give a start before the end; without an end, the period ends now.`,
        field,
      },
    );

  if (longest && period.end - period.start > longest.ms)
    throw invalidInputError(
      errorCode,
      say`The period from ${timeOf(period.start)} to ${timeOf(period.end)} is longer than ${longest.text}.`,
      { hint: say`Give a period of at most ${longest.text}.`, field },
    );

  return period;
}
