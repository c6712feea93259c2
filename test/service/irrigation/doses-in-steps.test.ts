import { afterEach, describe, expect, vi } from 'vitest';
import type { ChangeBody } from '../../../src/schema/changes/change.ts';
import {
  WATERINGS_PER_PROBE,
  WATERINGS_PER_STEP,
} from '../../../src/service/irrigation/doses/dose-completion.ts';
import { completeDosesOf } from '../../../src/service/irrigation/doses/doses-of-change.ts';
import { declareInstallation } from '../../../src/service/irrigation/installations.ts';
import {
  type Advised,
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';
import { triesEveryRule } from '../../stores/stores.ts';
import { afterEachTransaction, dyingAfterCommit, statementsOfWrites } from '../../transactions.ts';
import {
  addUndosedWaterings,
  dosedCount,
  PROBES,
  pendingProbes,
  pendingUndos,
  storedWaterings,
} from './undosed-waterings.ts';

/** On each of three probes: more than two transactions complete. */
const PER_PROBE = 220;
const ALL = PROBES.length * PER_PROBE;
const EQUIPMENT = { system: 'sprinkler' as const, flowMmPerH: 6 };
/** 20 min at 6 mm/h. */
const DOSE_MM = 2;

const declare = (farm: TestFarm, more = {}, asking = {}) =>
  farm.wire<{ success: boolean }>(
    'set_parcel_installation',
    { parcelId: farm.idOf('North block'), ...EQUIPMENT, ...more },
    asking,
  );

const undo = (farm: TestFarm, changeId: number | string = 'latest') =>
  farm.wire<{ undone: ChangeBody }>('undo', { changeId });

const changes = async (farm: TestFarm): Promise<ChangeBody[]> =>
  (await farm.wire<{ data: ChangeBody[] }>('list_changes')).data;

/** Declared by a process that died before it had completed all doses. */
async function dyingDeclaration(farm: TestFarm, steps = 0, asking = {}) {
  const answer = await dyingAfterCommit(farm, () => declare(farm, {}, asking), steps);
  expect(await pendingProbes(farm)).toBeGreaterThan(0);
  return answer;
}

/** Drops what differs from one declaration to the next. */
const comparable = async (farm: TestFarm) =>
  (await storedWaterings(farm)).map(({ dose_installation_id: id, ...row }) => ({
    ...row,
    hasInstallation: id !== null,
  }));

afterEach(() => void vi.restoreAllMocks());

describe('the first doses of more past waterings than one transaction completes', () => {
  it('are completed in several transactions, and counted in the answer', async ({ farm }) => {
    await addUndosedWaterings(farm, PER_PROBE);
    let declared: Advised = { advisories: [] };
    const counts = await afterEachTransaction(
      farm,
      () => dosedCount(farm),
      async () => {
        declared = await declare(farm);
      },
    );
    const written = counts.map((count, index) => count - (counts[index - 1] ?? 0));
    expect(Math.max(...written)).toBe(WATERINGS_PER_STEP);
    expect(counts.at(-1)).toBe(ALL);
    expect(advisoriesOf(declared, 'doses_completed')).toMatchObject([{ count: ALL }]);
    expect(await pendingProbes(farm)).toBe(0);
  });

  it('are those that one transaction would compute', async ({ farm }) => {
    await addUndosedWaterings(farm, PER_PROBE);
    await addUndosedWaterings(farm, 3, PROBES, { status: 'skipped', note: 'skipped' });
    await addUndosedWaterings(farm, 3, PROBES, { input_mode: 'depth_mm', input_depth_mm: 4 });
    await addUndosedWaterings(farm, 3, PROBES, { input_mode: 'volume_m3', input_volume_m3: 4 });
    await declare(farm);
    const inSteps = await comparable(farm);
    await undo(farm);
    await farm.write(async (db) => {
      const context = { db, now: farm.now };
      const parcelId = farm.idOf('North block');
      await declareInstallation(context, { parcelId }, EQUIPMENT, true);
      await completeDosesOf(
        context,
        { moduleIds: PROBES.map((name) => farm.idOf(name)), parcelIds: [] },
        'recorded',
        Number.MAX_SAFE_INTEGER,
      );
    });
    expect(await comparable(farm)).toEqual(inSteps);
  });

  it('are one change, which is listed and undone as a whole, and restored', async ({ farm }) => {
    await addUndosedWaterings(farm, PER_PROBE);
    const before = await storedWaterings(farm);
    await declare(farm);
    const completed = await storedWaterings(farm);
    const [change] = await changes(farm);
    expect(change).toMatchObject({
      operation: 'set_parcel_installation',
      effects: { counts: { 'watering changed': ALL, 'installation added': 1 } },
    });

    await undo(farm);
    expect(await storedWaterings(farm)).toEqual(before);
    await undo(farm, (await changes(farm))[0]!.id);
    expect(await storedWaterings(farm)).toEqual(completed);
  });

  it.runIf(triesEveryRule)(
    'are not undone if one of them was corrected since',
    async ({ farm }) => {
      await addUndosedWaterings(farm, PER_PROBE);
      await declare(farm);
      const last = (await storedWaterings(farm)).at(-1)!;
      farm.now += MINUTE;
      await farm.wire('correct_watering', {
        eventId: last.id,
        startedAt: iso(last.started_at),
        inputMode: 'duration',
        durationMin: 40,
      });
      const [corrected, declared] = await changes(farm);
      await expect(undo(farm, declared!.id)).rejects.toMatchObject({
        code: 'CHANGE_NOT_UNDOABLE',
        hint: expect.stringContaining(`changeId ${corrected!.id}`),
      });
      await undo(farm, corrected!.id);
      await undo(farm, declared!.id);
      expect(await dosedCount(farm)).toBe(0);
    },
  );

  it('leave nothing pending for probes whose other waterings are still planned', async ({
    farm,
  }) => {
    const startsOn = iso(FARM_NOW + DAY).slice(0, 10);
    await farm.createSchedule({ parcel: 'North block', startsOn });
    await addUndosedWaterings(farm, 1, ['North 2']);
    const { completed, pending } = await farm.write(async (db) => {
      const context = { db, now: farm.now };
      await declareInstallation(context, { parcelId: farm.idOf('North block') }, EQUIPMENT, true);
      const targets = { moduleIds: PROBES.map((name) => farm.idOf(name)), parcelIds: [] };
      return completeDosesOf(context, targets, 'recorded', WATERINGS_PER_PROBE);
    });
    expect({ completed, pending }).toEqual({ completed: 1, pending: [] });
  });

  it('let others write in between', async ({ farm }) => {
    await addUndosedWaterings(farm, PER_PROBE);
    const { write } = farm.store;
    let steps = 0;
    let dosedMeanwhile = 0;
    const spy = vi.spyOn(farm.store, 'write').mockImplementation(async (...args) => {
      if (++steps === 2) {
        spy.mockRestore();
        await farm.log('Loose', minutesAt(FARM_NOW - HOUR, 10));
        await farm.log('Blue 1', minutesAt(FARM_NOW - HOUR, 10), { company: 'Mas Bleu' });
        dosedMeanwhile = await dosedCount(farm);
      }
      return write.apply(farm.store, args) as never;
    });
    await declare(farm);
    expect(dosedMeanwhile).toBeLessThan(ALL);
    expect(await dosedCount(farm)).toBe(ALL);
  });

  it.runIf(triesEveryRule)(
    'spread the volume of a parcel over all its probes, those without a change included',
    async ({ farm }) => {
      const volume = { input_mode: 'volume_m3', input_volume_m3: 6, irrigation_id: 1 };
      await addUndosedWaterings(farm, PER_PROBE, PROBES, volume);
      for (const module of ['North 1', 'North 2'])
        await farm.declare(module, { ...EQUIPMENT, irrigatedAreaM2: 1_000 });
      expect(await dosedCount(farm)).toBe(0);
      await farm.declare('North 3', { ...EQUIPMENT, irrigatedAreaM2: 1_000 });
      // 6 m3 on 3,000 m2.
      const doses = (await storedWaterings(farm)).map(({ water_mm }) => water_mm);
      expect(new Set(doses)).toEqual(new Set([DOSE_MM]));
    },
  );

  it.runIf(triesEveryRule)(
    'are completed by recompute_doses, with the count of all',
    async ({ farm }) => {
      await declare(farm);
      await addUndosedWaterings(farm, ALL, ['North 1']);
      const { completed, missingDoses } = await farm.wire<{
        completed: number;
        missingDoses: { count: number };
      }>('recompute_doses', { moduleId: farm.idOf('North 1') });
      expect([completed, missingDoses.count]).toEqual([ALL, 0]);
      expect(await dosedCount(farm)).toBe(ALL);
      await undo(farm);
      expect(await dosedCount(farm)).toBe(0);
    },
  );

  it.runIf(triesEveryRule)(
    'are completed by an import, with the count of all',
    async ({ farm }) => {
      await addUndosedWaterings(farm, PER_PROBE);
      const { completedDoses } = await farm.importFile({
        parcels: [{ name: 'North block', installation: EQUIPMENT }],
      });
      expect([completedDoses, await dosedCount(farm)]).toEqual([ALL, ALL]);
    },
  );
});

describe('recorded doses of more waterings than one transaction compares', () => {
  it.runIf(triesEveryRule)(
    'are named as unchanged after the commit, also to an equal call',
    async ({ farm }) => {
      await addUndosedWaterings(farm, PER_PROBE);
      await declare(farm);
      farm.now += DAY;
      const change = { flowMmPerH: 9, effectiveFrom: iso(FARM_NOW - 30 * DAY) };
      const asking = { idempotencyKey: 'another-flow' };
      const first = await declare(farm, change, asking);
      expect(advisoriesOf(first, 'recorded_doses_unchanged')).toMatchObject([{ count: ALL }]);
      const again = await declare(farm, change, asking);
      expect(again).toMatchObject({ replayed: true, summary: first.summary });
    },
  );
});

describe('doses whose process died before they were complete', () => {
  it.runIf(triesEveryRule)('are completed for every use', async ({ farm }) => {
    await addUndosedWaterings(farm, 110);
    const moduleId = farm.idOf('North 3');
    const uses: Record<string, () => Promise<unknown>> = {
      list_waterings: () => farm.wire('list_waterings', { moduleId }),
      list_changes: () => changes(farm),
      farm_overview: () => farm.tool('farm_overview'),
      get_irrigation_setup: () => farm.wire('get_irrigation_setup', { moduleId }),
      log_watering: () => farm.log('North 3', minutesAt(FARM_NOW - HOUR / 2, 10)),
      set_module_installation: () => farm.declare('North 3', { ...EQUIPMENT, flowMmPerH: 12 }),
      undo: () => undo(farm),
    };
    for (const [name, use] of Object.entries(uses)) {
      await dyingDeclaration(farm);
      await use();
      const ofProbe = (await storedWaterings(farm)).filter(
        (row) => row.module_id === moduleId && row.created_at === 0,
      );
      const expected = name === 'undo' ? null : DOSE_MM;
      expect([name, new Set(ofProbe.map((row) => row.water_mm))]).toEqual([
        name,
        new Set([expected]),
      ]);
      for (const { id, undoneBy, undoes } of await changes(farm))
        if (name !== 'undo' && undoneBy === null && undoes === null) await undo(farm, id);
      expect([name, await dosedCount(farm)]).toEqual([name, 0]);
    }
  });

  it('are completed by housekeeping after any number of steps, as if it had not died', async ({
    farm,
  }) => {
    await addUndosedWaterings(farm, PER_PROBE);
    await declare(farm);
    const complete = await comparable(farm);
    await undo(farm);
    for (const steps of [0, 1]) {
      await dyingDeclaration(farm, steps);
      await farm.tick();
      expect(await comparable(farm)).toEqual(complete);
      const [{ effects } = expect.fail()] = await changes(farm);
      expect(effects.counts).toEqual({ 'watering changed': ALL, 'installation added': 1 });
      await undo(farm);
    }
  });

  it.runIf(triesEveryRule)(
    'are not completed twice, and an equal call is answered',
    async ({ farm }) => {
      await addUndosedWaterings(farm, PER_PROBE);
      const asking = { idempotencyKey: 'first-equipment' };
      await dyingDeclaration(farm, 1, asking);
      expect(await declare(farm, {}, asking)).toMatchObject({ replayed: true, success: true });
      await farm.tick();
      expect(await dosedCount(farm)).toBe(ALL);
      expect(await changes(farm)).toHaveLength(1);
    },
  );
});

describe('the undo of first doses that took several transactions', () => {
  const undoneBy = async (farm: TestFarm): Promise<number> => (await changes(farm))[0]!.id;

  it('takes them back in several transactions, and counts all', async ({ farm }) => {
    await addUndosedWaterings(farm, PER_PROBE);
    await declare(farm);
    const counts = await afterEachTransaction(
      farm,
      () => dosedCount(farm),
      () => undo(farm),
    );
    const takenBack = [ALL, ...counts].map((count, index) => count - (counts[index] ?? count));
    expect(Math.max(...takenBack)).toBe(WATERINGS_PER_STEP);
    expect(counts.at(-1)).toBe(0);
    const [{ effects } = expect.fail()] = await changes(farm);
    expect(effects.counts).toEqual({ 'watering changed': ALL, 'installation removed': 1 });
  });

  it('compares the rows before it takes the lock', async ({ farm }) => {
    await addUndosedWaterings(farm, PER_PROBE);
    await declare(farm);
    const writes = await statementsOfWrites(farm, () => undo(farm));
    const recording = writes.filter((statements) =>
      statements.some((sql) => sql.startsWith('insert into "changes"')),
    );
    expect(recording).toHaveLength(1);
    expect(recording.flat().filter((sql) => sql.includes('"changed_rows" from'))).toEqual([]);
  });

  it.for(triesEveryRule ? [0, 1] : [1])(
    'is finished by whatever reads next if its process died after %i steps',
    async (steps, { farm }) => {
      await addUndosedWaterings(farm, PER_PROBE);
      const before = await storedWaterings(farm);
      await declare(farm);
      const completed = await storedWaterings(farm);
      const finishing = [
        () => farm.wire('list_waterings', { moduleId: farm.idOf('North 3') }),
        () => farm.tick(),
        () => changes(farm),
      ];
      for (const finish of finishing) {
        await dyingAfterCommit(farm, () => undo(farm), steps);
        expect(await pendingUndos(farm)).toBe(1);
        await finish();
        expect(await pendingUndos(farm)).toBe(0);
        expect(await storedWaterings(farm)).toEqual(before);

        const undone = await undoneBy(farm);
        await dyingAfterCommit(farm, () => undo(farm, undone), steps);
        await finish();
        expect(await storedWaterings(farm)).toEqual(completed);
      }
    },
  );

  it('begins again if something changes while it compares', async ({ farm }) => {
    await addUndosedWaterings(farm, PER_PROBE);
    await declare(farm);
    const declared = await undoneBy(farm);
    const last = (await storedWaterings(farm)).at(-1)!;
    farm.now += MINUTE;
    const { read } = farm.store;
    let reads = 0;
    const spy = vi.spyOn(farm.store, 'read').mockImplementation(async (...args) => {
      const found = await read.apply(farm.store, args);
      if (++reads === 4) {
        spy.mockRestore();
        await farm.wire('correct_watering', {
          eventId: last.id,
          startedAt: iso(last.started_at),
          inputMode: 'duration',
          durationMin: 40,
        });
      }
      return found as never;
    });
    await expect(undo(farm, declared)).rejects.toMatchObject({ code: 'CHANGE_NOT_UNDOABLE' });
    expect(await dosedCount(farm)).toBe(ALL);
  });
});
