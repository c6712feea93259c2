import { describe, expect } from 'vitest';
import { checkedArguments } from '../../../../src/operation/arguments/operation-arguments.ts';
import type { CallOperation } from '../../../../src/operation/operation.ts';
import type { ChangeBody } from '../../../../src/schema/changes/change.ts';
import {
  addPendingRegenerations,
  deletePendingRegenerations,
  pendingRegenerations,
} from '../../../../src/store/irrigation/pending-regenerations.ts';
import { operations } from '../../../../tools/index.ts';
import { FARM_NOW, HOUR, it, minutesAt, type TestFarm } from '../../../farm.ts';
import { callsOfOperation, type WireFields } from '../../../operation-calls.ts';
import { statementsOf } from '../../../transactions.ts';
import { furnish, withOffset } from '../../changes/furnished-farm.ts';

const pendingOf = (farm: TestFarm, moduleId: number, schedule: { id: number }) => ({
  scheduleId: schedule.id,
  moduleId,
  changedAt: farm.now,
  regenerateFrom: farm.now + 1,
  movedStartTimes: new Map<string, string>(),
  isRemoval: false,
});

const pendingProbes = async (farm: TestFarm): Promise<number[]> => {
  const pending = await farm.write((db) => pendingRegenerations(db, {}));
  return pending.map(({ moduleId }) => moduleId);
};

/** Whether a module is in service, which no change of a schedule decides. */
const IN_SERVICE =
  /exists \(select "waterings"."id" from "waterings" where "waterings"."module_id" = "modules"."id"[^)]*\)/g;

const usesWaterings = (sql: string): boolean => /"waterings"/.test(sql.replace(IN_SERVICE, ''));

/**
 * An undo finds the waterings that its change concerns, and completes them before it takes them back.
 * A new schedule waits for no other: it counts what is pending. A list of schedules reads no waterings,
 * and says until when they are planned. One of a parcel that has no probe is never left pending. A
 * new parcel has none, but another area of an existing one may give doses.
 */
const EXCEPTIONS = [
  'undo',
  'create_schedule',
  'list_schedules',
  'correct_parcel_watering',
  'get_parcel_watering',
  'set_parcel',
];

describe('a card', () => {
  it('names pending waterings if its use case reads or writes waterings', async ({ farm }) => {
    const rows = await furnish(farm);
    const pending = pendingOf(farm, farm.idOf('North 1'), { id: rows.schedule });
    const named: string[] = [];
    const using: string[] = [];

    for (const operation of operations) {
      if (operation.batch || operation.page?.audience === 'app-entry') continue;
      const input = withOffset(callsOfOperation(operation.name).valid(rows, 0));

      await farm.write((db) => addPendingRegenerations(db, [pending]));
      if (await findsWork(farm, operation, input)) named.push(operation.name);
      await farm.write((db) =>
        deletePendingRegenerations(db, pending.scheduleId, [pending.moduleId]),
      );

      const statements = await statementsOf(farm, () => farm.wire(operation.name, input));
      if (statements.some(usesWaterings)) using.push(operation.name);
    }

    const expected = operations
      .map(({ name }) => name)
      .filter((name) => using.includes(name) !== EXCEPTIONS.includes(name));
    expect(named).toEqual(expected);
  });
});

describe('a log on one probe', () => {
  it('waits for its own schedule, and not for that of another probe', async ({ farm }) => {
    for (const probe of ['North 1', 'North 2', 'South 1']) {
      const schedule = await farm.createSchedule({ module: probe });
      const pending = pendingOf(farm, farm.idOf(probe), schedule);
      await farm.write((db) => addPendingRegenerations(db, [pending]));
    }
    const before = await pendingProbes(farm);
    const entry = minutesAt(FARM_NOW - HOUR, 30);

    await farm.log('North 2', entry);
    expect(await pendingProbes(farm)).toEqual(before.filter((id) => id !== farm.idOf('North 2')));

    await farm.log('North 1', entry);
    expect(await pendingProbes(farm)).toEqual([farm.idOf('South 1')]);
  });
});

describe('an undo', () => {
  it('waits for the schedules of just the probes that its change concerns', async ({ farm }) => {
    // More than the attempts of a call.
    const probes = Array.from({ length: 12 }, (_, index) => `Vine ${index}`);
    const modules = probes.map((name) => ({
      uid: name,
      name,
      category: 'SOIL_PROBE',
      parcel: 'Vineyard',
      sensors: [{ type: 'humidity', depth: 20 }],
    }));
    await farm.importFile({ parcels: [{ name: 'Vineyard' }], modules });
    for (const probe of probes) await farm.declare(probe, { system: 'sprinkler', flowMmPerH: 6 });
    await farm.tool('generalize_installation', { module: 'Vine 0', dropSiblings: true });
    const { data } = await farm.wire<{ data: ChangeBody[] }>('list_changes', { limit: 1 });

    for (const probe of [...probes, 'North 1']) {
      const schedule = await farm.createSchedule({ module: probe });
      const pending = pendingOf(farm, schedule.targetModuleId!, schedule);
      await farm.write((db) => addPendingRegenerations(db, [pending]));
    }
    await farm.tool('undo', { changeId: data[0]!.id });
    expect(await pendingProbes(farm)).toEqual([farm.idOf('North 1')]);
  });
});

async function findsWork(farm: TestFarm, operation: CallOperation, input: WireFields) {
  const context = { now: farm.now, zone: 'Europe/Paris' };
  const { input: parsed } = checkedArguments(operation, input, context as never);
  return farm.write(async (db) => {
    for (const find of operation.pendingWork?.(parsed) ?? [])
      if ((await find({ db, now: farm.now })) !== null) return true;
    return false;
  });
}
