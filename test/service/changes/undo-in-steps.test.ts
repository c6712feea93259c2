import { afterEach, describe, expect, vi } from 'vitest';
import type { ChangeBody } from '../../../src/schema/changes/change.ts';
import { importFarm } from '../../../src/service/farm/farm-import.ts';
import { OCCURRENCES_PER_STEP } from '../../../src/service/irrigation/planning/step-limits.ts';
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
import { afterEachTransaction, dyingAfterCommit } from '../../transactions.ts';

/**
 * Each on the three probes of the North block: 3 x 1,080 waterings in 90 days, more than one
 * transaction deletes.
 */
const START_TIMES = Array.from(
  { length: 12 },
  (_, index) => `${String(2 * index).padStart(2, '0')}:30`,
);
/** 3 x 360: still more than one transaction deletes. */
const FEW_START_TIMES = START_TIMES.slice(0, 4);
const LATER = START_TIMES.map((time) => time.replace(':30', ':45'));
const PER_PROBE = 1080;
const PLANNED = 3 * PER_PROBE;

/** Has more probes than the number of attempts of a read that meets pending work. */
const LARGE_PARCEL = {
  company: { name: 'Mas Rouge', countryCode: 'FR', timezone: 'Europe/Paris' },
  users: [],
  parcels: [{ name: 'Large block', soilProfile: [] }],
  modules: Array.from({ length: 14 }, (_, index) => ({
    uid: `L${index}`,
    name: `Large ${index}`,
    category: 'SOIL_PROBE',
    parcel: 'Large block',
    commissionedAt: iso(FARM_NOW - 100 * DAY),
    sensors: [{ type: 'humidity', depth: 20 }],
  })),
};

const create = (farm: TestFarm, more = {}) =>
  farm.createSchedule({
    parcel: 'North block',
    startTimes: START_TIMES,
    inputMode: 'duration',
    durationMin: 20,
    ...more,
  });

const undo = (farm: TestFarm, changeId: number | string = 'latest', asking = {}) =>
  farm.wire<{ undone: ChangeBody }>('undo', { changeId }, asking);

const newestChange = async (farm: TestFarm): Promise<number> =>
  (await farm.wire<{ data: ChangeBody[] }>('list_changes')).data[0]!.id;

/**
 * As stored, with rows that a company's handle hides; waterings without what each planning gives
 * them anew.
 */
const storedState = (farm: TestFarm) =>
  farm.store.readAll(async (all) => ({
    schedules: await all.selectFrom('schedules').selectAll().orderBy('id').execute(),
    modules: await all.selectFrom('modules').selectAll().orderBy('id').execute(),
    pending: await all.selectFrom('pending_plans').selectAll().execute(),
    waterings: (await all.selectFrom('waterings').selectAll().execute())
      .map(({ id: _, created_at: __, dose_computed_at: ___, ...row }) => JSON.stringify(row))
      .sort(),
  }));

const wateringCount = async (farm: TestFarm): Promise<number> =>
  (await storedState(farm)).waterings.length;

const errorCode = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error) => error.code,
  );

/** Undone by a process that died while planned waterings were left. */
async function dyingUndo(farm: TestFarm, steps = 0, asking = {}) {
  const answer = await dyingAfterCommit(farm, () => undo(farm, 'latest', asking), steps);
  expect(await wateringCount(farm)).toBeGreaterThan(0);
  return answer;
}

afterEach(() => void vi.restoreAllMocks());

