import type { InputMode } from './dose.ts';

/** The amounts that were sent with a watering or a schedule; null or absent where none was. */
export interface WateringAmounts {
  readonly inputMode: InputMode;
  readonly durationMin?: number | null;
  readonly inputDepthMm?: number | null;
  readonly inputVolumeM3?: number | null;
}

export interface MissingAmountRefusal {
  readonly code: 'MISSING_DURATION' | 'MISSING_DEPTH' | 'MISSING_VOLUME';
  readonly field: 'durationMin' | 'inputDepthMm' | 'inputVolumeM3';
}

const REQUIRED_AMOUNTS: Record<InputMode, MissingAmountRefusal> = {
  duration: { code: 'MISSING_DURATION', field: 'durationMin' },
  depth_mm: { code: 'MISSING_DEPTH', field: 'inputDepthMm' },
  volume_m3: { code: 'MISSING_VOLUME', field: 'inputVolumeM3' },
};

/** The amount that the input mode needs and that was not given, or null. */
export function missingAmount(amounts: WateringAmounts): MissingAmountRefusal | null {
  const required = REQUIRED_AMOUNTS[amounts.inputMode];
  return amounts[required.field] == null ? required : null;
}

/** An amount that was given but belongs to another input mode, or null: taken or dropped in silence it would mislead. */
export function mismatchedAmount(
  amounts: WateringAmounts,
): { code: 'INVALID_DEPTH' | 'INVALID_VOLUME'; field: 'inputDepthMm' | 'inputVolumeM3' } | null {
  if (amounts.inputMode !== 'depth_mm' && amounts.inputDepthMm != null)
    return { code: 'INVALID_DEPTH', field: 'inputDepthMm' };
  if (amounts.inputMode !== 'volume_m3' && amounts.inputVolumeM3 != null)
    return { code: 'INVALID_VOLUME', field: 'inputVolumeM3' };
  return null;
}

/** Longest watering, in minutes: 31 days. */
export const MAX_DURATION_MIN = 44_640;

export type DurationRefusal = 'INVALID_DURATION' | 'INVALID_ENDED_AT' | 'ENDED_BEFORE_STARTED';

/**
 * Duration in whole minutes from what was given: `durationMin`, or `endedAt` (ms) less `startedAt` (ms), rounded, at
 * least 1. Null when neither was given.
 */
export function resolveDuration(
  startedAt: number,
  durationMin: number | null | undefined,
  endedAt: number | null | undefined,
): { durationMin: number | null } | { refused: DurationRefusal } {
  if (endedAt == null) return { durationMin: durationMin ?? null };
  if (endedAt <= startedAt) return { refused: 'ENDED_BEFORE_STARTED' };
  const derived = Math.max(1, Math.round((endedAt - startedAt) / 60_000));
  if (derived > MAX_DURATION_MIN) return { refused: 'INVALID_DURATION' };
  if (durationMin != null && durationMin !== derived) return { refused: 'INVALID_ENDED_AT' };
  return { durationMin: derived };
}
