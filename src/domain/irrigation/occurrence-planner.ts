import { groupBy } from '../groups.ts';
import { firstOf } from '../items.ts';
import { DAY_MS } from '../periods.ts';
import { computeDose, type Dose, type DoseEquipment } from './dose.ts';
import { instantOfStart, type ScheduledTime } from './recurrence.ts';
import type { WateringInput } from './watering-amount.ts';

export const PLANNING_PERIOD_MS = 90 * DAY_MS;

/** The scheduled start remains the key when a person moves the watering. */
export interface Occurrence extends WateringInput, Dose {
  readonly id: number;
  /** Null on a parcel that has no probe, here and below. */
  readonly moduleId: number | null;
  readonly scheduledStart: string;
  readonly startedAt: number;
  readonly status: 'planned' | 'done' | 'skipped';
  readonly isDetached: boolean;
}

export interface PlannedOccurrence {
  readonly moduleId: number | null;
  readonly scheduledStart: string;
  readonly startedAt: number;
  readonly input: WateringInput;
  readonly dose: Dose;
}

export interface OccurrenceWindow {
  readonly timezone: string;
  readonly input: WateringInput;
  readonly moduleIds: readonly (number | null)[];
  readonly times: readonly ScheduledTime[];
  readonly equipmentAt: (moduleId: number | null, at: number) => DoseEquipment | null;
  readonly now: number;
}

interface OccupiedStart {
  readonly moduleId: number | null;
  readonly scheduledStart: string;
  /** The start of the watering; absent if a person edited it, who may have moved it. */
  readonly at?: number | undefined;
}

/**
 * Finds the times of a probe without an occurrence. Two times at one instant (around a gap) are
 * one.
 */
export function freeTimeFinder(
  { timezone, moduleIds, times }: OccurrenceWindow,
  occupied: readonly OccupiedStart[],
) {
  const byModule = groupBy(occupied, ({ moduleId }) => moduleId);
  const instants = new Map<string, number>();

  const instantOf = (scheduledStart: string): number => {
    let at = instants.get(scheduledStart);
    if (at === undefined) {
      at = instantOfStart(scheduledStart, timezone);
      instants.set(scheduledStart, at);
    }
    return at;
  };

  return (moduleId: number | null): ScheduledTime[] => {
    if (!moduleIds.includes(moduleId)) return [];
    const occupiedInstants = new Set<number>();
    for (const { scheduledStart, at } of byModule.get(moduleId) ?? []) {
      occupiedInstants.add(instantOf(scheduledStart));
      if (at !== undefined) occupiedInstants.add(at);
    }
    return times.filter(({ startedAt }) => !occupiedInstants.has(startedAt));
  };
}

/**
 * A moved or skipped row still occupies its scheduled start. `existing` must contain all rows of
 * the schedule whose scheduled start is not before `earliestScheduledStart` of the window's start.
 */
export function missingOccurrences(
  window: OccurrenceWindow,
  existing: readonly { readonly moduleId: number | null; readonly scheduledStart: string }[],
): PlannedOccurrence[] {
  const freeTimesOf = freeTimeFinder(window, existing);
  const planOccurrence = occurrencePlanner(window);
  return window.moduleIds.flatMap((moduleId) =>
    freeTimesOf(moduleId).map((time) => planOccurrence(moduleId, time)),
  );
}

export interface PlannedCount {
  readonly count: number;
  /** 0 for a parcel that has none. */
  readonly probes: number;
  readonly withoutDose: number;
  /** How many of them have a dose that lacks any equipment. */
  readonly withoutEquipment: number;
  /** The first start, in ms; null without any. */
  readonly nextAt: number | null;
}

/**
 * Counts the occurrences of all times, regardless of what is stored. They may be hundreds of
 * thousands.
 */
export function countOccurrences({
  moduleIds,
  times,
  equipmentAt,
  input,
  now,
}: OccurrenceWindow): PlannedCount {
  const hasDose = new Map<DoseEquipment | null, boolean>();
  let withoutDose = 0;
  let withoutEquipment = 0;

  for (const moduleId of moduleIds)
    for (const { startedAt } of times) {
      const equipment = equipmentAt(moduleId, startedAt);
      if (!hasDose.has(equipment))
        hasDose.set(equipment, computeDose(input.amount, equipment, now).waterMm !== null);
      if (hasDose.get(equipment)) continue;
      withoutDose++;
      if (equipment === null) withoutEquipment++;
    }

  const count = moduleIds.length * times.length;
  const nextAt = count === 0 ? null : firstOf(times).startedAt;
  const probes = moduleIds.filter((moduleId) => moduleId !== null).length;
  return { count, probes, withoutDose, withoutEquipment, nextAt };
}

/** Occurrences with the same equipment share one dose object. */
export function occurrencePlanner({ input, equipmentAt, now }: OccurrenceWindow) {
  const doses = new Map<DoseEquipment | null, Dose>();
  return (
    moduleId: number | null,
    { scheduledStart, startedAt }: ScheduledTime,
  ): PlannedOccurrence => {
    const equipment = equipmentAt(moduleId, startedAt);
    const dose = doses.get(equipment) ?? computeDose(input.amount, equipment, now);
    doses.set(equipment, dose);
    return { moduleId, scheduledStart, startedAt, input, dose };
  };
}
