import { describe, expect } from 'vitest';
import { advisoriesOf, bodyOf, DAY, FARM_NOW, HOUR, iso, it, minutesAt } from '../../farm.ts';

const drip = { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2, notes: 'line A' };
const minutes = minutesAt(FARM_NOW - HOUR, 60);

describe('a corrected setup version', () => {
  it('changes in place, without a new version', async ({ farm }) => {
    const { versions } = await farm.declare('North 1', drip);
    farm.now += HOUR;
    const corrected = bodyOf(await farm.correctVersion(versions[0]!, { emitterFlowLph: 2.3 }));
    expect(corrected).toEqual({ ...versions[0], emitterFlowLph: 2.3, flowMmPerH: 4.6 });
    expect((await farm.setup('North 1')).versions).toEqual([corrected]);
  });

  it('keeps fields that are not sent', async ({ farm }) => {
    const { versions } = await farm.declare('North 1', {
      ...drip,
      fractionWetted: 0.5,
      irrigatedAreaM2: 300,
    });
    const corrected = bodyOf(await farm.correctVersion(versions[0]!, { notes: 'line B' }));
    expect(corrected).toEqual({ ...versions[0], notes: 'line B' });
  });

  it.for<[title: string, declared: object, sent: object, expected: object]>([
    [
      'a default fraction that follows the system',
      {},
      { system: 'micro_sprinkler' },
      { fractionWetted: 0.6, fractionWettedIsDefault: true },
    ],
    [
      'an entered fraction after a change of system',
      { fractionWetted: 0.5 },
      { system: 'micro_sprinkler' },
      { fractionWetted: 0.5, fractionWettedIsDefault: false },
    ],
    [
      'the default fraction after the entered one is cleared',
      { fractionWetted: 0.5 },
      { clear: ['fractionWetted'] },
      { fractionWetted: 0.35, fractionWettedIsDefault: true },
    ],
    [
      'no computed rate after an emitter figure is cleared',
      {},
      { clear: ['emittersPerM2'] },
      { emitterFlowLph: 1.6, emittersPerM2: null, flowMmPerH: null },
    ],
    [
      'an entered rate instead of cleared emitter figures',
      {},
      { flowMmPerH: 5, clear: ['emitterFlowLph', 'emittersPerM2'] },
      { flowMmPerH: 5 },
    ],
  ])('has %s', async ([_, declared, sent, expected], { farm }) => {
    const { versions } = await farm.declare('North 1', { ...drip, ...declared });
    expect(await farm.correctVersion(versions[0]!, { ...sent })).toMatchObject(expected);
  });

  it('is refused with a rate that its emitter figures override: INVALID_FLOW_RATE', async ({
    farm,
  }) => {
    const { versions } = await farm.declare('North 1', drip);
    await expect(farm.correctVersion(versions[0]!, { flowMmPerH: 5 })).rejects.toMatchObject({
      code: 'INVALID_FLOW_RATE',
      hint: expect.stringContaining('clear'),
    });
  });

  it.for([
    ['INVALID_SYSTEM', { system: 'flood' }],
    ['INVALID_EMITTER_FLOW', { emitterFlowLph: 0 }],
    ['INVALID_EMITTER_DENSITY', { emittersPerM2: 0 }],
    ['INVALID_FLOW_RATE', { flowMmPerH: 0 }],
    ['INVALID_FRACTION_WETTED', { fractionWetted: 2 }],
    ['INVALID_IRRIGATED_AREA', { irrigatedAreaM2: 0 }],
    ['INVALID_EFFECTIVE_FROM', { effectiveFrom: 'soon' }],
    ['EFFECTIVE_FROM_IN_FUTURE', { effectiveFrom: iso(FARM_NOW + DAY) }],
  ] as const)('is refused with %s for %o', async ([code, fields], { farm }) => {
    const { versions } = await farm.declare('North 1', drip);
    await expect(farm.correctVersion(versions[0]!, fields)).rejects.toMatchObject({
      code,
      status: 400,
    });
    expect((await farm.setup('North 1')).versions).toEqual(versions);
  });
});

