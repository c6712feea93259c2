import { afterEach, describe, expect, vi } from 'vitest';
import type { ScheduleBody } from '../../../src/schema/irrigation/schedule.ts';
import { applySomePending } from '../../../src/service/irrigation/planning/pending-regenerations.ts';
import { updateDosesOfSchedules } from '../../../src/service/irrigation/planning/regeneration.ts';
import { bringSchedulesOfTargetUpToDate } from '../../../src/service/irrigation/planning/schedule-progress.ts';
import {
  OCCURRENCES_PER_PART,
  OCCURRENCES_PER_STEP,
  PROBES_PER_STEP,
  ROWS_PER_DELETE,
} from '../../../src/service/irrigation/planning/step-limits.ts';
import { hasPendingRegenerations } from '../../../src/store/irrigation/pending-regenerations.ts';
import {
  type Advised,
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  it,
  MINUTE,
  type TestFarm,
} from '../../farm.ts';
import { withSecondStore } from '../../stores/stores.ts';
import { afterEachTransaction, dyingAfterCommit } from '../../transactions.ts';

/**
 * Each on the three probes of the North block: 3 x 12 waterings a day, more than one transaction
 * regenerates.
 */
const START_TIMES = Array.from(
  { length: 12 },
  (_, index) => `${String(2 * index).padStart(2, '0')}:30`,
);
const LATER = START_TIMES.map((time) => time.replace(':30', ':45'));
const PROBES = ['North 1', 'North 2', 'North 3'];
/**
 * From FARM_NOW, 12:00 in Paris: 6 times on the first and on the last day, 12 on the 89 between.
 */
const PER_PROBE = 1080;
const sprinkler = (flowMmPerH: number) => ({ system: 'sprinkler', flowMmPerH });
/** 20 min at 6 mm/h. */
const DOSE_AT_6 = 2;
const DOSE_AT_9 = 3;

const create = (farm: TestFarm, more = {}) =>
  farm.createSchedule({
    parcel: 'North block',
    startTimes: START_TIMES,
    inputMode: 'duration',
    durationMin: 20,
    ...more,
  });

const ALREADY_OVER = { isOver: () => true };

const isPending = (farm: TestFarm, probe?: string): Promise<boolean> =>
  farm.write((db) =>
    hasPendingRegenerations(db, probe === undefined ? {} : { moduleIds: [farm.idOf(probe)] }),
  );

interface Row {
  readonly id: number;
  readonly module_id: number;
  readonly scheduled_start: string | null;
  readonly started_at: number;
  readonly water_mm: number | null;
  readonly dose_computed_at: number | null;
  readonly status: string;
}

/** Reads the rows as stored, without following any pending plan. */
const storedRows = (farm: TestFarm): Promise<Row[]> =>
  farm.write((db) =>
    db
      .selectFrom('waterings')
      .select([
        'id',
        'module_id',
        'scheduled_start',
        'started_at',
        'water_mm',
        'dose_computed_at',
        'status',
      ])
      .orderBy('module_id')
      .orderBy('scheduled_start')
      .$narrowType<{ module_id: number }>()
      .execute(),
  );

function countBy<T>(rows: readonly T[], keyOf: (row: T) => unknown): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[String(keyOf(row))] = (counts[String(keyOf(row))] ?? 0) + 1;
  return counts;
}

/** The number of changed rows that each write transaction of `body` adds. */
async function rowsPerTransaction(
  farm: TestFarm,
  isChanged: (row: Row) => boolean,
  body: () => Promise<unknown>,
): Promise<number[]> {
  const countChanged = async () => {
    const rows = await farm.store.readAll((all) =>
      all
        .selectFrom('waterings')
        .select([
          'id',
          'module_id',
          'scheduled_start',
          'started_at',
          'water_mm',
          'dose_computed_at',
          'status',
        ])
        .$narrowType<{ module_id: number }>()
        .execute(),
    );
    return rows.filter(isChanged).length;
  };
  const counts = await afterEachTransaction(farm, countChanged, body);
  return counts
    .map((count, index) => count - (counts[index - 1] ?? 0))
    .filter((count) => count > 0);
}

