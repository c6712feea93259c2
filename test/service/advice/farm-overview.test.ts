import { describe, expect } from 'vitest';
import type { OverviewBody } from '../../../src/schema/advice/overview.ts';
import {
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
  type TestProbe,
} from '../moisture/probe-farm.ts';

/** Loam: theta_fc 27.6 %, theta_pwp 13.6 %, so that the stress point is about half-way. */
const LOAM = 6;
const SAND = 1;

const overviewOf = (farm: TestFarm) => farm.wire<OverviewBody>('farm_overview');

/** The first probes of each group. */
const groupsOf = ({ groups }: OverviewBody) =>
  Object.fromEntries(groups.map(({ group, first }) => [group, first.map(({ name }) => name)]));

const removeModules = (farm: TestFarm) => farm.write((db) => db.deleteFrom('modules').execute());

async function probeAt(
  farm: TestFarm,
  name: string,
  vwc: number,
  { until = FARM_NOW, parcel = 'North block' } = {},
): Promise<TestProbe> {
  const probe = await installProbe(farm, { name, parcel, sensors: moistureSensorsAt(15, 45) });
  await probe.recordAll(instantsEvery(HOUR, until - 5 * DAY, until), vwc);
  return probe;
}

/** Ash in stress, Elm well, Fir silent for two days, and a station that never reported. */
async function threeProbes(farm: TestFarm): Promise<void> {
  await removeModules(farm);
  await declareSoil(farm, 'North block', [[LOAM, 0, 80]]);
  await probeAt(farm, 'Elm', 26);
  await probeAt(farm, 'Ash', 12.4);
  await probeAt(farm, 'Fir', 9, { until: FARM_NOW - 2 * DAY });
  await installProbe(farm, {
    name: 'Mast',
    category: 'WEATHER_STATION',
    sensors: [['humidity', null]],
  });
}

