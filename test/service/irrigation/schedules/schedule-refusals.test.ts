import { describe, expect } from 'vitest';
import { updateCompany } from '../../../../src/store/company/companies.ts';
import { it, type TestFarm } from '../../../farm.ts';

type Fields = Record<string, unknown>;

const refusal = (code: string, field: string, status = 400) => ({
  code,
  status,
  field,
  hint: expect.stringMatching(/\S/),
  message: expect.stringMatching(/\S/),
});

const validEntry = (farm: TestFarm): Fields => ({
  targetModuleId: farm.idOf('North 1'),
  freq: 'daily',
  startTimes: ['06:00'],
  timezone: 'Europe/Paris',
  startsOn: '2026-07-01',
  inputMode: 'duration',
  durationMin: 30,
});

const without = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const REFUSED: [string, Fields, string][] = [
  ['INVALID_INPUT_MODE', { inputMode: 'minutes' }, 'inputMode'],
  ['INVALID_INPUT_MODE', { inputMode: undefined }, 'inputMode'],
  ['INVALID_DURATION', { durationMin: 0 }, 'durationMin'],
  ['INVALID_DURATION', { durationMin: 1.5 }, 'durationMin'],
  ['INVALID_DURATION', { durationMin: 44_641 }, 'durationMin'],
  ['MISSING_DURATION', { durationMin: undefined }, 'durationMin'],
  ['MISSING_DEPTH', { inputMode: 'depth_mm' }, 'inputDepthMm'],
  ['MISSING_VOLUME', { inputMode: 'volume_m3' }, 'inputVolumeM3'],
  ['INVALID_DEPTH', { inputMode: 'depth_mm', inputDepthMm: 0 }, 'inputDepthMm'],
  ['INVALID_DEPTH', { inputMode: 'depth_mm', inputDepthMm: 1000.5 }, 'inputDepthMm'],
  ['INVALID_VOLUME', { inputMode: 'volume_m3', inputVolumeM3: -1 }, 'inputVolumeM3'],
  ['INVALID_VOLUME', { inputMode: 'volume_m3', inputVolumeM3: 1_000_001 }, 'inputVolumeM3'],
  ['INVALID_FREQ', { freq: 'monthly' }, 'freq'],
  ['INVALID_FREQ', { freq: undefined }, 'freq'],
  ['INVALID_INTERVAL', { intervalDays: 0 }, 'intervalDays'],
  ['INVALID_INTERVAL', { intervalDays: 366 }, 'intervalDays'],
  ['INVALID_INTERVAL', { intervalDays: 1.5 }, 'intervalDays'],
  ['INVALID_INTERVAL', { freq: 'weekly', weekdays: [1], intervalDays: 2 }, 'intervalDays'],
  ['INVALID_WEEKDAYS', { freq: 'weekly', weekdays: [0] }, 'weekdays'],
  ['INVALID_WEEKDAYS', { freq: 'weekly', weekdays: [8] }, 'weekdays'],
  ['INVALID_WEEKDAYS', { freq: 'weekly', weekdays: [1.5] }, 'weekdays'],
  ['INVALID_WEEKDAYS', { freq: 'weekly', weekdays: [] }, 'weekdays'],
  ['INVALID_WEEKDAYS', { freq: 'weekly' }, 'weekdays'],
  ['INVALID_WEEKDAYS', { weekdays: [1] }, 'weekdays'],
  ['INVALID_START_TIMES', { startTimes: ['24:00'] }, 'startTimes'],
  ['INVALID_START_TIMES', { startTimes: ['6:5'] }, 'startTimes'],
  ['INVALID_START_TIMES', { startTimes: ['06:60'] }, 'startTimes'],
  ['INVALID_START_TIMES', { startTimes: ['06:00', '06:00:30'] }, 'startTimes'],
  ['INVALID_START_TIMES', { startTimes: [] }, 'startTimes'],
  ['INVALID_START_TIMES', { startTimes: undefined }, 'startTimes'],
  [
    'INVALID_START_TIMES',
    { startTimes: Array.from({ length: 13 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`) },
    'startTimes',
  ],
  ['INVALID_STARTS_ON', { startsOn: '2026-02-30' }, 'startsOn'],
  ['INVALID_STARTS_ON', { startsOn: '1 July 2026' }, 'startsOn'],
  ['INVALID_STARTS_ON', { startsOn: '2026-07-01T06:00:00Z' }, 'startsOn'],
  ['INVALID_STARTS_ON', { startsOn: undefined }, 'startsOn'],
  ['INVALID_ENDS_ON', { endsOn: '2026-06-30' }, 'endsOn'],
  ['INVALID_ENDS_ON', { endsOn: '2026-13-01' }, 'endsOn'],
  ['INVALID_CONFIRMATION_POLICY', { confirmationPolicy: 'never' }, 'confirmationPolicy'],
  ['INVALID_TIMEZONE', { timezone: undefined }, 'timezone'],
  ...[
    '',
    ...'UTC utc Etc/UTC Etc/UCT UCT GMT GMT0 GMT+0 Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0'.split(' '),
    ...'Etc/Greenwich Greenwich Zulu Etc/Zulu Universal Europe/Atlantis +02:00 Paris'.split(' '),
    ...'EST BST AST NST MST HST CET PST8PDT'.split(' '),
  ].map((timezone): [string, Fields, string] => ['INVALID_TIMEZONE', { timezone }, 'timezone']),
];

describe('a new schedule', () => {
  it.for(REFUSED)(
    'is refused with %s for %j, with a hint, and not written',
    async ([code, fields, field], { farm }) => {
      const isWritten = await farm.isWrittenBy(async () => {
        await expect(
          farm.wire('create_schedule', without({ ...validEntry(farm), ...fields })),
        ).rejects.toMatchObject(refusal(code, field));
      });
      expect(isWritten).toBe(false);
    },
  );

  it('accepts the entry that the refusals start from', async ({ farm }) => {
    expect(await farm.isWrittenBy(() => farm.wire('create_schedule', validEntry(farm)))).toBe(true);
  });

  it.for<[string, Fields]>([
    ['both targets', { targetParcelId: 1 }],
    ['neither', { targetModuleId: undefined }],
  ])('is refused with INVALID_TARGET for %s', async ([_, fields], { farm }) => {
    const isWritten = await farm.isWrittenBy(async () => {
      await expect(
        farm.wire('create_schedule', without({ ...validEntry(farm), ...fields })),
      ).rejects.toMatchObject(refusal('INVALID_TARGET', 'module'));
    });
    expect(isWritten).toBe(false);
  });

  it('is INVALID_TARGET by name too: both and none', async ({ farm }) => {
    const code = 'INVALID_TARGET';
    await expect(
      farm.createSchedule({ module: 'North 1', parcel: 'North block' }),
    ).rejects.toMatchObject({ code });
    await expect(farm.createSchedule({})).rejects.toMatchObject({ code });
  });

  it.for<[string, Fields, string]>([
    ['a depth in minutes', { inputDepthMm: 4 }, 'INVALID_DEPTH'],
    ['a volume in minutes', { inputVolumeM3: 4 }, 'INVALID_VOLUME'],
    [
      'a volume in depth',
      { inputMode: 'depth_mm', inputDepthMm: 4, inputVolumeM3: 4 },
      'INVALID_VOLUME',
    ],
    [
      'a depth in volume',
      { inputMode: 'volume_m3', inputDepthMm: 4, inputVolumeM3: 4 },
      'INVALID_DEPTH',
    ],
  ])('is refused with an amount of another mode: %s', async ([_, fields, code], { farm }) => {
    const isWritten = await farm.isWrittenBy(async () => {
      await expect(
        farm.wire('create_schedule', { ...validEntry(farm), ...fields }),
      ).rejects.toMatchObject({
        code,
        hint: expect.stringMatching(/\S/),
      });
    });
    expect(isWritten).toBe(false);
  });

  it('is refused with a dose above 10000 mm by the equipment of a probe, also when changed to it', async ({
    farm,
  }) => {
    await farm.declareUnasked('North 1', { system: 'sprinkler', irrigatedAreaM2: 0.01 });
    const volume = {
      ...validEntry(farm),
      inputMode: 'volume_m3',
      durationMin: undefined,
      inputVolumeM3: 0.1,
    };
    const refused = refusal('INVALID_VOLUME', 'inputVolumeM3');
    await expect(
      farm.wire('create_schedule', without({ ...volume, inputVolumeM3: 5 })),
    ).rejects.toMatchObject(refused);
    const { id } = await farm.wire<{ id: number }>('create_schedule', without(volume));
    const change = { scheduleId: id, inputMode: 'volume_m3', inputVolumeM3: 5 };
    await expect(farm.wire('update_schedule', change)).rejects.toMatchObject(refused);
    expect((await farm.occurrences({ id })).every(({ waterMm }) => waterMm === 10_000)).toBe(true);
  });

  it('is refused with endedAt', async ({ farm }) => {
    await expect(
      farm.wire('create_schedule', { ...validEntry(farm), endedAt: '2026-07-01T06:30:00Z' }),
    ).rejects.toMatchObject({ status: 400, field: 'endedAt' });
  });

  it('is MODULE_NOT_OWNED for a probe of another company and an unknown one', async ({ farm }) => {
    for (const targetModuleId of [farm.idOf('Blue 1'), 9_999])
      await expect(
        farm.wire('create_schedule', { ...validEntry(farm), targetModuleId }),
      ).rejects.toMatchObject(refusal('MODULE_NOT_OWNED', 'module'));
    await expect(farm.createSchedule({ module: 'Nowhere' })).rejects.toMatchObject({
      code: 'MODULE_NOT_OWNED',
    });
    expect(await farm.occurrences()).toEqual([]);
  });

  it('is 404 PARCEL_NOT_FOUND for an unknown parcel, 403 for one of another company', async ({
    farm,
  }) => {
    const onParcel = (targetParcelId: number) =>
      farm.wire(
        'create_schedule',
        without({ ...validEntry(farm), targetModuleId: undefined, targetParcelId }),
      );
    await expect(onParcel(9_999)).rejects.toMatchObject({ code: 'PARCEL_NOT_FOUND', status: 404 });
    await expect(farm.createSchedule({ parcel: 'Nowhere' })).rejects.toMatchObject({
      code: 'PARCEL_NOT_FOUND',
      status: 404,
    });
    await expect(onParcel(farm.idOf('Blue block'))).rejects.toMatchObject({
      code: 'forbidden_resource',
      status: 403,
    });
  });

  it.for([
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'Africa/Abidjan',
    'Atlantic/Reykjavik',
    'Etc/GMT-2',
  ])(
    'accepts a civil zone, even one that equals UTC: %s (decision 12)',
    async (timezone, { farm }) => {
      expect(await farm.wire('create_schedule', { ...validEntry(farm), timezone })).toMatchObject({
        timezone,
      });
    },
  );
});

it('goes on in the abbreviation that its company had before these were refused', async ({
  farm,
}) => {
  await farm.store.writeAll((all) => updateCompany(all, 1, { timezone: 'EST' }));
  const entry = { ...validEntry(farm), timezone: 'EST' };
  const { id } = await farm.wire<{ id: number }>('create_schedule', entry);
  expect(await farm.updateSchedule({ id }, { durationMin: 40 })).toMatchObject({ timezone: 'EST' });
  await expect(farm.updateSchedule({ id }, { timezone: 'MST' })).rejects.toMatchObject({
    code: 'INVALID_TIMEZONE',
    message: expect.stringContaining('America/Denver or America/Phoenix'),
  });
});

describe('an invalid change of a schedule', () => {
  const weekly = { freq: 'weekly', weekdays: [1] };

  it.for<[string, Fields, Fields, string]>([
    ['INVALID_TIMEZONE', {}, { timezone: 'Zulu' }, 'timezone'],
    ['INVALID_START_TIMES', {}, { startTimes: ['24:00'] }, 'startTimes'],
    ['INVALID_START_TIMES', {}, { startTimes: [] }, 'startTimes'],
    ['INVALID_INTERVAL', {}, { intervalDays: 366 }, 'intervalDays'],
    ['INVALID_INTERVAL', weekly, { intervalDays: 2 }, 'intervalDays'],
    ['INVALID_WEEKDAYS', {}, { weekdays: [1] }, 'weekdays'],
    ['INVALID_WEEKDAYS', {}, { freq: 'weekly' }, 'weekdays'],
    ['INVALID_WEEKDAYS', weekly, { weekdays: null }, 'weekdays'],
    ['INVALID_FREQ', {}, { freq: 'hourly' }, 'freq'],
    ['INVALID_STARTS_ON', {}, { startsOn: '2026-02-30' }, 'startsOn'],
    ['INVALID_ENDS_ON', {}, { endsOn: '2026-06-30' }, 'endsOn'],
    ['INVALID_ENDS_ON', { endsOn: '2026-07-05' }, { startsOn: '2026-07-06' }, 'endsOn'],
    ['INVALID_CONFIRMATION_POLICY', {}, { confirmationPolicy: 'ask' }, 'confirmationPolicy'],
    ['INVALID_INPUT_MODE', {}, { inputMode: 'hours' }, 'inputMode'],
    ['MISSING_DEPTH', {}, { inputMode: 'depth_mm' }, 'inputDepthMm'],
    ['MISSING_VOLUME', {}, { inputMode: 'volume_m3' }, 'inputVolumeM3'],
    ['MISSING_DURATION', {}, { durationMin: null }, 'durationMin'],
    ['INVALID_DEPTH', {}, { inputDepthMm: 3 }, 'inputDepthMm'],
    ['INVALID_VOLUME', {}, { inputVolumeM3: 3 }, 'inputVolumeM3'],
    ['INVALID_DURATION', {}, { durationMin: 0 }, 'durationMin'],
  ])(
    'is refused with %s: %j, then %j, and not written',
    async ([code, created, change, field], { farm }) => {
      const { id } = await farm.wire<{ id: number }>('create_schedule', {
        ...validEntry(farm),
        ...created,
      });
      const isWritten = await farm.isWrittenBy(async () => {
        await expect(
          farm.wire('update_schedule', { scheduleId: id, ...change }),
        ).rejects.toMatchObject(refusal(code, field));
      });
      expect(isWritten).toBe(false);
    },
  );

  it('is refused for another target', async ({ farm }) => {
    const schedule = await farm.createSchedule({ module: 'North 1' });
    await expect(
      farm.wire('update_schedule', {
        scheduleId: schedule.id,
        targetModuleId: farm.idOf('North 2'),
      }),
    ).rejects.toMatchObject({ code: 'invalid_body', field: 'targetModuleId' });
  });
});
