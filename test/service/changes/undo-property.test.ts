import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChangeBody } from '../../../src/schema/changes/change.ts';
import { MINUTE, minutesAt, type TestFarm, withFarm } from '../../farm.ts';
import { propertyRuns } from '../../property-runs.ts';
import { dyingAfterCommit } from '../../transactions.ts';

const times = (count: number, minute: number): string[] =>
  Array.from({ length: count }, (_, index) => `${String(2 * index).padStart(2, '0')}:${minute}`);

interface Farming {
  readonly schedules: readonly { readonly id: number }[];
}

/**
 * Changes of the planned waterings of the three probes of a block, some of more than one
 * transaction writes.
 */
const CHANGES = {
  create: (farm: TestFarm) =>
    farm.createSchedule({ parcel: 'North block', startTimes: times(12, 15) }),
  'other times': (farm: TestFarm, { schedules }: Farming) =>
    farm.updateSchedule(schedules[0]!, { startTimes: times(11, 45) }),
  stop: (farm: TestFarm, { schedules }: Farming) =>
    farm.updateSchedule(schedules[0]!, { isActive: false }),
  equipment: (farm: TestFarm) =>
    farm.declareParcel('North block', { system: 'sprinkler', flowMmPerH: 9 }),
  'another probe': (farm: TestFarm) =>
    farm.tool('set_module', {
      name: 'North 4',
      parcel: 'North block',
      sensors: ['humidity 20'],
    }),
} as const;

/** The events after the process died in the middle. */
const CONTINUATIONS: Record<string, (farm: TestFarm) => Promise<unknown>> = {
  housekeeping: (farm) => farm.tick(),
  'a list': (farm) => farm.waterings(),
  'a list of a probe, then housekeeping': async (farm) => {
    await farm.wire('list_waterings', { moduleId: farm.idOf('North 2') });
    await farm.tick();
  },
  'a watering, then another schedule that is undone': async (farm) => {
    await farm.log('North 2', minutesAt(farm.now - MINUTE, 10));
    await farm.wire('undo', { changeId: 'latest' });
    await farm.createSchedule({ module: 'North 2', startTimes: ['09:40'] });
    await farm.wire('undo', { changeId: 'latest' });
    await farm.tick();
  },
};

const HORIZON = 'materialized_until';

/** All that is stored, also what is hidden, without ids and times of rows that are planned anew. */
const stored = (farm: TestFarm) =>
  farm.store.readAll(async (all) => ({
    schedules: (await all.selectFrom('schedules').selectAll().orderBy('id').execute()).map(
      ({ [HORIZON]: _, ...row }) => row,
    ),
    modules: await all.selectFrom('modules').selectAll().orderBy('id').execute(),
    pending: await all.selectFrom('pending_plans').selectAll().execute(),
    waterings: (await all.selectFrom('waterings').selectAll().execute())
      .map(({ id: _, created_at: __, dose_computed_at: ___, ...row }) => JSON.stringify(row))
      .sort(),
  }));

const newestChange = async (farm: TestFarm): Promise<number> =>
  (await farm.wire<{ data: ChangeBody[] }>('list_changes')).data[0]!.id;

const names = <Name extends string>(of: Record<Name, unknown>) =>
  fc.constantFrom(...(Object.keys(of) as Name[]));

it('undo in steps leaves the rows before the change, and undone itself those after it, wherever it is interrupted', () =>
  fc.assert(
    fc.asyncProperty(
      fc.record({
        change: names(CHANGES),
        steps: fc.integer({ min: 0, max: 5 }),
        continuation: names(CONTINUATIONS),
        redoSteps: fc.integer({ min: 0, max: 5 }),
      }),
      ({ change, steps, continuation, redoSteps }) =>
        withFarm(async (farm) => {
          await farm.declareParcel('North block', { system: 'sprinkler', flowMmPerH: 6 });
          const schedules = [
            await farm.createSchedule({ parcel: 'North block', startTimes: times(12, 30) }),
            await farm.createSchedule({ module: 'North 1', startTimes: times(2, 10) }),
          ];
          const before = await stored(farm);
          farm.now += MINUTE;
          await CHANGES[change](farm, { schedules });
          const after = await stored(farm);
          const changeId = await newestChange(farm);

          await dyingAfterCommit(farm, () => farm.wire('undo', { changeId }), steps);
          const undoId = await newestChange(farm);
          await CONTINUATIONS[continuation]!(farm);
          expect(await stored(farm)).toEqual(before);

          await dyingAfterCommit(farm, () => farm.wire('undo', { changeId: undoId }), redoSteps);
          await farm.tick();
          expect(await stored(farm)).toEqual(after);
        }),
    ),
    { numRuns: propertyRuns(12) },
  ));
