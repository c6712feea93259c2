import type { DoseEquipment } from '../../../src/domain/irrigation/dose.ts';
import {
  missingOccurrences,
  type Occurrence,
  type OccurrenceWindow,
  type PlannedOccurrence,
} from '../../../src/domain/irrigation/occurrence-planner.ts';
import { partsOf } from '../../../src/domain/irrigation/plan-parts.ts';
import {
  type Recurrence,
  scheduledTimesWithin,
} from '../../../src/domain/irrigation/recurrence.ts';
import {
  pairStartTimes,
  planRegeneration,
  type RegenerationPlan,
} from '../../../src/domain/irrigation/regeneration-plan.ts';
import type { WateringInput } from '../../../src/domain/irrigation/watering-amount.ts';
import { firstOf } from '../../../src/domain/items.ts';
import { DAY } from '../../time.ts';

/** A setup of 6 mm/h that wets everything, and changes to it. */
export const setup = (changes: Partial<DoseEquipment> = {}): DoseEquipment => ({
  id: 1,
  scope: 'module',
  system: 'sprinkler',
  flowMmPerH: 6,
  fractionWetted: 1,
  fractionWettedIsDefault: true,
  irrigatedAreaM2: null,
  ...changes,
});
export const minutes = (value: number): WateringInput => ({
  amount: { mode: 'duration', value },
  durationMin: value,
});
export const depth = (value: number): WateringInput => ({
  amount: { mode: 'depth_mm', value },
  durationMin: null,
});

/** One schedule with its rows: does what a store and a clock do around the two plans. */
export class ScheduleSimulation {
  rule: Recurrence;
  input: WateringInput = minutes(30);
  moduleIds: number[] = [1];
  isActive = true;
  now: number;
  materializedUntil: number;
  rows: Occurrence[] = [];
  /** Rates in mm/h of each probe, each from an instant on. */
  readonly rates = new Map<number, { from: number; flowMmPerH: number }[]>();
  readonly horizon: number;
  /** How many occurrences a regeneration writes before it plans again. */
  partSize = Number.POSITIVE_INFINITY;
  private lastId = 0;

  constructor(now: string, rule: Partial<Recurrence> = {}, horizon = 5 * DAY) {
    this.now = Date.parse(now);
    this.horizon = horizon;
    this.materializedUntil = this.now;
    this.rule = {
      freq: 'daily',
      intervalDays: 1,
      weekdays: null,
      startTimes: ['06:00'],
      timezone: 'Europe/Paris',
      startsOn: now.slice(0, 10),
      endsOn: null,
      ...rule,
    };
  }

  equipmentAt = (moduleId: number, at: number): DoseEquipment | null => {
    const rates = [{ from: 0, flowMmPerH: 6 }, ...(this.rates.get(moduleId) ?? [])];
    const id = rates.reduce(
      (best, { from }, i) => (from <= at && from >= rates[best]!.from ? i : best),
      0,
    );
    return setup({ id: id + 1, flowMmPerH: rates[id]!.flowMmPerH });
  };

  window(from = this.now): OccurrenceWindow {
    const times = this.isActive
      ? scheduledTimesWithin(this.rule, from, this.now + this.horizon)
      : [];
    const { rule, input, moduleIds, now } = this;
    const equipmentAt = (id: number | null, at: number) => this.equipmentAt(id!, at);
    return { timezone: rule.timezone, input, moduleIds, times, equipmentAt, now };
  }

  private write(planned: PlannedOccurrence, id: number): Occurrence {
    const { moduleId, scheduledStart, startedAt, input, dose } = planned;
    return {
      id,
      moduleId,
      scheduledStart,
      startedAt,
      status: 'planned',
      isDetached: false,
      ...input,
      ...dose,
    };
  }

  private put(row: Occurrence): void {
    const isOther = ({ moduleId, scheduledStart, id }: Occurrence): boolean =>
      moduleId === row.moduleId && scheduledStart === row.scheduledStart && id !== row.id;
    if (this.rows.some(isOther))
      throw new Error(`two rows for ${row.moduleId} ${row.scheduledStart}`);
    this.rows = [...this.rows.filter(({ id }) => id !== row.id), row].sort((a, b) => a.id - b.id);
  }

