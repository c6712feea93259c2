import { describe, expect } from 'vitest';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import { updateCompany } from '../../../src/store/company/companies.ts';
import {
  advisoriesOf,
  DAY,
  depthAt,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  minutesAt,
} from '../../farm.ts';
import { installProbe, instantsEvery, moistureSensorsAt } from '../moisture/probe-farm.ts';
import {
  advise,
  completeFarm,
  DRIP,
  declareLoam,
  declareMeasuredLoam,
  drawFieldCapacity,
  dryingOak,
  emptyOak,
  fieldCapacityOf,
  LOAM,
  SPRINKLER,
} from './advice-farm.ts';

describe('the advice of a probe', () => {
  it('is dated by the newest reading before its clock, not by a later one', async ({ farm }) => {
    await completeFarm(farm);
    const then = FARM_NOW - 6 * DAY;
    farm.now = then + 10 * MINUTE;
    expect((await advise(farm)).time).toBe(iso(then));
    farm.now = FARM_NOW - 21 * DAY;
    expect(await advise(farm)).toMatchObject({
      time: null,
      reasons: expect.arrayContaining(['NO_DATA']),
    });
  });

  it('leaves out of the amount what is planned for today, not what is planned later', async ({
    farm,
  }) => {
    await completeFarm(farm, 20);
    const { waterMm } = await advise(farm);
    await farm.log('Oak', depthAt(FARM_NOW + 2 * HOUR, 2));
    await farm.log('Oak', depthAt(FARM_NOW + 20 * HOUR, waterMm!));
    const answer = await advise(farm);
    expect(answer).toMatchObject({ takenOffMm: 2, planned: { count: 2 } });
    expect(answer.waterMm).toBeCloseTo(waterMm! - 2, 2);
  });
});

