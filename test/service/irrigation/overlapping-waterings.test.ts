import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { chunksOf } from '../../../src/domain/groups.ts';
import type { WateringStatus } from '../../../src/schema/irrigation/watering.ts';
import { overlappingWaterings } from '../../../src/store/irrigation/overlapping-waterings.ts';
import {
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
import { propertyRuns } from '../../property-runs.ts';
import { rowsReadBy } from '../../stores/rows-read.ts';
import { isOnPostgres } from '../../stores/stores.ts';

const MAX_DURATION_MIN = 44_640;

interface StoredWatering {
  readonly startedAt: number;
  readonly durationMin: number | null;
  readonly status?: WateringStatus;
  readonly probe?: string;
}

const storeWaterings = (farm: TestFarm, waterings: readonly StoredWatering[]): Promise<void> =>
  farm.write(async (db) => {
    const rows = waterings.map(
      ({ startedAt, durationMin, status = 'done', probe = 'North 1' }) => ({
        module_id: farm.idOf(probe),
        is_detached: 0 as const,
        started_at: startedAt,
        duration_min: durationMin,
        input_mode: 'depth_mm' as const,
        input_depth_mm: 5,
        dose_fraction_wetted_is_default: 0 as const,
        status,
        source: 'manual' as const,
        created_at: FARM_NOW,
      }),
    );
    for (const chunk of chunksOf(rows, 300))
      await db.insertInto('waterings').values(chunk).execute();
  });

const repeated = (count: number, watering: (index: number) => StoredWatering): StoredWatering[] =>
  Array.from({ length: count }, (_, index) => watering(index));

/**
 * What autovacuum does sooner or later, without which a plan depends on a guess of the number of
 * rows.
 */
async function updateStatistics(farm: TestFarm): Promise<void> {
  if (isOnPostgres) await farm.store.writeAll((all) => sql`analyze waterings`.execute(all));
}

const AT = FARM_NOW - 2 * HOUR;
const entry = minutesAt(AT, 45);

/** Counts the rows that each statement of log_watering reads. */
async function rowsReadToLog(farm: TestFarm): Promise<number[]> {
  await updateStatistics(farm);
  const statements = await rowsReadBy(farm, () => farm.log('North 1', entry));
  return statements.map(({ rowsRead }) => rowsRead);
}

const YEAR_OF_HOURS = 9_000;
/** The first are planned, for the week to come. */
const hourly = (index: number) => ({
  startedAt: AT + (200 - index) * HOUR + 50 * MINUTE,
  durationMin: 5,
});
/** The rows of waterings that began in the two hours before, and of the watering itself. */
const FEW_ROWS = 4;

describe('log_watering reads', () => {
  it('no more rows on a probe with a year of hourly waterings than on one without any', async ({
    farm,
  }) => {
    // The first write of a day also deletes how many rows were added on earlier days.
    await farm.log('North 2', entry);
    const alone = await rowsReadToLog(farm);
    await storeWaterings(farm, repeated(YEAR_OF_HOURS, hourly));

    const withOthers = await rowsReadToLog(farm);

    expect(withOthers).toHaveLength(alone.length);
    for (const [index, rows] of withOthers.entries())
      expect(rows - alone[index]!).toBeLessThanOrEqual(FEW_ROWS);
  });

  it.for([
    [
      '31 days that ended before',
      { startedAt: AT - MAX_DURATION_MIN * MINUTE, durationMin: MAX_DURATION_MIN },
    ],
    ['23 days that ended before', { startedAt: AT - 23 * DAY - MINUTE, durationMin: 23 * 1440 }],
    ['5 hours that ended before', { startedAt: AT - 5 * HOUR, durationMin: 300 }],
    ['31 days that begin later', { startedAt: AT + HOUR, durationMin: MAX_DURATION_MIN }],
    ['a minute a day before', { startedAt: AT - DAY, durationMin: 1 }],
    [
      '31 days that were skipped',
      { startedAt: AT - DAY, durationMin: MAX_DURATION_MIN, status: 'skipped' },
    ],
  ] as const)('few rows beside thousands of waterings of %s', async ([_, watering], { farm }) => {
    const alone = await rowsReadToLog(farm);
    await storeWaterings(
      farm,
      repeated(3_000, () => watering),
    );

    const withOthers = await rowsReadToLog(farm);

    for (const [index, rows] of withOthers.entries())
      expect(rows - alone[index]!).toBeLessThanOrEqual(FEW_ROWS);
  });

  it('of thousands of waterings of 31 days only those that it reports', async ({ farm }) => {
    const started = (index: number) => ({
      startedAt: AT - index * 20 * MINUTE,
      durationMin: MAX_DURATION_MIN,
    });
    await storeWaterings(farm, repeated(3_000, started));
    // Otherwise PostgreSQL reads the whole table at once, since more than half of it is reported.
    await storeWaterings(
      farm,
      repeated(YEAR_OF_HOURS, (index) => ({ ...hourly(index), probe: 'North 2' })),
    );
    // A watering that ends when the logged one starts does not overlap.
    const reported = MAX_DURATION_MIN / 20;
    /** Waterings of the last two hours are read twice. */
    const RECENT = 6;

    const rows = await rowsReadToLog(farm);
    const logged = await farm.log('North 1', entry);

    // One of them is the watering that the first call logged.
    expect(advisoriesOf(logged, 'overlapping_watering')).toMatchObject([{ others: reported }]);
    expect(Math.max(...rows)).toBeLessThanOrEqual(reported + RECENT + FEW_ROWS);
  });
});

const SPAN_MIN = 60 * 1440;
const startedAt = fc.oneof(
  fc.integer({ min: 0, max: SPAN_MIN }).map((minutes) => FARM_NOW - minutes * MINUTE),
  fc.integer({ min: 0, max: SPAN_MIN * MINUTE }).map((ms) => FARM_NOW - ms),
  // Around the multiples of two hours, at which the index has long waterings.
  fc
    .tuple(fc.integer({ min: 0, max: SPAN_MIN / 120 }), fc.integer({ min: -1, max: 1 }))
    .map(([steps, ms]) => FARM_NOW - (FARM_NOW % (2 * HOUR)) - steps * 2 * HOUR + ms),
);
const durationMin = fc.oneof(
  fc.integer({ min: 1, max: MAX_DURATION_MIN }),
  fc.integer({ min: 1, max: 300 }),
  fc.constantFrom(1, 119, 120, 121, 240, 30_720, MAX_DURATION_MIN),
  fc.constant(null),
);
const period = fc.record({ startedAt, durationMin });
const storedWatering = fc.record({
  startedAt,
  durationMin,
  status: fc.constantFrom('planned', 'done', 'done', 'skipped'),
  probe: fc.constantFrom('North 1', 'North 1', 'North 1', 'North 2'),
});
const edit = fc.record({
  pick: fc.nat(),
  change: fc.oneof(
    fc.record({ started_at: startedAt }),
    fc.record({ duration_min: durationMin }),
    fc.record({ started_at: startedAt, duration_min: durationMin }),
    fc.record({ status: fc.constantFrom('planned', 'done', 'skipped') }),
    fc.constant('delete' as const),
  ),
});

const allRows = (farm: TestFarm) =>
  farm.write((db) =>
    db
      .selectFrom('waterings')
      .select([
        'id',
        'module_id as moduleId',
        'parcel_id as parcelId',
        'started_at as startedAt',
        'duration_min as durationMin',
        'status',
      ])
      .execute(),
  );
type Row = Awaited<ReturnType<typeof allRows>>[number];

const endOf = ({ startedAt, durationMin }: Pick<Row, 'startedAt' | 'durationMin'>): number =>
  startedAt + (durationMin === null ? 1 : durationMin * MINUTE);

function naiveOverlaps(
  rows: readonly Row[],
  moduleId: number,
  period: Pick<Row, 'startedAt' | 'durationMin'>,
): Row[] {
  return rows
    .filter((row) => row.moduleId === moduleId && row.status !== 'skipped')
    .filter((row) => row.startedAt < endOf(period) && endOf(row) > period.startedAt)
    .sort((a, b) => a.startedAt - b.startedAt || a.id - b.id);
}

/**
 * Compares for these periods and for those of the stored waterings, which leave themselves out.
 */
async function expectNaiveOverlaps(
  farm: TestFarm,
  periods: readonly Pick<Row, 'startedAt' | 'durationMin'>[],
) {
  const rows = await allRows(farm);
  const moduleId = farm.idOf('North 1');
  const asked = [
    ...periods.map((each) => ({ ...each, id: 0 })),
    ...rows.filter((row) => row.moduleId === moduleId).slice(0, 20),
  ];

  await farm.write(async (db) => {
    for (const each of asked) {
      const others = rows.filter(({ id }) => id !== each.id);
      expect(await overlappingWaterings(db, [moduleId], each, each.id)).toEqual(
        naiveOverlaps(others, moduleId, each),
      );
    }
  });
}

it('reads at most 10,000 waterings that overlap one of a parcel', async ({ farm }) => {
  const many = repeated(6_000, () => ({ startedAt: AT, durationMin: 30 }));
  await storeWaterings(farm, many);
  await storeWaterings(
    farm,
    many.map((watering) => ({ ...watering, probe: 'North 2' })),
  );
  const logged = await farm.tool('log_watering', { parcel: 'North block', ...entry });
  expect(advisoriesOf(logged, 'overlapping_watering')).toMatchObject([
    { others: 9_999, onEachProbe: true },
  ]);
});

describe('the waterings that overlap one', () => {
  it('are those that a comparison with all waterings finds, also after rows were changed and deleted', ({
    farm,
  }) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(storedWatering, { minLength: 1, maxLength: 60 }),
        fc.array(edit, { maxLength: 15 }),
        fc.array(period, { minLength: 1, maxLength: 10 }),
        async (waterings, edits, periods) => {
          await farm.write((db) => db.deleteFrom('waterings').execute());
          await storeWaterings(farm, waterings);
          const ids = (await allRows(farm)).map(({ id }) => id);

          await farm.write(async (db) => {
            for (const { pick, change } of edits) {
              const id = ids[pick % ids.length]!;
              if (change === 'delete')
                await db.deleteFrom('waterings').where('id', '=', id).execute();
              else await db.updateTable('waterings').set(change).where('id', '=', id).execute();
            }
          });

          await expectNaiveOverlaps(farm, periods);
        },
      ),
      { numRuns: propertyRuns(200) },
    ));

  it('stay right when tools log, correct, plan, move and undo waterings', async ({ farm }) => {
    const inADay = FARM_NOW - DAY;
    const periods = repeated(40, (index) => ({
      startedAt: inADay + index * 2 * HOUR,
      durationMin: 30,
    }));
    const long = await farm.log('North 1', minutesAt(inADay, 3_000));
    await farm.log('North 1', minutesAt(inADay, 30));
    const { id: scheduleId } = await farm.createSchedule({
      module: 'North 1',
      durationMin: 300,
      inputMode: 'duration',
    });
    await farm.tool('log_watering', { parcel: 'North block', ...minutesAt(inADay, 600) });
    await expectNaiveOverlaps(farm, periods);

    await farm.correct(long.event, { startedAt: iso(inADay - 40 * HOUR) });
    await farm.tool('update_schedule', { scheduleId, startTimes: ['09:00'], durationMin: 500 });
    await expectNaiveOverlaps(farm, periods);

    for (let count = 0; count < 2; count++) await farm.tool('undo');
    await expectNaiveOverlaps(farm, periods);
    await farm.tool('update_schedule', { scheduleId, durationMin: 90 });
    await farm.correct(long.event, { durationMin: 10 });
    await expectNaiveOverlaps(farm, periods);
  });
});
