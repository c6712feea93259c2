import { describe, expect } from 'vitest';
import type { AnnotationBody } from '../../../src/schema/alerts/annotation.ts';
import type { Category } from '../../../src/schema/company/company.ts';
import type { AgronomicStateBody } from '../../../src/schema/moisture/series.ts';
import { advisoriesOf, DAY, FARM_NOW, HOUR, iso, it, type TestFarm } from '../../farm.ts';
import { declareSoil, installProbe } from '../moisture/probe-farm.ts';

const stateOf = (farm: TestFarm, options = {}) =>
  farm.tool<AgronomicStateBody>('get_agronomic_state', { module: 'Ash' }, options);

const draw = (farm: TestFarm, fill: string, height: number, more = {}) =>
  farm.tool<AnnotationBody>('create_annotation', {
    module: 'Ash',
    chartType: 'tensio',
    type: 'h-line',
    p1: [FARM_NOW, height],
    style: { fill },
    ...more,
  });

/** At 30 and 60 cm, 70 and 84 kPa: 77 on average. */
async function plantAsh(farm: TestFarm, category: Category = 'TENSIOMETER') {
  const sensors = [['tensio', 30] as const, ['tensio', 60] as const];
  const ash = await installProbe(farm, { name: 'Ash', sensors, category, parcel: 'North block' });
  await ash.record(0, [[FARM_NOW - HOUR, 70]]);
  await ash.record(1, [[FARM_NOW - HOUR, 84]]);
  return ash;
}

describe('the state of a tensiometer', () => {
  it('follows the levels drawn on its tension curve', async ({ farm }) => {
    const ash = await plantAsh(farm);
    await draw(farm, 'wet', 10);
    const { id } = await draw(farm, 'dry', 60);
    const dry = await stateOf(farm);
    expect(dry).toMatchObject({
      moduleId: ash.id,
      state: 'stress',
      value_vwc: null,
      time: iso(FARM_NOW - HOUR),
      tension: { value: 77, wetLevel: 10, dryLevel: 60, isDry: true },
    });
    await farm.tool('update_annotation', { annotationId: id, p1: [FARM_NOW, 80] });
    expect(await stateOf(farm)).toMatchObject({
      state: 'comfort',
      tension: { dryLevel: 80, isDry: false },
    });
    await draw(farm, 'wet', 79);
    expect((await stateOf(farm)).state).toBe('saturated');
    await farm.tool('delete_annotation', { annotationId: id });
    expect(await stateOf(farm)).toMatchObject({
      state: 'saturated',
      tension: { dryLevel: null, isDry: null },
    });
  });

  it('is unknown without levels: the usual ones of its soil are suggested, not applied', async ({
    farm,
  }) => {
    await plantAsh(farm);
    expect((await stateOf(farm)).tension?.typical).toBeUndefined();
    // Loam from the surface, clay around both sensors.
    await declareSoil(farm, 'North block', [
      [6, 0, 20],
      [8, 20, 90],
    ]);
    const state = await stateOf(farm);
    expect(state).toMatchObject({
      state: null,
      tension: { wetLevel: null, dryLevel: null, isDry: null },
    });
    expect(state.tension?.typical).toEqual({
      usdaClass: 'Clay',
      wetLevel: 10,
      dryFrom: 60,
      dryTo: 100,
    });
  });

  it('is unknown without fresh data', async ({ farm }) => {
    await plantAsh(farm);
    await draw(farm, 'dry', 60);
    farm.now = FARM_NOW + 3 * DAY;
    const state = await stateOf(farm);
    expect(state).toMatchObject({ state: null, tension: { value: 77, isDry: null } });
  });

  it('follows tension even if it measures moisture too, while that of a soil probe follows moisture', async ({
    farm,
  }) => {
    const sensors = [['humidity', 30] as const, ['tensio', 30] as const];
    const both = await installProbe(farm, { name: 'Ash', sensors, category: 'TENSIOMETER' });
    const probe = await installProbe(farm, { name: 'Elm', sensors });
    for (const each of [both, probe]) {
      await each.record(0, [[FARM_NOW - HOUR, 22]]);
      await each.record(1, [[FARM_NOW - HOUR, 70]]);
    }
    expect(await stateOf(farm)).toMatchObject({ value_vwc: null, tension: { value: 70 } });
    const elm = await farm.tool<AgronomicStateBody>('get_agronomic_state', { module: 'Elm' });
    expect(elm.value_vwc).toBe(22);
    expect(elm).not.toHaveProperty('tension');
  });

  it('takes a negative reading for water potential', async ({ farm }) => {
    const ash = await plantAsh(farm);
    await draw(farm, 'dry', 60);
    for (const sensor of [0, 1]) await ash.record(sensor, [[FARM_NOW - HOUR / 2, -80]]);
    expect(await stateOf(farm)).toMatchObject({
      state: 'stress',
      tension: { value: 80, isDry: true },
    });
  });
});

describe('a level of tension', () => {
  it('has no unit and no alert, and is no threshold of moisture', async ({ farm }) => {
    await plantAsh(farm);
    expect((await draw(farm, 'dry', 60)).unit).toBeNull();
    expect((await farm.tool<{ data: unknown[] }>('list_alerts')).data).toEqual([]);
    await expect(draw(farm, 'threshold2', 60)).rejects.toMatchObject({
      code: 'THRESHOLD_REQUIRES_VWC',
      hint: expect.stringContaining('wet or dry'),
    });
  });

  it.for([0, -5, 1501])('is refused at %d kPa', async (height, { farm }) => {
    await plantAsh(farm);
    await expect(draw(farm, 'dry', height)).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'p1',
    });
  });

  it('is refused when wet and dry are exchanged, also by a move', async ({ farm }) => {
    await plantAsh(farm);
    await draw(farm, 'wet', 10);
    await expect(draw(farm, 'dry', 10)).rejects.toMatchObject({
      code: 'invalid_body',
      message:
        'The wet level must be below the dry level, because higher is drier: 10 kPa is not below 10 kPa.',
    });
    const { id } = await draw(farm, 'dry', 60);
    await expect(
      farm.tool('update_annotation', { annotationId: id, p1: [FARM_NOW, 5] }),
    ).rejects.toMatchObject({
      code: 'invalid_body',
    });
    expect((await stateOf(farm)).tension).toMatchObject({ wetLevel: 10, dryLevel: 60 });
  });

  it('is a horizontal line, and warns on a probe without tension', async ({ farm }) => {
    await plantAsh(farm);
    await expect(draw(farm, 'dry', 60, { type: 'text' })).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'style',
    });
    await installProbe(farm, { name: 'Elm' });
    const drawn = await draw(farm, 'dry', 60, { module: 'Elm' });
    expect(advisoriesOf(drawn, 'no_tension_for_drawing')).toHaveLength(1);
  });
});
