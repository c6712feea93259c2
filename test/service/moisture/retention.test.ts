import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { LocalDay } from '../../../src/domain/local-day.ts';
import { dayOfAge, parseReadingAge } from '../../../src/domain/moisture/reading-retention.ts';
import type { MoistureSeriesBody } from '../../../src/schema/moisture/series.ts';
import { exportFolder } from '../../../src/service/farm/folder/folder-export.ts';
import { importFolder } from '../../../src/service/farm/folder/folder-import.ts';
import { importReadings } from '../../../src/service/ingest/readings-import.ts';
import { countOldReadings, deleteOldReadings } from '../../../src/service/moisture/retention.ts';
import { companyById, updateCompany } from '../../../src/store/company/companies.ts';
import { advanceLocalDays } from '../../../src/store/moisture/local-days.ts';
import { readingRetention } from '../../../src/store/moisture/reading-retention.ts';
import {
  advisoriesOf,
  companyIn,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  type TestFarm,
  withFarm,
} from '../../farm.ts';
import { propertyRuns } from '../../property-runs.ts';
import { recordRows, storedReadings, storedSums } from '../../store/stored-readings.ts';
import { withSecondStore } from '../../stores/stores.ts';
import { newFolder, newStorePlace } from '../../temporary-places.ts';
import { installProbe, instantsEvery } from './probe-farm.ts';

const AGE = { count: 1, unit: 'y' } as const;
/** A year before the farm's clock. */
const BOUND_DAY = '2025-07-01';

const noMonitor = { onReadings: () => undefined, signal: new AbortController().signal };

const noFolderMonitor = {
  onRows: () => undefined,
  onBytes: () => undefined,
  onStep: () => undefined,
  signal: new AbortController().signal,
};

const masRouge = async (farm: TestFarm) =>
  (await farm.store.readAll((all) => companyById(all, 1)))!;

const retain = async (farm: TestFarm) =>
  deleteOldReadings(
    farm.store,
    await masRouge(farm),
    { age: AGE, now: farm.now, machineNow: farm.now },
    noMonitor,
  );

async function moveTo(farm: TestFarm, timezone: string): Promise<void> {
  await farm.store.writeAll((all) => updateCompany(all, 1, { timezone }));
  while (!(await farm.write((db) => advanceLocalDays(db, timezone))));
}

const singleReadings = (farm: TestFarm) => farm.store.read(1, storedReadings);

const WHOLE_HOUR_ZONES = ['Europe/Paris', 'America/Santiago', 'Pacific/Apia'];
const ZONES = [...WHOLE_HOUR_ZONES, 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Adelaide'];

/** Readings at one interval, with gaps of hours, around the bound. */
const someReadings = fc.record({
  stepMin: fc.constantFrom(5, 15, 20, 30, 60),
  phaseMs: fc.integer({ min: 0, max: 299_999 }),
  gaps: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 3 }),
  values: fc.array(fc.double({ min: 0, max: 55, noNaN: true }), { minLength: 3, maxLength: 40 }),
});

const FIRST = Date.parse('2025-06-22T00:00:00Z');
const LAST = Date.parse('2025-07-06T00:00:00Z');

type SomeReadings = typeof someReadings extends fc.Arbitrary<infer T> ? T : never;

function readingsOf({ stepMin, phaseMs, gaps, values }: SomeReadings) {
  const isInGap = (at: number): boolean =>
    gaps.some((hour) => at >= FIRST + hour * HOUR && at < FIRST + (hour + 9) * HOUR);
  return instantsEvery(stepMin * MINUTE, FIRST + phaseMs, LAST)
    .filter((at) => !isInGap(at))
    .map((at, index): [number, number] => [at, values[index % values.length]!]);
}

const someCalibration = fc.constantFrom(
  [],
  [{ depth: 10, read: 20, true: 24 }],
  [{ depth: 10, read: 20, true: 24, from: '2025-06-25T06:00:00Z' }],
);

type Query = Record<string, unknown>;

/** Answers that need no single readings. */
function queriesIn(zone: string): Query[] {
  const utc = { start: iso(FIRST), end: iso(LAST), depths: true, align: 'utc' };
  const startIn = (day: string) => iso(LocalDay.parse(day).startIn(zone));
  const local = {
    start: startIn('2025-06-23'),
    end: startIn('2025-07-05'),
    depths: true,
    align: 'local',
  };
  const past = { ...local, end: startIn('2025-06-29') };
  const hourly = WHOLE_HOUR_ZONES.includes(zone)
    ? [
        { ...local, interval: 3_600 },
        { ...past, interval: 21_600 },
      ]
    : [];
  return [
    ...[3_600, 10_800, 86_400, 604_800].map((interval) => ({ ...utc, interval })),
    { ...utc, end: '2025-06-27T11:00:00Z', interval: 7_200 },
    { ...local, interval: 86_400 },
    { ...past, interval: 86_400 },
    ...hourly,
  ];
}