afterEach(() => void vi.restoreAllMocks());

describe('a schedule of more occurrences than one transaction writes', () => {
  it('is created in several transactions, and answered when all its waterings are there', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', sprinkler(6));
    let created: Advised = { advisories: [] };
    const written = await rowsPerTransaction(
      farm,
      () => true,
      async () => {
        created = await create(farm);
      },
    );
    expect(written.length).toBeGreaterThan(1);
    expect(Math.max(...written)).toBeLessThan(OCCURRENCES_PER_STEP + PER_PROBE);
    // On each of the three probes.
    expect(advisoriesOf(created, 'waterings_planned')).toMatchObject([
      { count: 3 * PER_PROBE, probes: 3 },
    ]);
    expect(countBy(await storedRows(farm), (row) => row.water_mm)).toEqual({
      [DOSE_AT_6]: 3 * PER_PROBE,
    });
    expect(await isPending(farm)).toBe(false);
  });

  it('is created for a limited number of probes in each transaction, however few they get', async ({
    farm,
  }) => {
    const probes = Array.from({ length: PROBES_PER_STEP + 10 }, (_, index) => ({
      uid: `Vine ${index}`,
      name: `Vine ${index}`,
      category: 'SOIL_PROBE',
      parcel: 'Vines',
      sensors: [{ type: 'humidity', depth: 20 }],
    }));
    await farm.importFile({ parcels: [{ name: 'Vines' }], modules: probes });
    const written = await rowsPerTransaction(
      farm,
      () => true,
      () => farm.createSchedule({ parcel: 'Vines', startTimes: ['20:00'], endsOn: '2026-07-01' }),
    );
    expect(written.reduce((sum, count) => sum + count)).toBe(probes.length);
    expect(Math.max(...written)).toBeLessThanOrEqual(PROBES_PER_STEP);
  });

  it('moves to other times in several transactions, under the same ids', async ({ farm }) => {
    const schedule = await create(farm);
    const before = await storedRows(farm);
    farm.now += MINUTE;
    const moved = await rowsPerTransaction(
      farm,
      ({ scheduled_start }) => scheduled_start!.endsWith(':45'),
      () => farm.updateSchedule(schedule, { startTimes: LATER }),
    );
    expect(moved.length).toBeGreaterThan(1);
    expect(Math.max(...moved)).toBeLessThan(OCCURRENCES_PER_STEP + PER_PROBE);
    expect(await storedRows(farm)).toMatchObject(
      before.map((row) => ({
        ...row,
        scheduled_start: row.scheduled_start!.replace(':30', ':45'),
        started_at: row.started_at + 15 * MINUTE,
      })),
    );
  });

  it('ends like one complete change if the process dies in between', async ({ farm }) => {
    await farm.declareParcel('North block', sprinkler(6));
    const schedule = await create(farm);
    const before = await storedRows(farm);
    farm.now += MINUTE;
    const changedAt = farm.now;
    const updated = await dyingAfterCommit(farm, () =>
      farm.updateSchedule(schedule, { startTimes: LATER, durationMin: 30 }),
    );
    expect(advisoriesOf(updated, 'planned_waterings_follow')).toMatchObject([{ modules: 2 }]);
    expect(countBy(await storedRows(farm), (row) => row.scheduled_start!.slice(-2))).toEqual({
      45: PER_PROBE,
      30: 2 * PER_PROBE,
    });
    // By the next day 12 a probe are past: they were to follow the change too.
    farm.now += DAY;
    await farm.tick();
    expect(await isPending(farm)).toBe(false);
    const rowById = new Map((await storedRows(farm)).map((row) => [row.id, row]));
    for (const row of before)
      expect(rowById.get(row.id)).toMatchObject({
        scheduled_start: row.scheduled_start!.replace(':30', ':45'),
        started_at: row.started_at + 15 * MINUTE,
        // 30 min at 6 mm/h.
        water_mm: 3,
        dose_computed_at: changedAt,
        status: row.started_at + 15 * MINUTE <= farm.now ? 'done' : 'planned',
      });
  });

  it('is removed completely even if the process dies in between', async ({ farm }) => {
    const schedule = await create(farm);
    await dyingAfterCommit(farm, () => farm.updateSchedule(schedule, { isActive: false }));
    expect(await storedRows(farm)).toHaveLength(2 * PER_PROBE);
    await farm.tick();
    expect(await storedRows(farm)).toEqual([]);
  });

  it('is planned, moved and removed in parts of a probe where a transaction takes long', async ({
    farm,
  }) => {
    const step = () =>
      rowsPerTransaction(
        farm,
        () => true,
        () => farm.write((db) => applySomePending(db, {}, ALREADY_OVER)),
      );
    const schedule = await dyingAfterCommit(farm, () => create(farm));
    expect(await step()).toEqual([PER_PROBE + OCCURRENCES_PER_PART]);
    await farm.tick();

    const created = await storedRows(farm);
    expect(created).toHaveLength(3 * PER_PROBE);
    farm.now += MINUTE;
    await dyingAfterCommit(farm, () => farm.updateSchedule(schedule, { startTimes: LATER }));
    await step();
    expect(countBy(await storedRows(farm), (row) => row.scheduled_start!.slice(-2))).toEqual({
      45: PER_PROBE + OCCURRENCES_PER_PART,
      30: 2 * PER_PROBE - OCCURRENCES_PER_PART,
    });
    await farm.tick();
    expect((await storedRows(farm)).map(({ id }) => id)).toEqual(created.map(({ id }) => id));

    const undoChange = () => dyingAfterCommit(farm, () => farm.tool('undo'));
    await undoChange();
    await farm.tick();
    await undoChange();
    expect(await step()).toEqual([3 * PER_PROBE - ROWS_PER_DELETE]);
    await farm.tick();
    expect(await storedRows(farm)).toEqual([]);
  });

  it('is read completely by a read before the rest has followed', async ({ farm }) => {
    const schedule = await create(farm);
    farm.now += MINUTE;
    const change = () =>
      farm.updateSchedule(schedule, {
        durationMin: 30 + Math.floor((farm.now - FARM_NOW) / MINUTE),
      });
    const reads: Record<string, () => Promise<unknown>> = {
      list_waterings: () => farm.wire('list_waterings', { moduleId: farm.idOf('North 3') }),
      list_schedules: () => farm.wire('list_schedules'),
      get_irrigation_setup: () => farm.setup('North 3'),
      log_watering: () =>
        farm.log('North 3', {
          startedAt: '2026-07-01T08:00',
          inputMode: 'duration',
          durationMin: 5,
        }),
      recompute_doses: () => farm.tool('recompute_doses', { module: 'North 3' }),
      set_module_installation: () => farm.declare('North 3', sprinkler(5)),
    };
    for (const [name, read] of Object.entries(reads)) {
      farm.now += MINUTE;
      await dyingAfterCommit(farm, change);
      expect([name, await isPending(farm, 'North 3')]).toEqual([name, true]);
      await read();
      expect([name, await isPending(farm, 'North 3')]).toEqual([name, false]);
      await farm.tick();
    }
    // Another probe is no reason to wait.
    farm.now += MINUTE;
    await dyingAfterCommit(farm, change);
    await farm.log('North 1', {
      startedAt: '2026-07-01T08:00',
      inputMode: 'duration',
      durationMin: 5,
    });
    expect(await isPending(farm, 'North 3')).toBe(true);
  });

  it('answers a repeated call with the same body, and writes nothing twice', async ({ farm }) => {
    const body = {
      parcel: 'North block',
      startTimes: START_TIMES,
      inputMode: 'duration',
      durationMin: 20,
    };
    const options = { idempotencyKey: 'a-large-one' };
    const first = await dyingAfterCommit(farm, () => farm.createSchedule(body, options));
    const second = await farm.createSchedule(body, options);
    const replaySummary = expect.stringContaining('nothing new was written');
    expect(second).toEqual({ ...first, replayed: true, replaySummary });
    expect(await farm.tool<{ data: ScheduleBody[] }>('list_schedules')).toMatchObject({
      data: [{ id: first.id }],
    });
    expect(await storedRows(farm)).toHaveLength(3 * PER_PROBE);
  });
});

