import { describe, expect } from 'vitest';
import type { WateringAnswer } from '../../../src/schema/irrigation/watering.ts';
import {
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';

const minutes = minutesAt(FARM_NOW - HOUR, 60);
const sprinkler = { system: 'sprinkler', flowMmPerH: 6 };

describe('a corrected watering', () => {
  it('keeps fields that are not sent', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const { event } = await farm.log('North 1', { ...minutes, note: 'row 4' });
    farm.now += HOUR;
    expect((await farm.correct(event, {})).event).toEqual(event);
  });

  it('has the sent fields', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutes);
    const corrected = await farm.correct(event, { durationMin: 30, note: 'shorter' });
    expect(corrected.event).toEqual({
      ...event,
      durationMin: 30,
      note: 'shorter',
      endedAt: iso(FARM_NOW - 30 * MINUTE),
    });
    expect(await farm.watering(event.id)).toEqual(corrected.event);
  });

  it.for([
    ['depth_mm', 'MISSING_DEPTH'],
    ['volume_m3', 'MISSING_VOLUME'],
  ])('is refused in mode %s without its amount: %s', async ([inputMode, code], { farm }) => {
    const { event } = await farm.log('North 1', minutes);
    await expect(farm.correct(event, { inputMode })).rejects.toMatchObject({ code });
  });

  it('loses a note and a duration beside a depth by clear', async ({ farm }) => {
    const entry = {
      startedAt: minutes.startedAt,
      inputMode: 'depth_mm',
      inputDepthMm: 10,
      durationMin: 20,
      note: 'x',
    };
    const { event } = await farm.log('North 1', entry);
    const corrected = await farm.correct(event, { clear: ['note', 'durationMin'] });
    expect(corrected.event).toEqual({ ...event, note: null, durationMin: null, endedAt: null });
  });

  it('accepts endedAt instead of a duration', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutes);
    expect(
      (await farm.correct(event, { endedAt: iso(FARM_NOW - 40 * MINUTE) })).event.durationMin,
    ).toBe(20);
  });

  it.for(['depth_mm', 'duration'])(
    'takes back over REST what it answered: %s',
    async (mode, { farm }) => {
      const amount =
        mode === 'duration' ? minutes : { ...minutes, inputMode: mode, inputDepthMm: 9 };
      const { event } = await farm.log('North 1', { ...amount, durationMin: 60 });
      const { startedAt, inputMode, durationMin, inputDepthMm, inputVolumeM3, status, note } =
        event;
      const whole = {
        startedAt,
        inputMode,
        durationMin,
        inputDepthMm,
        inputVolumeM3,
        status,
        note,
      };
      const eventId = event.id;
      const sent = { eventId, ...whole, endedAt: null };
      expect((await farm.wire('correct_watering', sent)).event).toEqual(event);
      expect(
        (await farm.wire('correct_watering', { eventId, startedAt, inputMode, endedAt: null }))
          .event,
      ).toMatchObject({ durationMin: 60 });
      await expect(farm.correct(event, { clear: ['endedAt'] })).rejects.toMatchObject({
        code: 'invalid_body',
      });
    },
  );

  it('keeps its duration if only the start moves', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutes);
    const corrected = await farm.correct(event, { startedAt: iso(FARM_NOW - DAY) });
    expect(corrected.event).toMatchObject({ durationMin: 60, endedAt: iso(FARM_NOW - DAY + HOUR) });
  });
});

/** Corrects with the id alone, as a person does. */
const change = (farm: TestFarm, eventId: number, fields: Record<string, unknown>) =>
  farm.tool<WateringAnswer>('correct_watering', { eventId, detail: 'full', ...fields });

describe('a cancelled watering that is corrected', () => {
  it('stays cancelled, until its status says otherwise', async ({ farm }) => {
    await farm.declare('North 1', { system: 'drip', flowMmPerH: 3, fractionWetted: 0.5 });
    const { event } = await farm.log('North 1', minutes);
    await change(farm, event.id, { status: 'skipped' });
    for (const fields of [{ inputDepthMm: 4 }, { startedAt: 'tomorrow 6:00' }])
      expect((await change(farm, event.id, fields)).event.status).toBe('skipped');
    expect((await change(farm, event.id, { status: 'planned' })).event.status).toBe('planned');
  });

  it('overlaps no other', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutes);
    await change(farm, event.id, { status: 'skipped' });
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 60));
    const moved = await change(farm, event.id, { startedAt: iso(FARM_NOW - DAY) });
    expect(advisoriesOf(moved, 'overlapping_watering')).toEqual([]);
  });
});

