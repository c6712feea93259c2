import { describe, expect } from 'vitest';
import type { ListedAlertBody, ParcelAlertsBody } from '../../../src/schema/alerts/alert.ts';
import type { ChangeBody } from '../../../src/schema/changes/change.ts';
import { dailyRows } from '../../../src/store/daily-rows.ts';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import {
  advisoriesOf,
  bareModule,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  type TestFarm,
} from '../../farm.ts';
import { recordRows } from '../../store/stored-readings.ts';
import { afterEachTransaction, dyingAfterCommit } from '../../transactions.ts';
import { listAlertsOf, queuedMailKinds } from './alert-farm.ts';

const PER_TRANSACTION = 200;
/** The alerts of the last ones are stored in a transaction of their own. */
const PROBES = PER_TRANSACTION + 3;
const MANY_PROBES = 2 * PER_TRANSACTION + 3;

/** The soil of the last probe is dry, and of the others nothing is known. */
const addProbes = (farm: TestFarm, count: number): Promise<void> =>
  farm.write(async (db) => {
    for (let n = 1; n <= count; n++) {
      const parcel_id = farm.idOf('Fallow');
      const row = bareModule({ uid: `Vine ${n}`, name: `Vine ${n}`, parcel_id });
      const module_id = await insertFarmRow(db, 'modules', row);
      const sensor = { module_id, type: 'humidity' as const, depth: 20, label: null };
      const sensorId = await insertFarmRow(db, 'sensors', sensor);
      if (n === count) await recordRows(db, [[sensorId, FARM_NOW - HOUR, 10]]);
    }
  });

const watch = (farm: TestFarm, options: { readonly idempotencyKey?: string } = {}) =>
  farm.wire<ParcelAlertsBody>(
    'create_parcel_alerts',
    { parcelId: farm.idOf('Fallow'), threshold: 20 },
    options,
  );

async function undoNewest(farm: TestFarm) {
  const [newest] = (await farm.wire<{ data: ChangeBody[] }>('list_changes', { limit: 1 })).data;
  farm.now += MINUTE;
  return farm.wire<{ undone: ChangeBody }>('undo', { changeId: newest!.id });
}

const storedAlerts = (farm: TestFarm) =>
  farm.store.readAll(async (all) => ({
    alerts: await all.selectFrom('alerts').selectAll().orderBy('seq').execute(),
    recipients: await all.selectFrom('alert_recipients').selectAll().orderBy('seq').execute(),
    evaluated: (await all.selectFrom('alert_states').select('alert_id').execute()).length,
  }));

const storedCount = async (farm: TestFarm): Promise<number> =>
  (await storedAlerts(farm)).alerts.length;

const listedCount = async (farm: TestFarm): Promise<number> =>
  advisoriesOf(await listAlertsOf(farm, { limit: 1 }), 'total')[0]?.count ?? 0;

