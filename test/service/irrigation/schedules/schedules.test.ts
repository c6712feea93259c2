import { describe, expect } from 'vitest';
import { advisoriesOf, bodyOf, DAY, FARM_NOW, iso, it, type TestFarm } from '../../../farm.ts';

/** 90 days of 24 hours from FARM_NOW: noon in Paris on 29 September. */
const HORIZON = FARM_NOW + 90 * DAY;
/** From 2 July to 29 September at 06:00 in Paris, 04:00Z throughout: 30 + 31 + 29. */
const NINETY = 90;

const sprinkler = { system: 'sprinkler', flowMmPerH: 6 };

describe('POST schedule', () => {
  it('has every field of the spec, with defaults', async ({ farm }) => {
    const schedule = bodyOf(await farm.createSchedule({ module: 'North 1' }));
    expect(schedule).toEqual({
      id: expect.any(Number),
      targetModuleId: farm.idOf('North 1'),
      targetParcelId: null,
      label: null,
      freq: 'daily',
      intervalDays: 1,
      weekdays: null,
      startTimes: ['06:00'],
      timezone: 'Europe/Paris',
      inputMode: 'duration',
      durationMin: 30,
      inputDepthMm: null,
      inputVolumeM3: null,
      startsOn: '2026-07-01',
      endsOn: null,
      confirmationPolicy: 'auto',
      isActive: true,
      materializedUntil: iso(HORIZON),
    });
  });

  it('has the sent fields, and no interval if it is weekly', async ({ farm }) => {
    const sent = {
      label: 'Peaches',
      freq: 'weekly',
      weekdays: [1, 7],
      startTimes: ['05:30'],
      timezone: 'America/New_York',
      inputMode: 'volume_m3',
      inputVolumeM3: 12.5,
      durationMin: 90,
      startsOn: '2026-07-10',
      endsOn: '2026-08-31',
      confirmationPolicy: 'manual',
    };
    const schedule = await farm.createSchedule({ parcel: 'North block', ...sent });
    expect(schedule).toMatchObject({
      ...sent,
      targetModuleId: null,
      targetParcelId: farm.idOf('North block'),
      intervalDays: null,
      inputDepthMm: null,
    });
  });

  it('has each start time once, in order', async ({ farm }) => {
    const startTimes = ['20:00', '06:00', '20:00', '05:00'];
    const schedule = await farm.createSchedule({ module: 'North 1', startTimes });
    expect(schedule.startTimes).toEqual(['05:00', '06:00', '20:00']);
  });

  it('accepts twelve start times, not counting a repeated one', async ({ farm }) => {
    const twelve = Array.from(
      { length: 12 },
      (_, hour) => `${String(hour + 6).padStart(2, '0')}:00`,
    );
    const schedule = await farm.createSchedule({
      module: 'North 1',
      startTimes: [...twelve, '06:00'],
    });
    expect(schedule.startTimes).toEqual(twelve);
  });

  it('accepts an interval of 365 days, and has each weekday once, in order', async ({ farm }) => {
    expect(await farm.createSchedule({ module: 'North 1', intervalDays: 365 })).toMatchObject({
      intervalDays: 365,
    });
    expect(
      await farm.createSchedule({ module: 'North 1', freq: 'weekly', weekdays: [7, 1, 7] }),
    ).toMatchObject({
      weekdays: [1, 7],
    });
  });

  it('counts its waterings', async ({ farm }) => {
    const created = await farm.createSchedule({
      module: 'North 1',
      intervalDays: 2,
      endsOn: '2026-08-31',
    });
    // Every other day from 1 July, the next on the 3rd; 31 August is day 61, so 3 July to 30
    // August.
    expect(advisoriesOf(created, 'waterings_planned')).toMatchObject([{ count: 30, probes: 1 }]);
  });

  it('has one start on several probes', async ({ farm }) => {
    const created = await farm.createSchedule({ parcel: 'North block', endsOn: '2026-08-31' });
    expect(advisoriesOf(created, 'waterings_planned')).toMatchObject([
      { count: 3 * 61, probes: 3, withoutDose: 3 * 61, withoutEquipment: 3 * 61 },
    ]);
  });
});