describe('the confidence of advice', () => {
  it('is complete with fresh data, soil, root depth and equipment', async ({ farm }) => {
    await completeFarm(farm);
    expect(await advise(farm)).toMatchObject({ confidence: 'complete', reasons: [] });
  });

  it.for([
    [
      'a default wetted fraction',
      { ...DRIP, fractionWetted: undefined },
      'DEFAULT_FRACTION_WETTED',
    ],
    ['no application rate', { ...SPRINKLER, flowMmPerH: undefined }, 'MISSING_FLOW_RATE'],
  ] as const)('is partial with %s', async ([_, equipment, reason], { farm }) => {
    await dryingOak(farm);
    await declareMeasuredLoam(farm);
    await farm.declare('Oak', equipment);
    expect(await advise(farm)).toMatchObject({ confidence: 'partial', reasons: [reason] });
  });

  it('is complete without an area, which is asked for if there is a deficit', async ({ farm }) => {
    const oak = await dryingOak(farm);
    await declareMeasuredLoam(farm);
    await farm.declare('Oak', { ...SPRINKLER, irrigatedAreaM2: undefined });
    const answer = await advise(farm);
    expect(answer).toMatchObject({ confidence: 'complete', reasons: ['MISSING_IRRIGATED_AREA'] });
    expect(answer.next).toContain('correct_installation(irrigatedAreaM2)');
    await oak.recordAll([FARM_NOW - 30 * MINUTE], 45);
    expect((await advise(farm)).reasons).not.toContain('MISSING_IRRIGATED_AREA');
  });

  it('is partial until six hours after the end of a watering', async ({ farm }) => {
    await completeFarm(farm);
    // The newest reading is an hour old.
    await farm.log('Oak', minutesAt(FARM_NOW - 17 * HOUR, 599));
    expect((await advise(farm)).reasons).toEqual([]);
    await farm.log('Oak', minutesAt(FARM_NOW - 17 * HOUR, 601));
    expect((await advise(farm)).reasons).toEqual(['RECENT_WATERING']);
  });

  it('is partial with an unconfirmed watering of the last day', async ({ farm }) => {
    await completeFarm(farm);
    const planned = { inputMode: 'duration', durationMin: 60, status: 'planned' };
    await farm.log('Oak', { ...planned, startedAt: iso(FARM_NOW - 26 * HOUR) });
    expect((await advise(farm)).reasons).toEqual([]);
    await farm.log('Oak', { ...planned, startedAt: iso(FARM_NOW - 24 * HOUR) });
    expect(await advise(farm)).toMatchObject({
      reasons: ['UNCONFIRMED_WATERING'],
      confidence: 'partial',
    });
  });

  it('is partial while the field capacity is only that of a texture class', async ({ farm }) => {
    await dryingOak(farm);
    await declareLoam(farm);
    await farm.declare('Oak', SPRINKLER);
    const { confidence, reasons, deficitMm } = await advise(farm);
    expect([confidence, reasons]).toEqual(['partial', ['FIELD_CAPACITY_ESTIMATED']]);
    await drawFieldCapacity(farm, 33);
    const measured = await advise(farm);
    expect(measured).toMatchObject({ confidence: 'complete', reasons: [] });
    // 600 mm of soil, all of it drier than the capacity of its class.
    expect(measured.deficitMm! - deficitMm!).toBeCloseTo(
      (0.33 - (await fieldCapacityOf(farm, LOAM))) * 600,
      2,
    );
  });

  it('has the same days to stress when the wilting point of the soil is drawn', async ({
    farm,
  }) => {
    await dryingOak(farm, 24);
    await declareLoam(farm);
    const { daysToStress } = await advise(farm);
    const { wiltingPoint } = await farm.tool('get_agronomic_state', { module: 'Oak' });
    const line = { type: 'h-line', p1: [FARM_NOW, wiltingPoint], style: { fill: 'threshold2' } };
    await farm.tool('create_annotation', { module: 'Oak', ...line });
    expect(daysToStress).toBeGreaterThan(0);
    expect((await advise(farm)).daysToStress).toBe(daysToStress);
  });

  it('is partial without a root depth, with a note of the depth', async ({ farm }) => {
    await installProbe(farm, { sensors: moistureSensorsAt(10, 30), parcel: 'North block' }).then(
      (oak) => oak.recordAll(instantsEvery(HOUR, FARM_NOW - 2 * DAY, FARM_NOW), 20),
    );
    await declareLoam(farm);
    await farm.declare('Oak', SPRINKLER);
    const answer = await advise(farm);
    expect(answer.confidence).toBe('partial');
    expect(answer.reasons).toContain('NO_ROOT_DEPTH');
    expect(answer.deficitMm).toBeCloseTo(((await fieldCapacityOf(farm, LOAM)) - 0.2) * 400, 3);
    expect(advisoriesOf(answer, 'deficit_depth')).toMatchObject([{ bottomCm: 40 }]);
  });

  it('is partial with gaps in the last week', async ({ farm }) => {
    const oak = await emptyOak(farm);
    await oak.recordAll(instantsEvery(HOUR, FARM_NOW - 4 * DAY, FARM_NOW), 20);
    await declareLoam(farm);
    await farm.declare('Oak', SPRINKLER);
    expect(await advise(farm)).toMatchObject({
      confidence: 'partial',
      reasons: expect.arrayContaining(['GAPS']),
    });
  });
});

describe('a depth that reads drier than its soil can get', () => {
  /** It was never wetter, so that it has not fallen. */
  const fromTheBeginning = (value: number) =>
    instantsEvery(HOUR, FARM_NOW - 16 * DAY, FARM_NOW).map((at): [number, number] => [at, value]);

  // Loam's wilting point is 13.7 %; half of that, 6.85 %, is the driest possible.
  it.for([
    [4.8, true],
    [4.9, false],
  ] as const)(
    'is 2 points below half of the wilting point: %s % in loam, %s',
    async ([value, isDoubted], { farm }) => {
      const oak = await completeFarm(farm);
      await oak.record(1, fromTheBeginning(value));
      const { reasons } = await advise(farm);
      expect(reasons.includes('TOO_DRY_FOR_SOIL')).toBe(isDoubted);
    },
  );

  it('is named with its limit, and makes the confidence partial', async ({ farm }) => {
    const oak = await completeFarm(farm);
    await oak.record(1, fromTheBeginning(2));
    const answer = await advise(farm);
    expect(answer).toMatchObject({
      confidence: 'partial',
      reasons: ['TOO_DRY_FOR_SOIL'],
      doubts: [{ depth: 30, value_vwc: 2 }],
    });
    expect(answer.doubts[0]?.limit_vwc).toBeCloseTo(6.8, 1);
  });

  it('needs a declared soil', async ({ farm }) => {
    await dryingOak(farm, 2);
    expect((await advise(farm)).reasons).not.toContain('TOO_DRY_FOR_SOIL');
  });
});

