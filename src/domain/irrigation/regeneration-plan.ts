import { groupBy } from '../groups.ts';
import { itemAt } from '../items.ts';
import type { Dose } from './dose.ts';
import {
  freeTimeFinder,
  type Occurrence,
  type OccurrenceWindow,
  occurrencePlanner,
  type PlannedOccurrence,
} from './occurrence-planner.ts';
import { earliestScheduledStart, type ScheduledTime } from './recurrence.ts';
import { isSameAmount } from './watering-amount.ts';

export interface ChangedOccurrence extends PlannedOccurrence {
  readonly id: number;
  /** Set when the instant changes. */
  readonly movedFrom: number | null;
  /** Only the amount or the dose changes. */
  readonly keepsStart: boolean;
}

interface NewScheduledStart {
  readonly id: number;
  readonly scheduledStart: string;
}

export interface RegenerationPlan {
  readonly add: readonly PlannedOccurrence[];
  readonly change: readonly ChangedOccurrence[];
  readonly remove: readonly Occurrence[];
  /**
   * Rows edited by a person whose start time the schedule change replaced: only their scheduled
   * start changes.
   */
  readonly newStarts: readonly NewScheduledStart[];
  /** Rows after now that a person has edited, and that the plan does not change. */
  readonly detachedCount: number;
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

function withReplacedTime(
  scheduledStart: string,
  replacedTimes: ReadonlyMap<string, string>,
): string {
  const [date, time = ''] = scheduledStart.split('T');
  const newTime = replacedTimes.get(time);
  return newTime === undefined ? scheduledStart : `${date}T${newTime}`;
}

/**
 * Changes only planned rows after now that no person has edited. `rows` must contain all rows of
 * the schedule that start after now or whose scheduled start is not before `earliestScheduledStart`
 * of now; the window reaches from now to the end of what has been planned; `replacedTimes` comes
 * from `pairStartTimes`.
 */
export function planRegeneration(
  window: OccurrenceWindow,
  rows: readonly Occurrence[],
  replacedTimes: ReadonlyMap<string, string> = new Map(),
): RegenerationPlan {
  const isReplanned = (row: Occurrence): boolean =>
    row.status === 'planned' && !row.isDetached && row.startedAt > window.now;

  const untouched = rows.filter((row) => !isReplanned(row));
  const newStarts = planNewStarts(window, untouched, replacedTimes);
  const newStartById = new Map(newStarts.map(({ id, scheduledStart }) => [id, scheduledStart]));
  const occupied = untouched.map(({ id, moduleId, scheduledStart, startedAt, isDetached }) => ({
    moduleId,
    scheduledStart: newStartById.get(id) ?? scheduledStart,
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
    const { assigned, free } = assignTimes(moduleRows, freeTimesOf(moduleId), replacedTimes);

    for (const row of moduleRows) {
      const time = assigned.get(row.id);
      if (time === undefined) {
        remove.push(row);
        continue;
      }

      const planned = planOccurrence(moduleId, time);
      if (isUnchanged(row, planned)) continue;

      const isMoved = row.startedAt !== planned.startedAt;
      const keepsStart = !isMoved && row.scheduledStart === planned.scheduledStart;
      change.push({
        ...planned,
        id: row.id,
        movedFrom: isMoved ? row.startedAt : null,
        keepsStart,
      });
    }

    add.push(...free.map((time) => planOccurrence(moduleId, time)));
  }

  const detachedCount = rows.filter((row) => row.isDetached && row.startedAt > window.now).length;
  return { add, change, remove, newStarts, detachedCount };
}

/**
 * Prefers the row's own scheduled start, with the new start time if its start time was replaced,
 * and then a scheduled start at the same instant (around a gap).
 */
function assignTimes(
  rows: readonly Occurrence[],
  times: readonly ScheduledTime[],
  replacedTimes: ReadonlyMap<string, string>,
) {
  const free = new Map(times.map((time) => [time.scheduledStart, time]));
  const assigned = new Map<number, ScheduledTime>();

  const assign = (row: Occurrence, time: ScheduledTime | undefined): void => {
    if (time !== undefined && free.delete(time.scheduledStart)) assigned.set(row.id, time);
  };

  for (const row of rows)
    assign(row, free.get(withReplacedTime(row.scheduledStart, replacedTimes)));

  const freeByInstant = new Map([...free.values()].map((time) => [time.startedAt, time]));
  for (const row of rows) if (!assigned.has(row.id)) assign(row, freeByInstant.get(row.startedAt));

  return { assigned, free: [...free.values()] };
}

/** Includes rows earlier today, because their time may be replaced by one that is still ahead. */
function planNewStarts(
  { timezone, now }: OccurrenceWindow,
  untouched: readonly Occurrence[],
  replacedTimes: ReadonlyMap<string, string>,
): NewScheduledStart[] {
  const keyOf = (moduleId: number | null, scheduledStart: string): string =>
    `${moduleId} ${scheduledStart}`;

  const usedKeys = new Set(
    untouched.map(({ moduleId, scheduledStart }) => keyOf(moduleId, scheduledStart)),
  );
  const earliestKey = earliestScheduledStart(now, timezone);
  const newStarts: NewScheduledStart[] = [];

  for (const { id, moduleId, scheduledStart: before, isDetached } of untouched) {
    const scheduledStart = withReplacedTime(before, replacedTimes);
    if (
      !isDetached ||
      scheduledStart === before ||
      before < earliestKey ||
      usedKeys.has(keyOf(moduleId, scheduledStart))
    )
      continue;

    usedKeys.add(keyOf(moduleId, scheduledStart));
    newStarts.push({ id, scheduledStart });
  }

  return newStarts;
}

function isUnchanged(row: Occurrence, planned: PlannedOccurrence): boolean {
  const { waterMm, waterMmWetted, snapshot } = planned.dose;
  return (
    row.scheduledStart === planned.scheduledStart &&
    row.startedAt === planned.startedAt &&
    isSameAmount(row.amount, planned.input.amount) &&
    row.durationMin === planned.input.durationMin &&
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
    'fractionWettedIsDefault',
    'irrigatedAreaM2',
  ] as const;

  return fields.every((field) => a[field] === b[field]);
}
