import { describe, expect } from 'vitest';
import { bodyOf, DAY, depthAt, FARM_NOW, HOUR, iso, it, minutesAt } from '../../farm.ts';

const drip = { system: 'drip', flowMmPerH: 3.2 };
const minutes = (startedAt: number, more = {}) => minutesAt(startedAt, 45, more);

describe('the irrigation configuration of a probe', () => {
  it('is empty without a setup', async ({ farm }) => {
    expect(bodyOf(await farm.setup('North 1'))).toEqual({
      moduleId: farm.idOf('North 1'),
      parcelId: farm.idOf('North block'),
      installation: null,
      defaultFractionWetted: null,
      placement: null,
      canGeneralize: false,
      hasParcelInstallation: false,
      siblingOverrides: 0,
      settings: {
        rootDepthCm: null,
        depthWeights: null,
        stonesByDepth: null,
        emitterDepthCm: null,
        mulch: null,
        allowedDepletion: null,
        refillPercent: null,
        validFrom: null,
        efficiencyPercent: null,
        leachingPercent: null,
        hoursPerDay: null,
        restFrom: null,
        restUntil: null,
        waterTimes: null,
        waterSource: null,
      },
      settingsVersions: [],
      calibration: [],
      season: {
        crop: null,
        plantedOn: null,
        harvestedOn: null,
        stage: null,
        stageOn: null,
        earlierStages: null,
        rootDepthCm: null,
      },
      commissioning: { at: '1970-01-01T00:00:00.000Z', isAssumed: true },
      versions: [],
      missingDoses: { count: 0, withoutInstallation: 0, oldestWithoutInstallation: null },
    });
  });

  it('lists its versions and those of its parcel with their scope, newest first', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', { ...drip, effectiveFrom: iso(FARM_NOW - 4 * DAY) });
    await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) });
    await farm.declareParcel('North block', { ...drip, effectiveFrom: iso(FARM_NOW - 2 * DAY) });
    await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - 3 * DAY) });
    const { versions } = await farm.setup('North 1');
    expect(versions.map(({ scope, validFrom }) => [scope, validFrom])).toEqual([
      ['module', iso(FARM_NOW - DAY)],
      ['parcel', iso(FARM_NOW - 2 * DAY)],
      ['module', iso(FARM_NOW - 3 * DAY)],
      ['parcel', iso(FARM_NOW - 4 * DAY)],
    ]);
  });

  it('names the target of each version', async ({ farm }) => {
    await farm.declareParcel('North block', drip);
    const { versions } = await farm.declare('North 1', drip);
    expect(versions.map(({ moduleId, parcelId }) => ({ moduleId, parcelId }))).toEqual([
      { moduleId: farm.idOf('North 1'), parcelId: null },
      { moduleId: null, parcelId: farm.idOf('North block') },
    ]);
  });

  it('does not list versions of other probes', async ({ farm }) => {
    await farm.declare('North 2', drip);
    expect((await farm.setup('North 1')).versions).toEqual([]);
  });

  it('can be generalized with a parcel and a current setup of its own', async ({ farm }) => {
    expect((await farm.declare('North 1', drip)).canGeneralize).toBe(true);
    expect((await farm.declare('Loose', drip)).canGeneralize).toBe(false);
    await farm.declareParcel('North block', drip);
    expect((await farm.setup('North 2')).canGeneralize).toBe(false);
  });

  it('has a parcel installation beside its own', async ({ farm }) => {
    await farm.declareParcel('North block', drip);
    expect((await farm.declare('North 1', drip)).hasParcelInstallation).toBe(true);
  });

  it('counts the other probes of the parcel with a current setup of their own', async ({
    farm,
  }) => {
    for (const name of ['North 1', 'North 2', 'North 3', 'South 1']) await farm.declare(name, drip);
    expect((await farm.setup('North 1')).siblingOverrides).toBe(2);
  });

  it('does not count a sibling whose setup has ended', async ({ farm }) => {
    await farm.declare('North 2', drip);
    farm.now += HOUR;
    await farm.tool('generalize_installation', { module: 'North 2' });
    expect((await farm.setup('North 1')).siblingOverrides).toBe(0);
  });

  it('has the current setup as its installation, not the last one entered', async ({ farm }) => {
    await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) });
    const { installation } = await farm.declare('North 1', {
      system: 'pivot',
      effectiveFrom: iso(FARM_NOW - 2 * DAY),
    });
    expect(installation!.system).toBe('drip');
  });
});

