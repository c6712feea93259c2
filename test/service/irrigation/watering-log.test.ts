import { describe, expect } from 'vitest';
import {
  type Advised,
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  type TestFarm,
} from '../../farm.ts';

const drip = { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2, irrigatedAreaM2: 14_000 };
const startedAt = iso(FARM_NOW - HOUR);
const minutes = { startedAt, inputMode: 'duration', durationMin: 45 };
const depth = { startedAt, inputMode: 'depth_mm', inputDepthMm: 10 };
const volume = { startedAt, inputMode: 'volume_m3', inputVolumeM3: 45 };

describe('a logged watering', () => {
  it('has 18 fields, a snapshot of 8, and warnings', async ({ farm }) => {
    await farm.declare('North 1', drip);
    const { event, warnings } = await farm.log('North 1', minutes);
    expect(Object.keys(event)).toHaveLength(18);
    expect(Object.keys(event.configSnapshot!)).toHaveLength(8);
    expect(warnings).toEqual(['DEFAULT_FRACTION_WETTED']);
  });

  it('has the entered fields and no schedule', async ({ farm }) => {
    const { event } = await farm.log('North 1', { ...minutes, note: 'leak at row 4' });
    expect(event).toMatchObject({
      moduleId: farm.idOf('North 1'),
      scheduleId: null,
      isDetached: false,
      startedAt,
      durationMin: 45,
      inputMode: 'duration',
      inputDepthMm: null,
      inputVolumeM3: null,
      note: 'leak at row 4',
      createdAt: iso(FARM_NOW),
    });
    expect(await farm.watering(event.id)).toEqual(event);
  });

  it('ends after its duration', async ({ farm }) => {
    expect((await farm.log('North 1', minutes)).event.endedAt).toBe(
      iso(FARM_NOW - HOUR + 45 * MINUTE),
    );
  });

  it('is done while it still runs', async ({ farm }) => {
    const running = { ...minutes, startedAt: iso(FARM_NOW - 30 * MINUTE) };
    expect((await farm.log('North 1', running)).event).toMatchObject({
      status: 'done',
      endedAt: iso(FARM_NOW + 15 * MINUTE),
    });
  });

  it('has source mcp from a tool, and api over the wire', async ({ farm }) => {
    const overWire = await farm.wire<{ event: unknown }>('log_watering', {
      moduleId: farm.idOf('North 1'),
      ...minutes,
    });
    expect((await farm.log('North 1', minutes)).event.source).toBe('mcp');
    expect(overWire.event).toMatchObject({ source: 'api' });
  });

  it('has the calling user', async ({ farm }) => {
    await farm.log('North 1', minutes, { caller: { userId: 1 } });
    const [row] = await farm.write((db) =>
      db.selectFrom('waterings').select('created_by').execute(),
    );
    expect(row).toEqual({ created_by: 1 });
  });
});

describe('the dose of a watering', () => {
  it('depends on the equipment at the start of the watering, not at the call', async ({ farm }) => {
    await farm.declare('North 1', { system: 'sprinkler', flowMmPerH: 6 });
    await farm.declare('North 1', {
      system: 'drip',
      flowMmPerH: 2,
      effectiveFrom: iso(FARM_NOW - DAY),
    });
    const old = await farm.log('North 1', {
      ...minutes,
      startedAt: iso(FARM_NOW - 2 * DAY),
      durationMin: 60,
    });
    const late = await farm.log('North 1', { ...minutes, durationMin: 60 });
    expect([old.event.waterMm, late.event.waterMm]).toEqual([6, 2]);
    expect([old.event.configSnapshot?.system, late.event.configSnapshot?.system]).toEqual([
      'sprinkler',
      'drip',
    ]);
  });

  it('depends on the parcel’s setup if the probe has none', async ({ farm }) => {
    await farm.declareParcel('North block', drip);
    const { event } = await farm.log('North 1', minutes);
    expect(event).toMatchObject({ waterMm: 2.4, configSnapshot: { scope: 'parcel' } });
  });

  it('has a snapshot of the parameters used', async ({ farm }) => {
    const { installation } = await farm.declare('North 1', drip);
    expect((await farm.log('North 1', minutes)).event.configSnapshot).toEqual({
      installationId: installation!.id,
      scope: 'module',
      system: 'drip',
      flowMmPerH: 3.2,
      fractionWetted: 0.35,
      fractionWettedIsDefault: true,
      irrigatedAreaM2: 14_000,
      computedAt: iso(FARM_NOW),
    });
  });

  it('keeps its figure and snapshot when the setup is corrected', async ({ farm }) => {
    const { installation } = await farm.declare('North 1', drip);
    const { event } = await farm.log('North 1', minutes);
    await farm.correctVersion(installation!, { emitterFlowLph: 4, system: 'pivot' });
    expect(await farm.watering(event.id)).toEqual(event);
  });

  it('is stored exactly and answered with 3 decimals: 20 min at 1 mm/h', async ({ farm }) => {
    await farm.declare('North 1', { system: 'drip', flowMmPerH: 1 });
    const { event } = await farm.log('North 1', { ...minutes, durationMin: 20 });
    expect(event).toMatchObject({ waterMm: 0.333, waterMmWetted: 0.952 });
    const [row] = await farm.write((db) =>
      db.selectFrom('waterings').select(['water_mm', 'water_mm_wetted']).execute(),
    );
    expect(row).toEqual({ water_mm: 1 / 3, water_mm_wetted: 1 / 3 / 0.35 });
  });
});

