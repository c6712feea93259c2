import type { Dose } from '../../domain/irrigation/dose.ts';
import {
  AMOUNT_FIELDS,
  type Amount,
  type DurationRefusal,
  type InputMode,
  mismatchedAmount,
  resolveDuration,
  resolveInput,
  type SentAmounts,
  type WateringInput,
} from '../../domain/irrigation/watering-amount.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/periods.ts';
import { formatInstant } from '../../language/time.ts';
import type { CheckContext } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import {
  type WateringStatus,
  type wateringBody,
  wateringRemarks,
} from '../../schema/irrigation/watering.ts';
import { enteredValues } from '../../schema/resource.ts';

export type WateringEntry = Readonly<FieldsOf<typeof wateringBody>>;

/** A start this far ahead still counts as now, because clocks differ. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;
/** Ten years; a later date is a typing error in the year. */
const MAX_PLAN_AHEAD_MS = 3653 * DAY_MS;

const DURATION_ERRORS: Record<
  DurationRefusal,
  { message: (minutes: number, entry: WateringEntry) => string; hint: string; field: string }
> = {
  INVALID_DURATION: {
    message: (minutes) => `The watering would last ${minutes} minutes, more than 31 days.`,
    hint: 'Check startedAt and endedAt; a watering lasts up to 44640 minutes.',
    field: 'endedAt',
  },
  INVALID_ENDED_AT: {
    message: (minutes, { durationMin }) =>
      `durationMin, ${durationMin} minutes, and endedAt, ${minutes} minutes after startedAt, disagree.`,
    hint: 'Give only one of the two.',
    field: 'endedAt',
  },
  ENDED_BEFORE_STARTED: {
    message: (minutes) =>
      `endedAt is not after startedAt${minutes < 0 ? `, but ${-minutes} minutes before it` : ''}.`,
    hint: 'Check both; over midnight the end is on the next day.',
    field: 'endedAt',
  },
};

export function assertValidStart(startedAt: number, { now, zone }: CheckContext): void {
  if (startedAt >= 0 && startedAt <= now + MAX_PLAN_AHEAD_MS) return;
  throw invalidInputError(
    'INVALID_STARTED_AT',
    `startedAt ${formatInstant(startedAt, { zone, now })} is not a date a watering can have.`,
    {
      hint: 'Check the year: from 1970 to ten years ahead.',
      field: 'startedAt',
    },
  );
}

export function entryDuration(entry: WateringEntry): number | null {
  const duration = resolveDuration(entry.startedAt, entry.durationMin, entry.endedAt);
  if (!('refusal' in duration)) return duration.durationMin;
  const { message, hint, field } = DURATION_ERRORS[duration.refusal];
  const minutes = Math.round(((entry.endedAt ?? entry.startedAt) - entry.startedAt) / MINUTE_MS);
  throw invalidInputError(duration.refusal, message(minutes, entry), { hint, field });
}

const hasBegun = (startedAt: number, now: number): boolean => startedAt <= now + CLOCK_TOLERANCE_MS;

export function assertDoneHasBegun(
  status: WateringStatus,
  startedAt: number,
  { now, zone }: CheckContext,
): void {
  if (status === 'done' && !hasBegun(startedAt, now))
    throw invalidInputError(
      'INVALID_STATUS',
      `The watering starts ${formatInstant(startedAt, { zone, now })} (${zone}), which is still to come, so it cannot be done.`,
      {
        hint: 'Pass status planned, or correct startedAt.',
        field: 'status',
      },
    );
}

/** A watering to be logged, without what depends on its target. */
export interface CheckedEntry {
  readonly startedAt: number;
  readonly input: WateringInput;
  readonly status: WateringStatus;
  readonly remarks: ReturnType<typeof enteredValues<typeof wateringRemarks>>;
}

export function checkWateringEntry(entry: WateringEntry, context: CheckContext): CheckedEntry {
  const { startedAt } = entry;
  assertValidStart(startedAt, context);
  assertAmountOfMode(entry.inputMode, entry);

  const input = requireInput(
    entry.inputMode,
    { ...entry, durationMin: entryDuration(entry) },
    { acceptsEndedAt: true },
  );

  const status = entry.status ?? (hasBegun(startedAt, context.now) ? 'done' : 'planned');
  assertDoneHasBegun(status, startedAt, context);
  return { startedAt, input, status, remarks: enteredValues(wateringRemarks, entry) };
}

/** A larger dose is a mistake in the unit or in the equipment. */
const MAX_DOSE_MM = 10_000;

/** Refuses a dose that no watering has, with the error code of the amount that was entered. */
export function assertPlausibleDose(
  { mode, value }: Amount,
  { waterMm }: Pick<Dose, 'waterMm'>,
): void {
  if (waterMm === null || waterMm <= MAX_DOSE_MM) return;

  const { field, symbol, invalid: errorCode } = AMOUNT_FIELDS[mode];
  throw invalidInputError(
    errorCode,
    `${value} ${symbol} would be a dose of ${Math.round(waterMm)} mm with this equipment; the maximum is ${MAX_DOSE_MM} mm.`,
    {
      hint: `Check ${field}, then the flow and the irrigated area with get_irrigation_setup.`,
      field,
    },
  );
}

export function assertAmountOfMode(mode: InputMode, amounts: SentAmounts): void {
  const mismatch = mismatchedAmount(mode, amounts);
  if (mismatch)
    throw invalidInputError(
      mismatch.invalid,
      `${mismatch.field} is given, but the watering is entered as a ${AMOUNT_FIELDS[mode].noun}.`,
      {
        hint: `Give the amount of one mode only: leave ${mismatch.field} out, or choose its mode.`,
        field: mismatch.field,
      },
    );
}

export function requireInput(
  mode: InputMode,
  amounts: SentAmounts,
  { current, acceptsEndedAt = false }: { current?: WateringInput; acceptsEndedAt?: boolean } = {},
): WateringInput {
  const input = resolveInput(mode, amounts, current);
  if (!('refusal' in input)) return input;
  const { missing: errorCode, field, unit } = input.refusal;
  const alternative = acceptsEndedAt && mode === 'duration' ? ' or endedAt' : '';
  throw invalidInputError(errorCode, `The amount is missing: ${field} (${unit})${alternative}.`, {
    hint: `Ask for the amount and pass ${field}.`,
    field,
  });
}
