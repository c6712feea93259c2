import { describe, expect, vi } from 'vitest';
import { isWrite } from '../../../src/operation/operation-kind.ts';
import type { ChangeBody, UndoAnswer } from '../../../src/schema/changes/change.ts';
import type { WateringBody } from '../../../src/schema/irrigation/watering.ts';
import { addMail, type NewMail } from '../../../src/store/mail/outbox.ts';
import { recordedTables } from '../../../src/store/scope/recorded-rows.ts';
import { operations } from '../../../tools/index.ts';
import {
  advisoriesOf,
  DAY,
  FARM_NOW,
  farmsFilledWith,
  HOUR,
  iso,
  it,
  minutesAt,
  type TestFarm,
  withFarm,
} from '../../farm.ts';
import { callsOfOperation, type FarmRows } from '../../operation-calls.ts';
import { isDeepRun } from '../../property-runs.ts';
import { triesEveryRule, whileInsertsFail } from '../../stores/stores.ts';
import { furnish, withOffset } from './furnished-farm.ts';

const withFurnishedFarm = farmsFilledWith(furnish);

const FOLLOWING = ['id', 'created_at', 'dose_computed_at'];
const without = (columns: readonly string[], row: object) =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));
/** Follows the clock. */
const HORIZON = ['materialized_until', 'materializedUntil'];

/**
 * All recorded rows. Planned waterings of schedules are replaced, so they are compared without
 * their ids.
 */
const rowsOf = async (farm: TestFarm) => {
  const rows = await farm.write(async (db) => {
    const found: Record<string, string[]> = {};
    for (const table of recordedTables)
      found[table] = (
        await db
          .selectFrom(table as 'waterings')
          .selectAll()
          .execute()
      )
        .map((row) =>
          table === 'waterings' &&
          row.schedule_id !== null &&
          row.is_detached === 0 &&
          row.status === 'planned'
            ? without(FOLLOWING, row)
            : without(HORIZON, row),
        )
        .map((row) => JSON.stringify(row))
        .sort();
    return found;
  });
  return {
    ...rows,
    waterings: rows.waterings!,
    companies: await farm.store.readAll((all) =>
      all.selectFrom('companies').selectAll().orderBy('id').execute(),
    ),
  };
};

const lists = async (farm: TestFarm, { module, parcel }: FarmRows) => {
  const read = (name: string, input: object) => farm.wire<{ data: object[] }>(name, { ...input });
  return [
    (await read('list_schedules', {})).data.map((each: object) => without(HORIZON, each)),
    await read('get_irrigation_setup', { moduleId: module }),
    await read('get_soil_profile', { parcelId: parcel }),
    await read('list_annotations', { moduleId: module }),
    await read('list_modules', {}),
    await read('list_parcels', {}),
    await read('get_company', {}),
    (await read('list_alerts', {})).data,
  ];
};

const changes = async (farm: TestFarm, query: { limit?: number } = {}) =>
  (await farm.wire<{ data: ChangeBody[] }>('list_changes', query)).data;

/** The newest first. */
const twoChanges = (farm: TestFarm) => changes(farm, { limit: 2 });
const undo = (farm: TestFarm, changeId: number | string = 'latest', asking = {}) =>
  farm.wire('undo', { changeId }, asking);
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => ({ code: error.code, message: error.message, hint: error.hint }),
  );

const UNRECORDED = new Set(['undo', 'recompute_doses']);

