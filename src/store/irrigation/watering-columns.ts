import type { Selectable } from 'kysely';
import type { Dose } from '../../domain/irrigation/dose.ts';
import type { InputMode, WateringInput } from '../../domain/irrigation/watering-amount.ts';
import { type CompanyTables, toFlag } from '../tables.ts';

/**
 * The column of the amount in each mode. Beside an amount of any mode, duration_min may hold the
 * run time.
 */
const AMOUNT_COLUMNS = {
  duration: 'duration_min',
  depth_mm: 'input_depth_mm',
  volume_m3: 'input_volume_m3',
} as const satisfies Record<
  InputMode,
  keyof CompanyTables['waterings'] & keyof CompanyTables['schedules']
>;

type AmountRow = { readonly input_mode: InputMode } & Readonly<
  Record<(typeof AMOUNT_COLUMNS)[InputMode], number | null>
>;

export function toWateringInput(row: AmountRow): WateringInput {
  const mode = row.input_mode;
  // The schemas of entries require the amount of their mode; the database does not check it.
  return { amount: { mode, value: row[AMOUNT_COLUMNS[mode]]! }, durationMin: row.duration_min };
}

export const amountColumns = ({ amount, durationMin }: WateringInput) => ({
  input_mode: amount.mode,
  duration_min: durationMin,
  input_depth_mm: amount.mode === 'depth_mm' ? amount.value : null,
  input_volume_m3: amount.mode === 'volume_m3' ? amount.value : null,
});

export type StoredWateringRow = Selectable<CompanyTables['waterings']>;

export const toDose = (
  row: Pick<StoredWateringRow, keyof ReturnType<typeof doseColumns>>,
): Dose => ({
  waterMm: row.water_mm,
  waterMmWetted: row.water_mm_wetted,
  snapshot:
    row.dose_computed_at === null
      ? null
      : {
          installationId: row.dose_installation_id,
          scope: row.dose_scope,
          system: row.dose_system,
          flowMmPerH: row.dose_flow_mm_per_h,
          fractionWetted: row.dose_fraction_wetted,
          fractionWettedIsDefault: row.dose_fraction_wetted_is_default === 1,
          irrigatedAreaM2: row.dose_irrigated_area_m2,
          computedAt: row.dose_computed_at,
        },
});

export const doseColumns = ({ waterMm, waterMmWetted, snapshot }: Dose) => ({
  water_mm: waterMm,
  water_mm_wetted: waterMmWetted,
  dose_installation_id: snapshot?.installationId ?? null,
  dose_scope: snapshot?.scope ?? null,
  dose_system: snapshot?.system ?? null,
  dose_flow_mm_per_h: snapshot?.flowMmPerH ?? null,
  dose_fraction_wetted: snapshot?.fractionWetted ?? null,
  dose_fraction_wetted_is_default: toFlag(snapshot?.fractionWettedIsDefault ?? false),
  dose_irrigated_area_m2: snapshot?.irrigatedAreaM2 ?? null,
  dose_computed_at: snapshot?.computedAt ?? null,
});
