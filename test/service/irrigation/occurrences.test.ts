import { describe, expect } from 'vitest';
import type { InstallationVersionBody } from '../../../src/schema/irrigation/installation.ts';
import type { WateringBody } from '../../../src/schema/irrigation/watering.ts';
import {
  type Advised,
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';

/** Three planned waterings, on 2, 3 and 4 July at 06:00 in Paris, 04:00Z. */
const THREE_WATERINGS = { module: 'North 1', endsOn: '2026-07-04' };
const sprinkler = { system: 'sprinkler', flowMmPerH: 6 };
const SECOND_START = Date.UTC(2026, 6, 3, 4);

const describeRows = (rows: readonly WateringBody[]): string[] =>
  rows.map(
    ({ startedAt, status, isDetached }) =>
      `${startedAt.slice(8, 16)} ${status}${isDetached ? '*' : ''}`,
  );
const doses = async (farm: TestFarm, schedule?: { id: number }) =>
  (await farm.occurrences(schedule)).map(({ waterMm }) => waterMm);

describe('an occurrence', () => {
  it('becomes detached by a correction, and keeps its schedule and source', async ({ farm }) => {
    const schedule = await farm.createSchedule(THREE_WATERINGS);
    const [row] = await farm.occurrences(schedule);
    const { event } = await farm.correct(row!, { durationMin: 20, note: 'windy' });
    expect(event).toMatchObject({
      id: row!.id,
      scheduleId: schedule.id,
      isDetached: true,
      durationMin: 20,
      note: 'windy',
      status: 'planned',
      source: 'schedule',
    });
  });

  it('becomes detached by a correction without changes', async ({ farm }) => {
    const [row] = await farm.occurrences(await farm.createSchedule(THREE_WATERINGS));
    expect((await farm.correct(row!, {})).event).toEqual({ ...row!, isDetached: true });
  });

  it('is confirmed by a correction to done once it has started, with the time', async ({
    farm,
  }) => {
    const schedule = await farm.createSchedule({
      ...THREE_WATERINGS,
      confirmationPolicy: 'manual',
    });
    farm.now = SECOND_START + HOUR;
    await farm.tick();
    const [first, second] = await farm.occurrences(schedule);
    expect([first!.status, second!.status]).toEqual(['planned', 'planned']);
    const { event } = await farm.correct(first!, { status: 'done' });
    expect(event).toEqual({
      ...first,
      status: 'done',
      verifiedAt: iso(farm.now),
      isDetached: true,
    });
    await expect(
      farm.correct((await farm.occurrences(schedule))[2]!, { status: 'done' }),
    ).rejects.toMatchObject({
      code: 'INVALID_STATUS',
    });
  });

  it('that is done automatically is confirmed by a correction to done', async ({ farm }) => {
    const schedule = await farm.createSchedule(THREE_WATERINGS);
    farm.now = SECOND_START;
    await farm.tick();
    const [first] = await farm.occurrences(schedule);
    expect(first).toMatchObject({ status: 'done', verifiedAt: null });
    expect((await farm.correct(first!, { status: 'done' })).event).toMatchObject({
      verifiedAt: iso(farm.now),
    });
  });

  it('that was corrected is not done automatically', async ({ farm }) => {
    const schedule = await farm.createSchedule(THREE_WATERINGS);
    await farm.correct((await farm.occurrences(schedule))[0]!, { durationMin: 20 });
    farm.now = SECOND_START;
    await farm.tick();
    expect(describeRows(await farm.occurrences(schedule))).toEqual([
      '02T04:00 planned*',
      '03T04:00 done',
      '04T04:00 planned',
    ]);
  });

  it('that is over is corrected as done, before or after housekeeping', async ({ farm }) => {
    const schedule = await farm.createSchedule(THREE_WATERINGS);
    const [first, second] = await farm.occurrences(schedule);
    farm.now = SECOND_START;
    const late = (await farm.correct(first!, { durationMin: 20 })).event;
    await farm.tick();
    const stored = (await farm.correct(second!, { durationMin: 20 })).event;
    for (const event of [late, stored])
      expect(event).toMatchObject({ status: 'done', verifiedAt: iso(farm.now), durationMin: 20 });
  });

  it('of a manual schedule stays planned when it is corrected', async ({ farm }) => {
    const schedule = await farm.createSchedule({
      ...THREE_WATERINGS,
      confirmationPolicy: 'manual',
    });
    farm.now = SECOND_START;
    const [first] = await farm.occurrences(schedule);
    expect((await farm.correct(first!, { durationMin: 20 })).event.status).toBe('planned');
  });
});

describe('list_waterings', () => {
  it('lists the occurrences of one schedule, and counts them by status', async ({ farm }) => {
    const schedule = await farm.createSchedule(THREE_WATERINGS);
    await farm.createSchedule(THREE_WATERINGS);
    await farm.correct((await farm.occurrences(schedule))[2]!, { status: 'skipped' });
    farm.now = SECOND_START - HOUR;
    await farm.tick();
    const page = await farm.tool<{ data: WateringBody[] }>('list_waterings', {
      scheduleId: schedule.id,
      from: '2026-07-01',
      detail: 'full',
    });
    expect(describeRows(page.data)).toEqual([
      '02T04:00 done',
      '03T04:00 planned',
      '04T04:00 skipped*',
    ]);
    const [{ counts } = { counts: [] }] = advisoriesOf(page, 'waterings_by_status');
    expect(counts.map(({ status, count }) => `${count} ${status}`)).toEqual([
      '1 done',
      '1 planned',
      '1 skipped',
    ]);
  });
});

describe('the doses of planned waterings', () => {
  const updatedDoses = (answer: Advised) =>
    advisoriesOf(answer, 'planned_doses_updated').map(({ count }) => count);

  /** Waterings of 30 min on 2, 3 and 4 July, the first one past: 3 mm each at 6 mm/h. */
  const startedSchedule = async (farm: TestFarm, target: object = { module: 'North 1' }) => {
    const schedule = await farm.createSchedule({
      ...THREE_WATERINGS,
      module: undefined,
      ...target,
    });
    farm.now = Date.UTC(2026, 6, 2, 10);
    return schedule;
  };

  it('change with a new version, and past ones do not', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await startedSchedule(farm);
    const before = await farm.occurrences(schedule);
    const declared = await farm.declare('North 1', { ...sprinkler, flowMmPerH: 8 });
    const { versions } = declared;
    expect(updatedDoses(declared)).toEqual([2]);
    const after = await farm.occurrences(schedule);
    // Half an hour at 8 mm/h.
    expect(after.map(({ waterMm }) => waterMm)).toEqual([3, 4, 4]);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[0]).toEqual({ ...before[0], status: 'done' });
    expect(after[1]!.configSnapshot).toMatchObject({
      installationId: versions[0]!.id,
      computedAt: iso(farm.now),
    });
  });

  it('change only from now on, however long ago housekeeping ran', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await farm.createSchedule({ module: 'North 1' });
    farm.now = FARM_NOW + 100 * DAY;
    await farm.declare('North 1', { ...sprinkler, flowMmPerH: 8 });
    const rows = await farm.occurrences(schedule);
    const over = rows.filter(({ startedAt }) => Date.parse(startedAt) <= farm.now);
    // Past: 2 July to 9 October; planned: the 90 days after.
    expect(over.map(({ status, waterMm }) => `${status} ${waterMm}`)).toEqual(
      Array(100).fill('done 3'),
    );
    expect(new Set(rows.slice(100).map(({ status, waterMm }) => `${status} ${waterMm}`))).toEqual(
      new Set(['planned 4']),
    );
  });

  it('change with a setup of the parcel on probes without their own', async ({ farm }) => {
    await farm.declareParcel('North block', sprinkler);
    await farm.declare('North 2', sprinkler);
    const schedule = await startedSchedule(farm, { parcel: 'North block' });
    await farm.declareParcel('North block', { ...sprinkler, flowMmPerH: 8 });
    expect(await doses(farm, schedule)).toEqual([3, 3, 3, 4, 3, 4, 4, 3, 4]);
  });

  it('change with a corrected version, which counts them', async ({ farm }) => {
    const { versions } = await farm.declare('North 1', sprinkler);
    const schedule = await startedSchedule(farm);
    const corrected = await farm.correctVersion(versions[0] as InstallationVersionBody, {
      flowMmPerH: 8,
    });
    expect(await doses(farm, schedule)).toEqual([3, 4, 4]);
    expect(updatedDoses(corrected)).toEqual([2]);
    expect(advisoriesOf(corrected, 'recorded_doses_unchanged')).toMatchObject([{ count: 1 }]);
  });

  it('change with a generalized setup', async ({ farm }) => {
    await farm.declareParcel('North block', sprinkler);
    await farm.declare('North 1', { ...sprinkler, flowMmPerH: 8 });
    const schedule = await startedSchedule(farm, { module: 'North 3' });
    await farm.tool('generalize_installation', { module: 'North 1' });
    expect(await doses(farm, schedule)).toEqual([3, 4, 4]);
  });

  it('do not change on waterings that were corrected or logged', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await startedSchedule(farm);
    await farm.correct((await farm.occurrences(schedule))[1]!, { durationMin: 60 });
    const { event } = await farm.log('North 1', minutesAt(farm.now + DAY, 30));
    await farm.declare('North 1', { ...sprinkler, flowMmPerH: 8 });
    expect(await doses(farm, schedule)).toEqual([3, 6, 4]);
    expect(await farm.watering(event.id)).toEqual(event);
  });

  it('are completed if they were missing, past ones too', async ({ farm }) => {
    const schedule = await startedSchedule(farm);
    const declared = await farm.declare('North 1', sprinkler);
    expect(await doses(farm, schedule)).toEqual([3, 3, 3]);
    expect(advisoriesOf(declared, 'doses_completed')).toMatchObject([{ count: 1 }]);
    expect(updatedDoses(declared)).toEqual([2]);
  });

  it('are not counted as having a dose where the equipment gives none', async ({ farm }) => {
    // A volume needs the irrigated area.
    await farm.createSchedule({ ...THREE_WATERINGS, inputMode: 'volume_m3', inputVolumeM3: 30 });
    const declared = await farm.declare('North 1', sprinkler);
    expect(await doses(farm)).toEqual([null, null, null]);
    expect(updatedDoses(declared)).toEqual([]);
  });

  it('are counted if they change, with those that are added at the horizon', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await farm.createSchedule({ module: 'North 1' });
    farm.now += 5 * DAY;
    const declared = await farm.declare('North 1', { ...sprinkler, notes: 'the same again' });
    const ahead = (await farm.occurrences(schedule)).filter(({ status }) => status === 'planned');
    // 85 of the 90 days that were planned, and the 5 days after them.
    expect(ahead).toHaveLength(90);
    expect(updatedDoses(declared)).toEqual([90]);
    expect(updatedDoses(await farm.declare('South 1', sprinkler))).toEqual([]);
  });
});

