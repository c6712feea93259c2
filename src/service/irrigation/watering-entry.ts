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
import { exact, longDuration, maximum } from '../../domain/text/figures.ts';
import { argument, description, operationName } from '../../domain/text/program-names.ts';
import { say, word } from '../../domain/text/say.ts';
import type { Description, Text } from '../../domain/text/text.ts';
import { timeOf, timeWithZone } from '../../domain/text/times.ts';
import { inWords } from '../../language/text/render.ts';
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

const STARTED_AT = argument('startedAt');
const ENDED_AT = argument('endedAt');

/** For people "29 days 11 h"; programs read minutes. */
const inMinutes = (value: number): Description =>
  description(longDuration(value * MINUTE_MS), `${value} minutes`);

const DURATION_ERRORS: Record<
  DurationRefusal,
  { message: (spanMin: number, entry: WateringEntry) => Text; hint: Text; field: string }
> = {
  INVALID_DURATION: {
    message: (spanMin) => say`The watering would last ${inMinutes(spanMin)}, more than 31 days.`,
    hint: say`Check ${STARTED_AT} and ${ENDED_AT}; a watering lasts up to 44640 minutes.`,
    field: 'endedAt',
  },
  INVALID_ENDED_AT: {
    message: (spanMin, { durationMin }) =>
      say`${argument('durationMin')}, ${durationMin == null ? null : inMinutes(durationMin)}, and ${ENDED_AT}, ${inMinutes(spanMin)} after ${STARTED_AT}, disagree.`,
    hint: say`Give only one of the two.`,
    field: 'endedAt',
  },
  ENDED_BEFORE_STARTED: {
    message: (spanMin) =>
      say`${ENDED_AT} is not after ${STARTED_AT}${spanMin < 0 ? say`, but ${inMinutes(-spanMin)} before it` : null}.`,
    hint: say`Check both; over midnight the end is on the next day.`,
    field: 'endedAt',
  },
};

/** In the zone of the farm for programs too. */
const localTime = (at: number, context: CheckContext): Description => inWords(timeOf(at), context);

export function assertValidStart(startedAt: number, context: CheckContext): void {
  if (startedAt >= 0 && startedAt <= context.now + MAX_PLAN_AHEAD_MS) return;
  throw invalidInputError(
    'INVALID_STARTED_AT',
    say`${STARTED_AT} ${localTime(startedAt, context)} is not a date a watering can have.`,
    {
      hint: say`Check the year: from 1970 to ten years ahead.`,
      field: 'startedAt',
    },
  );
}

export function entryDuration(entry: WateringEntry): number | null {
  const duration = resolveDuration(entry.startedAt, entry.durationMin, entry.endedAt);
  if (duration.ok) return duration.value;

  const { message, hint, field } = DURATION_ERRORS[duration.failure];
  const spanMin = Math.round(((entry.endedAt ?? entry.startedAt) - entry.startedAt) / MINUTE_MS);
  throw invalidInputError(duration.failure, message(spanMin, entry), { hint, field });
}

const hasBegun = (startedAt: number, now: number): boolean => startedAt <= now + CLOCK_TOLERANCE_MS;

export function assertDoneHasBegun(
  status: WateringStatus,
  startedAt: number,
  context: CheckContext,
): void {
  if (status === 'done' && !hasBegun(startedAt, context.now))
    throw invalidInputError(
      'INVALID_STATUS',
      say`The watering starts ${inWords(timeWithZone(startedAt), context)}, which is still to come, so it cannot be done.`,
      {
        hint: say`Pass ${argument('status')} planned, or correct ${STARTED_AT}.`,
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
  const amountText = symbol === 'min' ? say`${value} min` : exact(value, symbol);
  throw invalidInputError(
    errorCode,
    say`${amountText} would be a dose of ${exact(Math.round(waterMm), 'mm')} with this equipment; the maximum is ${maximum(MAX_DOSE_MM, 'mm')}.`,
    {
      hint: say`Check ${argument(field)}, then the flow and the irrigated area with ${operationName('get_irrigation_setup')}.`,
      field,
    },
  );
}

export function assertAmountOfMode(mode: InputMode, amounts: SentAmounts): void {
  const mismatch = mismatchedAmount(mode, amounts);
  if (mismatch)
    throw invalidInputError(
      mismatch.invalid,
      say`${argument(mismatch.field)} is given, but the watering is entered as a ${word(AMOUNT_FIELDS[mode].noun)}.`,
      {
        hint: say`Give the amount of one mode only: leave ${argument(mismatch.field)} out, or choose its mode.`,
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
  if (input.ok) return input.value;

  const { missing: errorCode, field, unit } = input.failure;
  const alternative = acceptsEndedAt && mode === 'duration' ? say` or ${ENDED_AT}` : null;
  throw invalidInputError(
    errorCode,
    say`The amount is missing: ${argument(field)} (${word(unit)})${alternative}.`,
    {
      hint: say`Ask for the amount and pass ${argument(field)}.`,
      field,
    },
  );
}
