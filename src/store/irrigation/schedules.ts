import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { fieldsOfInput, type WateringInput } from '../../domain/irrigation/watering-amount.ts';
import { type ScheduleBody, scheduleFields } from '../../schema/irrigation/schedule.ts';
import { amountFields, type WateringStatus } from '../../schema/irrigation/watering.ts';
import { fieldsWithout } from '../../schema/resource.ts';
import { preparedListQuery, preparedQuery } from '../queries/prepared-query.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import type { ValueOf } from '../queries/resource-types.ts';
import { unrecorded } from '../scope/company-db.ts';
import { rowCount } from '../store-statistics.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';
import { amountColumns, toWateringInput } from './watering-columns.ts';
import { unindexed } from './watering-slices.ts';
import type { WateredTargets } from './watering-target.ts';

/** All but the amount. */
const ownFields = fieldsWithout(scheduleFields, amountFields);

const ownMapper = new ResourceMapper(ownFields);

export interface Schedule extends ValueOf<typeof ownFields>, WateringInput {}

const toSchedule = (row: Selectable<CompanyTables['schedules']>): Schedule => ({
  ...ownMapper.toValue(row),
  ...toWateringInput(row),
});

const scheduleColumns = (schedule: Omit<Schedule, 'id'>) => ({
  ...ownMapper.toColumns(schedule),
  ...amountColumns(schedule),
});

const bodyMapper = new ResourceMapper(scheduleFields);

export const toScheduleBody = (schedule: Schedule): ScheduleBody =>
  bodyMapper.toBody({ ...schedule, ...fieldsOfInput(schedule) });

export async function insertScheduleRow(
  db: CompanyDb,
  schedule: Omit<Schedule, 'id'>,
): Promise<Schedule> {
  const { id } = await db
    .insertInto('schedules')
    .values(scheduleColumns(schedule))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...schedule, id };
}

export async function updateScheduleRow(db: CompanyDb, schedule: Schedule): Promise<void> {
  await db
    .updateTable('schedules')
    .set(scheduleColumns(schedule))
    .where('id', '=', schedule.id)
    .execute();
}

export async function setMaterializedUntil(
  db: CompanyDb,
  id: number,
  until: number | null,
): Promise<void> {
  await unrecorded(db)
    .updateTable('schedules')
    .set({ materialized_until: until })
    .where('id', '=', id)
    .execute();
}

export async function scheduleById(db: CompanyDb, id: number): Promise<Schedule | null> {
  const row = await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toSchedule(row) : null;
}

export const activeSchedules = async (db: CompanyDb): Promise<Schedule[]> =>
  (
    await db.selectFrom('schedules').selectAll().where('is_active', '=', 1).orderBy('id').execute()
  ).map(toSchedule);

/** Active schedules of these modules, of their parcels, and of these parcels. */
export async function activeSchedulesOf(
  db: CompanyDb,
  { moduleIds, parcelIds }: WateredTargets,
): Promise<Schedule[]> {
  if (moduleIds.length + parcelIds.length === 0) return [];

  const rows = await db
    .selectFrom('schedules')
    .selectAll()
    .where('is_active', '=', 1)
    .where((eb) => {
      const ofModules = eb
        .selectFrom('modules')
        .select('modules.parcel_id')
        .where('modules.id', 'in', moduleIds);
      return eb.or([
        ...(parcelIds.length === 0 ? [] : [eb('target_parcel_id', 'in', parcelIds)]),
        ...(moduleIds.length === 0
          ? []
          : [eb('target_module_id', 'in', moduleIds), eb('target_parcel_id', 'in', ofModules)]),
      ]);
    })
    .orderBy('id')
    .execute();

  return rows.map(toSchedule);
}

const activeIds = (db: CompanyDb) =>
  db.selectFrom('schedules').select('id').where('is_active', '=', 1).orderBy('id');

/** Planned waterings that are due, by the index on the schedule. */
const dueOf = (schedule: ExpressionBuilder<CompanyTables, 'schedules'>, now: number) =>
  schedule
    .selectFrom('waterings')
    .select('waterings.id')
    .whereRef('schedule_id', '=', 'schedules.id')
    .where('status', '=', sql.lit<WateringStatus>('planned'))
    .whereRef('started_at', '>=', 'auto_confirm_from')
    .where('started_at', '<=', now)
    .where('is_detached', '=', sql.lit(0));

const unplanned = preparedQuery((db, now: number) =>
  activeIds(db).where('materialized_until', '<', now),
);
const withDue = preparedQuery((db, now: number) =>
  activeIds(db).where((eb) => eb.exists(dueOf(eb, now))),
);
const withDueOnModules = preparedListQuery((db, moduleIds, now: number) =>
  activeIds(db).where((eb) =>
    eb.exists(dueOf(eb, now).where(unindexed('module_id'), 'in', moduleIds)),
  ),
);
const withDueOfParcels = preparedListQuery((db, parcelIds, now: number) =>
  activeIds(db)
    .where('target_parcel_id', 'in', parcelIds)
    .where((eb) => eb.exists(dueOf(eb, now))),
);

/**
 * Schedules whose past waterings are not all planned: no process has run for longer than is planned
 * ahead.
 */
export const schedulesBehind = async (db: CompanyDb, now: number): Promise<number[]> =>
  (await unplanned(db, now)).map(({ id }) => id);

/** Schedules with waterings that are due, on any target or on some. */
export async function schedulesWithDue(
  db: CompanyDb,
  now: number,
  targets?: WateredTargets,
): Promise<number[]> {
  if (targets === undefined) return (await withDue(db, now)).map(({ id }) => id);
  const { moduleIds, parcelIds } = targets;
  const onModules = await withDueOnModules(db, moduleIds, now);
  const ofParcels = await withDueOfParcels(db, parcelIds, now);
  return [...new Set([...onModules, ...ofParcels].map(({ id }) => id))];
}

interface ScheduleFilter {
  /** Selects the schedules of the probe and those of its parcel. */
  readonly probe?: { id: number; parcelId: number | null } | undefined;
  readonly parcelId?: number | undefined;
  readonly isActive?: boolean | undefined;
}

function filteredSchedules(db: CompanyDb, { probe, parcelId, isActive }: ScheduleFilter) {
  let query = db.selectFrom('schedules');
  if (probe !== undefined)
    query = query.where((eb) => {
      const isOfProbe = eb('target_module_id', '=', probe.id);
      if (probe.parcelId === null) return isOfProbe;
      return eb.or([isOfProbe, eb('target_parcel_id', '=', probe.parcelId)]);
    });

  if (parcelId !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb('target_parcel_id', '=', parcelId),
        eb(
          'target_module_id',
          'in',
          eb.selectFrom('modules').select('modules.id').where('modules.parcel_id', '=', parcelId),
        ),
      ]),
    );

  if (isActive !== undefined) query = query.where('is_active', '=', toFlag(isActive));
  return query;
}

export const schedulesAfter = async (
  db: CompanyDb,
  filter: ScheduleFilter,
  afterId: number,
  limit: number,
): Promise<Schedule[]> =>
  (
    await filteredSchedules(db, filter)
      .selectAll()
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute()
  ).map(toSchedule);

export const scheduleCount = (db: CompanyDb, filter: ScheduleFilter): Promise<number> =>
  rowCount(filteredSchedules(db, filter));