describe('a dose without a setup', () => {
  it.for([minutes, volume])(
    'does not prevent a watering in $inputMode mode: NO_INSTALLATION',
    async (entry, { farm }) => {
      const { event, warnings } = await farm.log('North 1', entry);
      expect(event).toMatchObject({ waterMm: null, waterMmWetted: null, configSnapshot: null });
      expect(warnings).toEqual(['NO_INSTALLATION']);
      expect(await farm.watering(event.id)).toEqual(event);
    },
  );

  it('is only the wetted one in depth_mm mode: NO_INSTALLATION', async ({ farm }) => {
    const { event, warnings } = await farm.log('North 1', depth);
    expect(event).toMatchObject({ waterMm: 10, waterMmWetted: null });
    expect(event.configSnapshot).toEqual({
      installationId: null,
      scope: null,
      system: null,
      flowMmPerH: null,
      fractionWetted: null,
      fractionWettedIsDefault: false,
      irrigatedAreaM2: null,
      computedAt: iso(FARM_NOW),
    });
    expect(warnings).toEqual(['NO_INSTALLATION']);
  });
});

describe('the status of a new watering', () => {
  it.for([
    ['done', 'an hour ago', -HOUR],
    ['done', 'now', 0],
    ['done', '5 minutes ahead, which counts as now', 5 * MINUTE],
    ['planned', 'more than 5 minutes ahead', 5 * MINUTE + 1],
    ['planned', 'tomorrow', DAY],
  ] as const)('is %s by default if it starts %s', async ([status, _, ahead], { farm }) => {
    const { event } = await farm.log('North 1', { ...minutes, startedAt: iso(FARM_NOW + ahead) });
    expect(event.status).toBe(status);
  });

  it.for([
    ['planned', null],
    ['done', iso(FARM_NOW)],
    ['skipped', null],
  ])('is %s on request, verified at %s', async ([status, verifiedAt], { farm }) => {
    expect((await farm.log('North 1', { ...minutes, status })).event).toMatchObject({
      status,
      verifiedAt,
    });
  });

  it('done is INVALID_STATUS for a future start', async ({ farm }) => {
    await expect(
      farm.log('North 1', { ...minutes, startedAt: iso(FARM_NOW + HOUR), status: 'done' }),
    ).rejects.toMatchObject({ code: 'INVALID_STATUS', status: 400, field: 'status' });
  });

  it('planned has a dose too', async ({ farm }) => {
    await farm.declare('North 1', drip);
    const { event } = await farm.log('North 1', { ...minutes, startedAt: iso(FARM_NOW + DAY) });
    expect(event).toMatchObject({ status: 'planned', waterMm: 2.4 });
  });
});

