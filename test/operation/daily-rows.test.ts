import { describe, expect } from 'vitest';
import { firstOf } from '../../src/domain/items.ts';
import { endOfDay, maxDailyRows } from '../../src/domain/shares/daily-rows.ts';
import { addDailyRows, dailyRows } from '../../src/store/daily-rows.ts';
import { pendingRegenerations } from '../../src/store/irrigation/pending-regenerations.ts';
import { openStore } from '../../src/store/store.ts';
import { DAY, FARM_NOW, HOUR, iso, it, type TestFarm } from '../farm.ts';
import { dyingAfterCommit } from '../transactions.ts';

const minutes = { startedAt: iso(FARM_NOW - HOUR), inputMode: 'duration', durationMin: 45 };
const EVERY_TWO_HOURS = Array.from(
  { length: 12 },
  (_, index) => `${String(2 * index).padStart(2, '0')}:30`,
);

const counted = (farm: TestFarm): Promise<number> => farm.write((db) => dailyRows(db, farm.now));

const countedBy = async (farm: TestFarm, write: () => Promise<unknown>): Promise<number> => {
  const before = await counted(farm);
  await write();
  return (await counted(farm)) - before;
};

/** Leaves the company `left` of the rows that it may add today. */
const leave = (farm: TestFarm, left: number): Promise<unknown> =>
  farm.write(async (db) => {
    const modules = await db.selectFrom('modules').select('id').execute();
    const limit = maxDailyRows(modules.length);
    return addDailyRows(db, farm.now, limit - left - (await dailyRows(db, farm.now)));
  });

/** The probes whose waterings a schedule still has to plan, move or remove. */
const stillPlanned = (farm: TestFarm): Promise<number> =>
  farm.write(async (db) => (await pendingRegenerations(db, {})).length);

const reached = { code: 'daily_limit', status: 429 };

describe('the rows of a day', () => {
  it('are 3,000 for each probe, and at least 10,000', () => {
    expect([0, 3, 4, 300].map(maxDailyRows)).toEqual([10_000, 10_000, 12_000, 900_000]);
  });

  it('are the rows that a call adds, its change, and its stored answer', async ({ farm }) => {
    expect(await countedBy(farm, () => farm.log('North 1', minutes))).toBe(2);
    expect(await countedBy(farm, () => farm.log('North 1', minutes, { idempotencyKey: 'k' }))).toBe(
      3,
    );
    expect(await countedBy(farm, () => farm.log('North 1', minutes, { idempotencyKey: 'k' }))).toBe(
      0,
    );
    const parcel = { parcel: 'North block', ...minutes };
    expect(await countedBy(farm, () => farm.tool('log_watering', parcel))).toBe(4);
  });

  it('are none for a read, a refused write, and one that changes nothing', async ({ farm }) => {
    await farm.declare('North 1', { system: 'drip', flowMmPerH: 3 });
    const read = () => farm.tool('list_waterings');
    expect(await countedBy(farm, read)).toBe(0);
    const refused = () => farm.log('North 1', { inputMode: 'duration' }).catch(() => null);
    expect(await countedBy(farm, refused)).toBe(0);
    expect(await countedBy(farm, () => farm.tool('recompute_doses', { module: 'North 1' }))).toBe(
      0,
    );
  });

  it('include planned waterings, less those that are planned no longer', async ({ farm }) => {
    const daily = { module: 'North 1', startTimes: EVERY_TWO_HOURS };
    const schedule = await farm.createSchedule(daily);
    expect(await counted(farm)).toBe(1_080 + 2);

    await farm.updateSchedule(schedule, { startTimes: ['06:00'] });
    expect(await counted(farm)).toBe(90 + 3);
    await farm.updateSchedule(schedule, { isActive: false });
    expect(await counted(farm)).toBe(4);
    await farm.updateSchedule(schedule, { isActive: true, startTimes: EVERY_TWO_HOURS });
    expect(await counted(farm)).toBe(1_080 + 5);
  });

  it('include those planned day by day, which are not refused', async ({ farm }) => {
    await farm.createSchedule({ module: 'North 1', startTimes: EVERY_TWO_HOURS });
    farm.now += DAY;
    await leave(farm, 0);
    expect(await countedBy(farm, () => farm.tick())).toBe(12);
  });

  it('survive a restart, and are shared by processes', async ({ farm }) => {
    await farm.log('North 1', minutes);
    const other = await openStore({ db: farm.db });
    try {
      expect(
        await other.readAll((all) => all.selectFrom('daily_rows').select('row_count').execute()),
      ).toEqual([{ row_count: 2 }]);
    } finally {
      await other.close();
    }
  });
});