async function answersOf(farm: TestFarm, moduleId: number, zone: string) {
  const answers: Partial<MoistureSeriesBody>[] = [];
  for (const query of queriesIn(zone))
    answers.push(await farm.wire('get_moisture_series', { moduleId, ...query }));
  answers.push(await farm.wire('list_waterings', { from: iso(FIRST), to: iso(LAST), limit: 50 }));
  return answers;
}

describe('single readings that are no longer kept', () => {
  it('leave every answer of hours and days as it was, to the last digit', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ZONES),
        fc.tuple(someReadings, someReadings),
        someCalibration,
        (zone, [upper, lower], calibration) =>
          withFarm(async (farm) => {
            await moveTo(farm, zone);
            const oak = await installProbe(farm, { parcel: 'North block' });
            await oak.record(0, readingsOf(upper));
            await oak.record(1, readingsOf(lower));
            await oak.recordAll([FARM_NOW - HOUR], 20);
            if (calibration.length > 0)
              await farm.wire('set_probe_settings', {
                moduleId: oak.id,
                calibration: calibration.map(({ depth, ...point }) => ({
                  depthCm: depth,
                  readPercent: point.read,
                  truePercent: point.true,
                  from: 'from' in point ? point.from : undefined,
                })),
              });
            for (const day of ['2025-06-24', '2025-06-28', '2025-07-03'])
              await farm.log('Oak', {
                startedAt: `${day}T06:00:00Z`,
                inputMode: 'depth_mm',
                inputDepthMm: 12,
              });

            const before = await answersOf(farm, oak.id, zone);
            const count = (await singleReadings(farm)).length;
            const planned = await countOldReadings(
              farm.store,
              await masRouge(farm),
              { age: AGE, now: farm.now, machineNow: farm.now },
              noMonitor,
            );
            const done = await retain(farm);
            expect(done.keptFrom.iso).toBe(BOUND_DAY);
            const left = await singleReadings(farm);
            expect(left.length).toBe(count - done.readings);
            expect(planned.readings - done.readings).toBeLessThanOrEqual(60);
            expect(done.readings).toBeGreaterThan(0);

            // A calibration divides a day that begins within an hour: its parts were single readings.
            const divides = calibration.some((point) => 'from' in point);
            const isExact = !divides || WHOLE_HOUR_ZONES.includes(zone);
            const after = await answersOf(farm, oak.id, zone);
            for (const [index, answer] of after.entries())
              if (isExact || answer.hoursBefore === undefined)
                expect(JSON.stringify(answer)).toBe(JSON.stringify(before[index]));
            expect(await retain(farm)).toMatchObject({ readings: 0 });
          }),
      ),
      { numRuns: propertyRuns(60) },
    ));

  it('follow from hours in an export, which gives the same answers where it is imported', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...ZONES), someReadings, (zone, readings) =>
        withFarm(async (farm) => {
          await moveTo(farm, zone);
          const oak = await installProbe(farm, { parcel: 'North block' });
          await oak.record(0, readingsOf(readings));
          await oak.recordAll([FARM_NOW - HOUR], 20);
          await retain(farm);
          const before = await answersOf(farm, oak.id, zone);
          const raw = { moduleId: oak.id, start: iso(FIRST), end: iso(LAST), interval: 900 };
          const quarters = await farm.wire('get_moisture_series', raw);

          const folder = join(await newFolder(), 'farm');
          const request = { folder, now: farm.now, program: '1.2.3', monitor: noFolderMonitor };
          await exportFolder(farm.store, { id: 1 }, request);
          const target = await newStorePlace();
          await importFolder(folder, target, noFolderMonitor);
          await withSecondStore(target, async (store) => {
            const imported = companyIn(store, target);
            expect(await answersOf(imported, oak.id, zone)).toEqual(before);
            expect(await imported.wire('get_moisture_series', raw)).toEqual(quarters);
            expect(await store.read(1, storedSums)).toEqual(await farm.store.read(1, storedSums));
          });
        }),
      ),
      { numRuns: propertyRuns(20) },
    ));

  it('are those of the named company alone, and an earlier bound changes nothing', async ({
    farm,
  }) => {
    const oak = await oakWithYears(farm);
    await retain(farm);
    const kept = await singleReadings(farm);
    expect(kept.map(({ at }) => iso(at)).filter((at) => at < '2025-06-30T22')).toEqual([]);
    expect(kept.length).toBeGreaterThan(0);
    expect(await farm.store.read(2, readingRetention)).toBeNull();

    const age = { count: 3, unit: 'y' } as const;
    const again = await deleteOldReadings(
      farm.store,
      await masRouge(farm),
      { age, now: farm.now, machineNow: farm.now },
      noMonitor,
    );
    expect(again).toMatchObject({ readings: 0, keptFrom: LocalDay.parse(BOUND_DAY) });
    expect(await singleReadings(farm)).toEqual(kept);
    expect(oak.id).toBeGreaterThan(0);
  });

  it('stay of stations in the air, whose days have the same weather, also in an export', async ({
    farm,
  }) => {
    const oak = await oakWithYears(farm);
    await withAirOfMast(farm);
    const week = { from: '2025-06-24', to: '2025-06-30' };
    const before = await farm.wire('get_weather', week);
    const wholeDay = expect.objectContaining({ temperatureMin: 12, temperatureMax: 32 });
    expect(before).toMatchObject({ data: expect.arrayContaining([wholeDay]) });

    const rows = await singleReadings(farm);
    const { readings } = await retain(farm);
    const kept = await singleReadings(farm);
    expect(readings).toBe(rows.length - kept.length);
    expect(kept.some(({ at }) => at < FIRST + DAY)).toBe(true);
    expect(await farm.wire('get_weather', week)).toEqual(before);
    const answers = await answersOf(farm, oak.id, 'Europe/Paris');

    const folder = join(await newFolder(), 'farm');
    const request = { folder, now: farm.now, program: '1.2.3', monitor: noFolderMonitor };
    await exportFolder(farm.store, { id: 1 }, request);
    const target = await newStorePlace();
    await importFolder(folder, target, noFolderMonitor);
    await withSecondStore(target, async (store) => {
      const imported = companyIn(store, target);
      expect(await imported.wire('get_weather', week)).toEqual(before);
      expect(await answersOf(imported, oak.id, 'Europe/Paris')).toEqual(answers);
      expect(await store.read(1, storedReadings)).toEqual(kept);
      expect(await store.read(1, storedSums)).toEqual(await farm.store.read(1, storedSums));
    });
  });

  it('go only once the sums of their hours and days are there', async ({ farm }) => {
    const oak = await oakWithYears(farm);
    const before = await answersOf(farm, oak.id, 'Europe/Paris');
    const lost = { from: FIRST + 3 * DAY, to: FIRST + 6 * DAY };
    await farm.write(async (db) => {
      for (const table of ['reading_hours', 'reading_days', 'reading_local_days'] as const)
        await db
          .deleteFrom(table)
          .where('bucket_at', '>=', lost.from)
          .where('bucket_at', '<', lost.to)
          .execute();
    });
    // The last local day begins two hours before the end, and lasts 22 hours longer.
    expect(await retain(farm)).toMatchObject({ summedHours: 3 * (72 + 22) });
    expect(await answersOf(farm, oak.id, 'Europe/Paris')).toEqual(before);
  });
});