/** Writes that leave rows which are recorded. */
const WRITES: Record<string, (rows: FarmRows) => Record<string, unknown>> = {
  ...Object.fromEntries(
    operations
      .filter(
        (each) =>
          isWrite(each) && !each.batch && !each.answerIsSecret && !UNRECORDED.has(each.name),
      )
      .map(({ name }) => [name, (rows: FarmRows) => callsOfOperation(name).valid(rows, 0)]),
  ),
  generalize_installation: ({ module }) => ({ moduleId: module, dropSiblings: true }),
  'update_schedule: other times': ({ schedule }) => ({
    scheduleId: schedule,
    startTimes: ['07:30', '19:00'],
  }),
  'update_schedule: stopped': ({ schedule }) => ({ scheduleId: schedule, isActive: false }),
  'update_alert: off': ({ alert }) => ({ alertId: alert, isActive: false }),
  'delete_annotation: of a line with its alert': ({ line }) => ({ annotationId: line }),
  'set_module: moved': () => ({ name: 'North 2', parcelId: null, sensors: ['humidity 40'] }),
  'correct_watering: skipped': ({ event }) => ({
    eventId: event,
    startedAt: '2026-06-29T12:00',
    inputMode: 'duration',
    status: 'skipped',
  }),
  'set_soil_profile: all replaced': ({ parcel }) => ({
    parcelId: parcel,
    layers: [],
    closeOthers: true,
  }),
};

async function expectRestored(
  farm: TestFarm,
  rows: FarmRows,
  label: string,
  inputOf: (rows: FarmRows) => Record<string, unknown>,
): Promise<void> {
  const before = await rowsOf(farm);
  const answersBefore = triesEveryRule && (await lists(farm, rows));
  const [last] = await twoChanges(farm);
  await farm.wire(label.split(':')[0]!, withOffset(inputOf(rows)));
  const after = await rowsOf(farm);
  expect(after, label).not.toEqual(before);
  expect((await twoChanges(farm))[1], label).toEqual(last);

  farm.now += 1_000;
  const { summary } = await undo(farm);
  expect(await rowsOf(farm), label).toEqual(before);
  expect(triesEveryRule && (await lists(farm, rows)), label).toEqual(answersBefore);
  expect(summary).toMatch(/^Undone: \d/);

  const [latest] = await twoChanges(farm);
  await undo(farm, latest!.id);
  expect(await rowsOf(farm), label).toEqual(after);
}

describe('undo', () => {
  if (!isDeepRun)
    it('restores the rows before each write in turn, and those after it when it is undone itself', () =>
      withFurnishedFarm(async (farm, rows) => {
        for (const [label, inputOf] of Object.entries(WRITES)) {
          await expectRestored(farm, rows, label, inputOf);
          const [latest] = await twoChanges(farm);
          await undo(farm, latest!.id);
        }
      }));
  else
    for (const [label, inputOf] of Object.entries(WRITES))
      it(`restores the rows before ${label}, and those after it when it is undone itself`, () =>
        withFurnishedFarm((farm, rows) => expectRestored(farm, rows, label, inputOf)));

  it('goes one change further back with each call', async ({ farm }) => {
    const first = await rowsOf(farm);
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    const second = await rowsOf(farm);
    await farm.log('North 1', minutesAt(FARM_NOW - HOUR, 45));
    await undo(farm);
    expect(await rowsOf(farm)).toEqual(second);
    await undo(farm);
    expect(await rowsOf(farm)).toEqual(first);
    expect(await refusal(undo(farm))).toMatchObject({ code: 'not_found' });
  });

  it('undoes the latest change of the caller, not of others', async ({ farm }) => {
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    await farm.log('North 2', minutesAt(FARM_NOW - HOUR, 45), { caller: { id: 'key:other' } });
    await undo(farm);
    expect((await farm.waterings()).map(({ durationMin }) => durationMin)).toEqual([45]);
  });
});

describe('undo without an id refuses', () => {
  it('a change from more than a day ago, and names it', async ({ farm }) => {
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    const [logged] = await changes(farm);
    farm.now += DAY + 1_000;
    await farm
      .wire('correct_watering', { eventId: 999_999, status: 'skipped' })
      .catch(() => undefined);
    const refused = await refusal(undo(farm));
    expect(refused).toEqual({
      code: 'CHANGE_NOT_UNDOABLE',
      message: `Your latest change (#${logged!.id}, log_watering) is more than a day old, from yesterday 12:00: 1 watering added (North 1, 30 Jun 12:00).`,
      hint: `Ask whether that is meant; if so, call undo with changeId ${logged!.id}.`,
    });
    expect(await farm.waterings()).toHaveLength(1);
    await undo(farm, logged!.id);
    expect(await farm.waterings()).toEqual([]);
  });

  it('the change before a call that changed nothing, and names it', async ({ farm }) => {
    const { id } = await farm.createSchedule({ parcel: 'North block', label: 'Mornings' });
    const [created] = await changes(farm);
    for (let call = 0; call < 2; call++)
      await farm.wire('update_schedule', { scheduleId: id, label: 'Mornings' });
    expect(await changes(farm)).toHaveLength(1);
    expect((await refusal(undo(farm)))?.message).toBe(
      `Your latest call (update_schedule) changed nothing. The change before it (#${created!.id}, create_schedule) is from today 12:00: 1 schedule added (North block).`,
    );
    await farm.wire('update_schedule', { scheduleId: id, label: 'Evenings' });
    await undo(farm);
    await undo(farm);
    expect((await farm.wire<{ data: object[] }>('list_schedules')).data).toEqual([]);
  });
});

