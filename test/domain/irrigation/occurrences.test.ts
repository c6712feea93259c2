import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DoseSetup } from '../../../src/domain/irrigation/dose.ts';
import {
  missingOccurrences,
  type Occurrence,
  type OccurrenceWindow,
  PLANNING_HORIZON_MS,
  type PlannedOccurrence,
  pairStartTimes,
  planRegeneration,
  type RegenerationPlan,
} from '../../../src/domain/irrigation/occurrences.ts';
import { type Recurrence, slotInstant, slotsWithin } from '../../../src/domain/irrigation/recurrence.ts';
import type { WateringInput } from '../../../src/domain/irrigation/watering-amount.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A setup of 6 mm/h that wets everything, and changes to it. */
const setup = (changes: Partial<DoseSetup> = {}): DoseSetup => ({
  id: 1,
  scope: 'module',
  system: 'sprinkler',
  flowMmPerH: 6,
  fractionWetted: 1,
  fractionWettedIsDefault: true,
  irrigatedAreaM2: null,
  ...changes,
});
const minutes = (value: number): WateringInput => ({ amount: { mode: 'duration', value }, durationMin: value });
const depth = (value: number): WateringInput => ({ amount: { mode: 'depth_mm', value }, durationMin: null });

/** The book of one schedule, kept as its rules say: what a store and a clock would do around the two plans. */
class ScheduleSimulation {
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

  setupAt = (moduleId: number, at: number): DoseSetup | null => {
    const known = [{ from: 0, flowMmPerH: 6 }, ...(this.rates.get(moduleId) ?? [])];
    const id = known.reduce((best, { from }, i) => (from <= at && from >= known[best]!.from ? i : best), 0);
    return setup({ id: id + 1, flowMmPerH: known[id]!.flowMmPerH });
  };

  window(from = this.now): OccurrenceWindow {
    const slots = this.isActive ? slotsWithin(this.rule, from, this.now + this.horizon) : [];
    const { rule, input, moduleIds, setupAt, now } = this;
    return { timezone: rule.timezone, input, moduleIds, slots, setupAt, now };
  }

  private write(placed: PlannedOccurrence, id: number): Occurrence {
    const { moduleId, slot, startedAt, input, dose } = placed;
    return { id, moduleId, slot, startedAt, status: 'planned', isDetached: false, ...input, ...dose };
  }

  private put(row: Occurrence): void {
    const isOther = ({ moduleId, slot, id }: Occurrence): boolean =>
      moduleId === row.moduleId && slot === row.slot && id !== row.id;
    if (this.rows.some(isOther)) throw new Error(`two rows for ${row.moduleId} ${row.slot}`);
    this.rows = [...this.rows.filter(({ id }) => id !== row.id), row].sort((a, b) => a.id - b.id);
  }

  apply(plan: RegenerationPlan): void {
    const removed = new Set(plan.remove.map(({ id }) => id));
    this.rows = this.rows.filter(({ id }) => !removed.has(id));
    for (const { id, slot } of plan.rekey) this.put({ ...this.row(id), slot });
    for (const { id, ...placed } of plan.change) this.put(this.write(placed, id));
    for (const placed of plan.add) this.put(this.write(placed, ++this.lastId));
  }

