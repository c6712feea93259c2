import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointStart } from '../../../src/domain/moisture/series-points.ts';
import { updateCompany } from '../../../src/store/company/companies.ts';
import { hasLocalDays } from '../../../src/store/company/local-day-zone.ts';
import { deleteReadings } from '../../../src/store/ingest/reading-writes.ts';
import { advanceLocalDays } from '../../../src/store/moisture/local-days.ts';
import { bucketStartsWithReadings, readingSums } from '../../../src/store/moisture/series.ts';
import type { Store } from '../../../src/store/store.ts';
import type { CompanyDb } from '../../../src/store/tables.ts';
import { propertyRuns } from '../../property-runs.ts';
import { DAY, HOUR, MINUTE } from '../../time.ts';
import { type Reading, recordRows, storedReadings, uncalibrated } from '../stored-readings.ts';
import { onEachStore } from '../temporary-stores.ts';

/**
 * Around a change of clocks: at night, at midnight (which is skipped in Santiago and Beirut), by
 * half an hour on Lord Howe, by a whole day on Samoa; and zones between whole hours.
 */
const ZONES = {
  'Europe/Paris': ['2026-03-29', '2026-10-25'],
  'America/Santiago': ['2026-09-06', '2026-04-05'],
  'Asia/Beirut': ['2026-03-29', '2026-10-25'],
  'America/Sao_Paulo': ['2018-11-04', '2019-02-17'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04'],
  'Asia/Kolkata': ['2026-07-01'],
  'Asia/Kathmandu': ['2026-07-01'],
  'Pacific/Apia': ['2011-12-30'],
  'Pacific/Kiritimati': ['2026-07-01'],
  'Etc/UTC': ['1970-01-01'],
};

const zone = fc.constantFrom(...Object.keys(ZONES));
const changeDay = fc.constantFrom(...Object.values(ZONES).flat()).map(Date.parse);
const sensorId = fc.integer({ min: 1, max: 3 });

/** Quarters add up without rounding, so sums are equal to the last bit. */
const value = fc.integer({ min: -400, max: 400 }).map((quarters) => quarters / 4);
const offset = fc.oneof(
  fc.integer({ min: -5 * 96, max: 5 * 96 }).map((quarters) => quarters * 15 * MINUTE),
  fc.integer({ min: -3 * DAY, max: 3 * DAY }),
);

type Step = (store: Store) => Promise<unknown>;

const recordStep = changeDay
  .chain((day) =>
    fc.array(
      fc.tuple(
        sensorId,
        offset.map((ms) => day + ms),
        value,
      ),
      {
        minLength: 1,
        maxLength: 40,
      },
    ),
  )
  .map(
    (rows): Step =>
      (store) =>
        store.write(1, (db) => recordRows(db, rows)),
  );

/** The readings of some instants, as undo deletes them. */
const deleteStep = fc.integer({ min: 2, max: 5 }).map(
  (every): Step =>
    (store) =>
      store.write(1, async (db) => {
        const rows = (await storedReadings(db)).filter((_, index) => index % every === 0);
        await deleteReadings(
          db,
          rows.map(({ sensor_id, ...reading }) => ({ sensorId: sensor_id, ...reading })),
        );
      }),
);

const changeZoneStep = zone.map(
  (timezone): Step =>
    (store) =>
      store.writeAll((db) => updateCompany(db, 1, { timezone })),
);

const zoneOf = (store: Store): Promise<string> =>
  store.readAll(async (db) => {
    const { timezone } = await db
      .selectFrom('companies')
      .select('timezone')
      .where('id', '=', 1)
      .executeTakeFirstOrThrow();
    return timezone ?? 'Europe/Paris';
  });

const advanceStep = fc.constant<Step>(async (store) => {
  const current = await zoneOf(store);
  return store.write(1, (db) => advanceLocalDays(db, current));
});

/** By sensor and start of the point: the sum and the count. */
type Sums = Record<string, readonly [sum: number, count: number]>;

function addedUp(rows: Iterable<readonly [key: string, sum: number, count: number]>): Sums {
  const sums: Sums = {};
  for (const [key, sum, count] of rows) {
    const [earlierSum, earlierCount] = sums[key] ?? [0, 0];
    sums[key] = [earlierSum + sum, earlierCount + count];
  }
  return sums;
}

const sumsOfReadings = (
  readings: Awaited<ReturnType<typeof storedReadings>>,
  startOf: (at: number) => number,
): Sums =>
  addedUp(readings.map(({ sensor_id, at, value }) => [`${sensor_id} ${startOf(at)}`, value, 1]));

async function storedLocalDays(db: CompanyDb): Promise<Sums> {
  const days = await db.selectFrom('reading_local_days').selectAll().execute();
  return addedUp(
    days.map(({ sensor_id, bucket_at, sum, count }) => [`${sensor_id} ${bucket_at}`, sum, count]),
  );
}

const IDS = [1, 2, 3];

/** Whole days at both ends, one reading off, and nothing left out. */
async function expectSeriesOfReadings(db: CompanyDb, zone: string): Promise<void> {
  const readings = await storedReadings(db);
  const instants = readings.map(({ at }) => at).sort((a, b) => a - b);
  const first = instants.at(0) ?? 0;
  const last = instants.at(-1) ?? 0;

  for (const intervalMs of [DAY, 7 * DAY])
    for (const period of [
      { start: first, end: last + 1 },
      { start: first + 1, end: last },
      { start: pointStart(first, DAY, zone), end: pointStart(last, DAY, zone) },
    ]) {
      const startOf = (at: number) => pointStart(at, intervalMs, zone);
      const sums = await readingSums(db, uncalibrated(IDS), period, intervalMs, zone);
      const rows = Array.from({ length: sums.length }, (_, row) => row);
      expect(
        addedUp(
          rows.map((row) => [
            `${IDS[sums.sensor[row]!]} ${startOf(sums.at[row]!)}`,
            sums.sum[row]!,
            sums.count![row]!,
          ]),
        ),
      ).toEqual(
        sumsOfReadings(
          readings.filter(({ at }) => at >= period.start && at < period.end),
          startOf,
        ),
      );
    }

  const starts = [...new Set(instants.map((at) => pointStart(at, DAY, zone)))];
  if (instants.length > 0)
    expect(await bucketStartsWithReadings(db, IDS, { first, last }, DAY, 999, zone)).toEqual(
      starts,
    );
}

onEachStore((withStore) => {
  describe('the sums of local days', () => {
    it('equal those of the readings after late, repeated and deleted readings and changes of the zone', () =>
      fc.assert(
        fc.asyncProperty(
          zone,
          fc.array(
            fc.oneof({ weight: 4, arbitrary: recordStep }, deleteStep, changeZoneStep, {
              weight: 2,
              arbitrary: advanceStep,
            }),
            { minLength: 1, maxLength: 10 },
          ),
          (timezone, steps) =>
            withStore(async (store) => {
              await store.writeAll((db) => updateCompany(db, 1, { timezone }));
              for (const step of steps) {
                await step(store);
                const current = await zoneOf(store);
                await store.read(1, (db) => expectSeriesOfReadings(db, current));
              }

              const current = await zoneOf(store);
              while (!(await store.write(1, (db) => advanceLocalDays(db, current))));
              await store.read(1, async (db) => {
                expect(await hasLocalDays(db, current)).toBe(true);
                await expectSeriesOfReadings(db, current);
                expect(await storedLocalDays(db)).toEqual(
                  sumsOfReadings(await storedReadings(db), (at) => pointStart(at, DAY, current)),
                );
              });
            }),
        ),
        { numRuns: propertyRuns(25) },
      ));

    it('are stored with the first readings of a company', () =>
      withStore(async (store) => {
        await store.writeAll((db) => updateCompany(db, 1, { timezone: 'Asia/Kolkata' }));
        await store.write(1, (db) => recordRows(db, [[1, Date.parse('2026-07-01T18:45Z'), 20]]));
        await store.read(1, async (db) => {
          expect(await hasLocalDays(db, 'Asia/Kolkata')).toBe(true);
          // 18:45 UTC is 0:15 on the next day, which began at 18:30 UTC.
          expect(await storedLocalDays(db)).toEqual({
            [`1 ${Date.parse('2026-07-01T18:30Z')}`]: [20, 1],
          });
        });
      }));

    it('are recomputed one sensor at a time after a change of the zone', () =>
      withStore(async (store) => {
        const hours = Array.from(
          { length: 48 },
          (_, hour): Reading => [1 + (hour % 2), hour * HOUR, 1],
        );
        await store.writeAll((db) => updateCompany(db, 1, { timezone: 'Europe/Paris' }));
        await store.write(1, (db) => recordRows(db, hours));
        await store.writeAll((db) => updateCompany(db, 1, { timezone: 'America/Lima' }));
        const advance = () => store.write(1, (db) => advanceLocalDays(db, 'America/Lima'));
        expect([await advance(), await advance(), await advance()]).toEqual([false, false, true]);
        // In Lima the day begins at 5:00 UTC: five hours, 24 and 19, half of them of each sensor.
        expect(
          Object.values(await store.read(1, storedLocalDays))
            .map(([sum]) => sum)
            .sort(),
        ).toEqual([10, 12, 12, 2, 3, 9]);
      }));
  });
});