describe('undo refuses', () => {
  it('a watering that was corrected since, and names the correction', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    await farm.correct(event, { note: 'with the new pump' });
    const [correction, logged] = await changes(farm);
    const refused = await refusal(undo(farm, logged!.id));
    expect(refused).toMatchObject({ code: 'CHANGE_NOT_UNDOABLE' });
    expect(refused?.message).toContain(`a later change (#${correction!.id}, correct_watering)`);
    await undo(farm);
    await undo(farm, logged!.id);
    expect(await farm.waterings()).toEqual([]);
  });

  it('a setup by which a watering was dosed since', async ({ farm }) => {
    await farm.declare('North 1', { system: 'drip', flowMmPerH: 3 });
    farm.now += HOUR;
    await farm.log('North 1', minutesAt(farm.now - 10 * 60_000, 30));
    const [, declared] = await changes(farm);
    const refused = await refusal(undo(farm, declared!.id));
    expect(refused?.message).toMatch(
      /watering \(#\d+\) of North 1 \(today 12:50\) depends on it, in a later change \(#\d+, log_watering\)/,
    );
  });

  it('a setup by which a watering is dosed after it was checked, before its transaction', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', { system: 'sprinkler', flowMmPerH: 5 });
    const [declared] = await changes(farm);
    const { read, writeUnscoped } = farm.store;
    let hasBegun = false;
    vi.spyOn(farm.store, 'writeUnscoped').mockImplementation((...args) => {
      hasBegun = true;
      return writeUnscoped.apply(farm.store, args) as never;
    });
    const spy = vi.spyOn(farm.store, 'read').mockImplementation(async (...args) => {
      const checked = await read.apply(farm.store, args);
      if (hasBegun) {
        spy.mockRestore();
        await farm.log('North 1', minutesAt(FARM_NOW - HOUR, 30));
      }
      return checked as never;
    });

    const refused = await refusal(undo(farm, declared!.id));
    vi.restoreAllMocks();
    expect(refused?.message).toContain('depends on it');
    expect(await farm.waterings()).toHaveLength(1);
  });

  it('a setup by which a watering of a schedule was recorded since', async ({ farm }) => {
    await farm.createSchedule({ module: 'North 1', startTimes: ['18:00'] });
    await farm.declare('North 1', { system: 'drip', flowMmPerH: 3 });
    farm.now += 10 * HOUR;
    expect(await refusal(undo(farm))).toMatchObject({ code: 'CHANGE_NOT_UNDOABLE' });
  });

  it('a schedule of which a later watering was corrected since, and names the correction', async ({
    farm,
  }) => {
    await farm.createSchedule({ module: 'North 1', startTimes: ['18:00'] });
    const [planned] = await farm.waterings();
    await farm.correct(planned!, { durationMin: 20 });
    const [correction, created] = await changes(farm);
    const refused = await refusal(undo(farm, created!.id));
    expect(refused?.message).toContain(`a later change (#${correction!.id}, correct_watering)`);
  });

  it('a parcel that a probe has joined since', async ({ farm }) => {
    await farm.wire('set_parcel', { name: 'Hill' });
    await farm.tool('set_module', { name: 'Loose', parcel: 'Hill' });
    const [joined, added] = await changes(farm);
    expect((await refusal(undo(farm, added!.id)))?.message).toContain(
      `in a later change (#${joined!.id}, set_module)`,
    );
    await undo(farm, joined!.id);
    await undo(farm, added!.id);
    expect((await farm.wire<{ data: unknown[] }>('list_parcels')).data).toHaveLength(3);
  });

  it('a probe whose sensors have readings', async ({ farm }) => {
    await farm.wire('set_module', { name: 'West', sensors: ['humidity 20'] });
    await farm.wire('ingest', {
      readings: [{ module: 'West', type: 'humidity', depth: 20, time: iso(farm.now), value: 20 }],
    });
    expect((await refusal(undo(farm)))?.message).toMatch(/reading depends on it/);
  });

  it('a rename whose old name is taken', async ({ farm }) => {
    await farm.wire('set_parcel', { name: 'Fallow', newName: 'Hill' });
    await farm.wire('set_parcel', { name: 'Fallow' });
    const [, renamed] = await changes(farm);
    expect(await refusal(undo(farm, renamed!.id))).toMatchObject({ code: 'CHANGE_NOT_UNDOABLE' });
  });

  it('imported readings, rather than undoing an earlier change', async ({ farm }) => {
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    await farm.wire('set_module', { name: 'North 1', sensors: ['humidity 20'] });
    const importReadings = () =>
      farm.wire('import_readings', {
        module: farm.idOf('North 1'),
        csv: 'time,humidity_20\n2026-06-21T07:00,21\n',
      });
    await importReadings();
    expect((await refusal(undo(farm)))?.message).toContain(
      'stored readings, which cannot be undone',
    );
    expect(await farm.waterings()).toHaveLength(1);
    const { length } = await changes(farm);
    await importReadings();
    expect(await changes(farm)).toHaveLength(length);
  });

  it('what is undone already, and names the change that restores it', async ({ farm }) => {
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    const [logged] = await changes(farm);
    await undo(farm);
    const [taken] = await changes(farm);
    expect((await refusal(undo(farm, logged!.id)))?.hint).toContain(`changeId ${taken!.id}`);
  });

  it('a change that needs a scope which the caller lacks', async ({ farm }) => {
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    const [logged] = await changes(farm);
    const asking = { caller: { id: 'key:soil', scopes: ['soil:write'] } };
    expect(await refusal(undo(farm, logged!.id, asking))).toMatchObject({
      code: 'insufficient_scope',
    });
  });

  it('a change of another company', () =>
    withFarm(async (farm) => {
      await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
      const [logged] = await changes(farm);
      const asking = { company: 'Mas Bleu' };
      expect(await refusal(undo(farm, logged!.id, asking))).toMatchObject({
        code: 'forbidden_resource',
      });
      expect((await farm.wire<{ data: ChangeBody[] }>('list_changes', {}, asking)).data).toEqual(
        [],
      );
    }));
});

