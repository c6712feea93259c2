import { groupBy } from '../groups.ts';
import { firstOf, itemAt } from '../items.ts';
import { DAY_MS } from '../periods.ts';
import { computeDose, type Dose, type DoseEquipment } from './dose.ts';
import { earliestScheduledStart, instantOfStart, type ScheduledTime } from './recurrence.ts';
import { isSameAmount, type WateringInput } from './watering-amount.ts';

export const PLANNING_PERIOD_MS = 90 * DAY_MS;

/** The scheduled start remains the key when a person moves the watering. */
export interface Occurrence extends WateringInput, Dose {
  readonly id: number;
  readonly moduleId: number;
  readonly scheduledStart: string;
  readonly startedAt: number;
  readonly status: 'planned' | 'done' | 'skipped';
  readonly isDetached: boolean;
}

export interface PlannedOccurrence {
  readonly moduleId: number;
  readonly scheduledStart: string;
  readonly startedAt: number;
  readonly input: WateringInput;
  readonly dose: Dose;
}

interface OccupiedStart {
  readonly moduleId: number;
  readonly scheduledStart: string;
  /** The start of the watering; absent if a person edited it, who may have moved it. */
  readonly at?: number | undefined;
}

export interface ChangedOccurrence extends PlannedOccurrence {
  readonly id: number;
  /** Set when the instant changes. */
  readonly movedFrom: number | null;
  /** Only the amount or the dose changes. */
  readonly keepsStart: boolean;
}

export interface RegenerationPlan {
  readonly add: readonly PlannedOccurrence[];
  readonly change: readonly ChangedOccurrence[];
  readonly remove: readonly Occurrence[];
  /**
   * Rows edited by a person whose start time the schedule change replaced: only their scheduled
   * start changes.
   */
  readonly rekey: readonly { readonly id: number; readonly scheduledStart: string }[];
  /** Rows after now that a person has edited, and that the plan does not change. */
  readonly detachedCount: number;
}

export interface OccurrenceWindow {
  readonly timezone: string;
  readonly input: WateringInput;
  readonly moduleIds: readonly number[];
  readonly times: readonly ScheduledTime[];
  readonly equipmentAt: (moduleId: number, at: number) => DoseEquipment | null;
  readonly now: number;
}

