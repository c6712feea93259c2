import type { Dose } from '../../domain/irrigation/dose.ts';
import {
  AMOUNT_FIELDS,
  type Amount,
  type InputMode,
  mismatchedAmount,
  resolveInput,
  type SentAmounts,
  type WateringInput,
} from '../../domain/irrigation/watering-amount.ts';
import { invalidInput } from '../../schema/error.ts';

/** More in one watering is an error of unit or of equipment. */
const MAX_DOSE_MM = 10_000;

/** Throws the code of the amount for a dose in mm that no watering has. */
export function refuseImplausibleDose({ mode, value }: Amount, { waterMm }: Pick<Dose, 'waterMm'>): void {
  if (waterMm === null || waterMm <= MAX_DOSE_MM) return;
  const { field, symbol, invalid } = AMOUNT_FIELDS[mode];
  throw invalidInput(
    invalid,
    `${value} ${symbol} would be a dose of ${Math.round(waterMm)} mm with this equipment; the maximum is ${MAX_DOSE_MM} mm.`,
    { hint: `Check ${field}, then the flow and the irrigated area with get_irrigation_setup.`, field },
  );
}

export function refuseAmountOfOtherMode(mode: InputMode, amounts: SentAmounts): void {
  const mismatch = mismatchedAmount(mode, amounts);
  if (mismatch)
    throw invalidInput(mismatch.code, `${mismatch.field} does not go with inputMode ${mode}.`, {
      hint: `Give the amount of one mode only: leave ${mismatch.field} out, or choose its mode.`,
      field: mismatch.field,
    });
}

export function requireInput(
  mode: InputMode,
  amounts: SentAmounts,
  { current, orEnd = false }: { current?: WateringInput; orEnd?: boolean } = {},
): WateringInput {
  const input = resolveInput(mode, amounts, current);
  if (!('refusal' in input)) return input;
  const { missing, field, unit } = input.refusal;
  const alternative = orEnd && mode === 'duration' ? ' or endedAt' : '';
  throw invalidInput(missing, `inputMode ${mode} needs ${field} (${unit})${alternative}.`, {
    hint: `Ask for the amount and pass ${field}.`,
    field,
  });
}