  /** Produces what the schedule has come to, and lets what is over be done. */
  settle(): void {
    if (!this.isActive) return;
    for (const placed of missingOccurrences(this.window(this.materializedUntil), this.rows))
      this.put(this.write(placed, ++this.lastId));
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

  /** Changes anything about the schedule or its equipment and regenerates what is ahead. */
  change(body: (book: ScheduleSimulation) => void): RegenerationPlan {
    this.settle();
    const before = this.rule.startTimes;
    body(this);
    const plan = planRegeneration(this.window(), this.rows, pairStartTimes(before, this.rule.startTimes));
    this.apply(plan);
    if (this.isActive) this.materializedUntil = this.now + this.horizon;
    return plan;
  }

  rewrite(rule: Partial<Recurrence>): RegenerationPlan {
    return this.change((book) => {
      book.rule = { ...book.rule, ...rule };
    });
  }

  row(id: number): Occurrence {
    return this.rows.find((row) => row.id === id)!;
  }

  at(slot: string, moduleId = 1): Occurrence {
    return this.rows.find((row) => row.slot === slot && row.moduleId === moduleId)!;
  }

  correct(row: Occurrence, changes: Partial<Occurrence>): void {
    this.put({ ...row, ...changes, isDetached: true });
  }

  /** "slot instant status" of each row, by time; corrected ones with a star. */
  rowTexts(moduleId = 1): string[] {
    return this.rows
      .filter((row) => row.moduleId === moduleId)
      .sort((a, b) => a.startedAt - b.startedAt || a.id - b.id)
      .map(({ slot, startedAt, status, isDetached }) => `${slot} ${utc(startedAt)} ${status}${isDetached ? '*' : ''}`);
  }
}

const utc = (at: number): string => new Date(at).toISOString().replace(':00.000Z', 'Z');
const empty = { add: [], change: [], remove: [], rekey: [] };

/** Noon of 1 June 2025 in Paris (UTC+2), daily at six, three days ahead: ids 1 to 3 on the 2nd, 3rd and 4th. */
function juneSchedule(rule: Partial<Recurrence> = {}): ScheduleSimulation {
  const book = new ScheduleSimulation('2025-06-01T10:00:00Z', rule, 3 * DAY);
  book.settle();
  return book;
}

describe('production (decision 11)', () => {
  it('reaches ninety days of 24 hours ahead, both ends included', () => {
    // 06:00 in Paris is 04:00Z in June and, ninety days on, in August: 91 occurrences from the 1st to 30 August.
    const book = new ScheduleSimulation('2025-06-01T04:00:00Z', {}, PLANNING_HORIZON_MS);
    book.settle();
    expect(book.rows).toHaveLength(91);
    expect([book.rowTexts()[0], book.rowTexts()[90]]).toEqual([
      '2025-06-01T06:00 2025-06-01T04:00Z done',
      '2025-08-30T06:00 2025-08-30T04:00Z planned',
    ]);
  });

  it('invents nothing before now for a schedule that started in the past', () => {
    expect(juneSchedule({ startsOn: '2025-01-01' }).rowTexts()).toEqual([
      '2025-06-02T06:00 2025-06-02T04:00Z planned',
      '2025-06-03T06:00 2025-06-03T04:00Z planned',
      '2025-06-04T06:00 2025-06-04T04:00Z planned',
    ]);
  });

  it('goes on from where it stood after days of downtime', () => {
    const book = juneSchedule().waitUntil('2025-06-12T10:00:00Z');
    expect(book.rows.map(({ slot }) => Number(slot.slice(8, 10)))).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ]);
    expect(book.rows.filter(({ status }) => status === 'done')).toHaveLength(11);
  });

  it('gives each probe of a parcel its own dose, from its setup on that date', () => {
    const book = new ScheduleSimulation('2025-06-01T10:00:00Z', {}, 2 * DAY);
    book.moduleIds = [1, 2];
    book.rates.set(2, [{ from: Date.parse('2025-06-03T00:00:00Z'), flowMmPerH: 8 }]);
    book.settle();
    // 30 min at 6 mm/h are 3 mm, at 8 mm/h 4 mm.
    expect(book.rows.map(({ moduleId, slot, waterMm }) => [moduleId, slot.slice(8, 10), waterMm])).toEqual([
      [1, '02', 3],
      [1, '03', 3],
      [2, '02', 3],
      [2, '03', 4],
    ]);
  });

  it.each<[string, Partial<Occurrence>]>([
    ['moved', { startedAt: Date.parse('2025-06-02T15:00:00Z') }],
    ['skipped', { status: 'skipped' }],
  ])('does not produce anew a slot whose row was %s', (_, changes) => {
    const book = juneSchedule();
    book.correct(book.row(1), changes);
    expect(missingOccurrences(book.window(), book.rows)).toEqual([]);
  });

  it('takes a slot around a gap for taken when its row stands under the other name of the instant', () => {
    // 02:30 and 03:30 of 30 March 2025 are one instant in Paris.
    const book = new ScheduleSimulation('2025-03-29T12:00:00Z', { startTimes: ['03:30'] }, DAY);
    book.settle();
    book.rule = { ...book.rule, startTimes: ['02:30', '03:30'] };
    expect(missingOccurrences(book.window(), book.rows)).toEqual([]);
  });
});

describe('pairedTimes', () => {
  it.each<[string[], string[], [string, string][]]>([
    [['06:00'], ['05:30'], [['06:00', '05:30']]],
    [['06:00'], ['06:00'], []],
    [
      ['05:00', '12:00', '20:00'],
      ['04:00', '12:00', '21:00'],
      [
        ['05:00', '04:00'],
        ['20:00', '21:00'],
      ],
    ],
    [['05:00', '06:00'], ['06:00', '07:00'], [['05:00', '07:00']]],
    [['05:00', '06:00'], ['07:00'], [['05:00', '07:00']]],
    [['05:00'], ['06:00', '07:00'], [['05:00', '06:00']]],
    [['05:00', '06:00'], ['06:00'], []],
  ])('%j to %j', (before, after, pairs) => {
    expect([...pairStartTimes(before, after)]).toEqual(pairs);
  });
});