  apply(plan: RegenerationPlan): void {
    const removed = new Set(plan.remove.map(({ id }) => id));
    this.rows = this.rows.filter(({ id }) => !removed.has(id));
    for (const { id, scheduledStart } of plan.newStarts)
      this.put({ ...this.row(id), scheduledStart });
    for (const { id, ...planned } of plan.change) this.put(this.write(planned, id));
    for (const planned of plan.add) this.put(this.write(planned, ++this.lastId));
  }

  /** Plans up to the horizon, and confirms past rows. */
  settle(): void {
    if (!this.isActive) return;
    for (const planned of missingOccurrences(this.window(this.materializedUntil), this.rows))
      this.put(this.write(planned, ++this.lastId));
    this.materializedUntil = this.now + this.horizon;
    this.rows = this.rows.map((row) =>
      row.status === 'planned' && row.startedAt <= this.now ? { ...row, status: 'done' } : row,
    );
  }

  waitUntil(at: string | number): this {
    this.now = typeof at === 'number' ? at : Date.parse(at);
    this.settle();
    return this;
  }

  /** Changes the schedule or its equipment, and regenerates. */
  change(body: (schedule: ScheduleSimulation) => void): RegenerationPlan {
    this.settle();
    const before = this.rule.startTimes;
    body(this);
    const plan = this.regenerate(pairStartTimes(before, this.rule.startTimes));
    if (this.isActive) this.materializedUntil = this.now + this.horizon;
    return plan;
  }

  private regenerate(replacedTimes: ReadonlyMap<string, string>): RegenerationPlan {
    const plan = planRegeneration(this.window(), this.rows, replacedTimes);
    const { part, isLast } = firstOf([...partsOf(plan, this.partSize)]);
    this.apply(part);
    if (isLast) return plan;
    const rest = this.regenerate(replacedTimes);
    return {
      add: [...part.add, ...rest.add],
      change: [...part.change, ...rest.change],
      remove: [...part.remove, ...rest.remove],
      newStarts: [...part.newStarts, ...rest.newStarts],
      detachedCount: rest.detachedCount,
    };
  }

  rewrite(rule: Partial<Recurrence>): RegenerationPlan {
    return this.change((schedule) => {
      schedule.rule = { ...schedule.rule, ...rule };
    });
  }

  row(id: number): Occurrence {
    return this.rows.find((row) => row.id === id)!;
  }

  at(scheduledStart: string, moduleId = 1): Occurrence {
    return this.rows.find(
      (row) => row.scheduledStart === scheduledStart && row.moduleId === moduleId,
    )!;
  }

  correct(row: Occurrence, changes: Partial<Occurrence>): void {
    this.put({ ...row, ...changes, isDetached: true });
  }

  /** "scheduled start instant status" of each row, by time; corrected ones with a star. */
  rowTexts(moduleId = 1): string[] {
    return this.rows
      .filter((row) => row.moduleId === moduleId)
      .sort((a, b) => a.startedAt - b.startedAt || a.id - b.id)
      .map(
        ({ scheduledStart, startedAt, status, isDetached }) =>
          `${scheduledStart} ${utc(startedAt)} ${status}${isDetached ? '*' : ''}`,
      );
  }
}

export const utc = (at: number): string => new Date(at).toISOString().replace(':00.000Z', 'Z');
export const EMPTY_PLAN = { add: [], change: [], remove: [], newStarts: [] };

/**
 * Noon of 1 June 2025 in Paris (UTC+2), daily at six, three days ahead: ids 1 to 3 on the 2nd, 3rd
 * and 4th.
 */
export function juneSchedule(rule: Partial<Recurrence> = {}): ScheduleSimulation {
  const schedule = new ScheduleSimulation('2025-06-01T10:00:00Z', rule, 3 * DAY);
  schedule.settle();
  return schedule;
}