describe('missing doses', () => {
  it('are counted, those without any setup separately with the oldest', async ({ farm }) => {
    await farm.declare('North 1', { system: 'drip', effectiveFrom: iso(FARM_NOW - 2 * DAY) });
    await farm.log('North 1', minutes(FARM_NOW - DAY));
    await farm.log('North 1', minutes(FARM_NOW - 3 * DAY));
    await farm.log('North 1', minutes(FARM_NOW - 4 * DAY));
    expect((await farm.setup('North 1')).missingDoses).toEqual({
      count: 3,
      withoutInstallation: 2,
      oldestWithoutInstallation: iso(FARM_NOW - 4 * DAY),
    });
  });

  it.for([
    ['a depth, whose dose is known', 'North 1', depthAt(FARM_NOW - DAY, 10)],
    ['a skipped watering', 'North 1', minutes(FARM_NOW - DAY, { status: 'skipped' })],
    ['another probe', 'North 2', minutes(FARM_NOW - DAY)],
  ] as const)('do not include %s', async ([_, module, entry], { farm }) => {
    await farm.log(module, entry);
    expect((await farm.setup('North 1')).missingDoses.count).toBe(0);
  });
});

describe('recomputing doses', () => {
  const recompute = 'recompute_doses';

  it('reports what is still missing, by reason', async ({ farm }) => {
    await farm.declare('North 1', { system: 'drip', effectiveFrom: iso(FARM_NOW - 2 * DAY) });
    await farm.log('North 1', minutes(FARM_NOW - DAY));
    await farm.log('North 1', minutes(FARM_NOW - 3 * DAY));
    await farm.log('North 1', {
      startedAt: iso(FARM_NOW - DAY),
      inputMode: 'volume_m3',
      inputVolumeM3: 5,
    });
    expect(bodyOf(await farm.tool(recompute, { module: 'North 1' }))).toEqual({
      completed: 0,
      missingDoses: {
        count: 3,
        withoutInstallation: 1,
        oldestWithoutInstallation: iso(FARM_NOW - 3 * DAY),
      },
      byReason: { NO_INSTALLATION: 1, MISSING_FLOW_RATE: 1, MISSING_IRRIGATED_AREA: 1 },
    });
  });

  it('completes doses after a change of parcel, and changes nothing the second time', async ({
    farm,
  }) => {
    const { event } = await farm.log('Loose', minutes(FARM_NOW - DAY));
    const depth = await farm.log('Loose', depthAt(FARM_NOW - DAY, 10));
    await farm.declareParcel('North block', drip);
    await farm.write((db) =>
      db
        .updateTable('modules')
        .set({ parcel_id: farm.idOf('North block') })
        .where('id', '=', farm.idOf('Loose'))
        .execute(),
    );
    expect(await farm.tool(recompute, { module: 'Loose' })).toMatchObject({
      completed: 2,
      byReason: {},
    });
    expect(await farm.watering(event.id)).toMatchObject({ waterMm: 2.4, waterMmWetted: 6.857 });
    expect(await farm.watering(depth.event.id)).toMatchObject({
      waterMm: 10,
      waterMmWetted: 28.571,
    });
    const rows = await farm.waterings();
    farm.now += HOUR;
    expect(await farm.tool(recompute, { module: 'Loose' })).toMatchObject({ completed: 0 });
    expect(await farm.waterings()).toEqual(rows);
  });
});