/** Maps each removed start time to the one that replaces it. */
export function pairStartTimes(
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<string, string> {
  const removed = before.filter((time) => !after.includes(time));
  const added = after.filter((time) => !before.includes(time));
  return new Map(removed.slice(0, added.length).map((time, index) => [time, itemAt(added, index)]));
}

function withReplacedTime(scheduledStart: string, pairs: ReadonlyMap<string, string>): string {
  const [date, time = ''] = scheduledStart.split('T');
  const newTime = pairs.get(time);
  return newTime === undefined ? scheduledStart : `${date}T${newTime}`;
}

/**
 * Finds the times of a probe without an occurrence. Two times at one instant (around a gap) are
 * one.
 */
function freeTimeFinder(
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

  return (moduleId: number): ScheduledTime[] => {
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
  existing: readonly { readonly moduleId: number; readonly scheduledStart: string }[],
): PlannedOccurrence[] {
  const freeTimesOf = freeTimeFinder(window, existing);
  const planOccurrence = occurrencePlanner(window);
  return window.moduleIds.flatMap((moduleId) =>
    freeTimesOf(moduleId).map((scheduledStart) => planOccurrence(moduleId, scheduledStart)),
  );
}

export interface PlannedCount {
  readonly count: number;
  readonly withoutDose: number;
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

  for (const moduleId of moduleIds)
    for (const { startedAt } of times) {
      const equipment = equipmentAt(moduleId, startedAt);
      if (!hasDose.has(equipment))
        hasDose.set(equipment, computeDose(input.amount, equipment, now).waterMm !== null);
      if (!hasDose.get(equipment)) withoutDose++;
    }

  const count = moduleIds.length * times.length;
  return { count, withoutDose, nextAt: count === 0 ? null : firstOf(times).startedAt };
}

/** Occurrences with the same equipment share one dose object. */
function occurrencePlanner({ input, equipmentAt, now }: OccurrenceWindow) {
  const doses = new Map<DoseEquipment | null, Dose>();
  return (moduleId: number, { scheduledStart, startedAt }: ScheduledTime): PlannedOccurrence => {
    const equipment = equipmentAt(moduleId, startedAt);
    const dose = doses.get(equipment) ?? computeDose(input.amount, equipment, now);
    doses.set(equipment, dose);
    return { moduleId, scheduledStart, startedAt, input, dose };
  };
}

/**
 * Changes only planned rows after now that no person has edited. `rows` must contain all rows of
 * the schedule that start after now or whose scheduled start is not before `earliestScheduledStart`
 * of now; the window reaches from now to the end of what has been planned.
 */
export function planRegeneration(
  window: OccurrenceWindow,
  rows: readonly Occurrence[],
  pairs: ReadonlyMap<string, string> = new Map(),
): RegenerationPlan {
  const isReplanned = (row: Occurrence): boolean =>
    row.status === 'planned' && !row.isDetached && row.startedAt > window.now;

  const untouched = rows.filter((row) => !isReplanned(row));
  const rekey = planRekeys(window, untouched, pairs);
  const newKeys = new Map(rekey.map(({ id, scheduledStart }) => [id, scheduledStart]));
  const occupied = untouched.map(({ id, moduleId, scheduledStart, startedAt, isDetached }) => ({
    moduleId,
    scheduledStart: newKeys.get(id) ?? scheduledStart,
    at: isDetached ? undefined : startedAt,
  }));
  const freeTimesOf = freeTimeFinder(window, occupied);

  const planOccurrence = occurrencePlanner(window);
  const replannedByModule = groupBy(rows.filter(isReplanned), ({ moduleId }) => moduleId);
  const add: PlannedOccurrence[] = [];
  const change: ChangedOccurrence[] = [];
  const remove: Occurrence[] = [];

  for (const moduleId of new Set([...window.moduleIds, ...replannedByModule.keys()])) {
    const moduleRows = replannedByModule.get(moduleId) ?? [];
    const { assigned, free } = assignTimes(moduleRows, freeTimesOf(moduleId), pairs);

    for (const row of moduleRows) {
      const scheduledStart = assigned.get(row.id);
      if (scheduledStart === undefined) {
        remove.push(row);
        continue;
      }

      const next = planOccurrence(moduleId, scheduledStart);
      if (isUnchanged(row, next)) continue;

      const isMoved = row.startedAt !== next.startedAt;
      const keepsStart = !isMoved && row.scheduledStart === next.scheduledStart;
      change.push({
        ...next,
        id: row.id,
        movedFrom: isMoved ? row.startedAt : null,
        keepsStart,
      });
    }

    add.push(...free.map((scheduledStart) => planOccurrence(moduleId, scheduledStart)));
  }

  const detachedCount = rows.filter((row) => row.isDetached && row.startedAt > window.now).length;
  return { add, change, remove, rekey, detachedCount };
}

/**
 * Prefers the row's own scheduled start, with the new start time if its start time was replaced,
 * and then a scheduled start at the same instant (around a gap).
 */
function assignTimes(
  rows: readonly Occurrence[],
  times: readonly ScheduledTime[],
  pairs: ReadonlyMap<string, string>,
) {
  const free = new Map(
    times.map((scheduledStart) => [scheduledStart.scheduledStart, scheduledStart]),
  );
  const assigned = new Map<number, ScheduledTime>();
  const assign = (row: Occurrence, scheduledStart: ScheduledTime | undefined): void => {
    if (scheduledStart !== undefined && free.delete(scheduledStart.scheduledStart))
      assigned.set(row.id, scheduledStart);
  };
  for (const row of rows) assign(row, free.get(withReplacedTime(row.scheduledStart, pairs)));
  const byInstant = new Map(
    [...free.values()].map((scheduledStart) => [scheduledStart.startedAt, scheduledStart]),
  );
  for (const row of rows) if (!assigned.has(row.id)) assign(row, byInstant.get(row.startedAt));
  return { assigned, free: [...free.values()] };
}

/** Includes rows earlier today, because their time may be replaced by one that is still ahead. */
function planRekeys(
  { timezone, now }: OccurrenceWindow,
  untouched: readonly Occurrence[],
  pairs: ReadonlyMap<string, string>,
): RegenerationPlan['rekey'] {
  const keyOf = (moduleId: number, scheduledStart: string): string =>
    `${moduleId} ${scheduledStart}`;

  const usedKeys = new Set(
    untouched.map(({ moduleId, scheduledStart }) => keyOf(moduleId, scheduledStart)),
  );
  const earliestKey = earliestScheduledStart(now, timezone);
  const rekey: RegenerationPlan['rekey'][number][] = [];

  for (const { id, moduleId, scheduledStart: before, isDetached } of untouched) {
    const scheduledStart = withReplacedTime(before, pairs);
    if (
      !isDetached ||
      scheduledStart === before ||
      before < earliestKey ||
      usedKeys.has(keyOf(moduleId, scheduledStart))
    )
      continue;

    usedKeys.add(keyOf(moduleId, scheduledStart));
    rekey.push({ id, scheduledStart });
  }

  return rekey;
}

function isUnchanged(row: Occurrence, next: PlannedOccurrence): boolean {
  const { waterMm, waterMmWetted, snapshot } = next.dose;
  return (
    row.scheduledStart === next.scheduledStart &&
    row.startedAt === next.startedAt &&
    isSameAmount(row.amount, next.input.amount) &&
    row.durationMin === next.input.durationMin &&
    row.waterMm === waterMm &&
    row.waterMmWetted === waterMmWetted &&
    isSameSnapshot(row.snapshot, snapshot)
  );
}

function isSameSnapshot(a: Dose['snapshot'], b: Dose['snapshot']): boolean {
  if (a === null || b === null) return a === b;

  const fields = [
    'installationId',
    'scope',
    'system',
    'flowMmPerH',
    'fractionWetted',
    'irrigatedAreaM2',
  ] as const;

  return (
    fields.every((field) => a[field] === b[field]) &&
    a.fractionWettedIsDefault === b.fractionWettedIsDefault
  );
}