describe('other equipment of a parcel with several such schedules', () => {
  it('gives every planned watering its dose, a limited number in each transaction', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', sprinkler(6));
    for (let count = 0; count < 3; count++) await create(farm);
    farm.now += MINUTE;
    const changedAt = farm.now;
    let declared: Advised = { advisories: [] };
    const updatedDoses = await rowsPerTransaction(
      farm,
      (row) => row.dose_computed_at === changedAt,
      async () => {
        declared = await farm.declareParcel('North block', sprinkler(9));
      },
    );
    // One probe of one schedule a transaction, because two exceed the limit.
    expect(updatedDoses).toEqual(Array(9).fill(PER_PROBE));
    expect(advisoriesOf(declared, 'planned_doses_updated')).toMatchObject([{ count: PER_PROBE }]);
    expect(advisoriesOf(declared, 'planned_waterings_follow')).toMatchObject([{ modules: 3 }]);
    expect(countBy(await storedRows(farm), (row) => row.water_mm)).toEqual({
      [DOSE_AT_9]: 9 * PER_PROBE,
    });
  });

  it('is finished by another process that meanwhile reads, writes and runs housekeeping', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', sprinkler(6));
    const schedules = [await create(farm), await create(farm), await create(farm)];
    farm.now += HOUR;
    await withSecondStore(farm.db, async (store) => {
      const other = { ...farm, store };
      await Promise.all([
        farm.declareParcel('North block', sprinkler(9)),
        farm.updateSchedule(schedules[0]!, { startTimes: LATER }),
        other.store.readAll((all) => all.selectFrom('waterings').select('id').execute()),
        ...PROBES.map((probe, index) =>
          farm.log(probe, {
            startedAt: `2026-07-01T0${index}:00`,
            inputMode: 'duration',
            durationMin: 20,
          }),
        ),
      ]);
    });
    await farm.tick();
    expect(await isPending(farm)).toBe(false);
    const planned = (await storedRows(farm)).filter(({ status }) => status === 'planned');
    expect(countBy(planned, (row) => row.water_mm)).toEqual({ [DOSE_AT_9]: planned.length });
    expect(countBy(planned, (row) => row.scheduled_start!.slice(-2))).toEqual({
      45: 3 * PER_PROBE,
      30: 6 * PER_PROBE,
    });
  });

  it('settles schedules that are far behind in transactions of their own', async ({ farm }) => {
    await create(farm);
    // 60 days of 36 waterings have passed, and as many are to be planned.
    farm.now += 60 * DAY;
    const context = (db: Parameters<Parameters<TestFarm['write']>[0]>[0]) => ({
      db,
      now: farm.now,
    });
    const probes = { moduleIds: PROBES.map((probe) => farm.idOf(probe)), parcelIds: [] };
    await expect(
      farm.write((db) => bringSchedulesOfTargetUpToDate(context(db), probes)),
    ).rejects.toThrow('have to run first');
    await farm.declareParcel('North block', sprinkler(6));
    const settled = await farm.write((db) => bringSchedulesOfTargetUpToDate(context(db), probes));
    const second = await farm.write((db) => updateDosesOfSchedules(context(db), settled, probes));
    expect(second).toMatchObject({ updatedDoses: 0, pending: [] });
    expect(countBy(await storedRows(farm), (row) => row.status)).toEqual({
      done: 3 * 60 * 12,
      planned: 3 * PER_PROBE,
    });
  });
});