describe('regeneration (decision 11)', () => {
  it('moves rows ahead to the time that takes the place of theirs, under the same ids', () => {
    const book = juneSchedule({ startTimes: ['06:00', '20:00'] });
    const ids = ['02', '03', '04'].map((day) => book.at(`2025-06-${day}T06:00`).id);
    const plan = book.rewrite({ startTimes: ['05:30', '20:00'] });
    expect({
      ...plan,
      change: plan.change.map(({ id, slot, startedAt, movedFrom }) => [id, slot, startedAt - movedFrom!]),
    }).toEqual({
      ...empty,
      change: ids.map((id, i) => [id, `2025-06-0${i + 2}T05:30`, -30 * MINUTE]),
      keptDetachedCount: 0,
    });
  });

  it('adds what a further start time brings and removes what one that went had', () => {
    const book = juneSchedule();
    expect(book.rewrite({ startTimes: ['06:00', '20:00'] })).toMatchObject({ ...empty, add: { length: 3 } });
    expect(book.rewrite({ startTimes: ['20:00'] })).toMatchObject({
      ...empty,
      remove: [{ id: 1 }, { id: 2 }, { id: 3 }],
    });
  });

  it('leaves rows corrected by hand as they are, and counts those ahead', () => {
    const book = juneSchedule();
    book.correct(book.row(1), { startedAt: Date.parse('2025-06-02T15:00:00Z'), ...depth(9), waterMm: 9 });
    book.correct(book.row(2), { status: 'skipped' });
    const before = book.rows.slice(0, 2);
    const plan = book.rewrite({ startTimes: ['05:30'] });
    expect(plan).toMatchObject({ add: [], remove: [], change: [{ id: 3 }], keptDetachedCount: 2 });
    expect(book.rows.slice(0, 2)).toEqual(before.map((row) => ({ ...row, slot: row.slot.replace('06:00', '05:30') })));
  });

  it('holds the pair of a skipped slot through one change of start time after another', () => {
    const book = juneSchedule();
    book.correct(book.row(1), { status: 'skipped' });
    for (const time of ['05:30', '21:00', '06:00', '07:15']) book.rewrite({ startTimes: [time] });
    expect(book.rowTexts()).toEqual([
      '2025-06-02T07:15 2025-06-02T04:00Z skipped*',
      '2025-06-03T07:15 2025-06-03T05:15Z planned',
      '2025-06-04T07:15 2025-06-04T05:15Z planned',
    ]);
  });

  it('holds it also when the time in between was over already', () => {
    const book = juneSchedule().waitUntil('2025-06-02T03:45:00Z');
    book.correct(book.row(1), { status: 'skipped' });
    // At 05:45 local, 06:00 goes to 05:30, which is over, then to 06:15, which is not.
    book.rewrite({ startTimes: ['05:30'] });
    book.rewrite({ startTimes: ['06:15'] });
    expect(book.rowTexts()[0]).toBe('2025-06-02T06:15 2025-06-02T04:00Z skipped*');
    expect(book.rows.filter(({ slot }) => slot.startsWith('2025-06-02'))).toHaveLength(1);
  });

  it('keeps a skipped slot that has no pair, for when its time comes back', () => {
    const book = juneSchedule({ startTimes: ['06:00', '20:00'] });
    book.correct(book.at('2025-06-02T06:00'), { status: 'skipped' });
    book.rewrite({ startTimes: ['20:00'] });
    expect(book.rewrite({ startTimes: ['06:00', '20:00'] }).add.map(({ slot }) => slot)).toEqual([
      '2025-06-03T06:00',
      '2025-06-04T06:00',
    ]);
  });

  it('leaves a corrected row its slot where another row has its pair', () => {
    const book = juneSchedule({ startTimes: ['06:00', '20:00'] });
    book.correct(book.at('2025-06-02T06:00'), { status: 'skipped' });
    book.correct(book.at('2025-06-02T20:00'), { status: 'skipped' });
    book.rewrite({ startTimes: ['20:00'] });
    const plan = book.rewrite({ startTimes: ['06:00'] });
    expect(plan.rekey).toEqual([]);
    expect(book.rowTexts()).toEqual([
      '2025-06-02T06:00 2025-06-02T04:00Z skipped*',
      '2025-06-02T20:00 2025-06-02T18:00Z skipped*',
      '2025-06-03T06:00 2025-06-03T04:00Z planned',
      '2025-06-04T06:00 2025-06-04T04:00Z planned',
    ]);
  });

  it('lets a watering that is over stay, and a later time of the same day come', () => {
    const book = juneSchedule().waitUntil('2025-06-02T10:00:00Z');
    book.rewrite({ startTimes: ['18:00'] });
    expect(book.rowTexts().slice(0, 3)).toEqual([
      '2025-06-02T06:00 2025-06-02T04:00Z done',
      '2025-06-02T18:00 2025-06-02T16:00Z planned',
      '2025-06-03T18:00 2025-06-03T16:00Z planned',
    ]);
  });

  it('takes a row at this very instant for one that is over', () => {
    const book = juneSchedule();
    book.now = Date.parse('2025-06-02T04:00:00Z');
    expect(planRegeneration({ ...book.window(), slots: [] }, book.rows).remove.map(({ id }) => id)).toEqual([2, 3]);
    const same = planRegeneration(book.window(), book.rows);
    expect([same.change, same.remove, same.rekey]).toEqual([[], [], []]);
    expect(same.add.map(({ slot }) => slot)).toEqual(['2025-06-05T06:00']);
  });

  it('leaves unconfirmed occurrences of the past as they are', () => {
    const book = juneSchedule();
    book.now = Date.parse('2025-06-03T10:00:00Z');
    expect(planRegeneration({ ...book.window(), slots: [], input: minutes(60) }, book.rows).remove).toEqual([
      book.row(3),
    ]);
  });

  it('takes rows of a probe that left away, but not the corrected ones, and does not bring those back when it returns', () => {
    const book = juneSchedule();
    book.change((it) => it.moduleIds.push(2));
    expect(book.rowTexts(2)).toHaveLength(3);
    book.correct(book.at('2025-06-03T06:00', 2), { status: 'skipped' });
    expect(book.change((it) => it.moduleIds.pop())).toMatchObject({ remove: { length: 2 }, keptDetachedCount: 1 });
    expect(book.change((it) => it.moduleIds.push(2)).add.map(({ slot }) => slot)).toEqual([
      '2025-06-02T06:00',
      '2025-06-04T06:00',
    ]);
  });

  it('removes what nobody touched when a schedule is switched off, and brings back only that', () => {
    const book = juneSchedule();
    book.correct(book.row(2), { status: 'skipped' });
    expect(book.change((it) => (it.isActive = false))).toMatchObject({
      ...empty,
      remove: [{ id: 1 }, { id: 3 }],
      keptDetachedCount: 1,
    });
    expect(book.change((it) => (it.isActive = true)).add.map(({ slot }) => slot)).toEqual([
      '2025-06-02T06:00',
      '2025-06-04T06:00',
    ]);
  });

  it('never produces the time during which a schedule was switched off', () => {
    const book = juneSchedule();
    book.change((it) => (it.isActive = false));
    book.waitUntil('2025-06-20T10:00:00Z').change((it) => (it.isActive = true));
    expect(book.rows.map(({ slot }) => slot.slice(0, 10))).toEqual(['2025-06-21', '2025-06-22', '2025-06-23']);
  });

  it('freezes doses ahead anew under another amount or setup, and none behind', () => {
    const book = juneSchedule().waitUntil('2025-06-02T10:00:00Z');
    book.change((it) => {
      it.input = minutes(60);
    });
    expect(book.rows.map(({ waterMm }) => waterMm)).toEqual([3, 6, 6, 6]);
    // 8 mm/h from 4 June on: an hour gives 8 mm.
    const plan = book.change((it) => it.rates.set(1, [{ from: Date.parse('2025-06-04T00:00:00Z'), flowMmPerH: 8 }]));
    expect(book.rows.map(({ waterMm, snapshot }) => [waterMm, snapshot!.installationId])).toEqual([
      [3, 1],
      [6, 1],
      [8, 2],
      [8, 2],
    ]);
    expect(plan.change.map(({ id, movedFrom }) => [id, movedFrom])).toEqual([
      [3, null],
      [4, null],
    ]);
  });

  it.each<Partial<DoseSetup>>([
    { id: 2 },
    { scope: 'parcel' },
    { system: 'pivot' },
    { flowMmPerH: 8 },
    { fractionWetted: 0.5 },
    { fractionWettedIsDefault: false },
    { irrigatedAreaM2: 500 },
  ])('freezes anew what rests on a setup that has since become %j, though 4 mm stay 4 mm', (corrected) => {
    const book = juneSchedule();
    book.change((it) => {
      it.input = depth(4);
    });
    const plan = planRegeneration({ ...book.window(), setupAt: () => setup(corrected) }, book.rows);
    expect(plan).toMatchObject({ ...empty, change: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    expect(plan.change.map(({ dose }) => dose.waterMm)).toEqual([4, 4, 4]);
  });

  it.each<[string, WateringInput]>([
    ['as a depth', depth(3)],
    ['as a volume', { amount: { mode: 'volume_m3', value: 15 }, durationMin: null }],
    ['as a depth with its duration', { ...depth(3), durationMin: 30 }],
  ])('writes an amount that gives the same 3 mm but is entered %s', (_, input) => {
    const book = juneSchedule();
    // 30 min at 6 mm/h are 3 mm, as are 15 m3 on 5,000 m2.
    const setupAt = () => setup({ irrigatedAreaM2: 5000 });
    book.apply(planRegeneration({ ...book.window(), setupAt }, book.rows));
    const entered = (from: WateringInput, to: WateringInput) => {
      book.apply(planRegeneration({ ...book.window(), setupAt, input: from }, book.rows));
      return planRegeneration({ ...book.window(), setupAt, input: to }, book.rows).change;
    };
    for (const change of [entered(minutes(30), input), entered(input, minutes(30))])
      expect(change.map(({ id, dose }) => [id, dose.waterMm])).toEqual([
        [1, 3],
        [2, 3],
        [3, 3],
      ]);
    expect(entered({ ...depth(3), durationMin: 30 }, { ...depth(3), durationMin: 45 })).toHaveLength(3);
  });

  it('leaves a watering that is done already, should it lie ahead of a clock that was turned back', () => {
    const book = juneSchedule().waitUntil('2025-06-02T10:00:00Z');
    book.now = Date.parse('2025-06-01T10:00:00Z');
    const plan = planRegeneration({ ...book.window(), input: minutes(60) }, book.rows);
    expect([plan.add, plan.change.map(({ id }) => id)]).toEqual([[], [2, 3]]);
  });

  it('names no row that stays what it is, whenever its dose was computed', () => {
    const book = juneSchedule();
    book.now += 60 * MINUTE;
    expect(planRegeneration(book.window(), book.rows)).toEqual({ ...empty, keptDetachedCount: 0 });
  });

  it('keeps the local slot as key when the zone changes: rows move, and what was watered today is not watered again', () => {
    const book = juneSchedule().waitUntil('2025-06-02T10:00:00Z');
    book.correct(book.row(2), { status: 'skipped' });
    const plan = book.rewrite({ timezone: 'America/New_York' });
    expect(plan).toMatchObject({ add: [], remove: [], rekey: [], keptDetachedCount: 1 });
    expect(book.rowTexts()).toEqual([
      '2025-06-02T06:00 2025-06-02T04:00Z done',
      '2025-06-03T06:00 2025-06-03T04:00Z skipped*',
      '2025-06-04T06:00 2025-06-04T10:00Z planned',
      '2025-06-05T06:00 2025-06-05T10:00Z planned',
    ]);
  });

  it('does not water twice at the instant at which a zone changes', () => {
    // At 06:00 in Paris the same instant becomes 05:00 in London.
    const book = juneSchedule().waitUntil('2025-06-02T04:00:00Z');
    book.rewrite({ timezone: 'Europe/London', startTimes: ['05:00', '12:00'] });
    expect(book.rows.filter(({ startedAt }) => startedAt === book.now)).toHaveLength(1);
  });

  it('does not bring a skipped day back when weekdays take the place of days and again give way', () => {
    // 2 June 2025 was a Monday; Tuesday the 3rd is skipped.
    const book = juneSchedule();
    book.correct(book.row(2), { status: 'skipped' });
    book.rewrite({ freq: 'weekly', intervalDays: null, weekdays: [3] });
    expect(book.rows.map(({ slot }) => slot.slice(8, 10))).toEqual(['03', '04']);
    book.rewrite({ freq: 'weekly', weekdays: [2, 3] });
    book.rewrite({ freq: 'daily', intervalDays: 1, weekdays: null });
    expect(book.rowTexts()).toEqual([
      '2025-06-02T06:00 2025-06-02T04:00Z planned',
      '2025-06-03T06:00 2025-06-03T04:00Z skipped*',
      '2025-06-04T06:00 2025-06-04T04:00Z planned',
    ]);
  });

  describe('on 30 March 2025 in Paris, where 02:30 and 03:30 are one instant', () => {
    const march = (startTimes: string[]): ScheduleSimulation => {
      const book = new ScheduleSimulation('2025-03-29T12:00:00Z', { startTimes }, DAY);
      book.settle();
      return book;
    };

    it('keeps the one row when either time goes or comes', () => {
      const book = march(['02:30', '03:30']);
      for (const startTimes of [['03:30'], ['02:30', '03:30'], ['02:30']]) {
        expect(book.rewrite({ startTimes })).toMatchObject({ add: [], remove: [] });
        expect(book.rows.map(({ id, startedAt }) => [id, utc(startedAt)])).toEqual([[1, '2025-03-30T01:30Z']]);
      }
    });

    it('does not bring a skipped one back under its other name', () => {
      const book = march(['02:30']);
      book.correct(book.row(1), { status: 'skipped' });
      expect(book.rewrite({ startTimes: ['02:30', '03:30'] }).add).toEqual([]);
      expect(book.rewrite({ startTimes: ['03:30'] }).add).toEqual([]);
    });

    it('gives way to a corrected row whose slot comes to the same instant', () => {
      const book = march(['03:30', '05:00']);
      book.correct(book.at('2025-03-30T05:00'), { status: 'skipped' });
      book.rewrite({ startTimes: ['02:30', '03:30'] });
      expect(book.rowTexts()).toEqual(['2025-03-30T02:30 2025-03-30T03:00Z skipped*']);
    });
  });
});

/** What can happen to a schedule in its life. */
type ScheduleEvent =
  | { what: 'wait'; minutes: number }
  | { what: 'times'; startTimes: string[] }
  | { what: 'rule'; rule: Partial<Recurrence> }
  | { what: 'dates'; starts: number; ends: number | null }
  | { what: 'zone'; pick: number }
  | { what: 'amount'; input: WateringInput }
  | { what: 'active'; isActive: boolean }
  | { what: 'probes'; moduleIds: number[] }
  | { what: 'equip'; moduleId: number; hours: number; flowMmPerH: number }
  | { what: 'correct'; pick: number; changes: { minutes: number; depthMm: number } }
  | { what: 'skip'; pick: number };

/** Where stories are set: days with a change of clocks, and zones that a schedule can be moved to. */
const SETTINGS = [
  { day: '2025-03-28', zones: ['Europe/Paris', 'Asia/Beirut', 'Antarctica/Troll', 'Pacific/Auckland', 'Asia/Kolkata'] },
  { day: '2025-10-03', zones: ['Australia/Lord_Howe', 'Australia/Sydney', 'Pacific/Honolulu'] },
  { day: '2025-11-01', zones: ['America/New_York', 'America/Havana', 'Europe/Paris'] },
  { day: '2011-12-28', zones: ['Pacific/Apia', 'Pacific/Fakaofo', 'Pacific/Pago_Pago'] },
];
const TIMES = [
  '00:00',
  '00:30',
  '02:00',
  '02:15',
  '02:30',
  '02:45',
  '03:00',
  '03:30',
  '05:30',
  '06:00',
  '18:00',
  '23:45',
];

const anyTimes = (maxLength: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...TIMES), { minLength: 1, maxLength }).map((times) => times.sort());
const anyWait: fc.Arbitrary<ScheduleEvent> = fc.record({
  what: fc.constant('wait'),
  minutes: fc.oneof(
    fc.integer({ min: 1, max: 36 * 4 }).map((n) => n * 15),
    fc.integer({ min: 1, max: 9 * 24 * 60 }),
  ),
});
const anyTouch: fc.Arbitrary<ScheduleEvent> = fc.oneof(
  fc.record({ what: fc.constant('skip' as const), pick: fc.nat(60) }),
  fc.record({
    what: fc.constant('correct' as const),
    pick: fc.nat(60),
    changes: fc.record({ minutes: fc.integer({ min: -3000, max: 3000 }), depthMm: fc.integer({ min: 1, max: 9 }) }),
  }),
);
const timesOf = (maxLength: number): fc.Arbitrary<ScheduleEvent> =>
  fc.record({ what: fc.constant('times'), startTimes: anyTimes(maxLength) });
const anyRule: fc.Arbitrary<ScheduleEvent> = fc.record({
  what: fc.constant('rule'),
  rule: fc.oneof(
    fc.record({
      freq: fc.constant('daily' as const),
      intervalDays: fc.integer({ min: 1, max: 3 }),
      weekdays: fc.constant(null),
    }),
    fc.record({
      freq: fc.constant('weekly' as const),
      intervalDays: fc.constant(null),
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    }),
  ),
});
const anyPlain: fc.Arbitrary<ScheduleEvent> = fc.oneof(
  fc.record({
    what: fc.constant('dates' as const),
    starts: fc.integer({ min: -2, max: 4 }),
    ends: fc.option(fc.integer({ min: 1, max: 8 })),
  }),
  fc.record({
    what: fc.constant('amount' as const),
    input: fc.oneof(fc.integer({ min: 1, max: 90 }).map(minutes), fc.integer({ min: 1, max: 9 }).map(depth)),
  }),
  fc.record({ what: fc.constant('active' as const), isActive: fc.boolean() }),
  fc.record({ what: fc.constant('probes' as const), moduleIds: fc.subarray([1, 2, 3]) }),
  fc.record({
    what: fc.constant('equip' as const),
    moduleId: fc.integer({ min: 1, max: 3 }),
    hours: fc.integer({ min: -48, max: 96 }),
    flowMmPerH: fc.integer({ min: 1, max: 20 }),
  }),
);
const anyZone: fc.Arbitrary<ScheduleEvent> = fc.record({ what: fc.constant('zone'), pick: fc.nat(10) });

interface Story {
  setting: (typeof SETTINGS)[number];
  startTimes: string[];
  happenings: ScheduleEvent[];
}
const story = (happening: fc.Arbitrary<ScheduleEvent>, maxTimes: number): fc.Arbitrary<Story> =>
  fc.record({
    setting: fc.constantFrom(...SETTINGS),
    startTimes: anyTimes(maxTimes),
    happenings: fc.array(happening, { minLength: 2, maxLength: 14 }),
  });
const anyStory = story(fc.oneof(anyWait, anyTouch, anyTouch, timesOf(4), timesOf(4), anyRule, anyPlain, anyZone), 4);

/** Keys of touched rows by id, followed through every change of start times by the letter of decision 11. */
type TouchedKeys = Map<number, string>;

function followKeys(
  touched: TouchedKeys,
  book: ScheduleSimulation,
  before: readonly string[],
  after: readonly string[],
): void {
  const gone = before.filter((time) => !after.includes(time));
  const come = after.filter((time) => !before.includes(time));
  const keyOf = (row: Occurrence): string => touched.get(row.id) ?? row.slot;
  // What stays: touched rows, and those at or before now.
  const staying = book.rows.filter((row) => row.isDetached || row.startedAt <= book.now);
  for (const row of staying) {
    const key = touched.get(row.id);
    const turn = key === undefined ? -1 : gone.indexOf(key.slice(11));
    if (turn === -1 || turn >= come.length) continue;
    const pair = `${key!.slice(0, 11)}${come[turn]}`;
    if (!staying.some((other) => other.moduleId === row.moduleId && keyOf(other) === pair)) touched.set(row.id, pair);
  }
}

/** The untouched rows that must lie ahead, told one by one from the rule, the rows that stay and the rates. */
function expectedAhead(book: ScheduleSimulation, touched: TouchedKeys): string[] {
  const zone = book.rule.timezone;
  const lines: string[] = [];
  for (const moduleId of book.isActive ? book.moduleIds : []) {
    const staying = book.rows.filter(
      (row) => row.moduleId === moduleId && (row.isDetached || row.startedAt <= book.now),
    );
    const keys = staying.map((row) => touched.get(row.id) ?? row.slot);
    const instants = keys.map((key) => slotInstant(key, zone));
    for (const { slot, startedAt } of slotsWithin(book.rule, book.now + 1, book.now + book.horizon)) {
      if (keys.includes(slot) || instants.includes(startedAt)) continue;
      const rates = (book.rates.get(moduleId) ?? []).filter(({ from }) => from <= startedAt);
      const latest = rates.reduce((best, rate) => (rate.from >= best.from ? rate : best), { from: 0, flowMmPerH: 6 });
      const { mode, value } = book.input.amount;
      const mm = mode === 'depth_mm' ? value : (latest.flowMmPerH * value) / 60;
      lines.push(`${moduleId} ${slot} ${utc(startedAt)} ${mm} mm at ${latest.flowMmPerH}`);
    }
  }
  return lines.sort();
}

const isAhead = (row: Occurrence, now: number): boolean => !row.isDetached && row.startedAt > now;

const actualAhead = (book: ScheduleSimulation): string[] =>
  book.rows
    .filter((row) => isAhead(row, book.now))
    .map(
      ({ moduleId, slot, startedAt, waterMm, snapshot }) =>
        `${moduleId} ${slot} ${utc(startedAt)} ${waterMm} mm at ${snapshot!.flowMmPerH}`,
    )
    .sort();

/** A row with all that a change of the schedule must leave: of corrected ones all but the key. */
const withoutFollowingKey = ({ slot, ...row }: Occurrence): unknown => (row.isDetached ? row : { ...row, slot });

const dateAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** Lets one thing happen to a book; what a person does to a row is entered in `touched`. */
function applyEvent(
  book: ScheduleSimulation,
  happening: ScheduleEvent,
  { day, zones }: Story['setting'],
  touched: TouchedKeys,
): void {
  if (happening.what === 'wait') {
    book.waitUntil(book.now + happening.minutes * MINUTE);
    return;
  }
  if (happening.what === 'skip' || happening.what === 'correct') {
    const row = book.rows[happening.pick % book.rows.length];
    if (row === undefined) return;
    if (!touched.has(row.id)) touched.set(row.id, row.slot);
    if (happening.what === 'skip') {
      book.correct(row, { status: 'skipped' });
      return;
    }
    const startedAt = row.startedAt + happening.changes.minutes * MINUTE;
    const status = startedAt <= book.now ? 'done' : 'planned';
    book.correct(row, { startedAt, status, ...depth(happening.changes.depthMm) });
    return;
  }
  book.settle();
  const before = book.rows;
  const { startTimes } = book.rule;
  if (happening.what === 'times') followKeys(touched, book, startTimes, happening.startTimes);
  const plan = book.change((it) => {
    if (happening.what === 'times') it.rule = { ...it.rule, startTimes: happening.startTimes };
    if (happening.what === 'rule') it.rule = { ...it.rule, ...happening.rule };
    if (happening.what === 'dates') {
      const { starts, ends } = happening;
      it.rule = { ...it.rule, startsOn: dateAfter(day, starts), endsOn: ends === null ? null : dateAfter(day, ends) };
    }
    if (happening.what === 'zone') it.rule = { ...it.rule, timezone: zones[happening.pick % zones.length]! };
    if (happening.what === 'amount') it.input = happening.input;
    if (happening.what === 'active') it.isActive = happening.isActive;
    if (happening.what === 'probes') it.moduleIds = happening.moduleIds;
    if (happening.what === 'equip') {
      const { moduleId, hours, flowMmPerH } = happening;
      const from = it.now + hours * 60 * MINUTE;
      it.rates.set(moduleId, [...(it.rates.get(moduleId) ?? []), { from, flowMmPerH }]);
    }
  });
  const pairs = pairStartTimes(startTimes, book.rule.startTimes);

  // The past and what a person touched stay as they are, and are counted.
  const behind = before.filter((row) => !isAhead(row, book.now));
  expect(behind.map(({ id }) => withoutFollowingKey(book.row(id)))).toEqual(behind.map(withoutFollowingKey));
  expect(plan.keptDetachedCount).toBe(before.filter((row) => row.isDetached && row.startedAt > book.now).length);
  const ids = new Set(behind.map(({ id }) => id));
  expect([...plan.change, ...plan.remove].filter(({ id }) => ids.has(id))).toEqual([]);
  // A row named as changed is changed, and where it moved the plan says from where.
  for (const { id, movedFrom } of plan.change) {
    const [old, row] = [before.find((each) => each.id === id)!, book.row(id)];
    expect(movedFrom).toBe(old.startedAt === row.startedAt ? null : old.startedAt);
    expect({ ...old, snapshot: { ...old.snapshot, computedAt: 0 } }).not.toEqual({
      ...row,
      snapshot: { ...row.snapshot, computedAt: 0 },
    });
  }
  // A row whose slot, or whose time's pair, still stands there keeps its id.
  for (const old of before.filter((row) => isAhead(row, book.now))) {
    const [date, time] = [old.slot.slice(0, 11), old.slot.slice(11)];
    const heir = book.rows.find(
      (row) =>
        row.moduleId === old.moduleId && isAhead(row, book.now) && row.slot === `${date}${pairs.get(time) ?? time}`,
    );
    if (heir !== undefined) expect(heir.id).toBe(old.id);
  }
  // Regenerating again changes nothing, with or without the pairs, and production has nothing to add.
  const again = { ...empty, keptDetachedCount: plan.keptDetachedCount };
  expect(planRegeneration(book.window(), book.rows)).toEqual(again);
  expect(planRegeneration(book.window(), book.rows, pairs)).toEqual(again);
  // Production goes on behind the instant of a change: what falls on that very instant is decided by the change alone.
  expect(missingOccurrences(book.window(book.now + 1), book.rows)).toEqual([]);
}

function runStory(
  { setting, startTimes, happenings }: Story,
  after: (book: ScheduleSimulation, touched: TouchedKeys) => void,
): void {
  const { day, zones } = setting;
  const book = new ScheduleSimulation(`${day}T12:00:00Z`, { timezone: zones[0]!, startTimes, startsOn: day });
  const touched: TouchedKeys = new Map();
  book.change((it) => it.moduleIds.push(2));
  for (const happening of happenings) {
    applyEvent(book, happening, setting, touched);
    after(book, touched);
  }
}

describe('whatever happens to a schedule', () => {
  it('its book has ahead exactly what its rule asks for, less what people took in hand, under the doses of today', () => {
    fc.assert(
      fc.property(anyStory, (it) =>
        runStory(it, (book, touched) => expect(actualAhead(book)).toEqual(expectedAhead(book, touched))),
      ),
      { numRuns: 150 },
    );
  });

  it('a slot has one row, and no two rows that nobody touched start together on one probe', () => {
    fc.assert(
      fc.property(anyStory, (it) =>
        runStory(it, ({ rows }) => {
          const untouched = rows.filter(({ isDetached }) => !isDetached);
          expect(new Set(rows.map(({ moduleId, slot }) => `${moduleId} ${slot}`)).size).toBe(rows.length);
          expect(new Set(untouched.map(({ moduleId, startedAt }) => `${moduleId} ${startedAt}`)).size).toBe(
            untouched.length,
          );
        }),
      ),
      { numRuns: 150 },
    );
  });

  it('a day whose only watering was corrected or skipped gets no other, however its time is changed', () => {
    const happening = fc.oneof(anyWait, anyTouch, anyTouch, timesOf(1), timesOf(1), anyRule, anyPlain);
    fc.assert(
      fc.property(story(happening, 1), (it) => {
        const days = new Set<string>();
        runStory(it, ({ rows, rule }) => {
          const isTaken = ({ slot, isDetached }: Occurrence): boolean =>
            isDetached && rule.startTimes.includes(slot.slice(11));
          const rowsOf = new Map<string, Occurrence[]>();
          for (const row of rows) {
            const day = `${row.moduleId} ${row.slot.slice(0, 10)}`;
            rowsOf.set(day, [...(rowsOf.get(day) ?? []), row]);
          }
          for (const [day, those] of rowsOf) if (those.length === 1 && isTaken(those[0]!)) days.add(day);
          expect([...days].filter((day) => rowsOf.get(day)!.length > 1)).toEqual([]);
        });
      }),
      { numRuns: 250 },
    );
  });

  it('settling every hour and settling once at the end give the same book', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SETTINGS),
        anyTimes(4),
        anyRule,
        fc.integer({ min: 1, max: 12 * 24 }),
        (setting, startTimes, other, hours) => {
          const rule = { timezone: setting.zones[0]!, startTimes, ...(other.what === 'rule' ? other.rule : {}) };
          const [hourly, once] = [0, 1].map(() =>
            new ScheduleSimulation(`${setting.day}T12:00:00Z`, rule).waitUntil(`${setting.day}T12:00:00Z`),
          );
          for (let hour = 1; hour <= hours; hour++) hourly!.waitUntil(hourly!.now + 60 * MINUTE);
          once!.waitUntil(once!.now + hours * 60 * MINUTE);
          expect(hourly!.rowTexts()).toEqual(once!.rowTexts());
        },
      ),
      { numRuns: 40 },
    );
  });
});