describe('a company that has added its rows of today', () => {
  it('is refused a write, which says what counts and when it is accepted', async ({ farm }) => {
    await leave(farm, 1);
    const before = await counted(farm);
    await expect(farm.log('North 1', minutes)).rejects.toMatchObject({
      ...reached,
      hint: expect.stringMatching(/Waterings \(planned ones too\).*2026-07-02T00:00:00.000Z/),
      retryAfterS: (endOfDay(FARM_NOW) - FARM_NOW) / 1_000,
    });
    expect(await counted(farm)).toBe(before);
    expect(await farm.waterings()).toEqual([]);
  });

  it('writes again on the next day, and up to the last row', async ({ farm }) => {
    await leave(farm, 2);
    await farm.log('North 1', minutes);
    await expect(farm.log('North 1', minutes)).rejects.toMatchObject(reached);
    farm.now = endOfDay(FARM_NOW);
    await farm.log('North 1', minutes);
    expect(await counted(farm)).toBe(2);
  });

  it('is refused a schedule whose waterings would exceed them, before any is planned', async ({
    farm,
  }) => {
    await leave(farm, 2_000);
    const parcel = { parcel: 'North block', startTimes: EVERY_TWO_HOURS };
    await expect(farm.createSchedule(parcel)).rejects.toMatchObject(reached);
    expect(await farm.tool('list_schedules')).toMatchObject({ data: [] });
  });

  it('is refused a schedule at once while earlier ones are still planned, which count', async ({
    farm,
  }) => {
    const parcel = { parcel: 'North block', startTimes: EVERY_TWO_HOURS };
    await leave(farm, 2 * 3_240 - 100);
    const first = await dyingAfterCommit(farm, () => farm.createSchedule(parcel));
    expect(await stillPlanned(farm)).toBe(2);
    await expect(farm.createSchedule(parcel)).rejects.toMatchObject(reached);
    // One that has room waits for no other.
    await farm.createSchedule({ module: 'Loose' });
    expect(await stillPlanned(farm)).toBe(2);

    // Other times plan no more than before.
    await farm.tick();
    const moved = EVERY_TWO_HOURS.map((time) => time.replace(':30', ':45'));
    await dyingAfterCommit(farm, () => farm.updateSchedule(first, { startTimes: moved }));
    await leave(farm, 3_240 + 10);
    await farm.createSchedule(parcel);
    expect(await stillPlanned(farm)).toBe(2);
    await farm.tick();
    await leave(farm, 3_240 + 10);
    await dyingAfterCommit(farm, () => farm.updateSchedule(first, { isActive: false }));
    await farm.createSchedule(parcel);
    await farm.createSchedule(parcel);
  });

  it('still undoes and sends readings; what an undo took back is not restored', async ({
    farm,
  }) => {
    await farm.log('North 1', minutes);
    await leave(farm, 0);

    const readings = 'module,type,depth,time,value\nNorth 1,humidity,10,2026-07-01T06:00:00Z,21\n';
    await expect(farm.tool('import_readings', { csv: readings })).resolves.toBeDefined();
    await farm.tool('undo');
    expect(await farm.waterings()).toEqual([]);
    const changes = await farm.tool<{ data: { id: number }[] }>('list_changes');
    const changeId = firstOf(changes.data).id;
    await expect(farm.tool('undo', { changeId })).rejects.toMatchObject(reached);
  });

  it('does not keep another company from writing', async ({ farm }) => {
    await leave(farm, 0);
    await expect(farm.log('Blue 1', minutes, { company: 'Mas Bleu' })).resolves.toBeDefined();
  });
});

describe('the schedules of a company', () => {
  it('may plan a quarter of the rows of a day each day, whenever they begin', async ({ farm }) => {
    const later = { parcel: 'North block', startTimes: EVERY_TWO_HOURS, startsOn: '2027-01-01' };
    const { id } = await farm.createSchedule(later);
    await farm.write(async (db) => {
      const { id: _, ...row } = await db
        .selectFrom('schedules')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      for (let n = 0; n < 150; n++) await db.insertInto('schedules').values(row).execute();
    });
    await expect(farm.createSchedule({ ...later, startsOn: '2026-07-02' })).rejects.toMatchObject(
      reached,
    );
  });
});