describe('an invalid watering', () => {
  it.for([
    ['INVALID_STARTED_AT', 'startedAt', { startedAt: undefined }],
    ['MISSING_DURATION', 'durationMin', { inputMode: undefined, durationMin: undefined }],
    [
      'INVALID_INPUT_MODE',
      'inputMode',
      { inputMode: undefined, inputDepthMm: 4, inputVolumeM3: 12 },
    ],
  ] as const)('is refused with %s: %s from %j', async ([code, field, fields], { farm }) => {
    const log = farm.log('North 1', { ...minutes, ...fields });
    await expect(log).rejects.toMatchObject({ code, field, status: 400 });
  });

  it.for([
    ['duration', { durationMin: 45 }],
    ['depth_mm', { durationMin: undefined, inputDepthMm: 4 }],
    ['depth_mm', { durationMin: 45, inputDepthMm: 4 }],
    ['volume_m3', { durationMin: undefined, inputVolumeM3: 12 }],
  ] as const)('is not one without a mode, which is %s by %j', async ([mode, fields], { farm }) => {
    const { event } = await farm.log('North 1', { ...minutes, inputMode: undefined, ...fields });
    expect(event.inputMode).toBe(mode);
  });

  it.for([
    ['INVALID_STARTED_AT', { startedAt: '2026-02-30 06:00' }, 'startedAt'],
    ['INVALID_STARTED_AT', { startedAt: '1969-12-31T23:59:59Z' }, 'startedAt'],
    ['INVALID_STARTED_AT', { startedAt: '2126-07-01 06:00' }, 'startedAt'],
    ['INVALID_STARTED_AT', { startedAt: 'this morning' }, 'startedAt'],
    ['INVALID_INPUT_MODE', { inputMode: 'litres' }, 'inputMode'],
    ['INVALID_DURATION', { durationMin: 0 }, 'durationMin'],
    ['INVALID_DURATION', { durationMin: -5 }, 'durationMin'],
    ['INVALID_DURATION', { durationMin: 1.5 }, 'durationMin'],
    ['INVALID_DURATION', { durationMin: 44_641 }, 'durationMin'],
    ['INVALID_DURATION', { durationMin: 'a while' }, 'durationMin'],
    ['INVALID_DURATION', { durationMin: undefined, endedAt: '2027-07-01 06:00' }, 'endedAt'],
    ['INVALID_ENDED_AT', { endedAt: 'late' }, 'endedAt'],
    ['INVALID_ENDED_AT', { endedAt: iso(FARM_NOW) }, 'endedAt'],
    ['ENDED_BEFORE_STARTED', { endedAt: startedAt }, 'endedAt'],
    ['ENDED_BEFORE_STARTED', { endedAt: iso(FARM_NOW - DAY) }, 'endedAt'],
    ['INVALID_DEPTH', { inputMode: 'depth_mm', inputDepthMm: 0 }, 'inputDepthMm'],
    ['INVALID_DEPTH', { inputMode: 'depth_mm', inputDepthMm: 1000.1 }, 'inputDepthMm'],
    ['INVALID_DEPTH', { inputDepthMm: 10 }, 'inputDepthMm'],
    ['INVALID_VOLUME', { inputMode: 'volume_m3', inputVolumeM3: 0 }, 'inputVolumeM3'],
    ['INVALID_VOLUME', { inputMode: 'volume_m3', inputVolumeM3: 1_000_001 }, 'inputVolumeM3'],
    ['INVALID_VOLUME', { inputVolumeM3: 10 }, 'inputVolumeM3'],
    ['MISSING_DEPTH', { inputMode: 'depth_mm' }, 'inputDepthMm'],
    ['MISSING_VOLUME', { inputMode: 'volume_m3' }, 'inputVolumeM3'],
    ['INVALID_STATUS', { status: 'cancelled' }, 'status'],
  ] as const)('is refused with %s for %o', async ([code, fields, field], { farm }) => {
    const { event } = await farm.log('South 1', minutes);
    const entry = { ...minutes, ...fields };
    await expect(farm.log('North 1', entry)).rejects.toMatchObject({ code, field, status: 400 });
    await expect(
      farm.tool('correct_watering', { eventId: event.id, ...entry }),
    ).rejects.toMatchObject({
      code,
      field,
      status: 400,
    });
    expect(await farm.waterings()).toEqual([event]);
  });

  it.for([
    [
      'INVALID_VOLUME',
      { irrigatedAreaM2: 0.01 },
      { ...volume, inputVolumeM3: 0.1 },
      'inputVolumeM3',
      null,
    ],
    [
      'INVALID_VOLUME',
      { irrigatedAreaM2: 0.01 },
      { ...volume, inputVolumeM3: 0.1001 },
      'inputVolumeM3',
      /10010 mm/,
    ],
    [
      'INVALID_DURATION',
      { flowMmPerH: 1000 },
      { ...minutes, durationMin: 600 },
      'durationMin',
      null,
    ],
    [
      'INVALID_DURATION',
      { flowMmPerH: 1000 },
      { ...minutes, durationMin: 601 },
      'durationMin',
      /10017 mm/,
    ],
  ] as const)(
    'is refused with %s only above a dose of 10000 mm: %o, %o',
    async ([code, setup, entry, field, dose], { farm }) => {
      await farm.declareUnasked('North 1', { system: 'sprinkler', ...setup });
      const log = farm.log('North 1', entry);
      if (dose === null) expect((await log).event.waterMm).toBe(10_000);
      else
        await expect(log).rejects.toMatchObject({
          code,
          status: 400,
          field,
          message: expect.stringMatching(dose),
        });
    },
  );

  it('is not corrected to a dose above 10000 mm', async ({ farm }) => {
    await farm.declareUnasked('North 1', { system: 'sprinkler', irrigatedAreaM2: 0.01 });
    const { event } = await farm.log('North 1', { ...volume, inputVolumeM3: 0.05 });
    await expect(
      farm.tool('correct_watering', { eventId: event.id, ...volume, inputVolumeM3: 5 }),
    ).rejects.toMatchObject({
      code: 'INVALID_VOLUME',
      hint: expect.stringContaining('get_irrigation_setup'),
    });
    expect((await farm.watering(event.id)).waterMm).toBe(5_000);
  });

  it('is refused with MISSING_DURATION without a duration', async ({ farm }) => {
    await expect(farm.log('North 1', { startedAt, inputMode: 'duration' })).rejects.toMatchObject({
      code: 'MISSING_DURATION',
      field: 'durationMin',
      hint: expect.stringContaining('durationMin'),
    });
  });

  it.for([
    { ...minutes, durationMin: 1 },
    { ...minutes, durationMin: 44_640 },
    { ...depth, inputDepthMm: 0.001 },
    { ...depth, inputDepthMm: 1000 },
    { ...volume, inputVolumeM3: 1_000_000 },
    { ...minutes, startedAt: '1970-01-01T00:00:00Z' },
  ])('is not one on the limit: %o', async (entry, { farm }) => {
    expect((await farm.log('North 1', entry)).event).toMatchObject({ inputMode: entry.inputMode });
  });
});

