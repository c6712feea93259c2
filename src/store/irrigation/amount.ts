import type { InputMode, WateringInput } from '../../domain/irrigation/watering-amount.ts';
import type { CompanyTables } from '../tables.ts';

/** The column of the amount in each mode. A run time is in duration_min, beside any amount. */
const AMOUNT_COLUMNS = {
  duration: 'duration_min',
  depth_mm: 'input_depth_mm',
  volume_m3: 'input_volume_m3',
} as const satisfies Record<InputMode, keyof CompanyTables['waterings'] & keyof CompanyTables['schedules']>;

type AmountRow = { readonly input_mode: InputMode } & Readonly<
  Record<(typeof AMOUNT_COLUMNS)[InputMode], number | null>
>;

export function toWateringInput(row: AmountRow): WateringInput {
  const mode = row.input_mode;
  return { amount: { mode, value: row[AMOUNT_COLUMNS[mode]]! }, durationMin: row.duration_min };
}

export const amountColumns = ({ amount, durationMin }: WateringInput) => ({
  input_mode: amount.mode,
  duration_min: durationMin,
  input_depth_mm: amount.mode === 'depth_mm' ? amount.value : null,
  input_volume_m3: amount.mode === 'volume_m3' ? amount.value : null,
});
