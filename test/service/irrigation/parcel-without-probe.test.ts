import { describe, expect } from 'vitest';
import type { BriefBody } from '../../../src/schema/advice/brief.ts';
import type { ReviewBody } from '../../../src/schema/advice/review.ts';
import type {
  ParcelWateringAnswer,
  ParcelWateringBody,
  SingleParcelAnswer,
  WateringBody,
  WateringsOfParcelsBody,
  WateringTotalsBody,
} from '../../../src/schema/irrigation/watering.ts';
import {
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';

const sprinkler = { system: 'sprinkler', flowMmPerH: 6, irrigatedAreaM2: 10_000 };

const PARCEL = 'Fallow';

const log = (farm: TestFarm, fields: object) =>
  farm.tool<ParcelWateringAnswer>('log_watering', { parcel: PARCEL, detail: 'full', ...fields });

const logged = async (farm: TestFarm, fields: object): Promise<ParcelWateringBody> =>
  (await log(farm, fields)).ofParcel!.event;

const correct = (farm: TestFarm, { id }: { id: number }, fields: object) =>
  farm.tool<SingleParcelAnswer>('correct_parcel_watering', {
    eventId: id,
    detail: 'full',
    ...fields,
  });

interface Listed {
  readonly data: readonly WateringBody[];
  readonly ofParcels?: WateringsOfParcelsBody;
  readonly totals: WateringTotalsBody;
}

const list = (farm: TestFarm, fields: object = {}) =>
  farm.wire<Listed>('list_waterings', { ...fields });

const rowsOf = async (farm: TestFarm, fields: object = {}) =>
  (
    await farm.wire<{ data: ParcelWateringBody[] }>('list_parcel_waterings', {
      parcelId: farm.idOf(PARCEL),
      limit: 200,
      ...fields,
    })
  ).data;

const undo = (farm: TestFarm) => farm.tool('undo', {});

/** Puts a probe into the parcel. */
const putProbe = (farm: TestFarm) => farm.tool('set_module', { name: 'Loose', parcel: PARCEL });

describe('a watering of a parcel without a probe', () => {
  it('is one of the parcel, with the dose of its equipment', async ({ farm }) => {
    await farm.declareParcel(PARCEL, sprinkler);
    const answer = await log(farm, minutesAt(FARM_NOW - HOUR, 40, { note: 'valve 3' }));
    expect(answer).toMatchObject({ parcelId: farm.idOf(PARCEL), count: 0, waterings: [] });
    // 40 min at 6 mm/h.
    expect(answer.ofParcel).toMatchObject({
      event: {
        parcelId: farm.idOf(PARCEL),
        waterMm: 4,
        status: 'done',
        source: 'mcp',
        note: 'valve 3',
        configSnapshot: { scope: 'parcel', flowMmPerH: 6 },
      },
      warnings: [],
    });
    expect(answer.ofParcel!.event).not.toHaveProperty('moduleId');
    expect(answer.summary).toContain('on Fallow');
  });

  it('is in no list of events, and listed apart', async ({ farm }) => {
    const other = await farm.log('North 1', minutesAt(FARM_NOW - 2 * HOUR, 30));
    const event = await logged(farm, minutesAt(FARM_NOW - HOUR, 40));
    const { data, ofParcels, totals } = await list(farm);
    expect(data.map(({ id }) => id)).toEqual([other.event.id]);
    expect(ofParcels!.data).toMatchObject([{ id: event.id }]);
    expect(totals).toMatchObject({ done: { waterings: 1 } });
    expect(ofParcels!.totals).toEqual([
      { parcelId: farm.idOf(PARCEL), waterings: 1, done: 1, withoutDose: 1, waterMm: null },
    ]);
    expect(await list(farm, { moduleId: farm.idOf('North 1') })).not.toHaveProperty('ofParcels');
    const { summary } = await farm.tool('list_waterings', { parcel: PARCEL });
    expect(summary).toContain('1 watering of a parcel without a probe: today 11:00');
  });

  it('has an id that no event has, by which the specified correction finds nothing', async ({
    farm,
  }) => {
    const event = await logged(farm, minutesAt(FARM_NOW - HOUR, 40));
    const other = await farm.log('North 1', minutesAt(FARM_NOW - 2 * HOUR, 30));
    expect(other.event.id).not.toBe(event.id);
    const entry = minutesAt(FARM_NOW - HOUR, 50);
    await expect(
      farm.wire('correct_watering', { eventId: event.id, ...entry }),
    ).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND', status: 404 });
    await expect(
      farm.wire('correct_parcel_watering', { eventId: other.event.id, ...entry }),
    ).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND', status: 404 });
  });

  it('is corrected, cancelled and taken back like any other', async ({ farm }) => {
    await farm.declareParcel(PARCEL, sprinkler);
    const event = await logged(farm, minutesAt(FARM_NOW - HOUR, 40));
    const corrected = await correct(farm, event, { durationMin: 60 });
    expect(corrected.event).toMatchObject({ durationMin: 60, waterMm: 6, status: 'done' });
    expect(corrected.summary).toContain('The watering on Fallow');
    await undo(farm);
    expect(await rowsOf(farm)).toMatchObject([{ durationMin: 40, waterMm: 4 }]);
    const cancelled = await correct(farm, event, { status: 'skipped' });
    expect(cancelled.event.status).toBe('skipped');
  });

  it('is gone once its log is undone', async ({ farm }) => {
    await logged(farm, minutesAt(FARM_NOW - HOUR, 40));
    const { summary } = await undo(farm);
    expect(summary).toContain('watering');
    expect(await rowsOf(farm)).toEqual([]);
  });

  it('keeps its dose when equipment changes, and gets one that was missing', async ({ farm }) => {
    const event = await logged(farm, minutesAt(FARM_NOW - HOUR, 40));
    expect(event.waterMm).toBeNull();
    const declared = await farm.declareParcel(PARCEL, sprinkler);
    expect(advisoriesOf(declared, 'doses_completed')).toMatchObject([{ count: 1 }]);
    expect(await rowsOf(farm)).toMatchObject([{ waterMm: 4 }]);

    await farm.declareParcel(PARCEL, { ...sprinkler, flowMmPerH: 12, effectiveFrom: iso(0 + DAY) });
    expect(await rowsOf(farm)).toMatchObject([{ waterMm: 4 }]);
  });

  it('loses the completed dose with the equipment', async ({ farm }) => {
    await logged(farm, minutesAt(FARM_NOW - HOUR, 40));
    await farm.declareParcel(PARCEL, sprinkler);
    await undo(farm);
    expect(await rowsOf(farm)).toMatchObject([{ waterMm: null, configSnapshot: null }]);
  });

  it('spreads a volume over the area of the equipment, else of the parcel', async ({ farm }) => {
    await farm.declareParcel(PARCEL, { system: 'sprinkler', flowMmPerH: 6 });
    const volume = { inputMode: 'volume_m3', inputVolumeM3: 80, startedAt: iso(FARM_NOW - HOUR) };
    expect((await logged(farm, volume)).waterMm).toBeNull();
    await farm.tool('set_parcel', { name: PARCEL, areaM2: 20_000 });
    // 80,000 L on 20,000 m2.
    const later = { ...volume, startedAt: iso(FARM_NOW - 3 * HOUR) };
    expect((await logged(farm, later)).waterMm).toBe(4);
  });

  it('gets its dose from the area of the parcel that is set later, and loses it with that', async ({
    farm,
  }) => {
    await farm.declareParcel(PARCEL, { system: 'sprinkler', flowMmPerH: 6 });
    const volume = { inputMode: 'volume_m3', inputVolumeM3: 80, startedAt: iso(FARM_NOW - HOUR) };
    await logged(farm, volume);
    await farm.createSchedule({
      parcel: PARCEL,
      startTimes: ['06:00'],
      inputMode: 'volume_m3',
      inputVolumeM3: 40,
      durationMin: undefined,
      endsOn: '2026-07-02',
    });
    const doses = async () => (await rowsOf(farm)).map(({ waterMm }) => waterMm);
    expect(await doses()).toEqual([null, null]);

    const answer = await farm.tool('set_parcel', { name: PARCEL, areaM2: 20_000 });
    expect(advisoriesOf(answer, 'doses_completed')).toMatchObject([{ count: 1 }]);
    expect(advisoriesOf(answer, 'planned_doses_updated')).toMatchObject([{ count: 1 }]);
    expect(answer.summary).toContain('1 missing dose was completed.');
    // 80,000 and 40,000 L on 20,000 m2; the planned one is the newest.
    expect(await doses()).toEqual([2, 4]);

    const larger = await farm.tool('set_parcel', { name: PARCEL, areaM2: 40_000 });
    expect(advisoriesOf(larger, 'recorded_doses_unchanged')).toMatchObject([{ count: 1 }]);
    expect(await doses()).toEqual([1, 4]);
    await undo(farm);
    await undo(farm);
    expect(await doses()).toEqual([null, null]);
  });

  it('that overlaps another one is written, and said', async ({ farm }) => {
    const first = await logged(farm, minutesAt(FARM_NOW - 3 * HOUR, 100));
    const again = await log(farm, minutesAt(FARM_NOW - 2 * HOUR, 40));
    expect(advisoriesOf(again, 'overlapping_watering')).toMatchObject([
      { other: { id: first.id }, probe: PARCEL, others: 0 },
    ]);
    const apart = await log(farm, minutesAt(FARM_NOW - HOUR, 40));
    expect(advisoriesOf(apart, 'overlapping_watering')).toEqual([]);
  });

  it('is said beside what is logged on a probe that was put in later', async ({ farm }) => {
    const ofParcel = await logged(farm, minutesAt(FARM_NOW - 3 * HOUR, 100));
    await putProbe(farm);
    const other = [{ other: { id: ofParcel.id }, probe: PARCEL, others: 0 }];
    for (const target of [{ module: 'Loose' }, { parcel: PARCEL }]) {
      const entry = { ...target, ...minutesAt(FARM_NOW - 2 * HOUR, 30) };
      const again = await farm.tool('log_watering', entry);
      expect(advisoriesOf(again, 'overlapping_watering')).toMatchObject(other);
      await undo(farm);
    }
    const { event: apart } = await farm.log('Loose', minutesAt(FARM_NOW - HOUR, 10));
    const moved = (id: number) => ({ eventId: id, startedAt: iso(FARM_NOW - 2 * HOUR) });
    const onProbe = await farm.tool('correct_watering', moved(apart.id));
    expect(advisoriesOf(onProbe, 'overlapping_watering')).toMatchObject(other);
    const ofRow = await correct(farm, ofParcel, { note: 'valve 3', durationMin: 90 });
    expect(advisoriesOf(ofRow, 'overlapping_watering')).toMatchObject([
      { other: { id: apart.id }, probe: 'Loose', others: 0 },
    ]);
  });

  it('gets a missing dose with those of a probe that was put in later', async ({ farm }) => {
    const volume = { inputMode: 'volume_m3', inputVolumeM3: 80, startedAt: iso(FARM_NOW - HOUR) };
    await farm.declareParcel(PARCEL, { system: 'sprinkler', flowMmPerH: 6 });
    await logged(farm, volume);
    await putProbe(farm);
    const parcelId = farm.idOf(PARCEL);
    // A farm file stores an area and leaves the doses as they are.
    await farm.write((db) =>
      db.updateTable('parcels').set({ area_m2: 20_000 }).where('id', '=', parcelId).execute(),
    );
    const recomputed = await farm.tool('recompute_doses', { module: 'Loose' });
    expect(recomputed).toMatchObject({ completed: 1 });
    expect(await rowsOf(farm)).toMatchObject([{ waterMm: 4 }]);
  });

  it('is in the review of a probe that was put in later, which no reading can show', async ({
    farm,
  }) => {
    await farm.declareParcel(PARCEL, sprinkler);
    const event = await logged(farm, minutesAt(FARM_NOW - DAY, 40));
    await putProbe(farm);
    await farm.log('Loose', minutesAt(FARM_NOW - 3 * HOUR, 20));
    const { waterings, summary } = await farm.tool<ReviewBody>('review_waterings', {
      module: 'Loose',
    });
    expect(waterings).toMatchObject([
      { waterMm: 2, response: 'no_data' },
      { eventId: event.id, waterMm: 4, response: 'no_data', witness: 'confirmed' },
    ]);
    expect(summary).toContain('2 waterings');
  });

  it('is previewed', async ({ farm }) => {
    await farm.declareParcel(PARCEL, sprinkler);
    const preview = await farm.wire('preview_watering', {
      parcelId: farm.idOf(PARCEL),
      ...minutesAt(FARM_NOW - HOUR, 40),
    });
    expect(preview).toMatchObject({ waterings: [{ waterMm: 4 }] });
    expect(await rowsOf(farm)).toEqual([]);
  });

  it('is listed page by page, newest first', async ({ farm }) => {
    for (const hours of [1, 2, 3]) await logged(farm, minutesAt(FARM_NOW - hours * HOUR, 10));
    const pages = [];
    let cursor: string | undefined;
    do {
      const page: { data: ParcelWateringBody[]; next_cursor: string | null } = await farm.wire(
        'list_parcel_waterings',
        { limit: 2, cursor },
      );
      pages.push(page.data.map(({ startedAt }) => startedAt));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages).toEqual([
      [iso(FARM_NOW - HOUR), iso(FARM_NOW - 2 * HOUR)],
      [iso(FARM_NOW - 3 * HOUR)],
    ]);
  });
});

describe('a schedule of a parcel without a probe', () => {
  const daily = { parcel: PARCEL, startTimes: ['06:00'] };

  it('plans waterings of the parcel, with doses', async ({ farm }) => {
    await farm.declareParcel(PARCEL, sprinkler);
    const schedule = await farm.createSchedule({ ...daily, endsOn: '2026-07-04' });
    expect(schedule.summary).toContain('3 waterings planned');
    // 30 min at 6 mm/h.
    expect(await rowsOf(farm, { scheduleId: schedule.id })).toMatchObject(
      Array(3).fill({ waterMm: 3, status: 'planned', source: 'schedule' }),
    );
    expect(await farm.occurrences(schedule)).toEqual([]);
  });

  it('counts them as done once they have begun, and plans on', async ({ farm }) => {
    const schedule = await farm.createSchedule(daily);
    const before = await rowsOf(farm, { status: 'planned' });
    farm.now += 2 * DAY;
    await farm.tick();
    const done = await rowsOf(farm, { status: 'done' });
    expect(done).toMatchObject(Array(2).fill({ scheduleId: schedule.id, verifiedAt: null }));
    expect(await rowsOf(farm, { status: 'planned' })).toHaveLength(before.length);
  });

  it('counts them as done for a reader that comes before the jobs', async ({ farm }) => {
    await farm.createSchedule(daily);
    farm.now += DAY;
    expect(await rowsOf(farm, { status: 'done' })).toHaveLength(1);
  });

  it('waits for confirmation where that is its policy', async ({ farm }) => {
    await farm.createSchedule({ ...daily, confirmationPolicy: 'manual' });
    farm.now += DAY;
    await farm.tick();
    const [begun] = await rowsOf(farm, { to: iso(farm.now) });
    expect(begun).toMatchObject({ status: 'planned' });
    const confirmed = await correct(farm, begun!, { status: 'done' });
    expect(confirmed.event).toMatchObject({ status: 'done', verifiedAt: iso(farm.now) });
  });

  it('has the morning brief ask whether it ran, until somebody says so', async ({ farm }) => {
    await farm.createSchedule({ ...daily, confirmationPolicy: 'manual' });
    farm.now += DAY;
    await farm.tick();
    const brief = () => farm.tool<BriefBody>('morning_brief', {});
    const asked = await brief();
    const [begun] = await rowsOf(farm, { to: iso(farm.now) });
    expect(asked.toConfirm).toEqual([
      {
        eventId: begun!.id,
        moduleId: null,
        parcelId: farm.idOf(PARCEL),
        name: PARCEL,
        startedAt: begun!.startedAt,
      },
    ]);
    expect(asked.summary).toContain('Did the watering planned on Fallow today 06:00 run?');
    expect(asked.schedule).toMatchObject([{ name: PARCEL }, { name: PARCEL }]);
    await correct(farm, begun!, { status: 'done' });
    expect((await brief()).toConfirm).toEqual([]);
  });

  it('that confirms itself is not asked about', async ({ farm }) => {
    await farm.createSchedule(daily);
    farm.now += DAY;
    const { toConfirm, schedule } = await farm.tool<BriefBody>('morning_brief', {});
    expect(toConfirm).toEqual([]);
    expect(schedule).toMatchObject([{ name: PARCEL }, { name: PARCEL }]);
  });

  it('leaves one that was moved by hand, and moves the others', async ({ farm }) => {
    const schedule = await farm.createSchedule({ ...daily, endsOn: '2026-07-04' });
    const [last] = await rowsOf(farm);
    await correct(farm, last!, { startedAt: iso(Date.parse(last!.startedAt) + HOUR) });
    await farm.updateSchedule(schedule, { startTimes: ['05:00'] });
    const starts = (await rowsOf(farm)).map(({ startedAt, isDetached }) => [startedAt, isDetached]);
    expect(starts).toEqual([
      ['2026-07-04T05:00:00.000Z', true],
      ['2026-07-03T03:00:00.000Z', false],
      ['2026-07-02T03:00:00.000Z', false],
    ]);
  });

  it('gives planned ones the dose of changed equipment', async ({ farm }) => {
    await farm.createSchedule({ ...daily, endsOn: '2026-07-03' });
    const declared = await farm.declareParcel(PARCEL, sprinkler);
    expect(advisoriesOf(declared, 'planned_doses_updated')).toMatchObject([{ count: 2 }]);
    expect(await rowsOf(farm)).toMatchObject([{ waterMm: 3 }, { waterMm: 3 }]);
    await undo(farm);
    expect(await rowsOf(farm)).toMatchObject([{ waterMm: null }, { waterMm: null }]);
  });

  it('takes its waterings back with it', async ({ farm }) => {
    await farm.createSchedule(daily);
    await undo(farm);
    expect(await rowsOf(farm)).toEqual([]);
  });

  it('keeps what has begun when it is undone', async ({ farm }) => {
    await farm.createSchedule(daily);
    farm.now += DAY;
    const undone = await undo(farm);
    expect(advisoriesOf(undone, 'begun_waterings_kept')).toMatchObject([
      { count: 1, waterings: [{ probe: PARCEL }], isScheduleKept: true },
    ]);
    expect(await rowsOf(farm)).toMatchObject([{ status: 'done' }]);
  });

  it('plans on the probe that is put in, and on the parcel again once it leaves', async ({
    farm,
  }) => {
    const schedule = await farm.createSchedule({ ...daily, endsOn: '2026-07-04' });
    farm.now += DAY;
    await putProbe(farm);
    expect(await rowsOf(farm)).toMatchObject([{ status: 'done' }]);
    const onProbe = await farm.occurrences(schedule);
    expect(onProbe).toMatchObject(Array(2).fill({ moduleId: farm.idOf('Loose') }));

    await farm.tool('set_module', { name: 'Loose', parcel: 'South block' });
    expect(await farm.occurrences(schedule)).toEqual([]);
    expect(await rowsOf(farm)).toHaveLength(3);
  });
});