describe('an end without a date', () => {
  it('is on the day of the start: yesterday from 6:00 to 7:30 is 90 minutes', async ({ farm }) => {
    const { event } = await farm.log('North 1', {
      startedAt: 'yesterday 6:00',
      endedAt: '7:30',
      inputMode: 'duration',
    });
    expect(event).toMatchObject({ durationMin: 90, endedAt: '2026-06-30T05:30:00.000Z' });
  });
});

describe('a watering that overlaps another one of its probe', () => {
  const overlapOf = (answer: Advised) => advisoriesOf(answer, 'overlapping_watering');

  it('is written, with a note of both', async ({ farm }) => {
    const first = await farm.log('North 1', minutes);
    const second = await farm.log('North 1', minutes);
    expect(await farm.waterings()).toHaveLength(2);
    expect(overlapOf(first)).toEqual([]);
    expect(overlapOf(second)).toMatchObject([
      {
        id: second.event.id,
        other: {
          id: first.event.id,
          startedAt: FARM_NOW - HOUR,
          endedAt: FARM_NOW - 15 * MINUTE,
          status: 'done',
        },
        probe: 'North 1',
        others: 0,
      },
    ]);
  });

  // The other one runs from 11:00 to 11:45.
  it.for([
    ['ends in it', { startedAt: 'today 10:30', durationMin: 31 }],
    ['surrounds it', { startedAt: 'yesterday 12:00', durationMin: 1440 }],
    ['is within it', { startedAt: 'today 11:10', durationMin: 5 }],
    ['starts before its end', { startedAt: 'today 11:44', durationMin: 5 }],
    [
      'is in it, without a duration',
      { ...depth, startedAt: 'today 11:44', durationMin: undefined },
    ],
  ] as const)('is named if it %s', async ([_, fields], { farm }) => {
    const { event } = await farm.log('North 1', minutes);
    expect(overlapOf(await farm.log('North 1', { ...minutes, ...fields }))).toMatchObject([
      { other: { id: event.id } },
    ]);
  });

  it.for([
    ['on another probe', 'North 2', {}],
    ['that ends when it starts', 'North 1', { startedAt: iso(FARM_NOW - HOUR - 45 * MINUTE) }],
    [
      'that starts when it ends',
      'North 1',
      { startedAt: iso(FARM_NOW - HOUR + 45 * MINUTE), status: 'done' },
    ],
    ['that was skipped', 'North 1', { status: 'skipped' }],
    [
      'without a duration that starts when it ends',
      'North 1',
      { ...depth, startedAt: iso(FARM_NOW - 15 * MINUTE), durationMin: undefined },
    ],
  ] as const)('is not one %s', async ([_, module, fields], { farm }) => {
    await farm.log(module, { ...minutes, ...fields });
    expect(overlapOf(await farm.log('North 1', minutes))).toEqual([]);
  });

  it('is not mentioned if the logged one was skipped', async ({ farm }) => {
    await farm.log('North 1', minutes);
    expect(overlapOf(await farm.log('North 1', { ...minutes, status: 'skipped' }))).toEqual([]);
  });

  it('is named with its status if a schedule planned it, and how many more there are', async ({
    farm,
  }) => {
    await farm.createSchedule({
      module: 'North 1',
      startTimes: ['13:00', '14:00'],
      inputMode: 'duration',
      durationMin: 45,
    });
    const planned = { startedAt: 'today 13:30', inputMode: 'duration', durationMin: 60 };
    expect(overlapOf(await farm.log('North 1', planned))).toMatchObject([
      { other: { startedAt: FARM_NOW + HOUR, status: 'planned' }, others: 1 },
    ]);
  });

  it('is named after a correction that moves or lengthens it, or takes up a skipped one', async ({
    farm,
  }) => {
    await farm.log('North 1', minutes);
    const { event } = await farm.log('North 1', { ...minutes, startedAt: 'today 9:00' });
    const overlaps = async (fields: Record<string, unknown>) =>
      overlapOf(await farm.correct(event, fields)).length;
    expect(await overlaps({ startedAt: 'today 10:30' })).toBe(1);
    expect(await overlaps({ startedAt: 'today 10:30', note: 'valve 2' })).toBe(0);
    expect(await overlaps({ startedAt: 'today 10:00' })).toBe(0);
    expect(await overlaps({ startedAt: 'today 10:00', durationMin: 90 })).toBe(1);
    expect(await overlaps({ startedAt: 'today 10:00', status: 'skipped' })).toBe(0);
    expect(await overlaps({ startedAt: 'today 10:00', status: 'done' })).toBe(1);
  });
});

