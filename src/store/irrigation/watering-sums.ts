import { type ExpressionBuilder, sql } from 'kysely';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import { rowCount } from '../store-statistics.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import { statusOnceRun } from './due-waterings.ts';
import { type DoseSums, type IrrigationSums, SliceSums } from './slice-sums.ts';
import {
  filteredRows,
  inSlices,
  slicesByModule,
  sourcesOf,
  unindexed,
  type WateringFilter,
  type WateringSlice,
  wholeSource,
} from './watering-slices.ts';

/**
 * `doses` has the sums of each status and module, ordered by module; `irrigations` has the sums of
 * each status. Waterings of a parcel that were entered together, or planned by one schedule for the
 * same time, are one irrigation. Its run time and volume are the largest among its waterings.
 */
export async function sumWaterings(
  db: CompanyDb,
  filter: WateringFilter,
  now: number,
): Promise<{ doses: DoseSums[]; irrigations: IrrigationSums[] }> {
  const isOfOneModule = filter.moduleId !== undefined;
  const sharedSchedules = isOfOneModule ? [] : await schedulesOfSeveralModules(db, filter);
  const sums = new SliceSums();

  for (const part of filtersOf(filter, now))
    for await (const slice of slicesByModule(db, part)) {
      const query = { slice, filter: part, sharedSchedules, now };
      const rows = await sumsByModule(db, query);
      sums.addModules(rows);

      const hasSharedIrrigations = rows.some(({ isSingle }) => isSingle === 0);
      if (hasSharedIrrigations) sums.addSharedIrrigations(await sharedIrrigations(db, query));
    }

  const isSelected = ({ status }: { readonly status: WateringStatus }): boolean =>
    filter.status === undefined || filter.status === status;
  return {
    doses: sums.doses().filter(isSelected),
    irrigations: sums.irrigations().filter(isSelected),
  };
}

/** Planned ones that are due count as done. */
const filtersOf = (filter: WateringFilter, now: number): WateringFilter[] =>
  filter.status === 'done' ? [filter, { ...filter, status: 'planned', isDueAt: now }] : [filter];

export async function wateringCount(db: CompanyDb, filter: WateringFilter): Promise<number> {
  let count = 0;
  for await (const slice of inSlices(db, sourcesOf(filter).map(wholeSource), filter))
    count += await rowCount(filteredRows(db, slice, filter));
  return count;
}

/** The longest list of schedules in a statement. */
const MAX_SHARED_SCHEDULES = 500;

/** Null if they are too many for a list. */
async function schedulesOfSeveralModules(
  db: CompanyDb,
  { scheduleId }: WateringFilter,
): Promise<readonly number[] | null> {
  let query = db.selectFrom('schedules').select((schedule) => {
    const firstModuleId = (direction: 'asc' | 'desc') =>
      schedule
        .selectFrom('waterings')
        .whereRef('waterings.schedule_id', '=', 'schedules.id')
        .select('module_id')
        .orderBy('module_id', direction)
        .limit(1);

    return [
      'id',
      firstModuleId('asc').as('lowestModuleId'),
      firstModuleId('desc').as('highestModuleId'),
    ];
  });
  if (scheduleId !== undefined) query = query.where('id', '=', scheduleId);

  const rows = await query.execute();
  const shared = rows
    .filter(({ lowestModuleId, highestModuleId }) => lowestModuleId !== highestModuleId)
    .map(({ id }) => id);
  return shared.length > MAX_SHARED_SCHEDULES ? null : shared;
}

type Waterings = ExpressionBuilder<CompanyTables, 'waterings'>;

/** Schedules with waterings on several modules; null if they are too many for a list. */
type SharedSchedules = readonly number[] | null;

/** A watering that is an irrigation by itself, whatever other waterings there are. */
function isSingle(eb: Waterings, sharedSchedules: SharedSchedules) {
  const hasNoIrrigationId = eb('irrigation_id', 'is', null);
  if (sharedSchedules?.length === 0) return hasNoIrrigationId;

  const isUnscheduled = eb('scheduled_start', 'is', null);
  if (sharedSchedules === null) return eb.and([hasNoIrrigationId, isUnscheduled]);

  const isOfUnsharedSchedule = eb('schedule_id', 'not in', sharedSchedules);
  return eb.and([hasNoIrrigationId, eb.or([isUnscheduled, isOfUnsharedSchedule])]);
}

