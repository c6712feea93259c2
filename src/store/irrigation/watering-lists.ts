import { sql } from 'kysely';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import type { CompanyDb } from '../tables.ts';
import { toWatering, type Watering } from './waterings.ts';

export interface WateringFilter {
  readonly moduleId?: number | undefined;
  readonly parcelId?: number | undefined;
  readonly scheduleId?: number | undefined;
  readonly status?: WateringStatus | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Relative to `now`. A done watering that starts later was entered by a clock that was ahead, and has begun. */
  readonly part?: WateringPart;
  readonly now?: number;
}

export type WateringPart = 'begun' | 'ahead';

function filteredWaterings(db: CompanyDb, filter: WateringFilter) {
  let query = db.selectFrom('waterings');
  if (filter.moduleId !== undefined) query = query.where('module_id', '=', filter.moduleId);
  if (filter.parcelId !== undefined)
    query = query.where('module_id', 'in', (eb) =>
      eb.selectFrom('modules').select('modules.id').where('modules.parcel_id', '=', filter.parcelId!),
    );
  if (filter.scheduleId !== undefined) query = query.where('schedule_id', '=', filter.scheduleId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.from !== undefined) query = query.where('started_at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('started_at', '<', filter.to);
  const { part, now = 0 } = filter;
  if (part === 'begun') query = query.where((eb) => eb.or([eb('started_at', '<=', now), eb('status', '=', 'done')]));
  if (part === 'ahead') query = query.where('started_at', '>', now).where('status', '!=', 'done');
  return query;
}

/** Newest start first; waterings that are ahead come nearest first. */
export async function wateringsAfter(
  db: CompanyDb,
  filter: WateringFilter,
  after: { startedAt: number; id: number } | null,
  limit: number,
): Promise<Watering[]> {
  const [direction, follows] = filter.part === 'ahead' ? (['asc', '>'] as const) : (['desc', '<'] as const);
  let query = filteredWaterings(db, filter)
    .selectAll()
    .orderBy('started_at', direction)
    .orderBy('id', direction)
    .limit(limit);
  if (after)
    query = query.where((eb) =>
      eb.or([
        eb('started_at', follows, after.startedAt),
        eb.and([eb('started_at', '=', after.startedAt), eb('id', follows, after.id)]),
      ]),
    );
  return (await query.execute()).map(toWatering);
}

/** The newest start up to `until` of a done watering by module id; modules without one are left out. */
export async function newestDoneStarts(db: CompanyDb, until: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('modules')
    .select((module) => [
      'id',
      module
        .selectFrom('waterings')
        .whereRef('waterings.module_id', '=', 'modules.id')
        .where('status', '=', 'done')
        .where('started_at', '<=', until)
        .select(({ fn }) => fn.max<number | null>('started_at').as('at'))
        .as('startedAt'),
    ])
    .execute();
  return new Map(rows.flatMap(({ id, startedAt }) => (startedAt === null ? [] : [[id, startedAt] as const])));
}

export interface DoseSums {
  readonly status: WateringStatus;
  readonly moduleId: number;
  readonly count: number;
  readonly withoutDose: number;
  /** Null if no watering has a dose. */
  readonly waterMm: number | null;
  /** Null if no dose has a value for the wetted zone; where the whole area is wetted, both values are equal. */
  readonly waterMmWetted: number | null;
}

/** Sums over all pages of the list, one per status and module. */
export async function doseSums(db: CompanyDb, filter: WateringFilter): Promise<DoseSums[]> {
  const rows = await filteredWaterings(db, filter)
    .select((eb) => [
      'status',
      'module_id as moduleId',
      eb.fn.countAll<number>().as('count'),
      eb.fn.count<number>('water_mm').as('withDose'),
      eb.fn.count<number>('water_mm_wetted').as('withWetted'),
      eb.fn.sum<number | null>('water_mm').as('waterMm'),
      eb.fn
        .sum<number | null>(
          eb.case().when('dose_fraction_wetted', '=', 1).then(eb.ref('water_mm')).else(eb.ref('water_mm_wetted')).end(),
        )
        .as('waterMmWetted'),
    ])
    .groupBy(['status', 'module_id'])
    .orderBy('module_id')
    .execute();
  return rows.map(({ withDose, withWetted, waterMmWetted, ...row }) => ({
    ...row,
    withoutDose: row.count - withDose,
    waterMmWetted: withWetted === 0 ? null : waterMmWetted,
  }));
}

interface IrrigationSums {
  readonly status: WateringStatus;
  readonly irrigations: number;
  readonly minutes: number | null;
  readonly withoutDuration: number;
  readonly volumeM3: number | null;
  readonly withoutVolume: number;
}

/**
 * Sums by status. Waterings of one irrigation of a parcel, entered together or planned by one schedule for the same
 * time, share one run time and one volume: the largest among them. A volume is as entered, or computed from dose and
 * area.
 */
export async function irrigationSums(db: CompanyDb, filter: WateringFilter): Promise<IrrigationSums[]> {
  const volume = sql<number | null>`coalesce(input_volume_m3, water_mm * dose_irrigated_area_m2 / 1000.0)`;
  const irrigations = filteredWaterings(db, filter)
    .select((eb) => [
      'status',
      eb.fn.max<number | null>('duration_min').as('minutes'),
      eb.fn.max<number | null>(volume).as('volume'),
    ])
    .groupBy([
      'status',
      sql`coalesce(block_id, case when slot is null then id end)`,
      sql`case when block_id is null and slot is not null then schedule_id end`,
      sql`case when block_id is null then slot end`,
    ])
    .as('irrigations');
  const rows = await db
    .selectFrom(irrigations)
    .select(({ fn }) => [
      'status',
      fn.countAll<number>().as('irrigations'),
      fn.sum<number | null>('minutes').as('minutes'),
      fn.count<number>('minutes').as('withDuration'),
      fn.sum<number | null>('volume').as('volumeM3'),
      fn.count<number>('volume').as('withVolume'),
    ])
    .groupBy('status')
    .execute();
  return rows.map(({ withDuration, withVolume, ...row }) => ({
    ...row,
    withoutDuration: row.irrigations - withDuration,
    withoutVolume: row.irrigations - withVolume,
  }));
}