describe('a watering corrected by its id and what changes', () => {
  const equipment = {
    system: 'sprinkler',
    flowMmPerH: 12,
    irrigatedAreaM2: 1000,
    fractionWetted: 1,
  };
  const logged = async (farm: TestFarm, fields: Record<string, unknown> = {}) => {
    await farm.declare('North 1', equipment);
    return (await farm.log('North 1', { ...minutesAt(FARM_NOW - 6 * HOUR, 30), ...fields })).event;
  };

  it.for([
    ['a note', { note: 'hose split' }],
    ['a status', { status: 'skipped' }],
  ] as const)('takes %s, and keeps start, amount and dose', async ([_, fields], { farm }) => {
    const event = await logged(farm);
    await farm.correctVersion({ id: event.configSnapshot!.installationId! }, { flowMmPerH: 9 });
    expect((await change(farm, event.id, fields)).event).toEqual({ ...event, ...fields });
  });

  it('is moved by a start alone, and keeps its run time, also if it was entered by its end', async ({
    farm,
  }) => {
    const event = await logged(farm, { durationMin: undefined, endedAt: iso(FARM_NOW - 5 * HOUR) });
    const { event: moved } = await change(farm, event.id, { startedAt: iso(FARM_NOW - 5 * HOUR) });
    expect(moved).toMatchObject({
      durationMin: 60,
      endedAt: iso(FARM_NOW - 4 * HOUR),
      waterMm: 12,
    });
  });

  it('keeps its day if an hour alone is given, as start or as end', async ({ farm }) => {
    const startedAt = Date.UTC(2026, 5, 28, 4);
    const { event } = await farm.log('North 1', minutesAt(startedAt, 30));
    expect((await change(farm, event.id, { startedAt: '7:00' })).event.startedAt).toBe(
      iso(startedAt + HOUR),
    );
    expect((await change(farm, event.id, { endedAt: 'half past eight' })).event.durationMin).toBe(
      90,
    );
    expect(
      (await change(farm, event.id, { startedAt: '7:30', endedAt: '8:00' })).event,
    ).toMatchObject({
      startedAt: iso(startedAt + 1.5 * HOUR),
      durationMin: 30,
    });
  });

  it.for([
    [{ durationMin: 40 }, { inputMode: 'duration', durationMin: 40, waterMm: 8 }],
    [
      { endedAt: iso(FARM_NOW - 5 * HOUR) },
      { inputMode: 'duration', durationMin: 60, waterMm: 12 },
    ],
    [{ inputDepthMm: 5 }, { inputMode: 'depth_mm', inputDepthMm: 5, durationMin: 30, waterMm: 5 }],
    [
      { inputVolumeM3: 4 },
      { inputMode: 'volume_m3', inputVolumeM3: 4, durationMin: 30, waterMm: 4 },
    ],
  ] as const)('has the mode of the amount %o', async ([fields, expected], { farm }) => {
    const event = await logged(farm);
    expect((await change(farm, event.id, fields)).event).toMatchObject(expected);
  });

  it('keeps its mode if several amounts are given, and that is among them', async ({ farm }) => {
    const event = await logged(farm, { inputMode: 'depth_mm', inputDepthMm: 7 });
    const corrected = await change(farm, event.id, { durationMin: 25, inputDepthMm: 6 });
    expect(corrected.event).toMatchObject({
      inputMode: 'depth_mm',
      durationMin: 25,
      inputDepthMm: 6,
    });
  });

  it('asks which of two amounts was measured if neither is its own: INVALID_INPUT_MODE', async ({
    farm,
  }) => {
    const event = await logged(farm, {
      inputMode: 'volume_m3',
      inputVolumeM3: 4,
      durationMin: undefined,
    });
    await expect(
      change(farm, event.id, { durationMin: 40, inputDepthMm: 6 }),
    ).rejects.toMatchObject({
      code: 'INVALID_INPUT_MODE',
      hint: expect.stringContaining('Ask'),
    });
  });

  it('is EVENT_NOT_FOUND if there is none, whatever is sent', async ({ farm }) => {
    for (const fields of [{ note: 'x' }, { startedAt: '7:00' }])
      await expect(change(farm, 999, fields)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });
});

describe('what a correction changed', () => {
  // 06:00 to 06:30 at 12 mm/h are 6 mm, and 40 min are 8 mm.
  const logged = async (farm: TestFarm, status = 'done') => {
    await farm.declare('North 1', { system: 'sprinkler', flowMmPerH: 12 });
    return (await farm.log('North 1', minutesAt(Date.UTC(2026, 6, 1, 4), 30, { status }))).event.id;
  };
  const changesOf = async (farm: TestFarm, id: number, fields: Record<string, unknown>) =>
    advisoriesOf(await change(farm, id, fields), 'watering_corrected');
  const doses = (from: number | null, to: number | null) => ({
    from: { waterMm: from },
    to: { waterMm: to },
  });
  const SIX = Date.UTC(2026, 6, 1, 4);
  const AS_BEFORE = { start: null, amount: null, durationMin: null, dose: null, remarks: [] };

  it.for([
    [
      { startedAt: '7:00', durationMin: 40, note: 'hose split' },
      'done',
      {
        start: { from: SIX, to: SIX + HOUR },
        durationMin: { from: 30, to: 40 },
        dose: doses(6, 8),
        status: null,
        remarks: [{ field: 'note', change: 'added' }],
      },
    ],
    [{ status: 'done' }, 'planned', { ...AS_BEFORE, status: { from: 'planned', to: 'done' } }],
    [{ status: 'skipped' }, 'done', { ...AS_BEFORE, status: { from: 'done', to: 'skipped' } }],
    [{ status: 'done' }, 'skipped', { ...AS_BEFORE, status: { from: 'skipped', to: 'done' } }],
  ] as const)('is named: %o', async ([fields, status, changes], { farm }) => {
    const id = await logged(farm, status);
    expect(await changesOf(farm, id, fields)).toMatchObject([changes]);
  });

  it('is a mode, or a dose that is gone', async ({ farm }) => {
    const id = await logged(farm);
    const minutesThen = { mode: 'duration', value: 30 };
    const volume = { mode: 'volume_m3', value: 4 };
    const depth = { mode: 'depth_mm', value: 7 };
    expect(await changesOf(farm, id, { inputVolumeM3: 4 })).toMatchObject([
      { amount: { from: minutesThen, to: volume }, dose: doses(6, null) },
    ]);
    expect(await changesOf(farm, id, { inputDepthMm: 7 })).toMatchObject([
      { amount: { from: volume, to: depth }, dose: doses(null, 7) },
    ]);
    expect(await changesOf(farm, id, { clear: ['durationMin'] })).toMatchObject([
      { amount: null, durationMin: { from: 30, to: null } },
    ]);
    expect(await changesOf(farm, id, { durationMin: 30 })).toMatchObject([
      { amount: { from: depth, to: minutesThen }, dose: doses(7, 6) },
    ]);
  });
});

describe('the dose of a corrected watering', () => {
  const later = async (farm: TestFarm) => {
    await farm.declare('North 1', sprinkler);
    await farm.declare('North 1', {
      system: 'pivot',
      flowMmPerH: 10,
      effectiveFrom: iso(FARM_NOW - DAY),
    });
    return farm.log('North 1', minutes);
  };

  it('changes with a start under other equipment', async ({ farm }) => {
    const { event } = await later(farm);
    const corrected = await farm.correct(event, { startedAt: iso(FARM_NOW - 2 * DAY) });
    expect([event.waterMm, corrected.event.waterMm]).toEqual([10, 6]);
    expect(corrected.event.configSnapshot?.system).toBe('sprinkler');
    expect(advisoriesOf(corrected, 'watering_corrected')).toMatchObject([
      { dose: { from: { waterMm: 10 }, to: { waterMm: 6 } }, isOtherEquipment: true },
    ]);
  });

  it.for([
    ['amount', { durationMin: 30 }, 5],
    ['mode', { inputMode: 'depth_mm', inputDepthMm: 3 }, 3],
  ] as const)('is computed again if the %s changes', async ([_, fields, waterMm], { farm }) => {
    const { event } = await later(farm);
    farm.now += MINUTE;
    const corrected = await farm.correct(event, fields);
    expect(corrected.event).toMatchObject({
      waterMm,
      configSnapshot: { computedAt: iso(FARM_NOW + MINUTE) },
    });
  });

  it.for([
    ['a note', { note: 'x' }],
    ['the status', { status: 'skipped' }],
    ['the same amount again', { durationMin: 60 }],
  ] as const)(
    'is kept if only %s is sent, even if the setup was corrected',
    async ([_, fields], { farm }) => {
      const { installation } = await farm.declare('North 1', sprinkler);
      const { event } = await farm.log('North 1', minutes);
      await farm.correctVersion(installation!, { flowMmPerH: 9, fractionWetted: 0.5 });
      const { waterMm, waterMmWetted, configSnapshot } = (await farm.correct(event, fields)).event;
      expect({ waterMm, waterMmWetted, configSnapshot }).toEqual({
        waterMm: 6,
        waterMmWetted: null,
        configSnapshot: event.configSnapshot,
      });
    },
  );

  it('is kept if a duration is added to a depth', async ({ farm }) => {
    const { installation } = await farm.declare('North 1', { system: 'drip' });
    const { event } = await farm.log('North 1', {
      startedAt: minutes.startedAt,
      inputMode: 'depth_mm',
      inputDepthMm: 7,
    });
    await farm.correctVersion(installation!, { fractionWetted: 0.7 });
    const corrected = await farm.correct(event, { durationMin: 20 });
    expect(corrected.event).toMatchObject({
      durationMin: 20,
      waterMmWetted: 20,
      configSnapshot: event.configSnapshot,
    });
  });

  it('is computed again with refreeze', async ({ farm }) => {
    const { installation } = await farm.declare('North 1', sprinkler);
    const { event } = await farm.log('North 1', minutes);
    await farm.correctVersion(installation!, { flowMmPerH: 9 });
    const corrected = await farm.correct(event, { refreeze: true });
    expect(corrected.event).toMatchObject({ waterMm: 9, configSnapshot: { flowMmPerH: 9 } });
    expect(advisoriesOf(corrected, 'watering_corrected')).toMatchObject([
      { dose: { from: { waterMm: 6 }, to: { waterMm: 9 } } },
    ]);
  });

  it('has the warnings of a new one', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutes);
    expect((await farm.correct(event, { durationMin: 30 })).warnings).toEqual(['NO_INSTALLATION']);
  });
});