/** Begins an expression that is null for a watering that its irrigation id groups. */
const withoutIrrigationId = (eb: Waterings) => eb.case().when('irrigation_id', 'is', null);

interface SliceQuery {
  readonly slice: WateringSlice;
  readonly filter: WateringFilter;
  readonly sharedSchedules: SharedSchedules;
  readonly now: number;
}

/** The volume as entered, or computed from dose and area. */
const VOLUME_M3 = sql<number | null>`coalesce(
  input_volume_m3, water_mm * dose_irrigated_area_m2 / 1000.0)`;

function rowsToSum(db: CompanyDb, { slice, filter, sharedSchedules, now }: SliceQuery) {
  const rows = filteredRows(db, slice, filter).select((eb) => [
    statusOnceRun(eb, now).as('status'),
    // Otherwise SQLite would read all rows by the index on the modules, to avoid sorting.
    unindexed('module_id').as('module_id'),
    'irrigation_id',
    withoutIrrigationId(eb).then(eb.ref('schedule_id')).end().as('schedule_id'),
    withoutIrrigationId(eb).then(eb.ref('scheduled_start')).end().as('scheduled_start'),
    'water_mm',
    eb.case().when('verified_at', 'is not', null).then(eb.ref('water_mm')).end().as('confirmed_mm'),
    'verified_at',
    'water_mm_wetted',
    // `water_mm_wetted` is null where the whole area is wetted.
    eb
      .case()
      .when('dose_fraction_wetted', '=', eb.lit(1))
      .then(eb.ref('water_mm'))
      .else(eb.ref('water_mm_wetted'))
      .end()
      .as('mm_on_wetted_area'),
    'duration_min',
    VOLUME_M3.as('volume_m3'),
    eb
      .case()
      .when(isSingle(eb, sharedSchedules))
      .then(eb.lit(1))
      .else(eb.lit(0))
      .end()
      .as('is_single'),
  ]);

  return db.selectFrom(rows.as('rows'));
}

const sumsByModule = (db: CompanyDb, query: SliceQuery) =>
  rowsToSum(db, query)
    .select(({ fn }) => [
      'status',
      'module_id as moduleId',
      'is_single as isSingle',
      fn.countAll<number>().as('count'),
      fn.count<number>('water_mm').as('withDose'),
      fn.count<number>('water_mm_wetted').as('withWetted'),
      fn.sum<number | null>('water_mm').as('waterMm'),
      fn.count<number>('verified_at').as('confirmed'),
      fn.sum<number | null>('confirmed_mm').as('confirmedMm'),
      fn.sum<number | null>('mm_on_wetted_area').as('mmOnWettedArea'),
      fn.sum<number | null>('duration_min').as('minutes'),
      fn.count<number>('duration_min').as('withDuration'),
      fn.sum<number | null>('volume_m3').as('volumeM3'),
      fn.count<number>('volume_m3').as('withVolume'),
    ])
    .groupBy(['status', 'module_id', 'is_single'])
    .execute();

/**
 * The irrigations of several waterings, each with the largest figures of its waterings in the
 * slice. Other slices may have further waterings of the same irrigation.
 */
const sharedIrrigations = (db: CompanyDb, query: SliceQuery) =>
  rowsToSum(db, query)
    .select(({ fn }) => [
      'status',
      'irrigation_id as irrigationId',
      'schedule_id as scheduleId',
      'scheduled_start as scheduledStart',
      fn.max<number | null>('duration_min').as('minutes'),
      fn.max<number | null>('volume_m3').as('volumeM3'),
    ])
    .where('is_single', '=', 0)
    .groupBy(['status', 'irrigation_id', 'schedule_id', 'scheduled_start'])
    .execute();