describe('an owner', () => {
  it('can be taken back after mail about a doubt, which goes too', async ({ farm }) => {
    await farm.write((db) => db.updateTable('users').set({ role: 'MANAGER' }).execute());
    await farm.wire('set_company', { ownerEmail: 'bo@example.org' });
    await farm.write(async (db) => {
      const users = await db.selectFrom('users').select(['id', 'email']).execute();
      const content = { subject: 'Check Oak', text: '', html: '' };
      const mail = users.map(({ id: userId, email: to }): NewMail => {
        return { alertId: null, kind: 'doubt', userId, to, ...content };
      });
      await addMail(db, mail, farm.now);
    });

    await undo(farm);
    const left = await farm.write((db) => db.selectFrom('outbox').select('to_address').execute());
    expect(left).toEqual([{ to_address: 'ana@example.org' }]);
    const { data } = await farm.wire<{ data: { email: string }[] }>('list_users');
    expect(data.map(({ email }) => email)).toEqual(['ana@example.org']);
  });
});

describe('a schedule of which a watering has begun since', () => {
  const storedSchedule = async (farm: TestFarm) =>
    (await farm.wire<{ data: { isActive: boolean; startTimes: string[] }[] }>('list_schedules'))
      .data[0]!;
  const startsOf = async (farm: TestFarm) =>
    (await farm.waterings()).map(({ startedAt }) => startedAt).sort();

  it.for(['auto', 'manual'])(
    'is stopped if it is undone, and starts again if that is undone (%s)',
    async (confirmationPolicy, { farm }) => {
      await farm.createSchedule({ module: 'North 1', startTimes: ['18:00'], confirmationPolicy });
      farm.now += 10 * HOUR;
      const undone = await undo(farm, 'latest');
      expect(advisoriesOf(undone, 'begun_waterings_kept')).toMatchObject([
        {
          waterings: [{ probe: 'North 1', startedAt: FARM_NOW + 6 * HOUR }],
          count: 1,
          isScheduleKept: true,
        },
      ]);
      expect(await startsOf(farm)).toEqual(['2026-07-01T16:00:00.000Z']);
      expect(await storedSchedule(farm)).toMatchObject({ isActive: false });

      const [undoing] = await changes(farm);
      await undo(farm, undoing!.id);
      expect(await storedSchedule(farm)).toMatchObject({ isActive: true });
      const [first, second, ...others] = await startsOf(farm);
      expect([first, second]).toEqual(['2026-07-01T16:00:00.000Z', '2026-07-02T16:00:00.000Z']);
      expect(others).toHaveLength(89);
    },
  );

  it('gets its earlier times back, and the watering at another one stays', async ({ farm }) => {
    const { id } = await farm.createSchedule({ module: 'North 1', startTimes: ['18:00'] });
    await farm.wire('update_schedule', { scheduleId: id, startTimes: ['17:00'] });
    farm.now = Date.parse('2026-07-01T15:30:00Z');
    expect(advisoriesOf(await undo(farm, 'latest'), 'begun_waterings_kept')).toMatchObject([
      { waterings: [{ startedAt: FARM_NOW + 5 * HOUR }], count: 1, isScheduleKept: false },
    ]);
    expect(await storedSchedule(farm)).toMatchObject({ isActive: true, startTimes: ['18:00'] });
    expect((await startsOf(farm)).slice(0, 3)).toEqual([
      '2026-07-01T15:00:00.000Z',
      '2026-07-01T16:00:00.000Z',
      '2026-07-02T16:00:00.000Z',
    ]);
  });

  it('stays with one that was corrected after it ran, and gets its earlier name back', async ({
    farm,
  }) => {
    const { id } = await farm.createSchedule({ parcel: 'North block', startTimes: ['18:00'] });
    await farm.wire('update_schedule', { scheduleId: id, label: 'Evening' });
    const [renamed, created] = await changes(farm);
    farm.now += 10 * HOUR;
    const {
      data: [ran],
    } = await farm.wire<{ data: WateringBody[] }>('list_waterings', { to: iso(farm.now) });
    await farm.correct(ran!, { durationMin: 20 });
    expect(advisoriesOf(await undo(farm, renamed!.id), 'begun_waterings_kept')).toEqual([]);
    const kept = ['North 1', 'North 2', 'North 3'].map((probe) => ({ probe }));
    expect(advisoriesOf(await undo(farm, created!.id), 'begun_waterings_kept')).toMatchObject([
      { waterings: kept, count: 3 },
    ]);
    expect(await startsOf(farm)).toEqual(Array(3).fill('2026-07-01T16:00:00.000Z'));
  });
});

