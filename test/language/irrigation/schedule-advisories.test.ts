import { describe, expect, it } from 'vitest';
import { scheduleSentences } from '../../../src/language/irrigation/schedule-advisories.ts';
import { DAY, FARM_NOW, HOUR } from '../../farm.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const {
  schedules_keep_zone: keepZone,
  duplicate_schedule: duplicate,
  schedules_overlap: overlap,
  start_falls_away: fallsAway,
  parcel_volume: parcelVolume,
  waterings_planned: planned,
  planned_waterings_follow: follow,
  still_waters_today: stillToday,
  removed_today: removedToday,
} = scheduleSentences;

describe('what is planned', () => {
  const advisory = {
    kind: 'waterings_planned',
    count: 90,
    probes: 1,
    withoutDose: 0,
    withoutEquipment: 0,
    nextAt: FARM_NOW + DAY,
    timezone: 'Europe/Paris',
  } as const;
  const START = '90 waterings planned in the next 90 days, the next tomorrow 12:00.';
  const LACKS = 'because the equipment lacks something.';

  it.each<[string, string[], object]>([
    [START, [], {}],
    ['1 watering planned in the next 90 days, the next tomorrow 12:00.', [], { count: 1 }],
    [
      '45 starts on 2 probes planned in the next 90 days, the next tomorrow 12:00.',
      [],
      { probes: 2 },
    ],
    [
      '90 waterings planned in the next 90 days, the next tomorrow 05:00.',
      [],
      { timezone: 'America/Lima' },
    ],
    [
      `${START} 30 of these waterings have no dose yet, because no equipment is declared for them.`,
      ['get_irrigation_setup'],
      { withoutDose: 30, withoutEquipment: 30 },
    ],
    [
      `${START} 30 of these waterings have no dose yet, ${LACKS}`,
      ['get_irrigation_setup'],
      { withoutDose: 30, withoutEquipment: 3 },
    ],
    [
      `${START} None of them has a dose yet, because no equipment is declared.`,
      ['set_module_installation'],
      { withoutDose: 90, withoutEquipment: 90 },
    ],
    [
      '45 starts on 2 probes planned in the next 90 days, the next tomorrow 12:00. None of them has a dose yet, because no equipment is declared.',
      ['set_parcel_installation'],
      { probes: 2, withoutDose: 90, withoutEquipment: 90 },
    ],
    [
      `${START} None of them has a dose yet, ${LACKS}`,
      ['get_irrigation_setup'],
      { withoutDose: 90 },
    ],
  ])('is %j', (summary, next, fields) =>
    expect(renderAnswer(planned({ ...advisory, ...fields }))).toEqual({ summary, next }),
  );

  it('follows a change', () => {
    expect(renderText(follow({ kind: 'planned_waterings_follow', modules: 46 }))).toBe(
      'Other planned waterings of 46 probes are updated shortly.',
    );
    expect(
      renderAnswer(stillToday({ kind: 'still_waters_today', times: ['18:00', '20:00'] })),
    ).toEqual({
      summary: 'It is still planned for today at 18:00 and 20:00; that watering can be skipped.',
      next: ['correct_watering(status: skipped)'],
    });
    expect(renderText(removedToday({ kind: 'removed_today', times: ['18:00'] }))).toBe(
      'Today’s watering at 18:00 was removed by the change.',
    );
  });

  it.each([
    [
      'The 48 m3 are for the whole parcel at each start: 3 mm over its 15950 m2.',
      'The 12,700 gal (48 m3) are for the whole parcel at each start: 0.12 in (3 mm) over its 3.94 acres (15950 m2).',
      { areaM2: 15_950.3, waterMm: 3.009 },
    ],
    [
      'The 48 m3 are for the whole parcel at each start, and its irrigated area is missing.',
      'The 12,700 gal (48 m3) are for the whole parcel at each start, and its irrigated area is missing.',
      { areaM2: null, waterMm: null },
    ],
  ])('is a volume of the parcel: %s', (metric, us, fields) => {
    const text = parcelVolume({ kind: 'parcel_volume', volumeM3: 48, ...fields });
    expect([renderText(text), renderText(text, 'us')]).toEqual([metric, us]);
  });
});

describe('schedules beside each other', () => {
  it.each([
    [
      'Another schedule plans the same target at the same time: if both are the same plan, stop one.',
      'update_schedule(scheduleId: 4, isActive: false)',
      duplicate({ kind: 'duplicate_schedule', id: 4 }),
    ],
    [
      'Its watering tomorrow 12:00 overlaps that which another schedule plans on the same probes tomorrow 11:00, and both will count: ask whether that is meant.',
      'update_schedule(scheduleId: 4)',
      overlap({
        kind: 'schedules_overlap',
        id: 4,
        at: FARM_NOW + DAY,
        otherAt: FARM_NOW + DAY - HOUR,
      }),
    ],
    [
      'Its watering tomorrow 12:00 begins before that of tomorrow 11:00 ends, and both will count: ask whether that is meant.',
      'update_schedule',
      overlap({
        kind: 'schedules_overlap',
        id: null,
        at: FARM_NOW + DAY,
        otherAt: FARM_NOW + DAY - HOUR,
      }),
    ],
  ])('are said with the call that changes one: %s', (summary, next, text) =>
    expect(renderAnswer(text)).toEqual({ summary, next: [next] }),
  );

  it('have one start where clocks go forward', () => {
    const start = { at: FARM_NOW, time: '03:30', plannedTime: '02:30' };
    expect(renderText(fallsAway({ kind: 'start_falls_away', ...start }))).toBe(
      'Where clocks go forward, 02:30 and 03:30 are the same instant (today 12:00): one watering is planned then, and that of 03:30 falls away.',
    );
  });

  it('keep their zone when that of the company changes', () => {
    const schedules = [{ name: 'North 1', starts: ['05:00'], timezone: 'America/Lima' }];
    const { summary, next } = renderAnswer(
      keepZone({ kind: 'schedules_keep_zone', schedules, count: 1 }),
    );
    expect(summary).toContain('North 1');
    expect(next).toEqual(['update_schedule(scheduleId, timezone) for one that is to follow']);
  });
});
