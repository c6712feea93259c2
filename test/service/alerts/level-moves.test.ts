import { describe, expect } from 'vitest';
import { firstOf } from '../../../src/domain/items.ts';
import type { MoistureSeriesBody } from '../../../src/schema/moisture/series.ts';
import { DAY, FARM_NOW, HOUR, iso, it, type TestFarm } from '../../farm.ts';
import { storedReadings } from '../../store/stored-readings.ts';
import { statementsOfWrites } from '../../transactions.ts';
import { installProbe, instantsEvery, moistureSensorsAt } from '../moisture/probe-farm.ts';
import { createOakAlert, listAlertsOf, queuedMailKinds } from './alert-farm.ts';

const set = 'set_probe_settings';
const module = 'Oak';

const calibrate = (farm: TestFarm, calibration: unknown, more = {}) =>
  farm.tool<{ calibration: Record<string, unknown> }>(set, {
    module,
    calibration,
    ...more,
  });

/** Two depths of equal weight; a reading of 20 % each hour of the last two days. */
async function installOak(farm: TestFarm) {
  const probe = await installProbe(farm, { sensors: moistureSensorsAt(10, 30) });
  await probe.recordAll(instantsEvery(HOUR, FARM_NOW - 2 * DAY, FARM_NOW), 20);
  return probe;
}

const curve = async (farm: TestFarm): Promise<(number | null)[]> => {
  const { data } = await farm.tool<MoistureSeriesBody>('get_moisture_series', {
    module,
    start: iso(FARM_NOW - 2 * DAY),
    end: iso(FARM_NOW),
    interval: 6 * 3600,
  });
  return data.map(({ value_vwc }) => value_vwc ?? null);
};

