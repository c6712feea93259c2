import { describe, expect } from 'vitest';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import type { BriefBody } from '../../../src/schema/advice/brief.ts';
import type { AgronomicStateBody } from '../../../src/schema/moisture/series.ts';
import { advisoriesOf, DAY, FARM_NOW, HOUR, iso, it, MINUTE, type TestFarm } from '../../farm.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
  type TestProbe,
} from './probe-farm.ts';

/** Loam by Saxton & Rawls: saturation 46 %. */
const LOAM = 6;

/** Dries by half a point a day down to `value`, in steps of 0.1. */
async function dryingOak(farm: TestFarm, value = 22): Promise<TestProbe> {
  const oak = await installProbe(farm, {
    sensors: moistureSensorsAt(10, 30, 50),
    parcel: 'North block',
    rootDepthCm: 60,
  });
  for (const sensor of oak.sensorIds.keys())
    await oak.record(
      sensor,
      instantsEvery(HOUR, FARM_NOW - 20 * DAY, FARM_NOW).map((at) => [
        at,
        Math.round(10 * (value + ((FARM_NOW - at) / DAY) * 0.5)) / 10,
      ]),
    );
  await declareSoil(farm, 'North block', [[LOAM, 0, 60]]);
  // 28 % is that of loam, measured in place.
  await farm.tool('create_annotation', {
    module: 'Oak',
    type: 'h-line',
    p1: [FARM_NOW, 28],
    style: { fill: 'threshold1' },
  });
  await farm.declare('Oak', { system: 'sprinkler', flowMmPerH: 10, irrigatedAreaM2: 10_000 });
  return oak;
}

const holdValue = (oak: TestProbe, sensor: number, days: number, value: number) =>
  oak.record(
    sensor,
    instantsEvery(HOUR, FARM_NOW - days * DAY, FARM_NOW).map((at) => [at, value]),
  );

const stateOf = (farm: TestFarm) =>
  farm.tool<AgronomicStateBody>('get_agronomic_state', { module: 'Oak' });
const advise = (farm: TestFarm) => farm.tool<AdviceBody>('advise_watering', { module: 'Oak' });

describe('a sensor in doubt', () => {
  it('reads more than 5 points above the saturation of its layer', async ({ farm }) => {
    const oak = await dryingOak(farm);
    await oak.record(1, [[FARM_NOW - 10 * MINUTE, 50.9]]);
    expect((await stateOf(farm)).doubts).toEqual([]);
    await oak.record(1, [[FARM_NOW - 5 * MINUTE, 62]]);
    const doubt = { reason: 'TOO_WET_FOR_SOIL', depth: 30, value_vwc: 62, since: null };
    const { doubts } = await stateOf(farm);
    expect(doubts).toMatchObject([doubt]);
    expect(doubts[0]!.limit_vwc).toBeCloseTo(46, 0);
  });

  it('shows exactly one value for days while others move, to the day', async ({ farm }) => {
    const oak = await dryingOak(farm);
    await holdValue(oak, 1, 3 - 1 / 24, 25.7);
    expect((await stateOf(farm)).doubts).toEqual([]);
    await holdValue(oak, 1, 3 + 1 / 24, 25.7);
    const since = iso(FARM_NOW - 3 * DAY - HOUR);
    const doubt = { reason: 'SENSOR_STUCK', depth: 30, value_vwc: 25.7, limit_vwc: null, since };
    expect((await stateOf(farm)).doubts).toEqual([doubt]);
  });

  it('shows exactly one value for 5 days on a probe where nothing moves', async ({ farm }) => {
    const oak = await dryingOak(farm);
    for (const sensor of [0, 1, 2]) await holdValue(oak, sensor, 5 - 1 / 24, 24.6);
    expect((await stateOf(farm)).doubts).toEqual([]);
    for (const sensor of [0, 1, 2]) await holdValue(oak, sensor, 5 + 1 / 24, 24.6);
    expect((await stateOf(farm)).doubts.map(({ reason, depth }) => [reason, depth])).toEqual([
      ['SENSOR_STUCK', 10],
      ['SENSOR_STUCK', 30],
      ['SENSOR_STUCK', 50],
    ]);
  });

  it('is not one that lost contact for a reading, was silent in between, or is silent now', async ({
    farm,
  }) => {
    const oak = await dryingOak(farm);
    await oak.record(0, [[FARM_NOW - 10 * MINUTE, 0]]);
    expect((await stateOf(farm)).doubts).toEqual([]);
    await oak.record(0, [[FARM_NOW - 10 * MINUTE, 70]]);
    expect((await stateOf(farm)).doubts).toHaveLength(1);
    farm.now += 26 * HOUR;
    expect((await stateOf(farm)).doubts).toEqual([]);
  });

  it('is not one that returned from a silence with the same value', async ({ farm }) => {
    const oak = await installProbe(farm, {
      sensors: moistureSensorsAt(10, 30),
      parcel: 'North block',
    });
    const instants = [
      ...instantsEvery(HOUR, FARM_NOW - 9 * DAY, FARM_NOW - 8 * DAY),
      ...instantsEvery(HOUR, FARM_NOW - 2 * DAY, FARM_NOW),
    ];
    await oak.recordAll(instants, 24);
    expect((await stateOf(farm)).doubts).toEqual([]);
  });

  it('is named by the state, the advice, the brief and alerts', async ({ farm }) => {
    const oak = await dryingOak(farm);
    await holdValue(oak, 0, 6 - 1 / 24, 24.65);
    await oak.record(1, [[FARM_NOW - 5 * MINUTE, 62]]);
    const doubts = [
      { reason: 'SENSOR_STUCK', depth: 10, value_vwc: 24.65 },
      { reason: 'TOO_WET_FOR_SOIL', depth: 30, value_vwc: 62 },
    ];
    expect(await stateOf(farm)).toMatchObject({ doubts });
    expect(await advise(farm)).toMatchObject({ doubts });
    expect((await farm.wire<BriefBody>('morning_brief')).checkFirst).toMatchObject([{ doubts }]);
    const alert = await farm.tool('create_alert', { module: 'Oak', threshold: 20 });
    expect(advisoriesOf(alert, 'suspect_readings')).toMatchObject([{ doubts }]);
  });

  it('is in the mail of an alert', async ({ farm }) => {
    const oak = await dryingOak(farm, 16);
    await holdValue(oak, 2, 6, 12.3);
    await farm.tool('create_alert', { module: 'Oak', threshold: 25 });
    const [mail] = await farm.write((db) =>
      db.selectFrom('outbox').select(['text', 'html']).execute(),
    );
    for (const body of [mail!.text, mail!.html])
      expect(body).toMatch(
        /exactly 12.3(?:\s|&nbsp;)% at 50(?:\s|&nbsp;)cm for 6(?:\s|&nbsp;)days: check the sensor/,
      );
  });
});
