import { DAY_MS, type Period } from '../domain/periods.ts';
import { invalidInputError } from '../schema/error.ts';
import { toIso } from './wire-format.ts';

export interface PeriodQuery {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

const LONG_PERIOD_MS = 31 * DAY_MS;

/** Readings of more than a month take long to add up. */
export const isLongPeriod = ({ start, end }: PeriodQuery, now: number): boolean =>
  start !== undefined && (end ?? now) - start > LONG_PERIOD_MS;

interface PeriodLimits {
  readonly defaultMs: number;
  readonly longest?: { readonly ms: number; readonly text: string };
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
      `The start of the period, ${toIso(period.start)}, is not before its end, ${toIso(period.end)}.`,
      {
        hint: 'Give a start before the end; without an end, the period ends now.',
        field,
      },
    );

  if (longest && period.end - period.start > longest.ms)
    throw invalidInputError(
      errorCode,
      `The period from ${toIso(period.start)} to ${toIso(period.end)} is longer than ${longest.text}.`,
      { hint: `Give a period of at most ${longest.text}.`, field },
    );

  return period;
}