describe('the calibration of a probe', () => {
  it('changes what is shown of its readings, and leaves those that are stored', async ({
    farm,
  }) => {
    await installOak(farm);
    const stored = await farm.write((db) => storedReadings(db));
    const { calibration } = await calibrate(farm, ['30 cm: reads 20, true 26']);
    expect(calibration).toEqual({
      points: ['30 cm: reads 20, true 26, from 1970-01-01T00:00:00.000Z'],
      before: [],
      moved: [],
    });
    // Half of the curve shows 6 points more.
    expect(new Set(await curve(farm))).toEqual(new Set([23]));
    expect(await farm.write((db) => storedReadings(db))).toEqual(stored);
  });

  it('holds from its date, also within a point of a series', async ({ farm }) => {
    await installOak(farm);
    const from = iso(FARM_NOW - DAY - 3 * HOUR);
    await calibrate(farm, [`10 cm: reads 20, true 24, from ${from}`]);
    const values = await curve(farm);
    expect(values.at(0)).toBe(20);
    expect(values.at(-1)).toBe(22);
    // The date lies in the middle of a point of six hours.
    expect(values).toContain(21);
  });

  it('takes objects, points with a bulk density, and dates as people say them', async ({
    farm,
  }) => {
    await installOak(farm);
    const { calibration } = await calibrate(farm, [
      { depthCm: 10, readPercent: 20, truePercent: 23, from: null },
      '30 cm: reads 20, weighed 15, bulk density 1.4, from yesterday',
      { depthCm: 30, readPercent: 10, truePercent: 12, from: 'yesterday' },
    ]);
    const yesterday = /, from 2\d{3}-\d\d-\d\dT22:00:00.000Z$/;
    expect(calibration.points).toEqual([
      '10 cm: reads 20, true 23, from 1970-01-01T00:00:00.000Z',
      expect.stringMatching(/^30 cm: reads 20, true 21, from/),
      expect.stringMatching(yesterday),
    ]);
    expect((await farm.setup(module)).calibration).toEqual(calibration.points);
  });

  it('moves lines and alerts with the curve, and one undo takes all of it back', async ({
    farm,
  }) => {
    await installOak(farm);
    const alert = await createOakAlert(farm, { threshold: 18 });
    await farm.tool('create_annotation', {
      module,
      type: 'h-line',
      p1: [FARM_NOW, 28],
      style: { fill: 'threshold1' },
    });
    // At 18 and 28 % the depth at 10 cm shows 3.6 and 5.6 more (slope 1.2), the other one as before.
    const points = ['10 cm: reads 10, true 12', '10 cm: reads 30, true 36'];
    const { calibration } = await calibrate(farm, points);
    expect(calibration.moved).toMatchObject([
      { kind: 'line', from: 28, to: 30.8 },
      { kind: 'alert', id: alert.id, from: 18, to: 19.8 },
    ]);
    expect(new Set(await curve(farm))).toEqual(new Set([22]));
    expect(await queuedMailKinds(farm)).toEqual([]);

    await farm.tool('undo', {});
    expect(new Set(await curve(farm))).toEqual(new Set([20]));
    expect((await listAlertsOf(farm)).data).toMatchObject([{ threshold: '18' }]);
    const { data } = await farm.tool<{ data: { p1: number[] }[] }>('list_annotations', { module });
    expect(data.map(({ p1 }) => p1[1])).toEqual([28]);
    expect((await farm.setup(module)).calibration).toEqual([]);
  });

  it('evaluates hundreds of moved alerts after its transaction, which only marks them', async ({
    farm,
  }) => {
    await installOak(farm);
    await createOakAlert(farm, { threshold: 18 });
    const statements = async (truePercent: number): Promise<number> => {
      const points = [`10 cm: reads 20, true ${truePercent}`];
      return firstOf(await statementsOfWrites(farm, () => calibrate(farm, points))).length;
    };
    const ofOneAlert = await statements(24);
    for (let more = 1; more <= 8; more++) await createOakAlert(farm, { threshold: 18 + more });
    // Each further alert is changed, with a query for the record of changes.
    expect(await statements(25)).toBeLessThanOrEqual(ofOneAlert + 2 * 8);

    const { data } = await listAlertsOf(farm);
    // Half of the curve shows 5 points more than 20 %. Those at 23 to 26 fired before they moved.
    expect(new Set(data.map(({ state }) => state?.value_vwc))).toEqual(new Set([22.5]));
    expect(data.filter(({ state }) => state?.firing)).toHaveLength(4);
  });

  it('moves lines and alerts also when a farm file says it', async ({ farm }) => {
    await installOak(farm);
    await createOakAlert(farm, { threshold: 18 });
    const [oak] = (await farm.tool<{ data: { uid: string }[] }>('list_modules', { search: module }))
      .data;
    const calibration = [{ depthCm: 10, readPercent: 20, truePercent: 24 }];
    await farm.importFile({ modules: [{ uid: oak!.uid, calibration }] });
    expect(new Set(await curve(farm))).toEqual(new Set([22]));
    expect((await listAlertsOf(farm)).data).toMatchObject([{ threshold: '20' }]);
  });

  it('leaves lines where they are if the rest of the settings changes', async ({ farm }) => {
    await installOak(farm);
    await createOakAlert(farm, { threshold: 18 });
    await calibrate(farm, ['10 cm: reads 20, true 24']);
    expect(await farm.tool(set, { module, refillPercent: 80 })).toMatchObject({
      calibration: null,
    });
    const again = await calibrate(farm, ['10 cm: reads 20, true 24']);
    expect(again.calibration.moved).toEqual([]);
    expect(again.calibration.points).toEqual(again.calibration.before);
    const removed = await farm.tool<{ calibration: unknown }>(set, {
      module,
      clear: ['calibration'],
    });
    expect(removed.calibration).toMatchObject({ points: [], moved: [{ from: 20, to: 18 }] });
  });

  it('brings lines and alerts back to where they were, however often it is written anew', async ({
    farm,
  }) => {
    await installOak(farm);
    const drawn = await farm.tool<{ id: string }>('create_annotation', {
      module,
      type: 'h-line',
      p1: [FARM_NOW, 13.37],
      style: { fill: 'threshold2' },
    });
    // The depths differ in slope, so that a level would not come back from where it was last.
    const calibrations = [
      ['10 cm: reads 10, true 13', '10 cm: reads 31, true 26', '30 cm: reads 10, true 7'],
      ['30 cm: reads 11, true 8', '30 cm: reads 24, true 31'],
      ['10 cm: reads 20, true 22.3'],
    ];
    for (let round = 0; round < 4; round++) {
      for (const points of calibrations) await calibrate(farm, points);
      await calibrate(farm, calibrations[0]);
      await farm.tool('undo', {});
      await farm.tool(set, { module, clear: ['calibration'] });
    }

    const { data } = await farm.tool<{ data: { id: string; p1: number[] }[] }>('list_annotations', {
      module,
    });
    expect(data).toMatchObject([{ id: drawn.id, p1: [FARM_NOW, 13.37] }]);
    expect((await listAlertsOf(farm)).data).toMatchObject([{ threshold: '13.37' }]);
  });

  it.for([
    ['10 cm: reads 20', 'such as'],
    ['10 cm: reads 20, weighed 15', 'bulk density'],
    ['10 cm: reads 20, true 15, bulk density 1.4', 'bulk density'],
    ['10 cm: reads 20, weighed 15, bulk density 14', 'bulk density'],
    ['10 cm: reads 20, true field capacity', 'line'],
    ['10 cm: reads 0, true 12', 'above 0'],
    ['20 cm: reads 20, true 23', 'no moisture sensor'],
    ['10 cm: reads 20, true 23, from 2100-01-01', 'in the future'],
    ['10 cm: reads 20, true 23, from some day', 'cannot be read'],
  ] as const)('%s is refused: %s', async ([text, reason], { farm }) => {
    await installOak(farm);
    await expect(calibrate(farm, [text])).rejects.toMatchObject({
      message: expect.stringContaining(reason),
      field: 'calibration',
    });
  });

  it.for([
    [['10 cm: reads 20, true 23', '10 cm: reads 26, true 27'], 'at least 10 % apart'],
    [['10 cm: reads 10, true 23', '10 cm: reads 30, true 25'], 'less than 0.5'],
    [['10 cm: reads 10, true 1', '10 cm: reads 20, true 40'], 'more than 2'],
    [
      ['10 cm: reads 10, true 11', '10 cm: reads 20, true 22', '10 cm: reads 30, true 33'],
      'one or two points',
    ],
  ] as const)('%j are refused: %s', async ([points, reason], { farm }) => {
    await installOak(farm);
    await expect(calibrate(farm, points)).rejects.toMatchObject({
      message: expect.stringContaining(reason),
    });
  });

  it('is refused where no soil moisture is measured', async ({ farm }) => {
    await installProbe(farm, { sensors: [['tensio', 30]], category: 'TENSIOMETER' });
    await expect(calibrate(farm, ['30 cm: reads 20, true 23'])).rejects.toMatchObject({
      message: expect.stringContaining('no soil moisture'),
    });
  });

  it('is refused on a parcel, whose probes have sensors of their own', async ({ farm }) => {
    const calibration = ['10 cm: reads 20, true 23'];
    await expect(farm.tool(set, { parcel: 'North', calibration })).rejects.toMatchObject({
      message: expect.stringContaining('calibration'),
    });
  });
});