describe('the undo of a schedule of more planned waterings than one transaction deletes', () => {
  it('deletes a limited number in each transaction, and is answered when all are gone', async ({
    farm,
  }) => {
    const before = await storedState(farm);
    await create(farm);
    const remaining = await afterEachTransaction(
      farm,
      () => wateringCount(farm),
      () => undo(farm),
    );
    const deleted = [PLANNED, ...remaining]
      .map((count, index) => count - (remaining[index] ?? 0))
      .slice(0, -1);
    expect(Math.max(...deleted)).toBeLessThanOrEqual(OCCURRENCES_PER_STEP + PER_PROBE);
    expect(deleted.reduce((sum, count) => sum + count, 0)).toBe(PLANNED);
    expect(await storedState(farm)).toEqual(before);
  });

  it('lets the company and others write in between', async ({ farm }) => {
    await create(farm);
    const { write } = farm.store;
    let remainingAfterOthers: number | null = null;
    const others = async (): Promise<void> => {
      await farm.log('Loose', minutesAt(FARM_NOW - HOUR, 10));
      await farm.log('Blue 1', minutesAt(FARM_NOW - HOUR, 10), { company: 'Mas Bleu' });
      remainingAfterOthers = (await wateringCount(farm)) - 2;
    };
    // The transaction of the undo itself deletes nothing, and the first step only some.
    let steps = 0;
    const spy = vi.spyOn(farm.store, 'write').mockImplementation(async (...args) => {
      if (++steps === 2) {
        spy.mockRestore();
        await others();
      }
      return write.apply(farm.store, args) as never;
    });
    await undo(farm);
    expect(remainingAfterOthers).toBeGreaterThan(0);
    expect(remainingAfterOthers).toBeLessThan(PLANNED);
    expect(await wateringCount(farm)).toBe(2);
  });
});

describe('an undo whose process died in between', () => {
  it('is done for every read', async ({ farm }) => {
    const reads: Record<string, (schedule: { id: number }, event: number) => Promise<unknown>> = {
      list_schedules: async () => (await farm.wire<{ data: unknown[] }>('list_schedules')).data,
      'list_waterings of a probe': async () =>
        (await farm.wire<{ data: unknown[] }>('list_waterings', { moduleId: farm.idOf('North 3') }))
          .data,
      'list_waterings of a parcel': async () =>
        (
          await farm.wire<{ data: unknown[] }>('list_waterings', {
            parcelId: farm.idOf('North block'),
          })
        ).data,
      list_waterings: () => farm.waterings(),
      'list_waterings of the schedule': ({ id }) =>
        errorCode(farm.wire('list_waterings', { scheduleId: id })).then((code) =>
          code === 'not_found' ? [] : code,
        ),
      get_watering: (_, event) =>
        errorCode(farm.wire('get_watering', { eventId: event })).then((code) =>
          code === 'EVENT_NOT_FOUND' ? [] : code,
        ),
      advise_watering: async () => {
        const { planned } = await farm.tool<{ planned: { count: number } }>('advise_watering', {
          module: 'North 3',
        });
        return planned.count === 0 ? [] : planned;
      },
    };
    for (const [name, read] of Object.entries(reads)) {
      const schedule = await create(farm, { startTimes: FEW_START_TIMES });
      const event = (
        await farm.wire<{ data: { id: number }[] }>('list_waterings', {
          moduleId: farm.idOf('North 3'),
        })
      ).data[0]!.id;
      await dyingUndo(farm);
      expect([name, await read(schedule, event)]).toEqual([name, []]);
      await farm.tick();
      expect(await wateringCount(farm)).toBe(0);
    }
  });

  it('is done for a question about a farm of more probes than a read is repeated', async ({
    farm,
  }) => {
    await importFarm(farm.store, JSON.stringify(LARGE_PARCEL), farm.now);
    await create(farm, { parcel: 'Large block', startTimes: FEW_START_TIMES });
    await dyingUndo(farm);

    expect(await errorCode(farm.tool('farm_overview'))).toBe('none');
    expect(await wateringCount(farm)).toBe(0);
  });

  it('is finished by housekeeping, after any number of steps', async ({ farm }) => {
    const before = await storedState(farm);
    for (const steps of [0, 1, 2]) {
      await create(farm);
      await dyingUndo(farm, steps);
      await farm.tick();
      expect(await storedState(farm)).toEqual(before);
    }
  });

  it('is not done twice, and answers a repeated call with the same body', async ({ farm }) => {
    await create(farm, { startTimes: FEW_START_TIMES });
    const created = await newestChange(farm);
    const asking = { idempotencyKey: 'a-large-one' };
    const answer = await dyingUndo(farm, 0, asking);
    const again = await undo(farm, 'latest', asking);
    expect([again.replayed, bodyOf(again)]).toEqual([true, bodyOf(answer)]);
    expect(await errorCode(undo(farm, created))).toBe('CHANGE_NOT_UNDOABLE');
    await farm.tick();
    expect(await wateringCount(farm)).toBe(0);
  });

  it('can be undone itself', async ({ farm }) => {
    await create(farm);
    const created = await storedState(farm);
    farm.now += MINUTE;
    await dyingUndo(farm);
    // On a slow machine the undo takes more steps than the 4 after which it dies, and has not
    // committed yet; it is called again then.
    await vi.waitFor(
      () => dyingAfterCommit(farm, () => newestChange(farm).then((id) => undo(farm, id)), 4),
      { timeout: 60_000 },
    );
    await farm.tick();
    const horizon = created.schedules.map(({ materialized_until: _, ...row }) => row);
    const restored = await storedState(farm);
    expect(restored.waterings).toEqual(created.waterings);
    expect(restored.schedules.map(({ materialized_until: _, ...row }) => row)).toEqual(horizon);
  });

  it('leaves nothing that a write could change', async ({ farm }) => {
    const schedule = await create(farm, { startTimes: FEW_START_TIMES });
    const [event] = (
      await farm.wire<{ data: { id: number; startedAt: string }[] }>('list_waterings', {
        moduleId: farm.idOf('North 3'),
      })
    ).data;
    await dyingUndo(farm);
    expect(await errorCode(farm.updateSchedule(schedule, { startTimes: LATER }))).toBe('not_found');
    const skip = {
      eventId: event!.id,
      startedAt: event!.startedAt,
      inputMode: 'duration',
      status: 'skipped',
    };
    expect(await errorCode(farm.wire('correct_watering', skip))).toBe('EVENT_NOT_FOUND');
    await farm.declareParcel('North block', { system: 'sprinkler', flowMmPerH: 6 });
    await farm.tick();
    expect(await wateringCount(farm)).toBe(0);
  });

  it('does not keep a parcel whose removal follows from being removed', async ({ farm }) => {
    await farm.wire('set_parcel', { name: 'Hill' });
    await farm.tool('set_module', {
      name: 'Hill 1',
      parcel: 'Hill',
      sensors: ['humidity 20'],
    });
    const [module, parcel] = (await farm.wire<{ data: ChangeBody[] }>('list_changes')).data.map(
      ({ id }) => id,
    );
    for (let count = 0; count < 2; count++) await create(farm, { parcel: 'Hill' });
    await undo(farm);
    await dyingUndo(farm);
    await undo(farm, module);
    await undo(farm, parcel);
    expect((await farm.wire<{ data: unknown[] }>('list_parcels')).data).toHaveLength(3);
  });
});

