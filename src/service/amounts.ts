import { type AmountRefusal, type Amounts, misfitAmount, missingAmount } from '../domain/amount.ts';
import { refuse } from '../schema/error.ts';

const NEEDS: Record<AmountRefusal['code'], string> = {
  MISSING_DURATION: 'inputMode duration needs durationMin (minutes)',
  MISSING_DEPTH: 'inputMode depth_mm needs inputDepthMm (mm over the whole area)',
  MISSING_VOLUME: 'inputMode volume_m3 needs inputVolumeM3 (m3)',
};

/** Refuses an amount of another mode than the one that is asked for. */
export function refuseMisfit(amounts: Amounts): void {
  const misfit = misfitAmount(amounts);
  if (misfit)
    throw refuse(misfit.code, `${misfit.field} does not go with inputMode ${amounts.inputMode}.`, {
      hint: `Give the amount of one mode only: leave ${misfit.field} out, or choose its mode.`,
      field: misfit.field,
    });
}

/** Refuses a mode without its amount; `orEnd` where an end may stand for the minutes. */
export function refuseMissing(amounts: Amounts, { orEnd = false } = {}): void {
  const missing = missingAmount(amounts);
  if (!missing) return;
  const instead = orEnd && missing.code === 'MISSING_DURATION' ? ' or endedAt' : '';
  throw refuse(missing.code, `${NEEDS[missing.code]}${instead}.`, {
    hint: `Ask for the amount and pass ${missing.field}.`,
    field: missing.field,
  });
}
