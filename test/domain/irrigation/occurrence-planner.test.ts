import { describe, expect, it } from 'vitest';
import type { DoseEquipment } from '../../../src/domain/irrigation/dose.ts';
import {
  missingOccurrences,
  type Occurrence,
  PLANNING_PERIOD_MS,
} from '../../../src/domain/irrigation/occurrence-planner.ts';
import { partsOf } from '../../../src/domain/irrigation/plan-parts.ts';
import {
  pairStartTimes,
  planRegeneration,
} from '../../../src/domain/irrigation/regeneration-plan.ts';
import type { WateringInput } from '../../../src/domain/irrigation/watering-amount.ts';
import { DAY, MINUTE } from '../../time.ts';
import {
  depth,
  EMPTY_PLAN,
  juneSchedule,
  minutes,
  ScheduleSimulation,
  setup,
  utc,
} from './schedule-simulation.ts';

describe('planning', () => {
  it('reaches ninety days of 24 hours ahead, both ends included', () => {
    // 06:00 in Paris is 04:00Z in June and, ninety days on, in August: 91 occurrences from the 1st
    // to 30 August.
    const schedule = new ScheduleSimulation('2025-06-01T04:00:00Z', {}, PLANNING_PERIOD_MS);
    schedule.settle();
    expect(schedule.rows).toHaveLength(91);
    expect([schedule.rowTexts()[0], schedule.rowTexts()[90]]).toEqual([
      '2025-06-01T06:00 2025-06-01T04:00Z done',
      '2025-08-30T06:00 2025-08-30T04:00Z planned',
    ]);
  });

  it('plans nothing in the past for a schedule that started earlier', () => {
    expect(juneSchedule({ startsOn: '2025-01-01' }).rowTexts()).toEqual([
      '2025-06-02T06:00 2025-06-02T04:00Z planned',
      '2025-06-03T06:00 2025-06-03T04:00Z planned',
      '2025-06-04T06:00 2025-06-04T04:00Z planned',
    ]);
  });

  it('gives each probe of a parcel its own dose, from its setup on that date', () => {
    const schedule = new ScheduleSimulation('2025-06-01T10:00:00Z', {}, 2 * DAY);
    schedule.moduleIds = [1, 2];
    schedule.rates.set(2, [{ from: Date.parse('2025-06-03T00:00:00Z'), flowMmPerH: 8 }]);
    schedule.settle();
    // 30 min at 6 mm/h are 3 mm, at 8 mm/h 4 mm.
    expect(
      schedule.rows.map(({ moduleId, scheduledStart, waterMm }) => [
        moduleId,
        scheduledStart.slice(8, 10),
        waterMm,
      ]),
    ).toEqual([
      [1, '02', 3],
      [1, '03', 3],
      [2, '02', 3],
      [2, '03', 4],
    ]);
  });

  it.each<[string, Partial<Occurrence>]>([
    ['moved', { startedAt: Date.parse('2025-06-02T15:00:00Z') }],
    ['skipped', { status: 'skipped' }],
  ])('does not plan a scheduled start again whose row was %s', (_, changes) => {
    const schedule = juneSchedule();
    schedule.correct(schedule.row(1), changes);
    expect(missingOccurrences(schedule.window(), schedule.rows)).toEqual([]);
  });

  it('treats a scheduled start around a gap as occupied when its row has the other scheduled start of the instant', () => {
    // 02:30 and 03:30 of 30 March 2025 are one instant in Paris.
    const schedule = new ScheduleSimulation('2025-03-29T12:00:00Z', { startTimes: ['03:30'] }, DAY);
    schedule.settle();
    schedule.rule = { ...schedule.rule, startTimes: ['02:30', '03:30'] };
    expect(missingOccurrences(schedule.window(), schedule.rows)).toEqual([]);
  });
});

