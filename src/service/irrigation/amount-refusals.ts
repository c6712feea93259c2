import {
  type MissingAmountRefusal,
  mismatchedAmount,
  missingAmount,
  type WateringAmounts,
} from '../../domain/irrigation/watering-amount.ts';
import { invalidInput } from '../../schema/error.ts';

const MODE_AMOUNTS: Record<MissingAmountRefusal['code'], string> = {
  MISSING_DURATION: 'inputMode duration needs durationMin (minutes)',
  MISSING_DEPTH: 'inputMode depth_mm needs inputDepthMm (mm over the whole area)',
  MISSING_VOLUME: 'inputMode volume_m3 needs inputVolumeM3 (m3)',
};

/** Refuses an amount of another mode than the one that is asked for. */
export function refuseAmountOfOtherMode(amounts: WateringAmounts): void {
  const misfit = mismatchedAmount(amounts);
  if (misfit)
    throw invalidInput(misfit.code, `${misfit.field} does not go with inputMode ${amounts.inputMode}.`, {
      hint: `Give the amount of one mode only: leave ${misfit.field} out, or choose its mode.`,
      field: misfit.field,
    });
}

/** Refuses a mode without its amount; `orEnd` where an end may stand for the minutes. */
export function refuseMissingAmount(amounts: WateringAmounts, { orEnd = false } = {}): void {
  const missing = missingAmount(amounts);
  if (!missing) return;
  const alternative = orEnd && missing.code === 'MISSING_DURATION' ? ' or endedAt' : '';
  throw invalidInput(missing.code, `${MODE_AMOUNTS[missing.code]}${alternative}.`, {
    hint: `Ask for the amount and pass ${missing.field}.`,
    field: missing.field,
  });
}
