import { MISSING_DOSE_REASONS, type MissingDoseReason, sumDoses } from '../irrigation/dose.ts';
import { PLANNING_PERIOD_MS } from '../irrigation/occurrences.ts';

/** Null where unknown. */
interface WaterNeed {
  /** The depth over the whole area. */
  readonly waterMm: number | null;
  readonly daysToStress: number | null;
}

/** The water is split equally over `days`. */
export function needsWaterToday(
  { waterMm, daysToStress }: WaterNeed,
  plannedTodayMm: readonly (number | null)[],
  days = 1,
): boolean {
  if (daysToStress === null || daysToStress > 1) return false;
  const plannedMm = plannedTodayMm.reduce<number>((sum, mm) => sum + (mm ?? 0), 0);
  return waterMm === null || plannedMm < waterMm / days;
}

/**
 * The water still needed after the doses planned today, and today's share of it. If a dose is
 * unknown, none counts.
 */
export function remainingNeed(
  { waterMm, durationMin }: Pick<WaterNeed, 'waterMm'> & { readonly durationMin: number | null },
  plannedTodayMm: readonly (number | null)[],
  days = 1,
): { mm: number | null; minutes: number | null; todayMin: number | null } {
  if (waterMm === null || waterMm === 0)
    return { mm: waterMm, minutes: durationMin, todayMin: durationMin };
  const plannedMm = sumDoses(plannedTodayMm) ?? 0;
  const mm = waterMm - plannedMm;
  if (durationMin === null) return { mm, minutes: null, todayMin: null };
  const plannedMin = (durationMin * plannedMm) / waterMm;
  return { mm, minutes: durationMin - plannedMin, todayMin: durationMin / days - plannedMin };
}

export interface Span {
  readonly least: number;
  readonly most: number;
}

/** The extremes of the known values. */
export function spanOf(values: readonly (number | null)[]): Span | null {
  const knownValues = values.filter((value) => value !== null);
  return knownValues.length === 0
    ? null
    : { least: Math.min(...knownValues), most: Math.max(...knownValues) };
}

/**
 * Keeps the order of the probes. A probe with a setup of its own, or without a setup, has the key
 * null and is a group alone.
 */
export function groupBySharedEquipment<P>(
  probes: readonly P[],
  keyOf: (probe: P) => number | null,
): [P, ...P[]][] {
  const groups = new Map<P | number, [P, ...P[]]>();
  for (const probe of probes) {
    const key = keyOf(probe) ?? probe;
    const group = groups.get(key);
    if (group) group.push(probe);
    else groups.set(key, [probe]);
  }
  return [...groups.values()];
}

/** The most urgent first. */
export const compareByNeed = (a: WaterNeed, b: WaterNeed): number =>
  (a.daysToStress ?? 0) - (b.daysToStress ?? 0) || (b.waterMm ?? 0) - (a.waterMm ?? 0);

interface AlertShortfall {
  /** % of volume, as decimal text. */
  readonly threshold: string;
  readonly value_vwc: number | null;
}

/** The furthest below its threshold first, unknown values last. */
export function compareByShortfall(a: AlertShortfall, b: AlertShortfall): number {
  if (a.value_vwc === null || b.value_vwc === null)
    return Number(a.value_vwc === null) - Number(b.value_vwc === null);
  return Number(b.threshold) - b.value_vwc - (Number(a.threshold) - a.value_vwc);
}

export function compareLatestFirst(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? 1 : -1;
}

/** A list of the brief names at most this many probes. */
export const MAX_NAMED_PROBES = 8;

export function topRows<T>(
  rows: readonly T[],
  limit: number,
  order: (a: T, b: T) => number,
): { rows: T[]; leftOut: number } {
  return { rows: [...rows].sort(order).slice(0, limit), leftOut: Math.max(0, rows.length - limit) };
}

export interface ConfirmationSettings {
  readonly confirmationPolicy: 'auto' | 'manual';
  readonly isActive: boolean;
  readonly materializedUntil: number | null;
}

/** A watering that was already planned when its schedule was last updated waits for a person. */
export const isConfirmedAutomatically = (
  startedAt: number,
  isDetached: boolean,
  schedule: ConfirmationSettings | undefined,
): boolean =>
  schedule !== undefined &&
  !isDetached &&
  schedule.isActive &&
  schedule.confirmationPolicy === 'auto' &&
  schedule.materializedUntil !== null &&
  startedAt > schedule.materializedUntil - PLANNING_PERIOD_MS;

export function mostCommonReason(reasons: readonly MissingDoseReason[]): MissingDoseReason {
  const count = (reason: MissingDoseReason): number =>
    reasons.filter((other) => other === reason).length;
  return MISSING_DOSE_REASONS.reduce((most, reason) =>
    count(reason) > count(most) ? reason : most,
  );
}