describe('a schedule', () => {
  it('comes back with its planned waterings, which the answer counts', async ({ farm }) => {
    await farm.declare('North 1', { system: 'drip', flowMmPerH: 3 });
    const undoneCounts = async () => {
      const { undone } = await farm.wire<UndoAnswer>('undo', { changeId: 'latest' });
      return undone.effects.counts;
    };
    const { id } = await farm.createSchedule({ module: 'North 1', startTimes: ['18:00'] });
    const update = (input: object) => farm.wire('update_schedule', { scheduleId: id, ...input });
    await update({ durationMin: 45 });
    expect(await undoneCounts()).toEqual({ 'schedule changed': 1, 'planned_watering changed': 90 });
    await update({ isActive: false });
    expect(await undoneCounts()).toEqual({ 'schedule changed': 1, 'planned_watering removed': 90 });
    await farm.declare('North 1', { system: 'drip', flowMmPerH: 4 });
    expect(await undoneCounts()).toMatchObject({ 'planned_watering changed': 90 });
    expect(await undoneCounts()).toEqual({
      'schedule added': 1,
      'planned_watering added': 90,
    });
  });

  it('is undone with more planned waterings than one transaction regenerates', async ({ farm }) => {
    const before = await rowsOf(farm);
    const startTimes = Array.from({ length: 12 }, (_, hour) => `${String(hour + 10)}:30`);
    await farm.createSchedule({ parcel: 'North block', startTimes });
    expect(
      ((await rowsOf(farm)) as unknown as { waterings: string[] }).waterings.length,
    ).toBeGreaterThan(3_000);
    await undo(farm);
    expect(await rowsOf(farm)).toEqual(before);
  });
});

