import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect } from 'vitest';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import type { BriefBody } from '../../../src/schema/advice/brief.ts';
import {
  DAY,
  depthAt,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
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
const WET = 26;
const DRY = 12;

async function onlyOak(farm: TestFarm, vwc: number, until = FARM_NOW): Promise<TestProbe> {
  await farm.write((db) => db.deleteFrom('modules').execute());
  await declareSoil(farm, 'North block', [[LOAM, 0, 80]]);
  const oak = await installProbe(farm, {
    parcel: 'North block',
    sensors: moistureSensorsAt(15, 45),
    rootDepthCm: 60,
  });
  await oak.recordAll(instantsEvery(HOUR, until - 5 * DAY, until), vwc);
  return oak;
}

const briefOf = (farm: TestFarm) => farm.wire<BriefBody>('morning_brief');
const plan = (farm: TestFarm, startedAt: number, inputDepthMm: number) =>
  farm.log('Oak', depthAt(startedAt, inputDepthMm));

const QUIET = {
  needsWater: [],
  checkFirst: [],
  unjudged: [],
  alerts: [],
  toConfirm: [],
  missingDoses: [],
};

describe('a quiet morning', () => {
  it('has nothing to list', async ({ farm }) => {
    await onlyOak(farm, WET);
    expect(await briefOf(farm)).toMatchObject({
      ...QUIET,
      modules: 1,
      silent: { modules: [], gateways: [] },
      schedule: [],
    });
  });

  it('is none where the only probe is silent', async ({ farm }) => {
    await farm.write((db) => db.deleteFrom('modules').execute());
    await installProbe(farm, { parcel: 'North block', sensors: moistureSensorsAt(15, 45) });
    expect(await briefOf(farm)).toMatchObject({
      modules: 1,
      silent: { modules: [{ name: 'Oak', lastAt: null }] },
    });
    expect(await farm.wire('farm_overview')).toMatchObject({
      probes: 1,
      groups: [{ group: 'silent', count: 1 }],
    });
  });

  it('has no modules on a farm without probes', async ({ farm }) => {
    await farm.write((db) => db.deleteFrom('modules').execute());
    expect(await briefOf(farm)).toMatchObject({ ...QUIET, modules: 0 });
  });
});

describe('a probe under stress', () => {
  it('is listed with its advice', async ({ farm }) => {
    await onlyOak(farm, DRY);
    await farm.declare('Oak', { system: 'sprinkler', flowMmPerH: 10, irrigatedAreaM2: 10_000 });
    const { needsWater } = await briefOf(farm);
    const advice = await farm.tool<AdviceBody>('advise_watering', { module: 'Oak' });
    const { moduleId, waterMm, durationMin, daysToStress, confidence } = advice;
    expect(daysToStress).toBe(0);
    expect(needsWater).toEqual([
      {
        moduleId,
        name: 'Oak',
        waterMm,
        durationMin,
        daysToStress,
        confidence,
        plannedMm: 0,
        parcelId: null,
        probes: 1,
        dryProbes: 1,
        driest: [{ moduleId, name: 'Oak', value_vwc: DRY }],
        remainingMin: { least: durationMin, most: durationMin },
        todayMin: { least: durationMin, most: durationMin },
        remainingMm: { least: waterMm, most: waterMm },
      },
    ]);
  });

  it('is to be given today’s share of its hours a day, unless that is planned', async ({
    farm,
  }) => {
    await onlyOak(farm, DRY);
    await farm.declare('Oak', { system: 'sprinkler', flowMmPerH: 10 });
    await farm.tool('set_probe_settings', { module: 'Oak', hoursPerDay: 2 });
    const { daily, durationMin, waterMm } = await farm.tool<AdviceBody>('advise_watering', {
      module: 'Oak',
    });
    const { days, minutesPerDay } = daily!;
    expect(days).toBeGreaterThan(2);
    expect((await briefOf(farm)).needsWater).toMatchObject([
      {
        todayMin: { least: minutesPerDay, most: minutesPerDay },
        remainingMin: { least: durationMin, most: durationMin },
      },
    ]);
    await plan(farm, FARM_NOW + HOUR, waterMm! / days);
    expect((await briefOf(farm)).needsWater).toEqual([]);
  });

  it('is listed with the others that the setup of its parcel waters, without those that have their own', async ({
    farm,
  }) => {
    await onlyOak(farm, DRY);
    await farm.declareParcel('North block', { system: 'sprinkler', flowMmPerH: 10 });
    const ids = new Map<string, number>();
    for (const [name, vwc] of [
      ['Ash', DRY - 1],
      ['Elm', WET],
      ['Fir', DRY - 2],
    ] as const) {
      const probe = await installProbe(farm, {
        name,
        parcel: 'North block',
        sensors: moistureSensorsAt(15, 45),
        rootDepthCm: 60,
      });
      await probe.recordAll(instantsEvery(HOUR, FARM_NOW - 5 * DAY, FARM_NOW), vwc);
      ids.set(name, probe.id);
    }
    await farm.declare('Fir', { system: 'sprinkler', flowMmPerH: 10 });
    await plan(farm, FARM_NOW + HOUR, 6);
    const { needsWater } = await briefOf(farm);
    // Each point of 600 mm is 6 mm, and 6 mm are 36 minutes; Oak is a point wetter than Ash, and
    // gets 6 mm as planned.
    const [fir, block] = needsWater;
    expect(fir).toMatchObject({ name: 'Fir', parcelId: null, probes: 1, dryProbes: 1 });
    expect(block).toMatchObject({
      name: 'Ash',
      parcelId: farm.idOf('North block'),
      probes: 3,
      dryProbes: 2,
      driest: [
        { name: 'Ash', value_vwc: DRY - 1 },
        { name: 'Oak', value_vwc: DRY },
      ],
      differing: [ids.get('Elm')],
      plannedMm: 0,
    });
    expect(block!.remainingMin!.most).toBe(block!.durationMin);
    expect(block!.remainingMin!.most - block!.remainingMin!.least).toBeCloseTo(36 + 36, 5);
    expect(block!.remainingMm!.most - block!.remainingMm!.least).toBeCloseTo(6 + 6, 5);
  });

  it('is omitted if the plan until local midnight covers it', async ({ farm }) => {
    await onlyOak(farm, DRY);
    await farm.declare('Oak', { system: 'sprinkler', flowMmPerH: 10 });
    const waterMm = (await farm.tool<{ waterMm: number }>('advise_watering', { module: 'Oak' }))
      .waterMm;
    // 00:30 tomorrow and 23:30 today in Paris, which is two hours ahead of UTC.
    await plan(farm, FARM_NOW + 12.5 * HOUR, waterMm + 1);
    expect((await briefOf(farm)).needsWater).toHaveLength(1);
    await plan(farm, FARM_NOW + 11.5 * HOUR, waterMm - 5);
    expect((await briefOf(farm)).needsWater).toHaveLength(1);
    await plan(farm, FARM_NOW + HOUR, 6);
    const { needsWater, schedule } = await briefOf(farm);
    expect(needsWater).toEqual([]);
    expect(schedule.map(({ waterMm: mm }) => mm)).toEqual([
      6,
      Number((waterMm - 5).toFixed(3)),
      waterMm + 1,
    ]);
  });

  it('is listed with a plan for a part of it, and the remaining minutes', async ({ farm }) => {
    await onlyOak(farm, DRY);
    await farm.declare('Oak', { system: 'sprinkler', flowMmPerH: 10 });
    const { waterMm } = await farm.tool<{ waterMm: number }>('advise_watering', { module: 'Oak' });
    await plan(farm, FARM_NOW + HOUR, 6);
    // 10 mm/h, so 6 minutes a mm.
    const minutes = expect.closeTo((waterMm - 6) * 6, 1);
    expect((await briefOf(farm)).needsWater).toMatchObject([
      { waterMm, plannedMm: 6, todayMin: { least: minutes, most: minutes } },
    ]);
  });

  it('that may have been watered is to be checked first, without an amount', async ({ farm }) => {
    await onlyOak(farm, DRY);
    await farm.declare('Oak', { system: 'sprinkler', flowMmPerH: 5 });
    await farm.log('Oak', minutesAt(FARM_NOW - 9 * HOUR, 120, { status: 'planned' }));
    const { needsWater, checkFirst } = await briefOf(farm);
    expect(needsWater).toEqual([]);
    expect(checkFirst).toMatchObject([
      { name: 'Oak', daysToStress: 0, reason: 'UNCONFIRMED_WATERING' },
    ]);
  });

  it('is listed without equipment, with an unknown amount', async ({ farm }) => {
    await onlyOak(farm, DRY);
    const { needsWater } = await briefOf(farm);
    expect(needsWater).toMatchObject([
      { waterMm: null, durationMin: null, daysToStress: 0, remainingMm: null },
    ]);
  });
});

describe('a probe without a stress point', () => {
  it('is listed', async ({ farm }) => {
    await onlyOak(farm, WET);
    await farm.write((db) => db.deleteFrom('soil_layers').execute());
    expect((await briefOf(farm)).unjudged).toMatchObject([{ name: 'Oak', value_vwc: WET }]);
  });

  it('names crossed lines as the cause', async ({ farm }) => {
    await onlyOak(farm, WET);
    const line = { type: 'h-line', p1: [FARM_NOW, 45], style: { fill: 'threshold2' } };
    await farm.tool('create_annotation', { module: 'Oak', ...line });
    expect((await briefOf(farm)).unjudged).toMatchObject([{ name: 'Oak', isCrossed: true }]);
  });
});

describe('a long list of needs', () => {
  async function dryProbes(farm: TestFarm, count: number): Promise<void> {
    await onlyOak(farm, WET);
    for (let number = 1; number <= count; number++) {
      const name = `P${number}`;
      const probe = await installProbe(farm, {
        name,
        parcel: 'North block',
        sensors: moistureSensorsAt(15, 45),
        rootDepthCm: 60,
      });
      await probe.recordAll(instantsEvery(HOUR, FARM_NOW - 5 * DAY, FARM_NOW), DRY);
      await farm.declare(name, { system: 'sprinkler', flowMmPerH: 10, irrigatedAreaM2: 1000 });
    }
  }

  it('names each of thirteen dry probes with its time', async ({ farm }) => {
    await dryProbes(farm, 13);
    const { summary, needsWater } = await farm.tool<{ summary: string; needsWater: object[] }>(
      'morning_brief',
    );
    expect(needsWater).toHaveLength(13);
    const [needs = ''] = summary.split('. ');
    for (let number = 1; number <= 13; number++) expect(needs).toMatch(`P${number}`);
    expect(needs).not.toMatch('more');
    expect(needs).toMatch(/ for [^;]+ each$/);
  });

  it('has the time that those take which are left out, and counts estimated capacities', async ({
    farm,
  }) => {
    await dryProbes(farm, 27);
    const { needsWater, leftOut, leftOutMin, estimatedCapacities } = await briefOf(farm);
    expect(needsWater).toHaveLength(25);
    const [each] = needsWater.map(({ todayMin }) => todayMin!.most);
    expect(leftOut.needsWater).toBe(2);
    expect(leftOutMin).toBeCloseTo(2 * each!, 1);
    expect(estimatedCapacities).toBe(27);
  });
});

describe('a silent device', () => {
  it('is a probe without readings since yesterday, and no water is advised for it', async ({
    farm,
  }) => {
    await onlyOak(farm, DRY, FARM_NOW - 26 * HOUR);
    const { needsWater, silent } = await briefOf(farm);
    const { freshness } = await farm.tool<{ freshness: { time: string } }>('get_moisture_series', {
      module: 'Oak',
      detail: 'full',
    });
    expect(needsWater).toEqual([]);
    expect(silent.modules).toMatchObject([{ name: 'Oak', lastAt: freshness.time }]);
    expect(freshness.time).toBe(iso(FARM_NOW - 27 * HOUR));
  });

  it.for([
    [8, 8],
    [13, 5],
  ] as const)('is listed among %d, up to 8, the newest first', async ([count, rows], { farm }) => {
    await onlyOak(farm, WET);
    for (let number = 1; number <= count; number++) {
      const probe = await installProbe(farm, {
        name: `P${number}`,
        sensors: moistureSensorsAt(15),
      });
      await probe.recordAll([FARM_NOW - 2 * DAY + number * HOUR], WET);
    }
    const { silent, leftOut } = await briefOf(farm);
    expect(silent.modules.map(({ name }) => name)).toEqual(
      Array.from({ length: rows }, (_, index) => `P${count - index}`),
    );
    expect(leftOut.silentModules).toBe(count - rows);
  });

  it('is listed only as silent even without a stress point', async ({ farm }) => {
    await onlyOak(farm, WET, FARM_NOW - 26 * HOUR);
    await farm.write((db) => db.deleteFrom('soil_layers').execute());
    const { unjudged, silent } = await briefOf(farm);
    expect({ unjudged, silent: silent.modules.length }).toEqual({ unjudged: [], silent: 1 });
  });

  it('can be a module that was never commissioned', async ({ farm }) => {
    await onlyOak(farm, WET);
    const { id: moduleId } = await installProbe(farm, { name: 'Boxed', commissioned: false });
    expect((await briefOf(farm)).silent.modules).toEqual([
      { moduleId, name: 'Boxed', lastAt: null },
    ]);
  });

  it('can be a station or tensiometer, which needs no water', async ({ farm }) => {
    await onlyOak(farm, WET);
    await installProbe(farm, {
      name: 'Mast',
      category: 'WEATHER_STATION',
      sensors: [['temperature', null]],
    });
    const tension = await installProbe(farm, {
      name: 'Tension',
      category: 'TENSIOMETER',
      sensors: [['tensio', 30]],
    });
    await tension.record(0, [[FARM_NOW - 30 * HOUR, 40]]);
    const { silent, unjudged, needsWater } = await briefOf(farm);
    expect(silent.modules.map(({ name, lastAt }) => [name, lastAt])).toEqual([
      ['Tension', iso(FARM_NOW - 30 * HOUR)],
      ['Mast', null],
    ]);
    expect({ unjudged, needsWater }).toEqual({ unjudged: [], needsWater: [] });
  });

  it('can be a gateway, listed with the modules that it carries', async ({ farm }) => {
    await onlyOak(farm, WET);
    const imei = '356938035643809';
    await farm.importFile({
      gateways: [
        {
          imei,
          assignedAt: iso(FARM_NOW - 30 * DAY),
          status: { lastSeen: iso(FARM_NOW - 2 * DAY) },
        },
      ],
      modules: [{ uid: 'Oak', gateway: imei }],
    });
    expect((await briefOf(farm)).silent.gateways).toMatchObject([
      { imei, lastSeen: iso(FARM_NOW - 2 * DAY), modules: 1, names: ['Oak'] },
    ]);
  });
});

describe('waterings to confirm', () => {
  it('are planned and over, also those of a manual schedule', async ({ farm }) => {
    await onlyOak(farm, WET);
    farm.now = FARM_NOW - DAY;
    const { id } = await farm.createSchedule({
      module: 'Oak',
      confirmationPolicy: 'manual',
      startTimes: ['06:00', '11:45'],
    });
    farm.now = FARM_NOW;
    const { toConfirm, schedule } = await briefOf(farm);
    const [running, over] = (await farm.occurrences({ id }))
      .filter(({ startedAt }) => startedAt < iso(FARM_NOW))
      .reverse();
    expect(toConfirm).toEqual([
      { eventId: over!.id, moduleId: over!.moduleId, name: 'Oak', startedAt: over!.startedAt },
    ]);
    expect(schedule[0]).toMatchObject({
      eventId: running!.id,
      startedAt: iso(FARM_NOW - 15 * MINUTE),
    });
  });

  it('are not those that the housekeeping confirms', async ({ farm }) => {
    await onlyOak(farm, WET);
    farm.now = FARM_NOW - DAY;
    await farm.createSchedule({ module: 'Oak', confirmationPolicy: 'auto', startTimes: ['06:00'] });
    farm.now = FARM_NOW;
    expect((await briefOf(farm)).toConfirm).toEqual([]);
    await farm.tick();
    expect((await briefOf(farm)).toConfirm).toEqual([]);
  });

  it('include a changed one of an automatic schedule', async ({ farm }) => {
    await onlyOak(farm, WET);
    farm.now = FARM_NOW - DAY;
    const [first] = await farm.occurrences(
      await farm.createSchedule({ module: 'Oak', startTimes: ['06:00'] }),
    );
    await farm.correct(first!, { note: 'half of it' });
    farm.now = FARM_NOW;
    await farm.tick();
    expect((await briefOf(farm)).toConfirm.map(({ eventId }) => eventId)).toEqual([first!.id]);
  });
});

describe('missing doses', () => {
  const missingDoses = async (farm: TestFarm) =>
    (await briefOf(farm)).missingDoses.map(({ count, missing }) => [count, missing]);
  const logged = (farm: TestFarm, days: number, fields: Record<string, unknown>) =>
    farm.log('Oak', minutesAt(FARM_NOW - days * DAY, 30, fields));

  it('are listed with the input that would complete them', async ({ farm }) => {
    await onlyOak(farm, WET);
    await logged(farm, 3, {});
    expect(await missingDoses(farm)).toEqual([[1, 'NO_INSTALLATION']]);
    await farm.declare('Oak', { system: 'sprinkler' });
    expect(await missingDoses(farm)).toEqual([[1, 'MISSING_FLOW_RATE']]);
    for (const days of [1, 2])
      await logged(farm, days, {
        inputMode: 'volume_m3',
        durationMin: undefined,
        inputVolumeM3: 20,
      });
    expect(await missingDoses(farm)).toEqual([[3, 'MISSING_IRRIGATED_AREA']]);
  });

  it('are counted without skipped waterings', async ({ farm }) => {
    await onlyOak(farm, WET);
    await farm.declare('Oak', { system: 'sprinkler' });
    await logged(farm, 1, {});
    for (const days of [2, 3])
      await logged(farm, days, {
        inputMode: 'volume_m3',
        durationMin: undefined,
        inputVolumeM3: 20,
        status: 'skipped',
      });
    expect(await missingDoses(farm)).toEqual([[1, 'MISSING_FLOW_RATE']]);
  });

  it('are found behind many complete doses', async ({ farm }) => {
    await onlyOak(farm, WET);
    await farm.declare('Oak', { system: 'sprinkler', irrigatedAreaM2: 1000 });
    await logged(farm, 400, {});
    // 270 planned waterings, all with a dose: more than a page of the list holds.
    await farm.createSchedule({
      module: 'Oak',
      inputMode: 'depth_mm',
      inputDepthMm: 5,
      startTimes: ['05:00', '13:00', '20:00'],
    });
    expect(await missingDoses(farm)).toEqual([[1, 'MISSING_FLOW_RATE']]);
  });
});

describe('an alert', () => {
  it('is listed while it fires', async ({ farm }) => {
    await onlyOak(farm, WET);
    await farm.tool('create_alert', { module: 'Oak', threshold: 28 });
    await farm.tool('create_alert', { module: 'Oak', threshold: 3 });
    const { alerts } = await briefOf(farm);
    // biome-ignore lint/suspicious/noExplicitAny: a list as it came
    const { data } = await farm.tool<any>('list_alerts', {});
    const {
      id: alertId,
      moduleId,
      threshold,
      state,
    } = data.find((each: { state: { firing: boolean } }) => each.state.firing);
    const { since, value_vwc, time } = state;
    expect(alerts).toEqual([{ alertId, moduleId, name: 'Oak', since, value_vwc, time, threshold }]);
  });
});

describe('an alert without fresh data', () => {
  it('is listed while it fires, with the time of its reading', async ({ farm }) => {
    await onlyOak(farm, WET);
    await farm.tool('create_alert', { module: 'Oak', threshold: 28 });
    await farm.tool('create_alert', { module: 'Oak', threshold: 29 });
    farm.now = FARM_NOW + 2 * DAY;
    expect((await briefOf(farm)).alerts).toMatchObject([
      { threshold: '29' },
      { threshold: '28', value_vwc: WET, time: iso(FARM_NOW - HOUR) },
    ]);
  });
});

describe('the brief', () => {
  it('has the rain of the last three days, as it counts, and none without rain', async ({
    farm,
  }) => {
    await onlyOak(farm, WET);
    expect((await briefOf(farm)).rain).toEqual([]);
    for (const [mm, when] of [
      [10, '2026-06-30'],
      [12, '2026-06-30'],
      [5, '2026-06-29'],
      [30, '2026-06-28'],
    ])
      await farm.wire('log_rain', { mm, when });
    await farm.tool('log_rain', { mm: 14, when: 'yesterday', parcel: 'North block' });
    expect((await briefOf(farm)).rain).toEqual([
      { parcelId: null, day: '2026-06-30', mm: 12 },
      { parcelId: null, day: '2026-06-29', mm: 5 },
      { parcelId: farm.idOf('North block'), day: '2026-06-30', mm: 14 },
    ]);
  });

  it('writes nothing', async ({ farm }) => {
    await onlyOak(farm, DRY);
    expect(await farm.isWrittenBy(() => briefOf(farm))).toBe(false);
  });

  it('is small on a small farm', async ({ farm }) => {
    await onlyOak(farm, DRY);
    expect(encode(JSON.stringify(await briefOf(farm))).length).toBeLessThan(600);
  });
});
