import { groupBy } from '../groups.ts';
import { DAY_MS } from '../periods.ts';
import { type Dose, type DoseSetup, freezeDose } from './dose.ts';
import { type Slot, slotInstant, slotKeyLowerBound } from './recurrence.ts';
import { isSameAmount, type WateringInput } from './watering-amount.ts';

export const PLANNING_HORIZON_MS = 90 * DAY_MS;

/** The slot remains the key when a person moves the watering. */
export interface Occurrence extends WateringInput, Dose {
  readonly id: number;
  readonly moduleId: number;
  readonly slot: string;
  readonly startedAt: number;
  readonly status: 'planned' | 'done' | 'skipped';
  readonly isDetached: boolean;
}

export interface PlannedOccurrence {
  readonly moduleId: number;
  readonly slot: string;
  readonly startedAt: number;
  readonly input: WateringInput;
  readonly dose: Dose;
}

interface OccupiedSlot {
  readonly moduleId: number;
  readonly slot: string;
  /** The start of the watering; absent if a person edited it, who may have moved it. */
  readonly at?: number | undefined;
}

export interface ChangedOccurrence extends PlannedOccurrence {
  readonly id: number;
  /** Set when the instant changes. */
  readonly movedFrom: number | null;
  /** Only the amount or the dose changes. */
  readonly keepsSlotAndStart: boolean;
}

export interface RegenerationPlan {
  readonly add: readonly PlannedOccurrence[];
  readonly change: readonly ChangedOccurrence[];
  readonly remove: readonly Occurrence[];
  /**
   * Rows edited by a person whose start time the schedule change replaced: only their slot changes.
   */
  readonly rekey: readonly { readonly id: number; readonly slot: string }[];
  /** Rows after now that a person has edited, and that the plan does not change. */
  readonly detachedCount: number;
}

export interface OccurrenceWindow {
  readonly timezone: string;
  readonly input: WateringInput;
  readonly moduleIds: readonly number[];
  readonly slots: readonly Slot[];
  readonly setupAt: (moduleId: number, at: number) => DoseSetup | null;
  readonly now: number;
}