describe('alerts of a parcel of more probes than one transaction stores', () => {
  it('are stored, taken back and restored in several transactions, as one change', async ({
    farm,
  }) => {
    await addProbes(farm, MANY_PROBES);
    const written = async (body: () => Promise<unknown>): Promise<number> => {
      const counts = [await storedCount(farm)];
      counts.push(...(await afterEachTransaction(farm, () => storedCount(farm), body)));
      return Math.max(...counts.map((count, at) => Math.abs(count - (counts[at - 1] ?? count))));
    };
    let answer: ParcelAlertsBody | undefined;
    const atOnce = await written(async () => {
      answer = await watch(farm);
    });
    const created = await storedAlerts(farm);
    expect(atOnce).toBe(PER_TRANSACTION);
    expect(answer?.alerts.map(({ id }) => id)).toEqual(created.alerts.map(({ id }) => id));
    expect(created.recipients).toHaveLength(MANY_PROBES);
    expect(created.evaluated).toBe(MANY_PROBES);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);

    expect(await written(() => undoNewest(farm))).toBe(PER_TRANSACTION);
    expect(await storedAlerts(farm)).toEqual({ alerts: [], recipients: [], evaluated: 0 });
    expect(await queuedMailKinds(farm)).toEqual([]);

    expect(await written(() => undoNewest(farm))).toBe(PER_TRANSACTION);
    expect(await storedAlerts(farm)).toEqual(created);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);

    const { data } = await farm.wire<{ data: ChangeBody[] }>('list_changes');
    expect(data.map(({ effects }) => effects.counts)).toMatchObject([
      { 'alert added': MANY_PROBES },
      { 'alert removed': MANY_PROBES },
      { 'alert added': MANY_PROBES },
    ]);
  });

  it('are whole for every use after the process died in between', async ({ farm }) => {
    await addProbes(farm, PROBES);
    const { alerts } = await dyingAfterCommit(farm, () => watch(farm));
    expect(await storedCount(farm)).toBe(PER_TRANSACTION);
    const last = alerts.at(-1)!.id;
    const { threshold } = await farm.wire<ListedAlertBody>('update_alert', {
      alertId: last,
      threshold: 21,
    });
    expect(threshold).toBe('21');
    expect(await listedCount(farm)).toBe(PROBES);
    await farm.tick();
    expect((await storedAlerts(farm)).evaluated).toBe(PROBES);

    farm.now += MINUTE;
    await undoNewest(farm);
    await dyingAfterCommit(farm, () => farm.wire('undo', { changeId: 1 }));
    expect(await storedCount(farm)).toBeGreaterThan(0);
    expect(await listedCount(farm)).toBe(0);

    await dyingAfterCommit(farm, () => undoNewest(farm));
    expect(await storedCount(farm)).toBeLessThan(PROBES);
    await farm.tick();
    expect((await storedAlerts(farm)).evaluated).toBe(PROBES);
  });

  it('are evaluated by the round that writes them after the process died', async ({ farm }) => {
    await addProbes(farm, PROBES);
    await dyingAfterCommit(farm, () => watch(farm));
    await farm.tick();
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('are written before the removal of a line enables the alert of an older one', async ({
    farm,
  }) => {
    await addProbes(farm, PROBES);
    const lines: string[] = [];
    for (const height of [14, 16]) {
      const { id } = await farm.tool<{ id: string }>('create_annotation', {
        module: 'North 1',
        type: 'h-line',
        p1: [FARM_NOW, height],
        style: { fill: 'threshold2' },
      });
      lines.push(id);
    }
    const before = await storedCount(farm);
    await dyingAfterCommit(farm, () => watch(farm));
    await farm.tool('delete_annotation', { annotationId: lines.at(-1) });
    expect((await storedCount(farm)) - before).toBeGreaterThanOrEqual(PROBES);
  });

  it('count among the rows of the day when they are restored', async ({ farm }) => {
    await addProbes(farm, MANY_PROBES);
    const counted = async (write: () => Promise<unknown>): Promise<number> => {
      const rows = () => farm.write((db) => dailyRows(db, farm.now));
      const before = await rows();
      await write();
      return (await rows()) - before;
    };
    // An alert and its recipient each.
    const rows = 2 * MANY_PROBES;
    expect(await counted(() => watch(farm))).toBeGreaterThan(rows);
    expect(await counted(() => undoNewest(farm))).toBeLessThan(rows);
    expect(await counted(() => undoNewest(farm))).toBeGreaterThan(rows);
  });

  it('that wait are not taken for a later change by a repeated call', async ({ farm }) => {
    await addProbes(farm, PROBES);
    const key = { idempotencyKey: 'dry vines' };
    const undo = (changeId: number) =>
      farm.wire('undo', { changeId }, { idempotencyKey: `${changeId}` });
    const fates = (body: Parameters<typeof advisoriesOf>[0]) => [
      ...advisoriesOf(body, 'changed_since'),
      ...advisoriesOf(body, 'undone_since'),
    ];
    await dyingAfterCommit(farm, () => watch(farm, key));
    expect(await storedCount(farm)).toBe(PER_TRANSACTION);
    expect(fates(await watch(farm, key))).toEqual([]);

    expect(await listedCount(farm)).toBe(PROBES);
    farm.now += MINUTE;
    await dyingAfterCommit(farm, () => undo(1));
    expect(await storedCount(farm)).toBeGreaterThan(0);
    expect(fates(await undo(1))).toEqual([]);
    expect(fates(await watch(farm, key))).toMatchObject([{ kind: 'undone_since' }]);

    expect(await listedCount(farm)).toBe(0);
    farm.now += MINUTE;
    await dyingAfterCommit(farm, () => undo(2));
    expect(await storedCount(farm)).toBeLessThan(PROBES);
    expect(fates(await undo(2))).toEqual([]);
    expect(fates(await watch(farm, key))).toEqual([]);
  });

  it('that wait are written for an overview, and not for a watering', async ({ farm }) => {
    await addProbes(farm, PROBES);
    await dyingAfterCommit(farm, () => watch(farm));
    await farm.wire('log_watering', {
      moduleId: farm.idOf('North 1'),
      startedAt: iso(FARM_NOW - HOUR),
      inputMode: 'duration',
      durationMin: 30,
    });
    expect(await storedCount(farm)).toBe(PER_TRANSACTION);

    await farm.wire('farm_overview');
    expect(await storedCount(farm)).toBe(PROBES);
  });

  it('are not taken back if one of them was changed since', async ({ farm }) => {
    await addProbes(farm, PROBES);
    const { alerts } = await watch(farm);
    farm.now += MINUTE;
    await farm.wire('update_alert', { alertId: alerts.at(-1)!.id, threshold: 21 });
    await expect(farm.wire('undo', { changeId: 1 })).rejects.toMatchObject({
      code: 'CHANGE_NOT_UNDOABLE',
      message: expect.stringContaining('was changed since'),
    });
    expect(await listedCount(farm)).toBe(PROBES);
  });
});