/** A temperature every 20 min, which each hour is once 12 °C, once 22 °C and once 32 °C. */
async function withAirOfMast(farm: TestFarm): Promise<void> {
  await farm.write(async (db) => {
    const { id: mast } = await db
      .selectFrom('modules')
      .select('id')
      .where('name', '=', 'Mast')
      .executeTakeFirstOrThrow();
    const { id } = await db
      .insertInto('sensors')
      .values({ module_id: mast, type: 'temperature', depth: null, label: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    const instants = instantsEvery(20 * MINUTE, FIRST, LAST);
    await recordRows(
      db,
      instants.map((at, row) => [id, at, 12 + 10 * (row % 3)]),
    );
  });
}

/** Readings every 15 min of three sensors around the bound, and one of an hour ago. */
async function oakWithYears(farm: TestFarm) {
  const oak = await installProbe(farm, { parcel: 'North block' });
  for (const sensor of oak.sensorIds.keys())
    await oak.record(
      sensor,
      instantsEvery(15 * MINUTE, FIRST, LAST).map((at, row) => [at, 20 + sensor + (row % 7) / 10]),
    );
  await oak.recordAll([FARM_NOW - HOUR], 20);
  return oak;
}

const BEFORE = '2025-06-30T22:00:00.000Z';

describe('an answer that needs single readings which are not kept', () => {
  const past = { start: '2025-06-28T00:00:00Z', end: '2025-06-28T03:00:00Z', align: 'utc' };

  it.for([
    ['without an interval', {}],
    ['of quarters of an hour', { interval: 900 }],
  ] as const)('shows hours and says so: $0', async ([, interval], { farm }) => {
    const oak = await oakWithYears(farm);
    await retain(farm);
    const series = await farm.wire<MoistureSeriesBody>('get_moisture_series', {
      moduleId: oak.id,
      ...past,
      ...interval,
    });
    expect(series.hoursBefore).toBe(BEFORE);
    expect(series.data.map(({ time }) => time)).toEqual(
      [0, 1, 2].map((hour) => `2025-06-28T0${hour}:00:00.000Z`),
    );
    expect(advisoriesOf(series, 'hours_in_place_of_readings')).toEqual([
      { kind: 'hours_in_place_of_readings', before: Date.parse(BEFORE) },
    ]);
    expect(series.summary).toContain(
      'Single readings before 1 Jul 2025 00:00 are no longer kept: the means of their hours stand in their place.',
    );
    expect(series.missingShare).toBe(0);
  });

  it('says so in a backtest, a review and a chart, and not of hours', async ({ farm }) => {
    const oak = await oakWithYears(farm);
    await retain(farm);
    const says = async (name: string, args: object) =>
      advisoriesOf(await farm.tool(name, { module: 'Oak', ...args }), 'hours_in_place_of_readings')
        .length;
    const { start, end } = { start: '2025-06-24', end: '2025-06-28' };
    expect(await says('review_waterings', { start, end })).toBe(1);
    expect(await says('chart_moisture', { start: '2025-06-28', end: '2025-06-29' })).toBe(1);
    expect(await says('backtest_alert', { start, end, threshold: 21 })).toBe(1);
    const backtest = await farm.wire('backtest_alert', {
      moduleId: oak.id,
      start: '2025-06-24T00:00:00Z',
      end: '2025-06-28T00:00:00Z',
      threshold: 21,
    });
    expect(backtest).toMatchObject({ missingShare: 0 });

    expect(await says('get_moisture_series', { start, end, interval: 3_600 })).toBe(0);
    expect(await says('get_moisture_series', { start, end, interval: 86_400 })).toBe(0);
    expect(await says('get_moisture_series', { start: '2025-07-01', end: '2025-07-02' })).toBe(0);
  });

  it('is exact after a later calibration from a whole hour on, and says where it is not', async ({
    farm,
  }) => {
    const oak = await oakWithYears(farm);
    const hourly = { moduleId: oak.id, ...past, interval: 3_600, depths: true };
    const calibrate = (from: string) =>
      farm.wire('set_probe_settings', {
        moduleId: oak.id,
        calibration: [{ depthCm: 10, readPercent: 20, truePercent: 25, from }],
      });
    await calibrate('2025-06-28T01:00:00Z');
    const exact = await farm.wire('get_moisture_series', hourly);
    await farm.wire('set_probe_settings', { moduleId: oak.id, calibration: null });
    await retain(farm);
    await calibrate('2025-06-28T01:00:00Z');
    expect(await farm.wire('get_moisture_series', hourly)).toEqual(exact);

    await calibrate('2025-06-28T01:20:00Z');
    expect(await farm.wire('get_moisture_series', hourly)).toMatchObject({ hoursBefore: BEFORE });
  });

  it('is exact after a move to a zone of whole hours, and says where it is not', async ({
    farm,
  }) => {
    const oak = await oakWithYears(farm);
    const daily = (zone: string) => ({
      moduleId: oak.id,
      start: iso(LocalDay.parse('2025-06-23').startIn(zone)),
      end: iso(LocalDay.parse('2025-06-29').startIn(zone)),
      interval: 86_400,
      align: 'local',
    });
    await moveTo(farm, 'America/Santiago');
    const exact = await farm.wire('get_moisture_series', daily('America/Santiago'));
    await moveTo(farm, 'Europe/Paris');
    await retain(farm);
    await moveTo(farm, 'America/Santiago');
    expect(await farm.wire('get_moisture_series', daily('America/Santiago'))).toEqual(exact);

    await moveTo(farm, 'Asia/Kolkata');
    const inKolkata = await farm.wire<MoistureSeriesBody>(
      'get_moisture_series',
      daily('Asia/Kolkata'),
    );
    expect(inKolkata).toMatchObject({ hoursBefore: BEFORE, missingShare: 0 });
    expect(inKolkata.data).toHaveLength(6);
  });
});

describe('a reading of a time of which only hours are kept', () => {
  const OLD = '2025-06-28T01:05:00.000Z';
  const NEW = '2025-07-02T01:05:00.000Z';
  const csv = `module,type,depth,time,value\nOak,humidity,10,${OLD},30\nOak,humidity,10,${NEW},31\n`;
  const reason =
    'older than the readings that are kept singly: only the sums of its hour are (acequia retain)';

  const items = [OLD, NEW].map((time) => ({
    ...{ module: 'Oak', type: 'humidity', depth: 10 },
    ...{ time, value: 30 },
  }));

  it.for([
    ['items of a batch', (farm: TestFarm) => farm.wire('ingest', { readings: items })],
    ['the CSV of a batch', (farm: TestFarm) => farm.wire('ingest', { csv })],
    ['an imported CSV', (farm: TestFarm) => farm.wire('import_readings', { csv })],
  ] as const)('is refused and counted: $0', async ([, send], { farm }) => {
    await oakWithYears(farm);
    await retain(farm);
    const sums = await farm.store.read(1, storedSums);
    expect(await send(farm)).toMatchObject({
      readings: { written: 1, refused: 1 },
      reasons: [{ reason, count: 1 }],
      refused: [{ reason }],
    });
    const [readings, hours] = await farm.store.read(1, storedSums);
    expect(readings).toHaveLength(sums[0].length + 1);
    expect(hours.filter(({ bucket_at }) => bucket_at < Date.parse(BEFORE))).toEqual(
      sums[1].filter(({ bucket_at }) => bucket_at < Date.parse(BEFORE)),
    );
  });

  it('is refused in a file', async ({ farm }) => {
    await oakWithYears(farm);
    await retain(farm);
    const options = { store: farm.store, companyId: 1, zone: 'Europe/Paris', now: farm.now };
    const report = await importReadings(
      (async function* () {
        yield csv;
      })(),
      options,
    );
    expect(report).toMatchObject({
      stored: 1,
      rejectedRows: 1,
      reasons: [{ reason: 'before_kept', count: 1 }],
    });
  });

  it('is refused where it waited for the assignment of its device', async ({ farm }) => {
    await oakWithYears(farm);
    const sent = [OLD, NEW].map((time) => ({
      ...{ device: 'd1', type: 'humidity', depth: 10 },
      ...{ time, value: 30 },
    }));
    await farm.wire('ingest', { readings: sent });
    await retain(farm);
    const { length } = await singleReadings(farm);
    await farm.tool('assign_device', { device: 'd1', module: 'Oak' });
    const after = await singleReadings(farm);
    expect(after).toHaveLength(length + 1);
    expect(after.filter(({ at }) => at < Date.parse(BEFORE))).toEqual([]);
  });

  it('is not written where it was checked just before the bound was set', async ({ farm }) => {
    const oak = await oakWithYears(farm);
    await retain(farm);
    const sums = await farm.store.read(1, storedSums);
    await expect(oak.record(0, [[Date.parse(OLD), 30]])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    expect(await farm.store.read(1, storedSums)).toEqual(sums);
  });
});

describe('the age of readings', () => {
  it.for([
    ['5y', '2021-07-01'],
    ['18m', '2025-01-01'],
    ['16M', '2025-03-01'],
    ['400d', '2025-05-27'],
  ] as const)('%s is up to %s', ([text, day]) => {
    expect(dayOfAge(FARM_NOW, parseReadingAge(text)!, 'Europe/Paris').iso).toBe(day);
  });

  it('of months ends with the month where it has no such day', () => {
    const lastOfMay = Date.UTC(2026, 4, 31, 10);
    const age = { count: 15, unit: 'm' } as const;
    expect(dayOfAge(lastOfMay, age, 'Europe/Paris').iso).toBe('2025-02-28');
  });

  it.for(['', '5', 'y', '11m', '359d', '0y', '5w', '-5y', '5.5y', '101y', '5y,1m'])(
    'is not "%s"',
    (text) => {
      expect(parseReadingAge(text)).toBeNull();
    },
  );
});
