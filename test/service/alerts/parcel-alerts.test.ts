import { describe, expect } from 'vitest';
import type { ParcelAlertsBody } from '../../../src/schema/alerts/alert.ts';
import { advisoriesOf, FARM_NOW, HOUR, it, type TestFarm } from '../../farm.ts';
import { dyingAfterCommit, statementsOfWrites } from '../../transactions.ts';
import { addRound } from '../jobs/job-rounds.ts';
import { installProbe } from '../moisture/probe-farm.ts';
import { listAlertsOf, queuedMailKinds, sameValue, sendReadings } from './alert-farm.ts';

const watchBlock = (farm: TestFarm) =>
  farm.tool<ParcelAlertsBody>('create_alert', {
    parcel: 'North block',
    threshold: 20,
    hysteresis: 4,
  });

/** Of the two soil probes on North block, only the first is drier than 20 %. */
async function installBlock(farm: TestFarm) {
  const parcel = 'North block';
  const dry = await installProbe(farm, { name: 'Oak', parcel });
  const moist = await installProbe(farm, { name: 'Elm', parcel });
  const tension = await installProbe(farm, {
    name: 'Ash',
    parcel,
    category: 'TENSIOMETER',
    sensors: [['tensio', 30]],
  });
  await sendReadings(farm, dry, sameValue(dry, FARM_NOW - HOUR, 18));
  await sendReadings(farm, moist, sameValue(moist, FARM_NOW - HOUR, 24));
  return { dry, moist, tension };
}

describe('alerts of a parcel', () => {
  it('are one for each soil probe, evaluated at once, without the other modules', async ({
    farm,
  }) => {
    const { dry, moist, tension } = await installBlock(farm);
    await addRound(farm.store);
    const answer = await watchBlock(farm);
    const { data } = await listAlertsOf(farm);
    const parcelId = farm.idOf('North block');
    const common = { parcelId, threshold: '20', hysteresis: '4', source: 'manual', isActive: true };
    expect(data).toMatchObject([
      { ...common, moduleId: dry.id, state: { status: 'firing', value_vwc: 18 } },
      { ...common, moduleId: moist.id, state: { status: 'quiet', value_vwc: 24 } },
    ]);
    expect(answer.alerts).toEqual([
      { id: data[0]!.id, moduleId: dry.id, state: { status: 'firing', value_vwc: 18 } },
      { id: data[1]!.id, moduleId: moist.id, state: { status: 'quiet', value_vwc: 24 } },
    ]);
    // The farm's own probes on the parcel have no sensors.
    const withoutSensors = ['North 1', 'North 2', 'North 3'].map((name) => farm.idOf(name));
    expect(answer.leftOut).toEqual([...withoutSensors, tension.id]);
  });

  it('are evaluated by housekeeping if the process dies after they were stored', async ({
    farm,
  }) => {
    await installBlock(farm);
    await dyingAfterCommit(farm, () => watchBlock(farm));
    expect(await queuedMailKinds(farm)).toEqual([]);

    await farm.tick();
    const { data } = await listAlertsOf(farm);
    expect(data.map(({ state }) => state?.status)).toEqual(['firing', 'quiet']);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('are stored and taken back with few statements while the write lock is held, however many there are', async ({
    farm,
  }) => {
    await installBlock(farm);
    const mostStatements = async (body: () => Promise<unknown>): Promise<number> =>
      Math.max(...(await statementsOfWrites(farm, body)).map(({ length }) => length));
    const most = async () => ({
      stored: await mostStatements(() => watchBlock(farm)),
      undone: await mostStatements(() => farm.tool('undo')),
    });
    const few = await most();
    for (let n = 0; n < 20; n++)
      await installProbe(farm, { name: `Vine ${n}`, parcel: 'North block' });

    const many = await most();
    expect(many.stored).toBeLessThanOrEqual(few.stored + 2);
    expect(many.undone).toBeLessThanOrEqual(few.undone + 2);
  });

  it('name alerts like them on any of the probes', async ({ farm }) => {
    await installBlock(farm);
    expect(advisoriesOf(await watchBlock(farm), 'same_alert_exists')).toEqual([]);
    expect(advisoriesOf(await watchBlock(farm), 'same_alert_exists')).toMatchObject([
      { threshold: '20', count: 2 },
    ]);
  });

  it('are listed whole by REST', async ({ farm }) => {
    await installBlock(farm);
    const { alerts } = await farm.wire<ParcelAlertsBody>('create_parcel_alerts', {
      parcelId: farm.idOf('North block'),
      threshold: 20,
    });
    expect((await listAlertsOf(farm)).data).toEqual(alerts);
  });

  it('are one change, which undo takes back as a whole', async ({ farm }) => {
    await installBlock(farm);
    await watchBlock(farm);
    const { data } = await farm.tool<{ data: object[] }>('list_changes');
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ effects: { counts: { 'alert added': 2 } } });
    await farm.tool('undo', {});
    expect((await listAlertsOf(farm)).data).toEqual([]);
  });

  it('are refused for a parcel without soil moisture, and nothing is written', async ({ farm }) => {
    await expect(watchBlock(farm)).rejects.toMatchObject({
      code: 'invalid_body',
      status: 400,
      field: 'parcel',
      message: expect.stringContaining('no soil probe'),
    });
    expect((await listAlertsOf(farm)).data).toEqual([]);
  });

  it('are refused for a key without a user', async ({ farm }) => {
    await installBlock(farm);
    const asking = { caller: { id: 'key:1', userId: null } };
    await expect(
      farm.tool('create_alert', { parcel: 'North block', threshold: 20 }, asking),
    ).rejects.toMatchObject({ code: 'no_user', status: 403 });
  });

  it('with a probe as well, is one alert on that probe that names the parcel', async ({ farm }) => {
    const { moist } = await installBlock(farm);
    await farm.tool('create_alert', { module: 'Elm', parcel: 'North block', threshold: 20 });
    expect((await listAlertsOf(farm)).data).toMatchObject([
      { moduleId: moist.id, parcelId: farm.idOf('North block') },
    ]);
  });

  it('without a probe or parcel are refused, and the probes are named', async ({ farm }) => {
    await installBlock(farm);
    await expect(farm.tool('create_alert', { threshold: 20 })).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'module',
      message: expect.stringMatching(/^module is missing\. The probes are "North 1" \(#\d+\)/),
      hint: expect.stringContaining('For a whole parcel, create_alert takes parcel'),
    });
    expect((await listAlertsOf(farm)).data).toEqual([]);
  });
});
