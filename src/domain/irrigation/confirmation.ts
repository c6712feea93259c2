import { PLANNING_PERIOD_MS } from './occurrence-planner.ts';

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
