import {
  type InputMode,
  mismatchedAmount,
  resolveInput,
  type SentAmounts,
  type WateringInput,
} from '../../domain/irrigation/watering-amount.ts';
import { invalidInput } from '../../schema/error.ts';

export function refuseAmountOfOtherMode(mode: InputMode, sent: SentAmounts): void {
  const mismatch = mismatchedAmount(mode, sent);
  if (mismatch)
    throw invalidInput(mismatch.code, `${mismatch.field} does not go with inputMode ${mode}.`, {
      hint: `Give the amount of one mode only: leave ${mismatch.field} out, or choose its mode.`,
      field: mismatch.field,
    });
}

export function requireInput(
  mode: InputMode,
  sent: SentAmounts,
  { current, orEnd = false }: { current?: WateringInput; orEnd?: boolean } = {},
): WateringInput {
  const input = resolveInput(mode, sent, current);
  if (!('refusal' in input)) return input;
  const { missing, field, unit } = input.refusal;
  const alternative = orEnd && mode === 'duration' ? ' or endedAt' : '';
  throw invalidInput(missing, `inputMode ${mode} needs ${field} (${unit})${alternative}.`, {
    hint: `Ask for the amount and pass ${field}.`,
    field,
  });
}