describe('the status of a corrected watering', () => {
  const planned = { ...minutes, status: 'planned' };

  it('done confirms a planned one now', async ({ farm }) => {
    const { event } = await farm.log('North 1', planned);
    farm.now += HOUR;
    expect((await farm.correct(event, { status: 'done' })).event).toMatchObject({
      status: 'done',
      verifiedAt: iso(FARM_NOW + HOUR),
    });
  });

  it('done keeps an earlier verifiedAt', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutes);
    farm.now += HOUR;
    expect((await farm.correct(event, { status: 'done' })).event.verifiedAt).toBe(iso(FARM_NOW));
  });

  it('planned clears verifiedAt', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutes);
    expect((await farm.correct(event, { status: 'planned' })).event).toMatchObject({
      status: 'planned',
      verifiedAt: null,
    });
  });

  it('skipped keeps the row', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutes);
    await farm.correct(event, { status: 'skipped' });
    expect((await farm.watering(event.id)).status).toBe('skipped');
  });

  it('is kept with verifiedAt if it is not sent', async ({ farm }) => {
    const { event } = await farm.log('North 1', planned);
    expect((await farm.correct(event, { durationMin: 30 })).event).toMatchObject({
      status: 'planned',
      verifiedAt: null,
    });
  });

  it.for([{ status: 'done' }, {}])(
    'done is INVALID_STATUS for a future start, sent or kept (%o)',
    async (fields, { farm }) => {
      const { event } = await farm.log('North 1', minutes);
      await expect(
        farm.correct(event, { ...fields, startedAt: iso(FARM_NOW + DAY) }),
      ).rejects.toMatchObject({
        code: 'INVALID_STATUS',
      });
    },
  );

  it('skipped leaves a dose missing, and a later correction completes it', async ({ farm }) => {
    const { event } = await farm.log('North 1', { ...minutes, status: 'skipped' });
    await farm.declare('North 1', sprinkler);
    expect((await farm.watering(event.id)).waterMm).toBeNull();
    expect((await farm.correct(event, { status: 'done' })).event.waterMm).toBe(6);
  });
});