/** Maps each removed start time to the one that replaces it. */
export function pairStartTimes(
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<string, string> {
  const removed = before.filter((time) => !after.includes(time));
  const added = after.filter((time) => !before.includes(time));
  return new Map(removed.slice(0, added.length).map((time, index) => [time, added[index]!]));
}

function withReplacedTime(slot: string, pairs: ReadonlyMap<string, string>): string {
  const [date, time = ''] = slot.split('T');
  const newTime = pairs.get(time);
  return newTime === undefined ? slot : `${date}T${newTime}`;
}

/**
 * Finds the slots of a probe without an occurrence. Two slots at one instant (around a gap) are
 * one.
 */
function freeSlotFinder(
  { timezone, moduleIds, slots }: OccurrenceWindow,
  occupied: readonly OccupiedSlot[],
) {
  const byModule = groupBy(occupied, ({ moduleId }) => moduleId);
  const instants = new Map<string, number>();

  const instantOf = (slot: string): number => {
    let at = instants.get(slot);
    if (at === undefined) {
      at = slotInstant(slot, timezone);
      instants.set(slot, at);
    }
    return at;
  };

  return (moduleId: number): Slot[] => {
    if (!moduleIds.includes(moduleId)) return [];
    const occupiedInstants = new Set<number>();
    for (const { slot, at } of byModule.get(moduleId) ?? []) {
      occupiedInstants.add(instantOf(slot));
      if (at !== undefined) occupiedInstants.add(at);
    }
    return slots.filter(({ startedAt }) => !occupiedInstants.has(startedAt));
  };
}

/**
 * A moved or skipped row still occupies its slot. `existing` must contain all rows of the schedule
 * whose slot is not before `slotKeyLowerBound` of the window's start.
 */
export function missingOccurrences(
  window: OccurrenceWindow,
  existing: readonly { readonly moduleId: number; readonly slot: string }[],
): PlannedOccurrence[] {
  const freeSlotsOf = freeSlotFinder(window, existing);
  const planOccurrence = occurrencePlanner(window);
  return window.moduleIds.flatMap((moduleId) =>
    freeSlotsOf(moduleId).map((slot) => planOccurrence(moduleId, slot)),
  );
}

export interface PlannedCount {
  readonly count: number;
  readonly withoutDose: number;
  /** The first start, in ms; null without any. */
  readonly nextAt: number | null;
}

/**
 * Counts the occurrences of all slots, regardless of what is stored. They may be hundreds of
 * thousands.
 */
export function countOccurrences({
  moduleIds,
  slots,
  setupAt,
  input,
  now,
}: OccurrenceWindow): PlannedCount {
  const hasDose = new Map<DoseSetup | null, boolean>();
  let withoutDose = 0;

  for (const moduleId of moduleIds)
    for (const { startedAt } of slots) {
      const setup = setupAt(moduleId, startedAt);
      if (!hasDose.has(setup))
        hasDose.set(setup, freezeDose(input.amount, setup, now).waterMm !== null);
      if (!hasDose.get(setup)) withoutDose++;
    }

  const count = moduleIds.length * slots.length;
  return { count, withoutDose, nextAt: count === 0 ? null : slots[0]!.startedAt };
}

/** Occurrences with the same setup share one dose object. */
function occurrencePlanner({ input, setupAt, now }: OccurrenceWindow) {
  const doses = new Map<DoseSetup | null, Dose>();
  return (moduleId: number, { slot, startedAt }: Slot): PlannedOccurrence => {
    const setup = setupAt(moduleId, startedAt);
    const dose = doses.get(setup) ?? freezeDose(input.amount, setup, now);
    doses.set(setup, dose);
    return { moduleId, slot, startedAt, input, dose };
  };
}

/**
 * Changes only planned rows after now that no person has edited. `rows` must contain all rows of
 * the schedule that start after now or whose slot is not before `slotKeyLowerBound` of now; the
 * window reaches from now to the end of what has been planned.
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
  const newKeys = new Map(rekey.map(({ id, slot }) => [id, slot]));
  const occupied = untouched.map(({ id, moduleId, slot, startedAt, isDetached }) => ({
    moduleId,
    slot: newKeys.get(id) ?? slot,
    at: isDetached ? undefined : startedAt,
  }));
  const freeSlotsOf = freeSlotFinder(window, occupied);

  const planOccurrence = occurrencePlanner(window);
  const replannedByModule = groupBy(rows.filter(isReplanned), ({ moduleId }) => moduleId);
  const add: PlannedOccurrence[] = [];
  const change: ChangedOccurrence[] = [];
  const remove: Occurrence[] = [];

  for (const moduleId of new Set([...window.moduleIds, ...replannedByModule.keys()])) {
    const moduleRows = replannedByModule.get(moduleId) ?? [];
    const { assigned, free } = assignSlots(moduleRows, freeSlotsOf(moduleId), pairs);

    for (const row of moduleRows) {
      const slot = assigned.get(row.id);
      if (slot === undefined) {
        remove.push(row);
        continue;
      }

      const next = planOccurrence(moduleId, slot);
      if (isUnchanged(row, next)) continue;

      const isMoved = row.startedAt !== next.startedAt;
      const keepsSlotAndStart = !isMoved && row.slot === next.slot;
      change.push({
        ...next,
        id: row.id,
        movedFrom: isMoved ? row.startedAt : null,
        keepsSlotAndStart,
      });
    }

    add.push(...free.map((slot) => planOccurrence(moduleId, slot)));
  }

  const detachedCount = rows.filter((row) => row.isDetached && row.startedAt > window.now).length;
  return { add, change, remove, rekey, detachedCount };
}

/**
 * Prefers the row's own slot, with the new start time if its start time was replaced, and then a
 * slot at the same instant (around a gap).
 */
function assignSlots(
  rows: readonly Occurrence[],
  slots: readonly Slot[],
  pairs: ReadonlyMap<string, string>,
) {
  const free = new Map(slots.map((slot) => [slot.slot, slot]));
  const assigned = new Map<number, Slot>();
  const assign = (row: Occurrence, slot: Slot | undefined): void => {
    if (slot !== undefined && free.delete(slot.slot)) assigned.set(row.id, slot);
  };
  for (const row of rows) assign(row, free.get(withReplacedTime(row.slot, pairs)));
  const byInstant = new Map([...free.values()].map((slot) => [slot.startedAt, slot]));
  for (const row of rows) if (!assigned.has(row.id)) assign(row, byInstant.get(row.startedAt));
  return { assigned, free: [...free.values()] };
}

/** Includes rows earlier today, because their time may be replaced by one that is still ahead. */
function planRekeys(
  { timezone, now }: OccurrenceWindow,
  untouched: readonly Occurrence[],
  pairs: ReadonlyMap<string, string>,
): RegenerationPlan['rekey'] {
  const keyOf = (moduleId: number, slot: string): string => `${moduleId} ${slot}`;

  const usedKeys = new Set(untouched.map(({ moduleId, slot }) => keyOf(moduleId, slot)));
  const earliestKey = slotKeyLowerBound(now, timezone);
  const rekey: RegenerationPlan['rekey'][number][] = [];

  for (const { id, moduleId, slot: before, isDetached } of untouched) {
    const slot = withReplacedTime(before, pairs);
    if (
      !isDetached ||
      slot === before ||
      before < earliestKey ||
      usedKeys.has(keyOf(moduleId, slot))
    )
      continue;

    usedKeys.add(keyOf(moduleId, slot));
    rekey.push({ id, slot });
  }

  return rekey;
}

function isUnchanged(row: Occurrence, next: PlannedOccurrence): boolean {
  const { waterMm, waterMmWetted, snapshot } = next.dose;
  return (
    row.slot === next.slot &&
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