describe('a farm file', () => {
  const endsOn = '2026-07-03';
  const planned = async (farm: TestFarm, schedule: { id: number }, module: string) =>
    (await farm.occurrences(schedule)).filter(({ moduleId }) => moduleId === farm.idOf(module))
      .length;

  it('that moves a probe to another parcel moves its planned waterings', async ({ farm }) => {
    await farm.declareParcel('North block', sprinkler);
    await farm.declareParcel('South block', { ...sprinkler, flowMmPerH: 8 });
    const north = await farm.createSchedule({ parcel: 'North block', endsOn });
    const south = await farm.createSchedule({ parcel: 'South block', endsOn });
    const own = await farm.createSchedule({ module: 'North 3', endsOn });
    farm.now = Date.UTC(2026, 6, 2, 10);
    await farm.importFile({
      modules: [{ uid: 'North 3', category: 'SOIL_PROBE', parcel: 'South block' }],
    });
    // Its watering of the 2nd stays with the old parcel; that of the 3rd belongs to the new one.
    expect([await planned(farm, north, 'North 3'), await planned(farm, south, 'North 3')]).toEqual([
      1, 1,
    ]);
    expect([await planned(farm, north, 'North 1'), await planned(farm, south, 'South 1')]).toEqual([
      2, 2,
    ]);
    expect(await doses(farm, own)).toEqual([3, 4]);
  });

  it('that adds a probe to a parcel plans its waterings from now on', async ({ farm }) => {
    const schedule = await farm.createSchedule({ parcel: 'Fallow', endsOn: '2026-07-04' });
    farm.now = Date.UTC(2026, 6, 2, 10);
    const { plans } = await farm.importFile({
      modules: [{ uid: 'F1', name: 'Fallow 1', category: 'SOIL_PROBE', parcel: 'Fallow' }],
    });
    // Those of the parcel itself, until now without a probe, give way to them.
    expect(plans).toEqual({ added: 2, changed: 0, removed: 2 });
    expect(describeRows(await farm.occurrences(schedule))).toEqual([
      '03T04:00 planned',
      '04T04:00 planned',
    ]);
  });

  it('that changes equipment after months without housekeeping changes no past dose', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', sprinkler);
    const schedule = await farm.createSchedule({ module: 'North 1', endsOn: '2026-10-10' });
    farm.now = FARM_NOW + 100 * DAY;
    await farm.importFile({
      parcels: [{ name: 'North block', installation: { ...sprinkler, flowMmPerH: 8 } }],
    });
    // 2 July to 9 October at 6 mm/h, the last day at 8.
    expect(await doses(farm, schedule)).toEqual([...Array(100).fill(3), 4]);
  });

  it('that is imported again changes nothing', async ({ farm }) => {
    const file = {
      parcels: [{ name: 'South block', installation: sprinkler }],
      modules: [{ uid: 'North 3', category: 'SOIL_PROBE', parcel: 'South block' }],
    };
    await farm.createSchedule({ parcel: 'North block' });
    await farm.createSchedule({ parcel: 'South block' });
    await farm.importFile(file);
    expect(await farm.isWrittenBy(() => farm.importFile(file))).toBe(false);
  });
});