describe('rule 1: creation adds occurrences to the event log', () => {
  it('over 90 days, planned, with source schedule and without a verifier', async ({ farm }) => {
    const schedule = await farm.createSchedule({ module: 'North 1' });
    const rows = await farm.occurrences(schedule);
    expect([rows.length, rows[0]!.startedAt, rows.at(-1)!.startedAt]).toEqual([
      NINETY,
      '2026-07-02T04:00:00.000Z',
      '2026-09-29T04:00:00.000Z',
    ]);
    for (const row of rows)
      expect(row).toMatchObject({
        moduleId: farm.idOf('North 1'),
        scheduleId: schedule.id,
        isDetached: false,
        durationMin: 30,
        status: 'planned',
        source: 'schedule',
        verifiedAt: null,
        note: null,
        createdAt: iso(FARM_NOW),
      });
  });

  it('with source schedule over the wire too', async ({ farm }) => {
    await farm.wire('create_schedule', {
      targetModuleId: farm.idOf('North 1'),
      freq: 'daily',
      startTimes: ['06:00'],
      timezone: 'Europe/Paris',
      startsOn: '2026-07-01',
      inputMode: 'depth_mm',
      inputDepthMm: 4,
    });
    expect(new Set((await farm.occurrences()).map(({ source }) => source))).toEqual(
      new Set(['schedule']),
    );
  });

  it('each with its dose and a snapshot of the equipment', async ({ farm }) => {
    const { versions } = await farm.declare('North 1', { system: 'drip', flowMmPerH: 7 });
    const [row] = await farm.occurrences(await farm.createSchedule({ module: 'North 1' }));
    // 7 mm/h for 30 min are 3.5 mm; drip wets 0.35 of the soil: 10 mm there.
    expect(row).toMatchObject({
      waterMm: 3.5,
      waterMmWetted: 10,
      configSnapshot: {
        installationId: versions[0]!.id,
        system: 'drip',
        flowMmPerH: 7,
        computedAt: iso(FARM_NOW),
      },
    });
  });

  it('except for an inactive schedule', async ({ farm }) => {
    const schedule = await farm.createSchedule({ module: 'North 1', isActive: false });
    expect(schedule).toMatchObject({ isActive: false, materializedUntil: null });
    expect(await farm.occurrences(schedule)).toEqual([]);
    expect(advisoriesOf(schedule, 'waterings_planned')).toEqual([]);
  });

  it('with a note if none falls into the next 90 days', async ({ farm }) => {
    const created = await farm.createSchedule({
      module: 'North 1',
      startsOn: '2027-05-01',
    });
    expect(advisoriesOf(created, 'nothing_planned')).toHaveLength(1);
    expect(created.materializedUntil).toBe(iso(HORIZON));
  });
});

describe('rule 2: a watering of exactly now', () => {
  it.for([
    ['auto', 'done'],
    ['manual', 'planned'],
  ])(
    'with confirmationPolicy %s is %s, without a verifier',
    async ([confirmationPolicy, status], { farm }) => {
      const schedule = await farm.createSchedule({
        module: 'North 1',
        startTimes: ['12:00'],
        confirmationPolicy,
      });
      const [first, second] = await farm.occurrences(schedule);
      expect([first, second]).toMatchObject([
        { startedAt: iso(FARM_NOW), status, verifiedAt: null },
        { status: 'planned' },
      ]);
    },
  );
});

describe('a schedule on a parcel (decision 11)', () => {
  const days = { endsOn: '2026-07-03' };

  it('gives each probe events with the dose of its effective setup', async ({ farm }) => {
    await farm.declareParcel('North block', sprinkler);
    await farm.declare('North 2', { ...sprinkler, flowMmPerH: 8 });
    const rows = await farm.occurrences(
      await farm.createSchedule({ parcel: 'North block', ...days }),
    );
    // Half an hour: 3 mm at 6 mm/h, 4 mm at 8 mm/h; on the 2nd and the 3rd.
    const each = [
      [farm.idOf('North 1'), 3],
      [farm.idOf('North 2'), 4],
      [farm.idOf('North 3'), 3],
    ];
    expect(rows.map(({ moduleId, waterMm }) => [moduleId, waterMm])).toEqual([...each, ...each]);
  });

  it('waters soil probes and tensiometers, not stations', async ({ farm }) => {
    await farm.importFile({
      modules: [{ uid: 'T1', name: 'Tension', category: 'TENSIOMETER', parcel: 'South block' }],
    });
    const modules = (await farm.tool<{ data: { id: number; name: string }[] }>('list_modules', {}))
      .data;
    const rows = await farm.occurrences(
      await farm.createSchedule({ parcel: 'South block', endsOn: '2026-07-02' }),
    );
    expect(rows.map(({ moduleId }) => modules.find(({ id }) => id === moduleId)!.name)).toEqual([
      'South 1',
      'Tension',
    ]);
  });

  it('by volume waters the whole parcel at each start, spread over its irrigated area', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', { ...sprinkler, irrigatedAreaM2: 12_000 });
    await farm.declare('North 2', { ...sprinkler, irrigatedAreaM2: 2000 });
    const schedule = await farm.createSchedule({
      parcel: 'North block',
      endsOn: '2026-07-02',
      inputMode: 'volume_m3',
      inputVolumeM3: 30,
    });
    expect(advisoriesOf(schedule, 'parcel_volume')).toMatchObject([
      { volumeM3: 30, areaM2: 12_000, waterMm: 2.5 },
    ]);
    // 30,000 L on 12,000 m2, also on the probe with a setup of its own.
    const occurrences = await farm.occurrences(schedule);
    expect(occurrences.map(({ waterMm }) => waterMm)).toEqual([2.5, 2.5, 2.5]);

    // As when it is logged by hand.
    const logged = await farm.tool<{ waterings: { event: { waterMm: number } }[] }>(
      'log_watering',
      { parcel: 'North block', startedAt: 'today 6:00', inputMode: 'volume_m3', inputVolumeM3: 30 },
    );
    expect(logged.waterings.map(({ event }) => event.waterMm)).toEqual([2.5, 2.5, 2.5]);
  });

  it('by volume follows each area of its parcel, and a correction of one start keeps to it', async ({
    farm,
  }) => {
    for (const name of ['North 1', 'North 2', 'North 3'])
      await farm.declare(name, { ...sprinkler, irrigatedAreaM2: 1000 });
    const schedule = await farm.createSchedule({
      parcel: 'North block',
      endsOn: '2026-07-02',
      inputMode: 'volume_m3',
      inputVolumeM3: 30,
    });
    const dosesOf = async () => (await farm.occurrences(schedule)).map(({ waterMm }) => waterMm);
    // 30,000 L on three times 1,000 m2, then on 5,000 m2.
    expect(await dosesOf()).toEqual([10, 10, 10]);
    await farm.declare('North 2', { ...sprinkler, irrigatedAreaM2: 3000 });
    expect(await dosesOf()).toEqual([6, 6, 6]);

    const [first] = await farm.occurrences(schedule);
    const { event } = await farm.correct(first!, { inputVolumeM3: 15 });
    expect(event.waterMm).toBe(3);
  });

  it('does not depend on the area in another mode', async ({ farm }) => {
    await farm.declareParcel('North block', { ...sprinkler, irrigatedAreaM2: 1000 });
    const created = await farm.createSchedule({ parcel: 'North block' });
    expect(advisoriesOf(created, 'parcel_volume')).toEqual([]);
  });
});