describe('advice with missing inputs', () => {
  it('gives the deficit without equipment', async ({ farm }) => {
    await dryingOak(farm);
    await declareMeasuredLoam(farm);
    const answer = await advise(farm);
    expect(answer).toMatchObject({
      waterMm: null,
      durationMin: null,
      volumeM3: null,
      confidence: 'insufficient',
      reasons: ['NO_INSTALLATION'],
    });
    expect(answer.deficitMm).toBeGreaterThan(0);
  });

  it('asks a company to declare its time zone', async ({ farm }) => {
    await completeFarm(farm);
    await farm.store.writeAll((all) => updateCompany(all, 1, { timezone: null }));
    const { summary, next } = await advise(farm);
    expect(summary).toContain('has no time zone');
    expect(next).toContain('set_company(timezone)');
  });

  it('gives no amount without the soil of its parcel', async ({ farm }) => {
    await dryingOak(farm);
    await farm.declare('Oak', SPRINKLER);
    const answer = await advise(farm);
    expect(answer).toMatchObject({
      deficitMm: null,
      waterMm: null,
      durationMin: null,
      confidence: 'insufficient',
    });
    expect(answer.reasons).toContain('NO_SOIL_PROFILE');
  });

  it('advises nothing by stale readings', async ({ farm }) => {
    await completeFarm(farm);
    farm.now = FARM_NOW + 26 * HOUR;
    const answer = await advise(farm);
    expect(answer).toMatchObject({
      time: iso(FARM_NOW - HOUR),
      deficitMm: null,
      waterMm: null,
      durationMin: null,
      daysToStress: null,
      confidence: 'insufficient',
    });
    expect(answer.reasons[0]).toBe('STALE_DATA');
  });

  it('notes that a weather station has no soil moisture', async ({ farm }) => {
    const answer = await farm.tool<AdviceBody>('advise_watering', { module: 'Mast' });
    expect(answer).toMatchObject({
      confidence: 'insufficient',
      reasons: ['NO_SOIL_MOISTURE'],
      time: null,
    });
    const vane = await installProbe(farm, {
      name: 'Vane',
      sensors: [['humidity', null]],
      category: 'WEATHER_STATION',
    });
    await vane.recordAll([FARM_NOW - HOUR], 60);
    expect(await farm.tool<AdviceBody>('advise_watering', { module: 'Vane' })).toMatchObject({
      deficitMm: null,
      reasons: ['NO_SOIL_MOISTURE'],
    });
  });

  it('needs a root depth for a single sensor', async ({ farm }) => {
    const oak = await installProbe(farm, { sensors: moistureSensorsAt(30), parcel: 'North block' });
    await oak.recordAll(instantsEvery(HOUR, FARM_NOW - DAY, FARM_NOW), 20);
    await declareLoam(farm);
    const answer = await advise(farm);
    expect(answer).toMatchObject({ deficitMm: null, confidence: 'insufficient' });
    expect(answer.reasons).toContain('NO_ROOT_DEPTH');
  });

  it('does not use a single 0', async ({ farm }) => {
    const oak = await emptyOak(farm);
    await oak.recordAll([FARM_NOW - HOUR], 0);
    await declareLoam(farm);
    await farm.declare('Oak', SPRINKLER);
    const answer = await advise(farm);
    expect(answer).toMatchObject({
      deficitMm: null,
      durationMin: null,
      confidence: 'insufficient',
    });
    expect(answer.reasons).toContain('SLICE_WITHOUT_VALUE');
  });

  it('reports a probe that never sent anything', async ({ farm }) => {
    await installProbe(farm, { parcel: 'North block', rootDepthCm: 60 });
    const answer = await advise(farm);
    expect(answer).toMatchObject({ time: null, deficitMm: null, confidence: 'insufficient' });
    expect(answer.reasons[0]).toBe('NO_DATA');
  });
});
