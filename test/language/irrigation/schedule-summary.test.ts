import { describe, expect, it } from 'vitest';
import {
  describeSchedule,
  describeScheduleChanges,
  summarizeSchedule,
  summarizeSchedules,
} from '../../../src/language/irrigation/schedule-summary.ts';
import type { ScheduleBody } from '../../../src/schema/irrigation/schedule.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';
import { farm } from './waterings.ts';

const schedule = (fields: Partial<ScheduleBody> = {}): ScheduleBody => ({
  id: 1,
  targetModuleId: 1,
  targetParcelId: null,
  label: null,
  freq: 'daily',
  intervalDays: 1,
  weekdays: null,
  startTimes: ['05:00'],
  timezone: 'Europe/Paris',
  inputMode: 'duration',
  durationMin: 40,
  inputDepthMm: null,
  inputVolumeM3: null,
  startsOn: '2026-07-02',
  endsOn: null,
  confirmationPolicy: 'auto',
  isActive: true,
  materializedUntil: null,
  ...fields,
});

const ofParcel = { targetModuleId: null, targetParcelId: 1 };
const TIMES = 'every day at 05:00 (Europe/Paris), 40 min each, from tomorrow';
const END = 'Acequia opens no valve. Past ones count as assumed until somebody confirms them.';

describe('a schedule', () => {
  it.each<[string, Partial<ScheduleBody>]>([
    [`Planned on Row 1 ${TIMES}. ${END}`, {}],
    [`Planned on Row 1 ${TIMES} until 31 Aug. ${END}`, { endsOn: '2026-08-31' }],
    [`Stopped; it was planned on Row 1 ${TIMES}. ${END}`, { isActive: false }],
    [
      `Planned on Row 1 ${TIMES}. Acequia opens no valve. Past ones count for nothing until somebody confirms them.`,
      { confirmationPolicy: 'manual' },
    ],
    [
      `Planned on Row 1 every other day at 05:00 and 18:00 (Europe/Paris), 12 mm each, from today. ${END}`,
      {
        intervalDays: 2,
        startTimes: ['05:00', '18:00'],
        inputMode: 'depth_mm',
        inputDepthMm: 12,
        startsOn: '2026-07-01',
      },
    ],
    [
      `Planned on Row 1 every 3 days at 05:00 (Europe/Paris), 40 min each, from tomorrow. ${END}`,
      { intervalDays: 3 },
    ],
    [
      `Planned on Row 1 every Monday, Thursday and Sunday at 05:00 (Europe/Paris), 40 min each, from tomorrow. ${END}`,
      { freq: 'weekly', weekdays: [1, 4, 7] },
    ],
  ])('is %j', async (sentence, fields) =>
    expect(renderText(await summarizeSchedule(schedule(fields), farm))).toBe(sentence),
  );

  it('has US units', async () => {
    const deep = schedule({ inputMode: 'depth_mm', inputDepthMm: 21.46 });
    expect(renderText(await summarizeSchedule(deep, farm), 'us')).toContain(
      ', 0.84 in (21.5 mm) each,',
    );
  });

  it('names its days in its own zone', async () => {
    // Where it is 2 July already.
    const far = schedule({ timezone: 'Pacific/Kiritimati', startsOn: '2026-07-02' });
    expect(renderText(await summarizeSchedule(far, farm))).toContain(
      '(Pacific/Kiritimati), 40 min each, from today.',
    );
  });

  it('is for the probes of its parcel', async () => {
    const oneParcel = [{ id: 1, name: 'Block' }];
    const names = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...MODULE,
        id: index + 1,
        name: `P${index}`,
      }));
    const summarize = async (probes: number) =>
      renderText(
        await summarizeSchedule(
          schedule(ofParcel),
          contextOf({ modules: names(probes), parcels: oneParcel }),
        ),
      );

    expect(await summarize(2)).toBe(`Planned on Block ${TIMES}. ${END} It is for P0 and P1.`);
    expect(await summarize(0)).toBe(
      `To be planned, but not planned yet, on Block ${TIMES}. ${END} The parcel has no probe yet, and waterings are planned on probes.`,
    );
  });
});

describe('schedules', () => {
  const elsewhere = { timezone: 'America/Lima', isActive: false };

  it.each<[string, Partial<ScheduleBody>[]]>([
    ['No schedule matches.', []],
    [
      'Schedules (Europe/Paris): Row 1 every day at 05:00, 40 min; Block 12 mm every day at 05:00, 40 min (stopped).',
      [{}, { ...ofParcel, isActive: false }],
    ],
    [
      'Schedules: Row 1 every day at 05:00 (Europe/Paris), 40 min; Row 1 every day at 05:00 (America/Lima), 40 min (stopped).',
      [{}, elsewhere],
    ],
  ])('are %j', async (sentence, rows) =>
    expect(
      renderText(await summarizeSchedules({ data: rows.map(schedule), next_cursor: null }, farm)),
    ).toBe(sentence),
  );

  it.each([
    ['Row 1 every day at 05:00, 40 min', null],
    ['"Nights", Row 1 every day at 05:00, 40 min', 'Nights'],
  ])('are told apart: %s', async (row, label) =>
    expect(renderText(await describeSchedule(schedule({ label }), farm))).toBe(row),
  );
});

describe('a change of planned waterings', () => {
  const none = {
    kind: 'planned_waterings_changed',
    moved: 0,
    from: [],
    to: [],
    updated: 0,
    added: 0,
    removed: 0,
    keptManual: 0,
  } as const;

  it.each([
    ['No future watering changed.', {}],
    ['No future watering changed, 1 corrected by hand was left unchanged.', { keptManual: 1 }],
    ['1 future watering moved.', { moved: 1 }],
    [
      '2 future waterings moved from 05:00 and 18:00 to 05:30 and 18:30, 1 added, 3 removed, 2 corrected by hand were left unchanged.',
      {
        moved: 2,
        from: ['05:00', '18:00'],
        to: ['05:30', '18:30'],
        added: 1,
        removed: 3,
        keptManual: 2,
      },
    ],
    ['2 future waterings got the new amount or dose.', { updated: 2 }],
    ['3 planned waterings added, 1 removed.', { added: 3, removed: 1 }],
    ['1 planned watering removed.', { removed: 1 }],
  ])('is %j', (sentence, counts) =>
    expect(renderText(describeScheduleChanges({ ...none, ...counts }))).toBe(sentence),
  );
});
