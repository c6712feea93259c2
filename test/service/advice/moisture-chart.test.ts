import { describe, expect } from 'vitest';
import type { MoistureChartBody } from '../../../src/schema/advice/moisture-chart.ts';
import type {
  AgronomicStateBody,
  MoistureSeriesBody,
} from '../../../src/schema/moisture/series.ts';
import { pictureTimes, toMoistureChart } from '../../../src/service/advice/drawn-chart.ts';
import {
  bodyOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';
import { declareSoil, installProbe, instantsEvery } from '../moisture/probe-farm.ts';

const chartOf = (farm: TestFarm, args = {}) =>
  farm.tool<MoistureChartBody>('chart_moisture', { module: 'Oak', ...args });

const ENGLISH = {
  directory: { modules: async () => [], parcels: async () => [] },
  now: FARM_NOW,
  zone: 'Europe/Paris',
  isZoneDeclared: true,
  units: 'metric',
  lang: 'en',
  notes: [],
} as const;

async function putUpOak(farm: TestFarm) {
  await declareSoil(farm, 'North block', [[5, 0, 60]]);
  const oak = await installProbe(farm, { parcel: 'North block' });
  await farm.declare('Oak', { system: 'sprinkler', flowMmPerH: 6 });
  await oak.recordAll(instantsEvery(15 * MINUTE, FARM_NOW - 7 * DAY, FARM_NOW), 22);
  return oak;
}

describe('GET measurements/chart', () => {
  it('has the answers of the series and the state', async ({ farm }) => {
    const oak = await putUpOak(farm);
    const chart = await chartOf(farm);
    const query = { moduleId: oak.id, maxPoints: 700, depths: true };
    expect(chart.series).toEqual(
      bodyOf(await farm.wire<MoistureSeriesBody>('get_moisture_series', query)),
    );
    expect(chart.state).toEqual(
      bodyOf(await farm.wire<AgronomicStateBody>('get_agronomic_state', { moduleId: oak.id })),
    );
    expect([chart.start, chart.end, chart.view, chart.theme]).toEqual([
      iso(FARM_NOW - 7 * DAY),
      iso(FARM_NOW),
      'summary',
      'light',
    ]);
  });

  it('shows the readings of a week of quarter hours, and a longer period in buckets', async ({
    farm,
  }) => {
    const oak = await putUpOak(farm);
    expect((await chartOf(farm)).series.interval_seconds).toBeNull();
    await oak.recordAll(instantsEvery(15 * MINUTE, FARM_NOW - 20 * DAY, FARM_NOW - 7 * DAY), 22);
    // 20 days are 1,920 quarters of an hour, 960 halves, 480 hours.
    expect((await chartOf(farm, { start: iso(FARM_NOW - 20 * DAY) })).series.interval_seconds).toBe(
      3600,
    );
  });

  it('has the waterings of the period in order, planned ones too, but none skipped', async ({
    farm,
  }) => {
    await putUpOak(farm);
    const log = (at: number, more = {}) => farm.log('Oak', minutesAt(at, 30, more));
    await log(FARM_NOW - 8 * DAY);
    await log(FARM_NOW - HOUR, { status: 'skipped' });
    await log(FARM_NOW + HOUR);
    await log(FARM_NOW - 2 * DAY);
    await log(FARM_NOW - 3 * DAY);
    await farm.log('North 2', minutesAt(FARM_NOW - DAY, 30));
    const { waterings } = await chartOf(farm, { end: iso(FARM_NOW + DAY) });
    expect(waterings.map(({ startedAt, status }) => [Date.parse(startedAt), status])).toEqual([
      [FARM_NOW - 3 * DAY, 'done'],
      [FARM_NOW - 2 * DAY, 'done'],
      [FARM_NOW + HOUR, 'planned'],
    ]);
  });

  it('has more waterings than a page of the list', async ({ farm }) => {
    await putUpOak(farm);
    const startTimes = Array.from(
      { length: 12 },
      (_, index) => `${String(2 * index).padStart(2, '0')}:00`,
    );
    await farm.createSchedule({ module: 'Oak', startTimes });
    const { waterings } = await chartOf(farm, {
      start: iso(FARM_NOW),
      end: iso(FARM_NOW + 30 * DAY),
    });
    expect(waterings).toHaveLength(12 * 30);
    expect(new Set(waterings.map(({ id }) => id)).size).toBe(12 * 30);
  });

  it('has the newest value of each depth, and its lines', async ({ farm }) => {
    const oak = await putUpOak(farm);
    for (const [sensor, value] of [21.25, 19, 24].entries())
      await oak.record(sensor, [[FARM_NOW - MINUTE, value]]);
    const { newest, state } = await chartOf(farm);
    expect(newest?.depths).toEqual([
      { depth: 10, value: 21.25 },
      { depth: 20, value: 19 },
      { depth: 30, value: 24 },
    ]);
    expect(state.stressPoint).toBeLessThan(state.fieldCapacity!);
  });

  it('has the rain of its local days as it counts for the parcel', async ({ farm }) => {
    await putUpOak(farm);
    const log = (mm: number, when: string, more = {}) =>
      farm.tool('log_rain', { mm, when, ...more });
    await log(10, '2026-06-28');
    await log(12, '2026-06-28');
    await log(3, '2026-06-24 03:00');
    await log(2, '2026-06-30 18:30', { parcel: 'North block' });
    await log(9, '2026-06-30', { parcel: 'South block' });
    await log(5, '2026-06-20');
    const chart = await chartOf(farm);
    expect(chart.rain).toEqual([
      { day: '2026-06-24', startedAt: '2026-06-24T01:00:00.000Z', endedAt: null, mm: 3 },
      { day: '2026-06-28', startedAt: null, endedAt: null, mm: 12 },
      { day: '2026-06-30', startedAt: '2026-06-30T16:30:00.000Z', endedAt: null, mm: 2 },
    ]);
    const { rain } = await toMoistureChart(chart, ENGLISH);
    expect(rain.map(({ at, mm }) => [iso(at), mm])).toEqual([
      ['2026-06-23T22:00:00.000Z', 3],
      ['2026-06-27T22:00:00.000Z', 12],
      ['2026-06-29T22:00:00.000Z', 2],
    ]);
  });

  it('draws the id where the font lacks a letter', async ({ farm }) => {
    const pine = await installProbe(farm, { name: '北の畑', parcel: 'North block' });
    const chart = await farm.tool<MoistureChartBody>('chart_moisture', { module: '北の畑' });
    const directory = {
      modules: async () => [{ id: pine.id, name: '北の畑', uid: 'x', category: null, parcelId: 3 }],
      parcels: async () => [{ id: 3, name: '東' }],
    };
    expect(await toMoistureChart(chart, { ...ENGLISH, directory, lang: 'fr' })).toMatchObject({
      name: `#${pine.id}`,
      parcel: 'parcelle 3',
    });
  });

  it('draws the unrounded summary, so that a slow curve has no stairs', async ({ farm }) => {
    const oak = await installProbe(farm, { parcel: 'North block' });
    const instants = instantsEvery(15 * MINUTE, FARM_NOW - 2 * DAY, FARM_NOW);
    const drying = (at: number) => 22 + (FARM_NOW - at) / (2 * DAY);
    for (const sensor of oak.sensorIds.keys())
      await oak.record(
        sensor,
        instants.map((at) => [at, drying(at)]),
      );
    const { curve } = await toMoistureChart(await chartOf(farm), ENGLISH);
    // A point over 192 quarters of an hour: eleven values of one decimal.
    expect(curve.map(({ at }) => at)).toEqual(instants);
    for (const { at, value } of curve) expect(value).toBeCloseTo(drying(at), 5);
  });

  it('gives the newest reading where its points are means, and none for a past period', async ({
    farm,
  }) => {
    const oak = await putUpOak(farm);
    await oak.recordAll(instantsEvery(15 * MINUTE, FARM_NOW - 20 * DAY, FARM_NOW - 7 * DAY), 22);
    for (const [sensor, value] of [30, 33, 36].entries())
      await oak.record(sensor, [[FARM_NOW - MINUTE, value]]);
    const start = iso(FARM_NOW - 20 * DAY);
    const chart = await chartOf(farm, { start });
    expect(chart.series.statistics?.last.value).toBeLessThan(30);
    expect(chart.newest).toEqual({
      value: 33,
      depths: [
        { depth: 10, value: 30 },
        { depth: 20, value: 33 },
        { depth: 30, value: 36 },
      ],
    });
    const past = await chartOf(farm, { start, end: iso(FARM_NOW - 2 * DAY) });
    expect(past.newest).toBeNull();
  });

  it('has the age of stale data', async ({ farm }) => {
    await putUpOak(farm);
    farm.now = FARM_NOW + 3 * DAY;
    expect((await chartOf(farm)).series.freshness).toMatchObject({
      isFresh: false,
      time: iso(FARM_NOW - 15 * MINUTE),
    });
  });

  it('works for a silent probe, a tensiometer and a station', async ({ farm }) => {
    for (const module of ['North 1', 'Mast'])
      expect(
        (await farm.tool<MoistureChartBody>('chart_moisture', { module })).series,
      ).toMatchObject({ statistics: null, data: [] });

    const ash = await installProbe(farm, {
      name: 'Ash',
      sensors: [['tensio', 30]],
      category: 'TENSIOMETER',
    });
    await ash.recordAll([FARM_NOW - HOUR], 40);
    const { series, state } = await farm.tool<MoistureChartBody>('chart_moisture', {
      module: 'Ash',
    });
    expect(series).toMatchObject({ type: 'tensio', statistics: { last: { value: 40 } } });
    expect(state.tension).toMatchObject({ value: 40, wetLevel: null, dryLevel: null });
  });

  it('refuses what the series refuses, with the same code', async ({ farm }) => {
    await putUpOak(farm);
    await expect(
      chartOf(farm, { start: iso(FARM_NOW), end: iso(FARM_NOW - DAY) }),
    ).rejects.toMatchObject({
      code: 'invalid_date',
    });
    await expect(farm.wire('chart_moisture', { moduleId: 999 })).rejects.toMatchObject({
      status: 404,
    });
    await expect(
      farm.wire('chart_moisture', { moduleId: farm.idOf('Blue 1') }),
    ).rejects.toMatchObject({
      status: 403,
    });
    await expect(chartOf(farm, { view: 'heatmap' })).rejects.toMatchObject({
      code: 'invalid_parameter',
      field: 'view',
    });
  });

  it('writes nothing', async ({ farm }) => {
    await putUpOak(farm);
    expect(await farm.isWrittenBy(() => chartOf(farm))).toBe(false);
  });
});

describe('the period of a picture', () => {
  it('is the same when it is drawn again a minute later, and holds all of its readings', () => {
    const at = (end: number) => {
      const period = { start: iso(end - 10 * DAY), end: iso(end) };
      return { period, drawn: pictureTimes(period, end) };
    };
    const first = Date.parse('2026-07-14T07:00:01.250Z');
    expect(at(first).drawn).toEqual(at(first + MINUTE).drawn);
    for (const shift of [0, 1, 59_999, 299_999, 300_000]) {
      const { period, drawn } = at(first + shift);
      expect(drawn.start).toBeLessThanOrEqual(Date.parse(period.start));
      expect(drawn.end).toBeGreaterThanOrEqual(Date.parse(period.end));
      expect(drawn.end - drawn.start - 10 * DAY).toBeLessThanOrEqual(10 * MINUTE);
    }
  });

  it('is exact where a second is more than a pixel', () => {
    const period = { start: '2026-07-14T07:00:00.100Z', end: '2026-07-14T07:10:00.200Z' };
    const [start, end] = [Date.parse(period.start), Date.parse(period.end)];
    expect(pictureTimes(period, end)).toEqual({ start, end, now: end });
  });
});
