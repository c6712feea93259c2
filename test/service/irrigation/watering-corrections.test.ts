import { describe, expect } from 'vitest';
import { DAY, FARM_NOW, HOUR, iso, it, MINUTE, minutesAt, type TestFarm } from '../../farm.ts';

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
    ['startedAt', 'INVALID_STARTED_AT'],
    ['inputMode', 'INVALID_INPUT_MODE'],
  ] as const)('is refused without %s: %s', async ([field, code], { farm }) => {
    const { event } = await farm.log('North 1', minutes);
    await expect(farm.correct(event, { durationMin: 30, [field]: undefined })).rejects.toMatchObject({ code, field });
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
    expect((await farm.correct(event, { endedAt: iso(FARM_NOW - 40 * MINUTE) })).event.durationMin).toBe(20);
  });

  it('keeps its duration if only the start moves', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutes);
    const corrected = await farm.correct(event, { startedAt: iso(FARM_NOW - DAY) });
    expect(corrected.event).toMatchObject({ durationMin: 60, endedAt: iso(FARM_NOW - DAY + HOUR) });
  });
});

describe('the dose of a corrected watering', () => {
  const later = async (farm: TestFarm) => {
    await farm.declare('North 1', sprinkler);
    await farm.declare('North 1', { system: 'pivot', flowMmPerH: 10, effectiveFrom: iso(FARM_NOW - DAY) });
    return farm.log('North 1', minutes);
  };

  it('changes with a start under other equipment', async ({ farm }) => {
    const { event } = await later(farm);
    const corrected = await farm.correct(event, { startedAt: iso(FARM_NOW - 2 * DAY) });
    expect([event.waterMm, corrected.event.waterMm]).toEqual([10, 6]);
    expect(corrected.event.configSnapshot?.system).toBe('sprinkler');
    expect(corrected.summary).toContain('The previous dose was 10 mm. Other equipment was in place at that time');
  });

  it.for([
    ['amount', { durationMin: 30 }, 5],
    ['mode', { inputMode: 'depth_mm', inputDepthMm: 3 }, 3],
  ] as const)('is computed again if the %s changes', async ([_, fields, waterMm], { farm }) => {
    const { event } = await later(farm);
    farm.now += MINUTE;
    const corrected = await farm.correct(event, fields);
    expect(corrected.event).toMatchObject({ waterMm, configSnapshot: { computedAt: iso(FARM_NOW + MINUTE) } });
  });

  it.for([
    ['a note', { note: 'x' }],
    ['the status', { status: 'skipped' }],
    ['the same amount again', { durationMin: 60 }],
  ] as const)('is kept if only %s is sent, even if the setup was corrected', async ([_, fields], { farm }) => {
    const { installation } = await farm.declare('North 1', sprinkler);
    const { event } = await farm.log('North 1', minutes);
    await farm.correctVersion(installation!, { flowMmPerH: 9, fractionWetted: 0.5 });
    const { waterMm, waterMmWetted, configSnapshot } = (await farm.correct(event, fields)).event;
    expect({ waterMm, waterMmWetted, configSnapshot }).toEqual({
      waterMm: 6,
      waterMmWetted: null,
      configSnapshot: event.configSnapshot,
    });
  });

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
    expect(corrected.summary).toContain('The previous dose was 6 mm.');
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
      await expect(farm.correct(event, { ...fields, startedAt: iso(FARM_NOW + DAY) })).rejects.toMatchObject({
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
