import { describe, expect } from 'vitest';
import type { AgronomicStateBody } from '../../../src/schema/moisture/series.ts';
import type { SoilHorizonBody } from '../../../src/schema/soil/soil.ts';
import {
  advisoriesOf,
  bodyOf,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  type TestFarm,
  type ToolResult,
} from '../../farm.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
} from '../moisture/probe-farm.ts';

const QUARTER = 15 * MINUTE;

const stateOf = (farm: TestFarm): Promise<ToolResult<AgronomicStateBody>> =>
  farm.tool('get_agronomic_state', { module: 'Oak' });

const draw = (farm: TestFarm, fill: 'threshold1' | 'threshold2', height: number, more = {}) =>
  farm.tool('create_annotation', {
    module: 'Oak',
    type: 'h-line',
    p1: [FARM_NOW, height],
    style: { fill },
    ...more,
  });

async function horizon(farm: TestFarm, code: string) {
  const { data } = await farm.tool<{ data: SoilHorizonBody[] }>('list_soil_horizons');
  const { theta_fc, theta_pwp } = data.find((each) => each.code === code)!;
  return { fieldCapacity: 100 * theta_fc, wiltingPoint: 100 * theta_pwp };
}

const twoDecimals = (value: number): number => Number(value.toFixed(2));