describe('farm_overview', () => {
  it('lists the probes by need, with the age of their data, the last watering and the crop', async ({
    farm,
  }) => {
    await threeProbes(farm);
    await farm.tool('set_parcel', { name: 'North block', type: 'Peach' });
    await farm.log('Elm', minutesAt(FARM_NOW - 2 * DAY, 60));
    await farm.log('Elm', minutesAt(FARM_NOW - 9 * DAY, 60));
    await farm.tool('create_alert', { module: 'Ash', threshold: 15 });
    await farm.tool('create_alert', { module: 'Ash', threshold: 10 });
    const { data, probes, stations } = await overviewOf(farm);
    expect([probes, stations]).toEqual([3, 1]);
    expect(data).toMatchObject([
      {
        name: 'Ash',
        value_vwc: 12.4,
        state: 'stress',
        daysToStress: 0,
        needsWater: true,
        alert: 'firing',
        ageMin: 60,
      },
      {
        name: 'Fir',
        state: null,
        daysToStress: null,
        needsWater: false,
        ageMin: 49 * 60,
        alert: null,
      },
      {
        name: 'Elm',
        value_vwc: 26,
        state: 'comfort',
        lastWateredAt: iso(FARM_NOW - 2 * DAY),
        alert: null,
      },
    ]);
    for (const row of data) expect(row).toMatchObject({ parcel: 'North block', crop: 'Peach' });
  });

  it('has the rain of the last seven days, as it counts', async ({ farm }) => {
    await threeProbes(farm);
    for (const [mm, when] of [
      [10, '2026-06-30'],
      [12, '2026-06-30'],
      [3, '2026-06-25'],
      [40, '2026-06-24'],
    ])
      await farm.wire('log_rain', { mm, when });
    expect(advisoriesOf(await overviewOf(farm), 'rain_totals')).toEqual([
      { kind: 'rain_totals', totals: [{ parcel: null, mm: 15, days: 2 }], lastDays: 7 },
    ]);
  });

  it('groups those that need water, the driest and the silent ones', async ({ farm }) => {
    await threeProbes(farm);
    expect(groupsOf(await overviewOf(farm))).toEqual({
      needsWater: ['Ash'],
      driest: ['Ash', 'Elm'],
      silent: ['Fir', 'Mast'],
    });
  });

  it('has the one that needs water before a drier one in comfort', async ({ farm }) => {
    await removeModules(farm);
    await declareSoil(farm, 'North block', [[LOAM, 0, 80]]);
    await declareSoil(farm, 'South block', [[SAND, 0, 80]]);
    await probeAt(farm, 'Dune', 9, { parcel: 'South block' });
    await probeAt(farm, 'Elm', 26);
    await probeAt(farm, 'Ash', 12.4);
    const overview = await overviewOf(farm);
    expect(overview.data.map(({ name, state }) => [name, state])).toEqual([
      ['Ash', 'stress'],
      ['Dune', 'comfort'],
      ['Elm', 'comfort'],
    ]);
    expect(groupsOf(overview).needsWater).toEqual(['Ash']);
  });

  it('counts stations apart, and is empty on an empty farm', async ({ farm }) => {
    await installProbe(farm, { name: 'Mast 2', category: 'WEATHER_STATION', sensors: [] });
    await farm.write((db) =>
      db.deleteFrom('modules').where('category', '=', 'SOIL_PROBE').execute(),
    );
    expect(await overviewOf(farm)).toMatchObject({ probes: 0, stations: 2 });
    await removeModules(farm);
    expect(await overviewOf(farm)).toMatchObject({
      probes: 0,
      stations: 0,
      data: [],
      groups: [],
      leftOut: 0,
      next_cursor: null,
    });
  });

  it('ranks tensiometers by tension, and without soil says what is missing', async ({ farm }) => {
    await removeModules(farm);
    for (const [name, kPa] of [
      ['T1', 30],
      ['T2', 85],
    ] as const) {
      const probe = await installProbe(farm, {
        name,
        category: 'TENSIOMETER',
        sensors: [['tensio', 30]],
      });
      await probe.recordAll(instantsEvery(HOUR, FARM_NOW - 3 * DAY, FARM_NOW), kPa);
    }
    await probeAt(farm, 'Elm', 26);
    await farm.tool('create_annotation', {
      module: 'T2',
      chartType: 'tensio',
      type: 'h-line',
      p1: [FARM_NOW, 60],
      style: { fill: 'dry' },
    });
    const overview = await overviewOf(farm);
    expect(overview.data.map(({ name, value_tensio }) => [name, value_tensio])).toEqual([
      ['T2', 85],
      ['T1', 30],
      ['Elm', null],
    ]);
    expect(groupsOf(overview)).toMatchObject({ needsWater: ['T2'], unjudged: ['T1', 'Elm'] });
  });

  it('is read in pages, each probe once, and refuses a cursor of another list', async ({
    farm,
  }) => {
    await threeProbes(farm);
    const names: (string | null)[] = [];
    for (let cursor: string | null = null, left = 2; left >= 0; left--) {
      const page: OverviewBody = await farm.wire('farm_overview', {
        limit: 1,
        cursor: cursor ?? undefined,
      });
      expect(page.leftOut).toBe(left);
      names.push(...page.data.map(({ name }) => name));
      cursor = page.next_cursor;
      expect(cursor === null).toBe(left === 0);
    }
    expect(names).toEqual(['Ash', 'Fir', 'Elm']);
    const { next_cursor: cursor } = await farm.wire<{ next_cursor: string }>('list_modules', {
      limit: 1,
    });
    await expect(farm.wire('farm_overview', { cursor })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  it('names no parcel to a caller who may not see parcels', async ({ farm }) => {
    await threeProbes(farm);
    const { data } = await farm.wire<OverviewBody>(
      'farm_overview',
      {},
      { caller: { scopes: ['readings:read'] } },
    );
    expect(data.map(({ parcel, crop }) => [parcel, crop])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
  });
});
