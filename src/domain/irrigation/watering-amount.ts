import { MINUTE_MS } from '../periods.ts';

export const INPUT_MODES = ['duration', 'depth_mm', 'volume_m3'] as const;
export type InputMode = (typeof INPUT_MODES)[number];

/** An amount of water as it was entered: minutes, mm over the whole area, or m3, by mode. */
export interface Amount {
  readonly mode: InputMode;
  readonly value: number;
}

/** The entered part of a watering or a schedule. */
export interface WateringInput {
  readonly amount: Amount;
  /** Run time in whole minutes, optional beside a depth or a volume; in mode duration it equals the amount. */
  readonly durationMin: number | null;
}

/** The field of requests and answers that carries the amount of each mode, with its unit in words and as a symbol. */
const AMOUNT_FIELDS = {
  duration: { field: 'durationMin', unit: 'minutes', symbol: 'min', missing: 'MISSING_DURATION' },
  depth_mm: { field: 'inputDepthMm', unit: 'mm over the whole area', symbol: 'mm', missing: 'MISSING_DEPTH' },
  volume_m3: { field: 'inputVolumeM3', unit: 'm3', symbol: 'm3', missing: 'MISSING_VOLUME' },
} as const satisfies Record<InputMode, { field: string; unit: string; symbol: string; missing: string }>;

/** Fields that only their own mode accepts. A run time is accepted beside any amount. */
const EXCLUSIVE_FIELDS = [
  { mode: 'depth_mm', field: 'inputDepthMm', code: 'INVALID_DEPTH' },
  { mode: 'volume_m3', field: 'inputVolumeM3', code: 'INVALID_VOLUME' },
] as const;

type AmountField = (typeof AMOUNT_FIELDS)[InputMode]['field'];
type ExclusiveField = (typeof EXCLUSIVE_FIELDS)[number]['field'];

/** The amount fields of a request; an undefined one was not sent. */
export type SentAmounts = { readonly [F in AmountField]?: number | null | undefined };

/** Why amounts are refused; `unit` says what the missing field is in. */
export type MissingAmountRefusal = (typeof AMOUNT_FIELDS)[InputMode];
export type MismatchedAmountRefusal = (typeof EXCLUSIVE_FIELDS)[number];

/** The first amount that was sent for another mode: ignored silently, it would mislead. */
export const mismatchedAmount = (mode: InputMode, sent: SentAmounts): MismatchedAmountRefusal | null =>
  EXCLUSIVE_FIELDS.find((each) => each.mode !== mode && sent[each.field] != null) ?? null;

/**
 * The input of a mode from the fields of a request. A field that was not sent keeps its value of `current`, unless that
 * is an amount of another mode; one sent as null is emptied.
 */
export function resolveInput(
  mode: InputMode,
  sent: SentAmounts,
  current: WateringInput | null = null,
): WateringInput | { refusal: MissingAmountRefusal } {
  const { durationMin = current?.durationMin ?? null } = sent;
  const currentValue = current?.amount.mode === mode ? current.amount.value : null;
  const { [AMOUNT_FIELDS[mode].field]: value = currentValue } = { ...sent, durationMin };
  return value === null ? { refusal: AMOUNT_FIELDS[mode] } : { amount: { mode, value }, durationMin };
}

/** The fields of an answer that carry an amount, but for the run time. */
export const exclusiveFields = ({ mode, value }: Amount): Record<ExclusiveField, number | null> => ({
  inputDepthMm: mode === 'depth_mm' ? value : null,
  inputVolumeM3: mode === 'volume_m3' ? value : null,
});

/** The amount in an answer. */
export const amountOfFields = (answer: { readonly inputMode: InputMode } & SentAmounts): Amount => ({
  mode: answer.inputMode,
  value: answer[AMOUNT_FIELDS[answer.inputMode].field]!,
});

export const amountSymbol = (mode: InputMode): string => AMOUNT_FIELDS[mode].symbol;

export const isSameAmount = (a: Amount, b: Amount): boolean => a.mode === b.mode && a.value === b.value;

/** Longest watering, in minutes: 31 days. */
export const MAX_DURATION_MIN = 44_640;

export type DurationRefusal = 'INVALID_DURATION' | 'INVALID_ENDED_AT' | 'ENDED_BEFORE_STARTED';

/**
 * Run time in whole minutes: as declared, or from startedAt to endedAt (ms), rounded, at least 1. Null when neither
 * was sent.
 */
export function resolveDuration(
  startedAt: number,
  durationMin: number | null | undefined,
  endedAt: number | null | undefined,
): { durationMin: number | null } | { refusal: DurationRefusal } {
  if (endedAt == null) return { durationMin: durationMin ?? null };
  if (endedAt <= startedAt) return { refusal: 'ENDED_BEFORE_STARTED' };
  const derived = Math.max(1, Math.round((endedAt - startedAt) / MINUTE_MS));
  if (derived > MAX_DURATION_MIN) return { refusal: 'INVALID_DURATION' };
  if (durationMin != null && durationMin !== derived) return { refusal: 'INVALID_ENDED_AT' };
  return { durationMin: derived };
}
