import { describe, expect } from 'vitest';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import type { BriefBody } from '../../../src/schema/advice/brief.ts';
import type { MoistureChartBody } from '../../../src/schema/advice/moisture-chart.ts';
import { toMoistureChart } from '../../../src/service/advice/drawn-chart.ts';
import { DAY, depthAt, FARM_NOW, HOUR, iso, it, minutesAt, type TestFarm } from '../../farm.ts';
import { declareSoil, installProbe, instantsEvery } from '../moisture/probe-farm.ts';

const adviceOf = (farm: TestFarm, options = {}) =>
  farm.tool<AdviceBody>('advise_watering', { module: 'Ash' }, options);
const briefOf = (farm: TestFarm) => farm.tool<BriefBody>('morning_brief', {});
const chartOf = (farm: TestFarm, args = {}) =>
  farm.tool<MoistureChartBody>('chart_moisture', { module: 'Ash', ...args });

const draw = (farm: TestFarm, fill: 'wet' | 'dry', height: number) =>
  farm.tool('create_annotation', {
    module: 'Ash',
    chartType: 'tensio',
    type: 'h-line',
    p1: [FARM_NOW, height],
    style: { fill },
  });

/** A tensiometer at 77 kPa beside the soil probe Elm, which sends nothing. */
async function plantAsh(farm: TestFarm, value = 77) {
  const ash = await installProbe(farm, {
    name: 'Ash',
    sensors: [['tensio', 30]],
    category: 'TENSIOMETER',
    parcel: 'North block',
  });
  await ash.recordAll(instantsEvery(HOUR, FARM_NOW - 3 * DAY, FARM_NOW), value);
  const elm = await installProbe(farm, { name: 'Elm', parcel: 'North block' });
  return { ...ash, elm };
}

const ONLY_WHETHER = {
  deficitMm: null,
  waterMm: null,
  durationMin: null,
  volumeM3: null,
  confidence: 'insufficient',
};

describe('advice by a tensiometer', () => {
  it('is to water above the dry level, without any amount', async ({ farm }) => {
    await plantAsh(farm);
    await draw(farm, 'wet', 10);
    await draw(farm, 'dry', 60);
    const advice = await adviceOf(farm);
    expect(advice).toMatchObject({
      ...ONLY_WHETHER,
      time: iso(FARM_NOW - HOUR),
      daysToStress: 0,
      tension: { value: 77, dryLevel: 60, isDry: true },
    });
  });

  it('is to wait up to the dry level', async ({ farm }) => {
    await plantAsh(farm, 60);
    await draw(farm, 'dry', 60);
    const advice = await adviceOf(farm);
    expect(advice).toMatchObject({
      ...ONLY_WHETHER,
      daysToStress: null,
      tension: { isDry: false },
    });
  });

  it('gives no verdict without a dry level, and suggests the usual one of the soil', async ({
    farm,
  }) => {
    await plantAsh(farm);
    await declareSoil(farm, 'North block', [[6, 0, 60]]);
    const advice = await adviceOf(farm);
    expect(advice).toMatchObject({
      ...ONLY_WHETHER,
      daysToStress: null,
    });
    expect(advice.tension?.typical).toMatchObject({ usdaClass: 'Loam', dryFrom: 30, dryTo: 60 });
  });

  it('counts each watering of its parcel once', async ({ farm }) => {
    await plantAsh(farm);
    await draw(farm, 'dry', 60);
    await farm.log('Elm', depthAt(FARM_NOW - 2 * HOUR, 8));
    for (const module of ['Elm', 'Ash']) await farm.log(module, depthAt(FARM_NOW + 6 * HOUR, 5));
    const advice = await adviceOf(farm);
    expect(advice.reasons).toEqual(['RECENT_WATERING', 'TENSION_ONLY']);
    expect(advice.planned).toMatchObject({
      count: 1,
      waterMm: 5,
      nextAt: iso(FARM_NOW + 6 * HOUR),
    });
  });
});

describe('the brief of a farm with a tensiometer', () => {
  it('lists one above its dry level among those to water', async ({ farm }) => {
    const { id } = await plantAsh(farm);
    await draw(farm, 'dry', 60);
    const brief = await briefOf(farm);
    expect(brief.needsWater).toMatchObject([
      { moduleId: id, name: 'Ash', waterMm: null, value_tensio: 77, dryLevel: 60 },
    ]);
  });

  it('lists one without a dry level with its reading, not as dry', async ({ farm }) => {
    await plantAsh(farm);
    expect((await briefOf(farm)).unjudged).toMatchObject([{ name: 'Ash', value_tensio: 77 }]);
    await declareSoil(farm, 'North block', [[6, 0, 60]]);
    const brief = await briefOf(farm);
    expect(brief.needsWater).toEqual([]);
    expect(brief.unjudged).toMatchObject([
      { name: 'Ash', value_tensio: 77, dryFrom: 30, dryTo: 60 },
    ]);
  });

  it('leaves out one that is not dry, or whose parcel is watered today', async ({ farm }) => {
    const ash = await plantAsh(farm, 40);
    await draw(farm, 'dry', 60);
    expect(await briefOf(farm)).toMatchObject({ needsWater: [], unjudged: [] });
    await ash.recordAll([FARM_NOW - HOUR / 2], 77);
    expect((await briefOf(farm)).needsWater).toHaveLength(1);
    await farm.log('Elm', depthAt(FARM_NOW + 2 * HOUR, 5));
    expect((await briefOf(farm)).needsWater).toEqual([]);
  });
});

describe('the chart of a tensiometer', () => {
  const ENGLISH = {
    directory: { modules: async () => [], parcels: async () => [] },
    now: FARM_NOW,
    zone: 'Europe/Paris',
    isZoneDeclared: true,
    units: 'metric',
    lang: 'en',
    notes: [],
  } as const;

  it('shows its levels, the direction and the waterings of its parcel, each once', async ({
    farm,
  }) => {
    const { elm } = await plantAsh(farm);
    await draw(farm, 'wet', 10);
    await draw(farm, 'dry', 60);
    for (const module of ['Elm', 'Ash']) await farm.log(module, depthAt(FARM_NOW - 2 * DAY, 5));
    await farm.log('Elm', minutesAt(FARM_NOW - DAY, 30));
    const chart = await chartOf(farm);
    expect(chart.waterings.map(({ startedAt, moduleId }) => [startedAt, moduleId])).toEqual([
      [iso(FARM_NOW - 2 * DAY), chart.moduleId],
      [iso(FARM_NOW - DAY), elm.id],
    ]);
    expect(await toMoistureChart(chart, ENGLISH)).toMatchObject({
      measure: 'tensio',
      newestValue: 77,
      wetLevel: 10,
      dryLevel: 60,
      alertLevels: [],
    });
  });

  it('suggests usual levels where none is drawn, and draws water potential as tension', async ({
    farm,
  }) => {
    await plantAsh(farm, -77);
    await declareSoil(farm, 'North block', [[6, 0, 60]]);
    const chart = await chartOf(farm);
    expect(chart.summary).toContain('Usual on loam: water between 30 and 60 kPa');
    const { curve, newestValue } = await toMoistureChart(chart, ENGLISH);
    expect([curve[0]?.value, newestValue]).toEqual([77, 77]);
  });
});