describe('the undo of a probe that joined a parcel with several schedules', () => {
  const join = async (farm: TestFarm) => {
    for (let count = 0; count < 3; count++) await create(farm, { startTimes: FEW_START_TIMES });
    const before = await storedState(farm);
    await farm.tool('set_module', {
      name: 'North 4',
      parcel: 'North block',
      sensors: ['humidity 20'],
    });
    return before;
  };
  const nameOf = ({ name }: { name: string }) => name;

  it('leaves the rows before it', async ({ farm }) => {
    const before = await join(farm);
    farm.now += MINUTE;
    await undo(farm);
    const { schedules: _, ...rows } = await storedState(farm);
    const { schedules: __, ...expected } = before;
    expect(rows).toEqual(expected);
  });

  it('hides the probe at once, and its name can be given anew', async ({ farm }) => {
    const before = await join(farm);
    await dyingAfterCommit(farm, () => undo(farm));
    expect(await wateringCount(farm)).toBeGreaterThan(before.waterings.length);
    const { data } = await farm.wire<{ data: { name: string }[] }>('list_modules');
    expect(data.map(nameOf)).not.toContain('North 4');
    await farm.tool('set_module', { name: 'North 4', sensors: ['humidity 20'] });
    expect(await wateringCount(farm)).toBe(before.waterings.length);
  });
});