describe('a setup', () => {
  it('is undone with the doses of a hundred waterings, which are stored in little space', async ({
    farm,
  }) => {
    for (let day = 1; day <= 100; day++)
      await farm.log('North 1', minutesAt(FARM_NOW - day * DAY, 30));
    const before = await rowsOf(farm);
    await farm.declare('North 1', {
      system: 'drip',
      flowMmPerH: 3,
      effectiveFrom: '2026-01-01T00:00',
    });
    const { length } = await farm.store.readAll(async (all) => {
      const stored = await all
        .selectFrom('changes')
        .select('changed_rows')
        .orderBy('id', 'desc')
        .limit(1)
        .execute();
      return stored[0]!.changed_rows!;
    });
    expect(length).toBeLessThan(20_000);
    const [declared] = await changes(farm);
    expect(declared!.effects.counts).toEqual({ 'installation added': 1, 'watering changed': 100 });
    await undo(farm);
    expect(await rowsOf(farm)).toEqual(before);
  });

  it('is undone with the doses that it completed', async ({ farm }) => {
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    const before = await rowsOf(farm);
    await farm.declare('North 1', {
      system: 'drip',
      flowMmPerH: 3,
      effectiveFrom: '2026-01-01T00:00',
    });
    expect((await farm.waterings())[0]!.waterMm).toBe(1.5);
    await undo(farm);
    expect(await rowsOf(farm)).toEqual(before);
    expect((await farm.waterings())[0]!.waterMm).toBeNull();
  });

  it('can be undone although a watering was logged since under the earlier one', async ({
    farm,
  }) => {
    await farm.declare('North 1', {
      system: 'drip',
      flowMmPerH: 3,
      effectiveFrom: '2026-01-01T00:00',
    });
    await farm.declare('North 1', {
      system: 'drip',
      flowMmPerH: 4,
      effectiveFrom: '2026-06-25T00:00',
    });
    const [second] = await changes(farm);
    farm.now += HOUR;
    await farm.log('North 1', minutesAt(FARM_NOW - 10 * DAY, 30));
    await undo(farm, second!.id);
    expect((await farm.setup('North 1')).installation?.flowMmPerH).toBe(3);
  });
});

