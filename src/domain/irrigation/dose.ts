import type { Amount, InputMode } from './watering-amount.ts';

export const IRRIGATION_SYSTEMS = [
  'drip',
  'micro_sprinkler',
  'sprinkler',
  'pivot',
  'gravity',
  'manual',
  'other',
] as const;
export type IrrigationSystem = (typeof IRRIGATION_SYSTEMS)[number];

export const MISSING_DOSE_REASONS = [
  'NO_INSTALLATION',
  'MISSING_FLOW_RATE',
  'MISSING_IRRIGATED_AREA',
] as const;
export type MissingDoseReason = (typeof MISSING_DOSE_REASONS)[number];

export const IRRIGATION_WARNINGS = [...MISSING_DOSE_REASONS, 'DEFAULT_FRACTION_WETTED'] as const;
export type IrrigationWarning = (typeof IRRIGATION_WARNINGS)[number];

export interface DoseEquipment {
  readonly id: number;
  readonly scope: 'module' | 'parcel';
  readonly system: IrrigationSystem;
  readonly flowMmPerH: number | null;
  readonly fractionWetted: number;
  readonly fractionWettedIsDefault: boolean;
  readonly irrigatedAreaM2: number | null;
}

interface DoseSnapshot {
  readonly installationId: number | null;
  readonly scope: 'module' | 'parcel' | null;
  readonly system: IrrigationSystem | null;
  readonly flowMmPerH: number | null;
  readonly fractionWetted: number | null;
  readonly fractionWettedIsDefault: boolean;
  readonly irrigatedAreaM2: number | null;
  readonly computedAt: number;
}

export interface Dose {
  readonly waterMm: number | null;
  readonly waterMmWetted: number | null;
  readonly snapshot: DoseSnapshot | null;
}

/** The dose in mm over the total area. Sources: spec, "Watering event", and docs/doses.md. */
export function computeDoseMm(
  { mode, value }: Amount,
  equipment: DoseEquipment | null,
): number | null {
  switch (mode) {
    case 'depth_mm':
      return value;
    case 'duration':
      return equipment?.flowMmPerH == null ? null : (equipment.flowMmPerH * value) / 60;
    case 'volume_m3':
      return equipment?.irrigatedAreaM2 == null
        ? null
        : finiteOrNull((value * 1000) / equipment.irrigatedAreaM2);
  }
}

/** Division by a tiny area or fraction may overflow to infinity. */
const finiteOrNull = (mm: number): number | null => (Number.isFinite(mm) ? mm : null);

/** The dose over the wetted fraction of the area, in mm. Null if the whole area is wetted. */
export function computeWettedDoseMm(
  totalMm: number | null,
  equipment: DoseEquipment | null,
): number | null {
  if (totalMm === null || equipment === null || equipment.fractionWetted === 1) return null;
  return finiteOrNull(totalMm / equipment.fractionWetted);
}

export function computeDose(amount: Amount, equipment: DoseEquipment | null, now: number): Dose {
  const waterMm = computeDoseMm(amount, equipment);
  return {
    waterMm,
    waterMmWetted: computeWettedDoseMm(waterMm, equipment),
    snapshot: doseSnapshot(waterMm, equipment, now),
  };
}

const NO_EQUIPMENT = {
  id: null,
  scope: null,
  system: null,
  flowMmPerH: null,
  fractionWetted: null,
  fractionWettedIsDefault: false,
  irrigatedAreaM2: null,
};

function doseSnapshot(
  waterMm: number | null,
  equipment: DoseEquipment | null,
  computedAt: number,
): DoseSnapshot | null {
  if (equipment === null && waterMm === null) return null;

  const applied = equipment ?? NO_EQUIPMENT;
  return {
    installationId: applied.id,
    scope: applied.scope,
    system: applied.system,
    flowMmPerH: applied.flowMmPerH,
    fractionWetted: applied.fractionWetted,
    fractionWettedIsDefault: applied.fractionWettedIsDefault,
    irrigatedAreaM2: applied.irrigatedAreaM2,
    computedAt,
  };
}

export const sumDoses = (doses: readonly (number | null)[]): number | null =>
  doses.reduce<number | null>((sum, mm) => (sum === null || mm === null ? null : sum + mm), 0);

export const missingDoseReason = (mode: InputMode, hasEquipment: boolean): MissingDoseReason => {
  if (!hasEquipment) return 'NO_INSTALLATION';
  return mode === 'duration' ? 'MISSING_FLOW_RATE' : 'MISSING_IRRIGATED_AREA';
};

export function doseWarnings(mode: InputMode, dose: Dose): IrrigationWarning[] {
  const { snapshot } = dose;
  if (snapshot === null || snapshot.installationId === null) return ['NO_INSTALLATION'];
  if (dose.waterMm === null) return [missingDoseReason(mode, true)];
  return dose.waterMmWetted !== null && snapshot.fractionWettedIsDefault
    ? ['DEFAULT_FRACTION_WETTED']
    : [];
}

/**
 * Fills in a missing total, or a wetted dose that is missing because no equipment applied. Null if
 * nothing changes.
 */
export function completeDose(
  amount: Amount,
  recorded: Dose,
  equipment: DoseEquipment | null,
  now: number,
): Dose | null {
  if (equipment === null) return null;
  if (recorded.waterMm === null) {
    const dose = computeDose(amount, equipment, now);
    return dose.waterMm === null ? null : dose;
  }
  return recorded.snapshot?.installationId == null ? computeDose(amount, equipment, now) : null;
}