describe('GET agronomic-state', () => {
  it('answers the state with the values it was derived from', async ({ farm }) => {
    const oak = await installProbe(farm);
    await oak.recordAll([FARM_NOW - 2 * HOUR, FARM_NOW - HOUR], 22);
    await draw(farm, 'threshold1', 28);
    await draw(farm, 'threshold2', 14);
    const body = bodyOf(await stateOf(farm));
    expect(body).toEqual({
      moduleId: oak.id,
      state: 'comfort',
      value_vwc: 22,
      time: iso(FARM_NOW - HOUR),
      fieldCapacity: 28,
      wiltingPoint: 14,
      // 28 - 0.5 x (28 - 14).
      stressPoint: 21,
      allowedDepletion: 0.5,
      basis: {
        fieldCapacity: 'annotation',
        wiltingPoint: 'annotation',
        stressPoint: 'annotation',
        allowedDepletion: 'default',
      },
      doubts: [],
    });
  });

  it('takes both thresholds from the weighted soil profile without drawn lines', async ({
    farm,
  }) => {
    const oak = await installProbe(farm, {
      sensors: moistureSensorsAt(10, 50),
      depthWeights: { '10': 0.75, '50': 0.25 },
      parcel: 'North block',
    });
    await oak.recordAll([FARM_NOW - HOUR], 22);
    await declareSoil(farm, 'North block', [
      [6, 0, 40],
      [12, 40, 80],
    ]);
    const [top, bottom] = [await horizon(farm, '6'), await horizon(farm, '12')];
    const fieldCapacity = 0.75 * top.fieldCapacity + 0.25 * bottom.fieldCapacity;
    const wiltingPoint = 0.75 * top.wiltingPoint + 0.25 * bottom.wiltingPoint;
    expect(await stateOf(farm)).toMatchObject({
      fieldCapacity: twoDecimals(fieldCapacity),
      // Of the figures as they are shown.
      stressPoint: twoDecimals((twoDecimals(fieldCapacity) + twoDecimals(wiltingPoint)) / 2),
      basis: { fieldCapacity: 'soil_profile', stressPoint: 'soil_profile' },
    });
  });

  it('keeps its stress point when the wilting point of the profile is drawn', async ({ farm }) => {
    await (await installProbe(farm, { parcel: 'North block' })).recordAll([FARM_NOW - HOUR], 22);
    await declareSoil(farm, 'North block', [[6, 0, 80]]);
    const before = await stateOf(farm);
    const drawn = await draw(farm, 'threshold2', before.wiltingPoint!);
    expect(advisoriesOf(drawn, 'below_stress_point')).toMatchObject([
      { stressPoint: before.stressPoint, hasLine: true },
    ]);
    // The alert of the line stays at the wilting point; one without a line is raised.
    const threshold = before.wiltingPoint! + 1;
    const alert = await farm.tool<{ id: string }>('create_alert', {
      module: 'Oak',
      threshold,
    });
    const changed = await farm.tool('update_alert', {
      alertId: alert.id,
      threshold: threshold + 1,
    });
    for (const answer of [alert, changed])
      expect(advisoriesOf(answer, 'below_stress_point')).toMatchObject([{ hasLine: false }]);
    const { stressPoint, basis } = await stateOf(farm);
    expect(stressPoint).toBe(before.stressPoint);
    expect(basis).toMatchObject({ wiltingPoint: 'annotation', stressPoint: 'soil_profile' });
    await draw(farm, 'threshold2', before.wiltingPoint! - 2);
    expect((await stateOf(farm)).stressPoint).toBeCloseTo(before.stressPoint! - 1, 9);
  });

  it.for([
    ['Oliviers de bouche', 0.65, 'crop', 'olive'],
    ['fresas', 0.2, 'crop', 'strawberry'],
    ['jachère', 0.5, 'default', null],
  ] as const)(
    'allows the depletion of its crop: %s',
    async ([type, share, basis, crop], { farm }) => {
      await (await installProbe(farm, { parcel: 'North block' })).recordAll([FARM_NOW - HOUR], 22);
      await farm.tool('set_parcel', { name: 'North block', type });
      await draw(farm, 'threshold1', 30);
      await draw(farm, 'threshold2', 10);
      const state = await stateOf(farm);
      expect(state).toMatchObject({ allowedDepletion: share, basis: { allowedDepletion: basis } });
      expect(state.stressPoint).toBeCloseTo(30 - 20 * share, 9);
      expect(advisoriesOf(state, 'allowed_depletion')).toMatchObject([{ share, basis, crop }]);
    },
  );

  it('allows the depletion that is set for the probe, whatever its crop', async ({ farm }) => {
    await (await installProbe(farm, { parcel: 'North block' })).recordAll([FARM_NOW - HOUR], 22);
    await farm.tool('set_parcel', { name: 'North block', type: 'olive' });
    const { defaults } = await farm.tool<{ defaults: object }>('set_probe_settings', {
      module: 'Oak',
      allowedDepletion: 0.3,
    });
    expect(defaults).toMatchObject({ allowedDepletion: 0.65 });
    await draw(farm, 'threshold1', 30);
    await draw(farm, 'threshold2', 10);
    const state = await stateOf(farm);
    // 30 - 0.3 x (30 - 10).
    expect(state).toMatchObject({
      allowedDepletion: 0.3,
      stressPoint: 24,
      basis: { allowedDepletion: 'setting' },
    });
    await farm.tool('set_probe_settings', { module: 'Oak', clear: ['allowedDepletion'] });
    expect(await stateOf(farm)).toMatchObject({ allowedDepletion: 0.65, stressPoint: 17 });
  });

  it('is null without a reading, with the thresholds of the profile', async ({ farm }) => {
    await installProbe(farm, { parcel: 'North block' });
    await declareSoil(farm, 'North block', [[6, 0, 80]]);
    expect(await stateOf(farm)).toMatchObject({
      state: null,
      value_vwc: null,
      time: null,
      basis: { fieldCapacity: 'soil_profile', stressPoint: 'soil_profile' },
    });
  });

  it('equals the newest point of the series', async ({ farm }) => {
    const oak = await installProbe(farm, { rootDepthCm: 40 });
    for (const sensor of [0, 1, 2]) await oak.record(sensor, [[FARM_NOW - HOUR, 20.3 + sensor]]);
    await oak.record(1, [[FARM_NOW - 30 * MINUTE, 25.04]]);
    const { value_vwc: value, time } = await stateOf(farm);
    const { data } = await farm.tool<{ data: unknown[] }>('get_moisture_series', { module: 'Oak' });
    expect(data.at(-1)).toMatchObject({ value_vwc: value, time });
  });

  it('waits half an hour for a sensor that missed the newest cycle, then notes that it is missing', async ({
    farm,
  }) => {
    const oak = await installProbe(farm, { sensors: moistureSensorsAt(10, 30) });
    await oak.record(
      0,
      instantsEvery(QUARTER, FARM_NOW - 10 * HOUR, FARM_NOW).map((at) => [at, 20]),
    );
    await oak.record(
      1,
      instantsEvery(QUARTER, FARM_NOW - 10 * HOUR, FARM_NOW - QUARTER).map((at) => [at, 30]),
    );
    const waiting = await stateOf(farm);
    expect(waiting).toMatchObject({ value_vwc: 25, time: iso(FARM_NOW - 2 * QUARTER) });
    expect(advisoriesOf(waiting, 'silent_depths')).toEqual([]);
    farm.now = FARM_NOW + QUARTER;
    const without = await stateOf(farm);
    expect(without).toMatchObject({ value_vwc: 20, time: iso(FARM_NOW - QUARTER) });
    expect(advisoriesOf(without, 'silent_depths')).toMatchObject([
      { depths: [30], weightPercent: 50 },
    ]);
  });

  it('is null between crossed lines', async ({ farm }) => {
    const oak = await installProbe(farm);
    await oak.recordAll([FARM_NOW - HOUR], 22);
    await draw(farm, 'threshold1', 12);
    await draw(farm, 'threshold2', 16);
    expect(await stateOf(farm)).toMatchObject({ state: null, stressPoint: null });
  });

  it('ignores newer readings of a sensor without weight', async ({ farm }) => {
    const oak = await installProbe(farm, { sensors: moistureSensorsAt(10, 90), rootDepthCm: 20 });
    await oak.record(0, [[FARM_NOW - 2 * HOUR, 20]]);
    await oak.record(1, [[FARM_NOW - HOUR, 30]]);
    expect(await stateOf(farm)).toMatchObject({ value_vwc: 20, time: iso(FARM_NOW - 2 * HOUR) });
  });

  it('is unknown for a station, which measures the humidity of the air', async ({ farm }) => {
    const plan = {
      sensors: [['humidity', null]],
      category: 'WEATHER_STATION',
      parcel: 'North block',
    } as const;
    await (await installProbe(farm, plan)).recordAll([FARM_NOW - HOUR], 60);
    await declareSoil(farm, 'North block', [[6, 0, 80]]);
    const state = await stateOf(farm);
    expect(state).toMatchObject({
      state: null,
      value_vwc: null,
      time: null,
      basis: { fieldCapacity: null, stressPoint: null },
    });
    expect(advisoriesOf(state, 'no_moisture_for_state')).toHaveLength(1);
  });
});
