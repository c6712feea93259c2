import { MINUTE_MS } from '../periods.ts';
import { recordOf } from '../records.ts';
import { failure, ok, type Result } from '../result.ts';

export const INPUT_MODES = ['duration', 'depth_mm', 'volume_m3'] as const;
export type InputMode = (typeof INPUT_MODES)[number];

/** The mode decides the unit: minutes, mm over the whole area, or m3. */
export interface Amount {
  readonly mode: InputMode;
  readonly value: number;
}

export interface WateringInput {
  readonly amount: Amount;
  /** Equals the amount in the mode `duration`, and is optional in the others. */
  readonly durationMin: number | null;
}

interface AmountField {
  readonly field: string;
  readonly noun: string;
  readonly unit: string;
  readonly symbol: string;
  /** The error code if the field is missing. */
  readonly missing: string;
  /** The error code if the field has a wrong value, or is sent for another mode. */
  readonly invalid: string;
}

export const AMOUNT_FIELDS = {
  duration: {
    field: 'durationMin',
    noun: 'duration',
    unit: 'minutes',
    symbol: 'min',
    missing: 'MISSING_DURATION',
    invalid: 'INVALID_DURATION',
  },
  depth_mm: {
    field: 'inputDepthMm',
    noun: 'depth of water',
    unit: 'mm over the whole area',
    symbol: 'mm',
    missing: 'MISSING_DEPTH',
    invalid: 'INVALID_DEPTH',
  },
  volume_m3: {
    field: 'inputVolumeM3',
    noun: 'volume',
    unit: 'm3',
    symbol: 'm3',
    missing: 'MISSING_VOLUME',
    invalid: 'INVALID_VOLUME',
  },
} as const satisfies Record<InputMode, AmountField>;

/** Modes with a field of their own. A duration may accompany an amount of any mode. */
const EXCLUSIVE_MODES = INPUT_MODES.filter((mode) => mode !== 'duration');

type AmountFieldName = (typeof AMOUNT_FIELDS)[InputMode]['field'];
type ExclusiveField = Exclude<AmountFieldName, 'durationMin'>;

export type SentAmounts = { readonly [F in AmountFieldName]?: number | null | undefined };

type MissingAmountRefusal = (typeof AMOUNT_FIELDS)[InputMode];

/** An amount for another mode is refused: ignoring it silently would mislead. */
export const mismatchedAmount = (mode: InputMode, amounts: SentAmounts): AmountField | null =>
  EXCLUSIVE_MODES.filter((other) => other !== mode)
    .map((other) => AMOUNT_FIELDS[other])
    .find(({ field }) => amounts[field] != null) ?? null;

/**
 * The current mode, unless amounts were sent for other modes only: then their mode, or null if
 * there are several. An end time counts as a duration.
 */
export function modeOfAmounts(
  amounts: SentAmounts & { readonly endedAt?: unknown },
  current: InputMode,
): InputMode | null {
  const sent = INPUT_MODES.filter((mode) => amounts[AMOUNT_FIELDS[mode].field] != null);
  if (amounts.endedAt != null && !sent.includes('duration')) sent.push('duration');
  if (sent.length === 0 || sent.includes(current)) return current;
  const [mode = null, ...others] = sent;
  return others.length === 0 ? mode : null;
}

/**
 * The mode of a new watering: that of its depth or volume, beside which a run time may stand, else
 * the duration, which is then refused as missing. Undefined for a depth and a volume.
 */
export function modeOfNewAmounts(amounts: SentAmounts): InputMode | undefined {
  const { inputDepthMm, inputVolumeM3 } = amounts;
  if (inputDepthMm != null && inputVolumeM3 != null) return undefined;
  if (inputDepthMm != null) return 'depth_mm';
  return inputVolumeM3 == null ? 'duration' : 'volume_m3';
}

/** The mode as for a new watering, but undefined if no amount is sent. */
export const modeOfSentAmounts = (amounts: SentAmounts): InputMode | undefined =>
  INPUT_MODES.some((mode) => amounts[AMOUNT_FIELDS[mode].field] != null)
    ? modeOfNewAmounts(amounts)
    : undefined;

/**
 * A field that was not sent keeps its current value, unless that belongs to another mode; null
 * clears it.
 */
export function resolveInput(
  mode: InputMode,
  amounts: SentAmounts,
  current: WateringInput | null = null,
): Result<WateringInput, MissingAmountRefusal> {
  const { durationMin = current?.durationMin ?? null } = amounts;
  const currentValue = current?.amount.mode === mode ? current.amount.value : null;
  const sentValue = amounts[AMOUNT_FIELDS[mode].field];
  const amountValue = sentValue === undefined ? currentValue : sentValue;
  const value = mode === 'duration' ? durationMin : amountValue;

  return value === null
    ? failure(AMOUNT_FIELDS[mode])
    : ok({ amount: { mode, value }, durationMin });
}

const exclusiveFields = (amount: Amount): Record<ExclusiveField, number | null> =>
  recordOf(
    EXCLUSIVE_MODES.map((mode) => [
      AMOUNT_FIELDS[mode].field,
      mode === amount.mode ? amount.value : null,
    ]),
  );

/** The fields that requests, answers and rows have. */
export const fieldsOfInput = ({ amount, durationMin }: WateringInput) => ({
  inputMode: amount.mode,
  durationMin,
  ...exclusiveFields(amount),
});

export const amountOfFields = (
  watering: { readonly inputMode: InputMode } & SentAmounts,
): Amount => ({
  mode: watering.inputMode,
  value: watering[AMOUNT_FIELDS[watering.inputMode].field]!,
});

export const inputOfFields = (
  fields: { readonly inputMode: InputMode; readonly durationMin: number | null } & SentAmounts,
): WateringInput => ({ amount: amountOfFields(fields), durationMin: fields.durationMin });

export const isSameAmount = (a: Amount, b: Amount): boolean =>
  a.mode === b.mode && a.value === b.value;

export const MAX_DURATION_MIN = 44_640;

export type DurationRefusal = 'INVALID_DURATION' | 'INVALID_ENDED_AT' | 'ENDED_BEFORE_STARTED';

/** Derives the duration from the instants if there is an end: whole minutes, at least 1. */
export function resolveDuration(
  startedAt: number,
  durationMin: number | null | undefined,
  endedAt: number | null | undefined,
): Result<number | null, DurationRefusal> {
  if (endedAt == null) return ok(durationMin ?? null);

  if (endedAt <= startedAt) return failure('ENDED_BEFORE_STARTED');
  const derived = Math.max(1, Math.round((endedAt - startedAt) / MINUTE_MS));
  if (derived > MAX_DURATION_MIN) return failure('INVALID_DURATION');
  if (durationMin != null && durationMin !== derived) return failure('INVALID_ENDED_AT');

  return ok(derived);
}