describe('list_changes', () => {
  it('says who changed what, when and where, before and after', async ({ farm }) => {
    const { event } = await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    await farm.correct(event, { note: 'by hand' });
    await undo(farm);
    const [undone, correction, logged] = await changes(farm);
    const moduleId = farm.idOf('North 1');
    expect(undone).toMatchObject({
      operation: 'undo',
      surface: 'api',
      undoes: correction!.id,
      undoneBy: null,
    });
    expect(correction).toMatchObject({
      operation: 'correct_watering',
      surface: 'mcp',
      undoneBy: undone!.id,
    });
    expect(correction!.effects.rows).toEqual([
      {
        kind: 'watering',
        id: String(event.id),
        before: { moduleId, startedAt: event.startedAt, note: null },
        after: { moduleId, startedAt: event.startedAt, note: 'by hand' },
      },
    ]);
    expect(logged).toMatchObject({ at: iso(FARM_NOW), userName: 'Ana' });
    expect(logged!.effects.rows[0]).toMatchObject({
      before: null,
      after: { durationMin: 30, startedAt: event.startedAt },
    });
  });

  it('shows flags as true or false and doses as other answers do, without the number of the row', async ({
    farm,
  }) => {
    await farm.declare('North 1', {
      system: 'drip',
      flowMmPerH: 1,
      effectiveFrom: '2026-01-01T00:00',
    });
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 20));
    await farm.wire('create_alert', { moduleId: farm.idOf('North 1'), threshold: 20 });
    const rows = (await changes(farm)).flatMap(({ effects }) => effects.rows);
    expect(rows.find(({ kind }) => kind === 'alert')!.after).toMatchObject({ isActive: true });
    const watering = rows.find(({ kind }) => kind === 'watering')!;
    expect(watering.after).toMatchObject({
      isDetached: false,
      waterMm: 0.333,
      doseFractionWettedIsDefault: true,
    });
    expect(JSON.stringify(rows)).not.toContain('"seq"');
  });

  it('pages', async ({ farm }) => {
    for (const hours of [1, 2, 3])
      await farm.log('North 1', minutesAt(FARM_NOW - hours * HOUR, 30));
    const first = await farm.wire<{ data: ChangeBody[]; next_cursor: string }>('list_changes', {
      limit: 2,
    });
    const rest = await farm.wire<{ data: ChangeBody[] }>('list_changes', {
      limit: 2,
      cursor: first.next_cursor,
    });
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(
      (await changes(farm)).map(({ id }) => id),
    );
  });

  it('filters by probe, with the changes of its parcel', async ({ farm }) => {
    const parcel = farm.idOf('North block');
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    await farm.wire('set_parcel_installation', { parcelId: parcel, system: 'drip', flowMmPerH: 2 });
    for (const hours of [1, 2]) await farm.log('North 2', minutesAt(FARM_NOW - hours * HOUR, 30));
    await farm.createSchedule({ parcel: 'South block' });
    const listed = async (name: string, more = {}) =>
      farm.wire<{ data: ChangeBody[]; next_cursor: string | null }>('list_changes', {
        moduleId: farm.idOf(name),
        ...more,
      });
    const operationsOf = ({ data }: { data: ChangeBody[] }) =>
      data.map(({ operation }) => operation);
    expect(operationsOf(await listed('North 1'))).toEqual([
      'set_parcel_installation',
      'log_watering',
    ]);
    const first = await listed('North 2', { limit: 2 });
    const rest = await listed('North 2', { limit: 2, cursor: first.next_cursor });
    expect([operationsOf(first), operationsOf(rest)]).toEqual([
      ['log_watering', 'log_watering'],
      ['set_parcel_installation'],
    ]);
    expect(rest.next_cursor).toBeNull();
  });

  it('has no entry for a call that changed nothing', async ({ farm }) => {
    await farm.wire('set_parcel', { name: 'Fallow' });
    await farm.declare('North 1', { system: 'drip', flowMmPerH: 3 });
    await farm.wire('generalize_installation', { moduleId: farm.idOf('North 1'), dryRun: true });
    expect((await changes(farm)).map(({ operation }) => operation)).toEqual([
      'set_module_installation',
    ]);
  });

  it('keeps no images of planned waterings', async ({ farm }) => {
    await farm.createSchedule({ parcel: 'North block', startTimes: ['04:00', '12:00', '20:00'] });
    const [created] = await changes(farm);
    expect(created!.effects.counts).toEqual({ 'schedule added': 1 });
  });
});

describe('a write whose change cannot be stored', () => {
  it('is not done, nor is an undo', async ({ farm }) => {
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    const before = await rowsOf(farm);
    await whileInsertsFail(farm.store, 'changes', async () => {
      await expect(farm.log('North 1', minutesAt(FARM_NOW - HOUR, 30))).rejects.toThrow('planted');
      await expect(undo(farm)).rejects.toThrow('planted');
    });
    expect(await rowsOf(farm)).toEqual(before);
    await undo(farm);
    expect(await farm.waterings()).toEqual([]);
  });
});