describe('paired start times', () => {
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

describe('regeneration', () => {
  it('counts the rows corrected by hand once, in however many parts it is written', () => {
    const remove = juneSchedule().rows.slice(0, 3);
    const parts = [...partsOf({ ...EMPTY_PLAN, remove, detachedCount: 2 }, 1)];
    expect(parts.map(({ part }) => part.detachedCount)).toEqual([2, 0, 0]);
  });

  it('moves future rows to the replacing time, under the same ids', () => {
    const schedule = juneSchedule({ startTimes: ['06:00', '20:00'] });
    const ids = ['02', '03', '04'].map((day) => schedule.at(`2025-06-${day}T06:00`).id);
    const plan = schedule.rewrite({ startTimes: ['05:30', '20:00'] });
    expect({
      ...plan,
      change: plan.change.map(({ id, scheduledStart, startedAt, movedFrom }) => [
        id,
        scheduledStart,
        startedAt - movedFrom!,
      ]),
    }).toEqual({
      ...EMPTY_PLAN,
      change: ids.map((id, i) => [id, `2025-06-0${i + 2}T05:30`, -30 * MINUTE]),
      detachedCount: 0,
    });
  });

  it('leaves rows corrected by hand as they are, and counts the future ones', () => {
    const schedule = juneSchedule();
    schedule.correct(schedule.row(1), {
      startedAt: Date.parse('2025-06-02T15:00:00Z'),
      ...depth(9),
      waterMm: 9,
    });
    schedule.correct(schedule.row(2), { status: 'skipped' });
    const before = schedule.rows.slice(0, 2);
    const plan = schedule.rewrite({ startTimes: ['05:30'] });
    expect(plan).toMatchObject({ add: [], remove: [], change: [{ id: 3 }], detachedCount: 2 });
    expect(schedule.rows.slice(0, 2)).toEqual(
      before.map((row) => ({
        ...row,
        scheduledStart: row.scheduledStart.replace('06:00', '05:30'),
      })),
    );
  });

  it('keeps it skipped when the time in between was past', () => {
    const schedule = juneSchedule().waitUntil('2025-06-02T03:45:00Z');
    schedule.correct(schedule.row(1), { status: 'skipped' });
    // At 05:45 local, 06:00 goes to 05:30, which is over, then to 06:15, which is not.
    schedule.rewrite({ startTimes: ['05:30'] });
    schedule.rewrite({ startTimes: ['06:15'] });
    expect(schedule.rowTexts()[0]).toBe('2025-06-02T06:15 2025-06-02T04:00Z skipped*');
    expect(
      schedule.rows.filter(({ scheduledStart }) => scheduledStart.startsWith('2025-06-02')),
    ).toHaveLength(1);
  });

  it('counts a row at this very instant as past', () => {
    const schedule = juneSchedule();
    schedule.now = Date.parse('2025-06-02T04:00:00Z');
    expect(
      planRegeneration({ ...schedule.window(), times: [] }, schedule.rows).remove.map(
        ({ id }) => id,
      ),
    ).toEqual([2, 3]);
    const same = planRegeneration(schedule.window(), schedule.rows);
    expect([same.change, same.remove, same.newStarts]).toEqual([[], [], []]);
    expect(same.add.map(({ scheduledStart }) => scheduledStart)).toEqual(['2025-06-05T06:00']);
  });

  it('leaves unconfirmed past rows as they are', () => {
    const schedule = juneSchedule();
    schedule.now = Date.parse('2025-06-03T10:00:00Z');
    expect(
      planRegeneration({ ...schedule.window(), times: [], input: minutes(60) }, schedule.rows)
        .remove,
    ).toEqual([schedule.row(3)]);
  });

  it('plans nothing for the time in which the schedule was inactive', () => {
    const schedule = juneSchedule();
    schedule.change((it) => (it.isActive = false));
    schedule.waitUntil('2025-06-20T10:00:00Z').change((it) => (it.isActive = true));
    expect(schedule.rows.map(({ scheduledStart }) => scheduledStart.slice(0, 10))).toEqual([
      '2025-06-21',
      '2025-06-22',
      '2025-06-23',
    ]);
  });

  it.each<Partial<DoseEquipment>>([
    { id: 2 },
    { scope: 'parcel' },
    { system: 'pivot' },
    { flowMmPerH: 8 },
    { fractionWetted: 0.5 },
    { fractionWettedIsDefault: false },
    { irrigatedAreaM2: 500 },
  ])('updates the snapshot of a setup that became %j, although 4 mm stay 4 mm', (corrected) => {
    const schedule = juneSchedule();
    schedule.change((it) => {
      it.input = depth(4);
    });
    const plan = planRegeneration(
      { ...schedule.window(), equipmentAt: () => setup(corrected) },
      schedule.rows,
    );
    expect(plan).toMatchObject({ ...EMPTY_PLAN, change: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    expect(plan.change.map(({ dose }) => dose.waterMm)).toEqual([4, 4, 4]);
  });

  it.each<[string, WateringInput]>([
    ['as a depth', depth(3)],
    ['as a volume', { amount: { mode: 'volume_m3', value: 15 }, durationMin: null }],
    ['as a depth with its duration', { ...depth(3), durationMin: 30 }],
  ])('writes an amount entered %s that gives the same 3 mm', (_, input) => {
    const schedule = juneSchedule();
    // 30 min at 6 mm/h are 3 mm, as are 15 m3 on 5,000 m2.
    const equipmentAt = () => setup({ irrigatedAreaM2: 5000 });
    schedule.apply(planRegeneration({ ...schedule.window(), equipmentAt }, schedule.rows));
    const entered = (from: WateringInput, to: WateringInput) => {
      schedule.apply(
        planRegeneration({ ...schedule.window(), equipmentAt, input: from }, schedule.rows),
      );
      return planRegeneration({ ...schedule.window(), equipmentAt, input: to }, schedule.rows)
        .change;
    };
    for (const change of [entered(minutes(30), input), entered(input, minutes(30))])
      expect(change.map(({ id, dose }) => [id, dose.waterMm])).toEqual([
        [1, 3],
        [2, 3],
        [3, 3],
      ]);
    expect(
      entered({ ...depth(3), durationMin: 30 }, { ...depth(3), durationMin: 45 }),
    ).toHaveLength(3);
  });

  it('keeps a done watering that is after now because the clock was set back', () => {
    const schedule = juneSchedule().waitUntil('2025-06-02T10:00:00Z');
    schedule.now = Date.parse('2025-06-01T10:00:00Z');
    const plan = planRegeneration({ ...schedule.window(), input: minutes(60) }, schedule.rows);
    expect([plan.add, plan.change.map(({ id }) => id)]).toEqual([[], [2, 3]]);
  });

  it('does not report an unchanged row, whenever its dose was computed', () => {
    const schedule = juneSchedule();
    schedule.now += 60 * MINUTE;
    expect(planRegeneration(schedule.window(), schedule.rows)).toEqual({
      ...EMPTY_PLAN,
      detachedCount: 0,
    });
  });

  it('keeps local times when the zone changes: rows move, and today’s watering is not repeated', () => {
    const schedule = juneSchedule().waitUntil('2025-06-02T10:00:00Z');
    schedule.correct(schedule.row(2), { status: 'skipped' });
    const plan = schedule.rewrite({ timezone: 'America/New_York' });
    expect(plan).toMatchObject({ add: [], remove: [], newStarts: [], detachedCount: 1 });
    expect(schedule.rowTexts()).toEqual([
      '2025-06-02T06:00 2025-06-02T04:00Z done',
      '2025-06-03T06:00 2025-06-03T04:00Z skipped*',
      '2025-06-04T06:00 2025-06-04T10:00Z planned',
      '2025-06-05T06:00 2025-06-05T10:00Z planned',
    ]);
  });

  it('does not water twice at the instant of a change of zone', () => {
    // At 06:00 in Paris the same instant becomes 05:00 in London.
    const schedule = juneSchedule().waitUntil('2025-06-02T04:00:00Z');
    schedule.rewrite({ timezone: 'Europe/London', startTimes: ['05:00', '12:00'] });
    expect(schedule.rows.filter(({ startedAt }) => startedAt === schedule.now)).toHaveLength(1);
  });

  describe('on 30 March 2025 in Paris, where 02:30 and 03:30 are one instant', () => {
    const march = (startTimes: string[]): ScheduleSimulation => {
      const schedule = new ScheduleSimulation('2025-03-29T12:00:00Z', { startTimes }, DAY);
      schedule.settle();
      return schedule;
    };

    it('keeps its one row when either time is removed or added', () => {
      const schedule = march(['02:30', '03:30']);
      for (const startTimes of [['03:30'], ['02:30', '03:30'], ['02:30']]) {
        expect(schedule.rewrite({ startTimes })).toMatchObject({ add: [], remove: [] });
        expect(schedule.rows.map(({ id, startedAt }) => [id, utc(startedAt)])).toEqual([
          [1, '2025-03-30T01:30Z'],
        ]);
      }
    });

    it('yields to a corrected row whose scheduled start moves to the same instant', () => {
      const schedule = march(['03:30', '05:00']);
      schedule.correct(schedule.at('2025-03-30T05:00'), { status: 'skipped' });
      schedule.rewrite({ startTimes: ['02:30', '03:30'] });
      expect(schedule.rowTexts()).toEqual(['2025-03-30T02:30 2025-03-30T03:00Z skipped*']);
    });
  });
});