// Two hours at 3.2 mm/h on 15,000 m2 are 6.4 mm and 96 m3; 48 m3 there are 3.2 mm.
describe('a run time beside a volume or a depth', () => {
  const twoHours = { startedAt: 'today 6:00', durationMin: 120 };
  const declared = (farm: TestFarm) =>
    farm.declare('North 1', { ...drip, irrigatedAreaM2: 15_000 });
  const contradictionOf = (answer: Advised) => advisoriesOf(answer, 'run_time_contradicts');

  it.for([
    [3.2, { mode: 'volume_m3', value: 48 }, { inputVolumeM3: 48 }],
    [10, { mode: 'depth_mm', value: 10 }, { inputDepthMm: 10 }],
  ] as const)(
    'that contradicts it is named with both doses, and %d mm are recorded',
    async ([waterMm, amount, fields], { farm }) => {
      await declared(farm);
      const logged = await farm.log('North 1', { ...twoHours, inputMode: amount.mode, ...fields });
      expect(logged.event.waterMm).toBe(waterMm);
      expect(contradictionOf(logged)).toMatchObject([
        { amount, durationMin: 120, waterMm, runMm: 6.4, runM3: 96, probe: 'North 1', others: 0 },
      ]);
    },
  );

  it.for([
    ['agrees within a fifth', { inputMode: 'volume_m3', inputVolumeM3: 80 }],
    ['is the amount', { inputMode: 'duration' }],
    ['was skipped', { inputMode: 'volume_m3', inputVolumeM3: 48, status: 'skipped' }],
  ] as const)('is not mentioned if it %s', async ([_, fields], { farm }) => {
    await declared(farm);
    expect(contradictionOf(await farm.log('North 1', { ...twoHours, ...fields }))).toEqual([]);
  });

  it('is not mentioned if the equipment has no application rate', async ({ farm }) => {
    await farm.declare('North 1', { system: 'drip', irrigatedAreaM2: 15_000 });
    const logged = await farm.log('North 1', {
      ...twoHours,
      inputMode: 'volume_m3',
      inputVolumeM3: 48,
    });
    expect(contradictionOf(logged)).toEqual([]);
  });

  it('is named when a correction makes them disagree, and not for a note', async ({ farm }) => {
    await declared(farm);
    const { event } = await farm.log('North 1', {
      ...twoHours,
      inputMode: 'volume_m3',
      inputVolumeM3: 96,
    });
    expect(contradictionOf(await farm.correct(event, { durationMin: 60 }))).toMatchObject([
      { durationMin: 60, runMm: 3.2, runM3: 48, waterMm: 6.4 },
    ]);
    expect(contradictionOf(await farm.correct(event, { note: 'valve 2' }))).toEqual([]);
  });
});
