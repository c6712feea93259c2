/** What a morning brief tells, and in what order: the most urgent first, and no more than can be listened to. */
import { MISSING_DOSE_REASONS, type MissingDoseReason } from '../irrigation/dose.ts';
import { PLANNING_HORIZON_MS } from '../irrigation/occurrences.ts';

/** What is advised for a probe: mm over the whole area, and days until its stress point. Null where it is not known. */
export interface WaterNeed {
  readonly waterMm: number | null;
  readonly daysToStress: number | null;
}

/** Whether a probe is under stress, or will be within a day, beyond what is planned for it today; doses in mm, null unknown. */
export function needsWaterToday({ waterMm, daysToStress }: WaterNeed, planned: readonly (number | null)[]): boolean {
  if (daysToStress === null || daysToStress > 1) return false;
  const plannedMm = planned.reduce<number>((sum, mm) => sum + (mm ?? 0), 0);
  return waterMm === null || plannedMm < waterMm;
}

/** Sooner under stress first, then the one that lacks more. */
export const compareByNeed = (a: WaterNeed, b: WaterNeed): number =>
  (a.daysToStress ?? 0) - (b.daysToStress ?? 0) || (b.waterMm ?? 0) - (a.waterMm ?? 0);

/** A firing alert: its threshold, and the newest moisture, null where there is none; both in %. */
export interface AlertShortfall {
  readonly threshold: string;
  readonly value_vwc: number | null;
}

/** Further below its threshold first; one whose moisture is not known last. */
export function compareByShortfall(a: AlertShortfall, b: AlertShortfall): number {
  if (a.value_vwc === null || b.value_vwc === null) return Number(a.value_vwc === null) - Number(b.value_vwc === null);
  return Number(b.threshold) - b.value_vwc - (Number(a.threshold) - a.value_vwc);
}

/** The latest instant (ISO 8601 UTC) first, null last: what happened last night is news. */
export function compareLatestFirst(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? 1 : -1;
}

/** The first rows in an order, at most so many, and how many are left out; equals stay as they came. */
export function topRows<T>(
  rows: readonly T[],
  limit: number,
  order: (a: T, b: T) => number,
): { rows: T[]; leftOut: number } {
  return { rows: [...rows].sort(order).slice(0, limit), leftOut: Math.max(0, rows.length - limit) };
}

/** A schedule, as far as it tells what becomes of its waterings; in ms. */
export interface ConfirmationSettings {
  readonly confirmationPolicy: 'auto' | 'manual';
  readonly isActive: boolean;
  readonly materializedUntil: number | null;
}

/**
 * Whether a planned watering, begun at an instant (ms), counts as done without a word as soon as its schedule is looked
 * after. What a schedule left planned when that was last done waits for a person.
 */
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
  startedAt > schedule.materializedUntil - PLANNING_HORIZON_MS;

/** What most of the doses lack. */
export function mostCommonReason(reasons: readonly MissingDoseReason[]): MissingDoseReason {
  const count = (lack: MissingDoseReason): number => reasons.filter((each) => each === lack).length;
  return MISSING_DOSE_REASONS.reduce((most, each) => (count(each) > count(most) ? each : most));
}