describe('the first date of a schedule', () => {
  const create = (farm: TestFarm, fields: Record<string, unknown>) =>
    farm.createSchedule({ module: 'North 1', startsOn: undefined, timezone: undefined, ...fields });

  // Wednesday 1 July 2026, noon in Paris.
  it.for<[title: string, fields: Record<string, unknown>, startsOn: string]>([
    ['today while a start is ahead', { startTimes: ['06:00', '18:00'] }, '2026-07-01'],
    ['tomorrow once all have passed', { startTimes: ['06:00'] }, '2026-07-02'],
    [
      'the next weekday that fits',
      { freq: 'weekly', weekdays: [1, 5], startTimes: ['06:00'] },
      '2026-07-03',
    ],
    ['today of a week', { freq: 'weekly', weekdays: [3], startTimes: ['18:00'] }, '2026-07-01'],
    ['a week ahead', { freq: 'weekly', weekdays: [3], startTimes: ['06:00'] }, '2026-07-08'],
    ['tomorrow every third day', { intervalDays: 3, startTimes: ['06:00'] }, '2026-07-02'],
    [
      'in the zone of the schedule',
      { startTimes: ['11:00'], timezone: 'America/New_York' },
      '2026-07-01',
    ],
    ['as it is named', { startsOn: 'tomorrow' }, '2026-07-02'],
    ['on a weekday to come', { startsOn: 'Monday' }, '2026-07-06'],
    ['in French', { startsOn: 'demain' }, '2026-07-02'],
    ['in Spanish', { startsOn: 'el lunes que viene' }, '2026-07-06'],
    ['as a date', { startsOn: '2026-08-01' }, '2026-08-01'],
  ])('is %s', async ([_, fields, startsOn], { farm }) => {
    const { timezone = 'Europe/Paris' } = fields;
    expect(await create(farm, fields)).toMatchObject({ startsOn, timezone });
  });

  it('does not hide what else is wrong', async ({ farm }) => {
    const refusal = (fields: Record<string, unknown>) =>
      create(farm, fields).catch(({ code }: { code: string }) => code);
    expect([
      await refusal({ startTimes: ['25:00'] }),
      await refusal({ timezone: 'Mars/Base' }),
      await refusal({ freq: 'weekly' }),
      await refusal({ startsOn: 'soon' }),
      await refusal({ endsOn: 'yesterday' }),
    ]).toEqual([
      'INVALID_START_TIMES',
      'INVALID_TIMEZONE',
      'INVALID_WEEKDAYS',
      'INVALID_STARTS_ON',
      'INVALID_ENDS_ON',
    ]);
  });

  it('is required over REST, as the zone is', async ({ farm }) => {
    const body = {
      targetModuleId: farm.idOf('North 1'),
      freq: 'daily',
      startTimes: ['06:00'],
      startsOn: '2026-07-02',
    };
    const amount = { inputMode: 'duration', durationMin: 30, timezone: 'Europe/Paris' };
    for (const [field, code] of [
      ['startsOn', 'INVALID_STARTS_ON'],
      ['timezone', 'INVALID_TIMEZONE'],
    ] as const)
      await expect(
        farm.wire('create_schedule', { ...body, ...amount, [field]: undefined }),
      ).rejects.toMatchObject({
        code,
      });
  });
});