describe('the corrected start of a version', () => {
  it('moves the end of the version before it', async ({ farm }) => {
    await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - 4 * DAY) });
    const { versions } = await farm.declare('North 1', {
      ...drip,
      effectiveFrom: iso(FARM_NOW - 2 * DAY),
    });
    await farm.correctVersion(versions[0]!, { effectiveFrom: iso(FARM_NOW - 3 * DAY) });
    expect(
      (await farm.setup('North 1')).versions.map(({ validFrom, validTo }) => [validFrom, validTo]),
    ).toEqual([
      [iso(FARM_NOW - 3 * DAY), null],
      [iso(FARM_NOW - 4 * DAY), iso(FARM_NOW - 3 * DAY)],
    ]);
  });

  it.for([
    ['before the one before', -5 * DAY, 'INVALID_EFFECTIVE_FROM'],
    ['on the start of the one before', -4 * DAY, 'INSTALLATION_VERSION_EXISTS_AT_DATE'],
    ['on the start of the one after', -DAY, 'INSTALLATION_VERSION_EXISTS_AT_DATE'],
    ['after the one after', -HOUR, 'INVALID_EFFECTIVE_FROM'],
  ] as const)('is refused %s', async ([_, ahead, code], { farm }) => {
    for (const days of [4, 2, 1])
      await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - days * DAY) });
    const { versions } = await farm.setup('North 1');
    await expect(
      farm.correctVersion(versions[1]!, { effectiveFrom: iso(FARM_NOW + ahead) }),
    ).rejects.toMatchObject({
      code,
      status: 400,
      field: 'effectiveFrom',
    });
    expect((await farm.setup('North 1')).versions).toEqual(versions);
  });

  it('is limited by versions of the same target only', async ({ farm }) => {
    await farm.declareParcel('North block', { ...drip, effectiveFrom: iso(FARM_NOW - 2 * DAY) });
    const { versions } = await farm.declare('North 1', {
      ...drip,
      effectiveFrom: iso(FARM_NOW - DAY),
    });
    const corrected = await farm.correctVersion(versions[0]!, {
      effectiveFrom: iso(FARM_NOW - 3 * DAY),
    });
    expect(corrected.validFrom).toBe(iso(FARM_NOW - 3 * DAY));
  });

  it('completes doses of waterings that the version then covers', async ({ farm }) => {
    const { event } = await farm.log('North 1', { ...minutes, startedAt: iso(FARM_NOW - 3 * DAY) });
    const { versions } = await farm.declare('North 1', {
      ...drip,
      effectiveFrom: iso(FARM_NOW - DAY),
    });
    const corrected = await farm.correctVersion(versions[0]!, {
      effectiveFrom: iso(FARM_NOW - 4 * DAY),
    });
    expect((await farm.watering(event.id)).waterMm).toBe(3.2);
    expect(advisoriesOf(corrected, 'doses_completed')).toMatchObject([{ count: 1 }]);
  });

  it('changes no dose of a watering that the version no longer covers', async ({ farm }) => {
    const { versions } = await farm.declare('North 1', {
      ...drip,
      effectiveFrom: iso(FARM_NOW - 4 * DAY),
    });
    const { event } = await farm.log('North 1', { ...minutes, startedAt: iso(FARM_NOW - 3 * DAY) });
    await farm.correctVersion(versions[0]!, { effectiveFrom: iso(FARM_NOW - DAY) });
    expect(await farm.watering(event.id)).toEqual(event);
  });
});

describe('the doses after a correction', () => {
  it('are completed if they were missing, on every probe of the target', async ({ farm }) => {
    await farm.declareParcel('North block', { system: 'drip' });
    const { versions } = await farm.setup('North 1');
    for (const name of ['North 1', 'North 2']) await farm.log(name, minutes);
    const corrected = await farm.correctVersion(versions[0]!, { flowMmPerH: 4 });
    expect((await farm.waterings()).map(({ waterMm }) => waterMm)).toEqual([4, 4]);
    expect(advisoriesOf(corrected, 'doses_completed')).toMatchObject([{ count: 2 }]);
  });

  it('are counted if the start moved past them', async ({ farm }) => {
    await farm.declare('North 1', { system: 'sprinkler', flowMmPerH: 2 });
    const { versions } = await farm.declare('North 1', {
      system: 'sprinkler',
      flowMmPerH: 4,
      effectiveFrom: iso(FARM_NOW - 10 * DAY),
    });
    const minutes = { inputMode: 'duration', durationMin: 60 };
    for (const days of [1, 14, 15, 16])
      await farm.log('North 1', { ...minutes, startedAt: iso(FARM_NOW - days * DAY) });
    const corrected = await farm.correctVersion(versions[0]!, {
      effectiveFrom: iso(FARM_NOW - 20 * DAY),
    });
    expect(advisoriesOf(corrected, 'recorded_doses_unchanged')).toMatchObject([{ count: 3 }]);
  });

  it('are unchanged if recorded, and counted', async ({ farm }) => {
    const { versions } = await farm.declare('North 1', drip);
    for (const name of ['North 1', 'North 1', 'North 2']) await farm.log(name, minutes);
    const before = await farm.waterings();
    const corrected = await farm.correctVersion(versions[0]!, { emitterFlowLph: 4 });
    expect(await farm.waterings()).toEqual(before);
    expect(advisoriesOf(corrected, 'recorded_doses_unchanged')).toMatchObject([{ count: 2 }]);
  });

  it.for<[title: string, declared: object, sent: object]>([
    ['were just completed', { system: 'drip' }, { flowMmPerH: 4 }],
    ['are still missing', { system: 'drip' }, { fractionWetted: 0.4 }],
    ['do not depend on the area', { system: 'sprinkler', flowMmPerH: 2 }, { irrigatedAreaM2: 500 }],
    ['do not depend on the notes', drip, { notes: 'line B' }],
  ])('are not counted if they %s', async ([_, declared, sent], { farm }) => {
    const { versions } = await farm.declare('North 1', { ...declared });
    await farm.log('North 1', minutes);
    const corrected = await farm.correctVersion(versions[0]!, { ...sent });
    expect(advisoriesOf(corrected, 'recorded_doses_unchanged')).toEqual([]);
  });
});
