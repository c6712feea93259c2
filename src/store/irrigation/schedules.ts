import type { Selectable } from 'kysely';
import type { Recurrence } from '../../domain/irrigation/recurrence.ts';
import type { WateringInput } from '../../domain/irrigation/watering-amount.ts';
import type { ConfirmationPolicy } from '../../schema/irrigation/schedule.ts';
import { unrecorded } from '../scope/company-db.ts';
import { rowCount } from '../statistics.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';
import { amountColumns, toWateringInput } from './watering-columns.ts';

export interface Schedule extends Recurrence, WateringInput {
  readonly id: number;
  readonly targetModuleId: number | null;
  readonly targetParcelId: number | null;
  readonly label: string | null;
  readonly confirmationPolicy: ConfirmationPolicy;
  /**
   * Past occurrences from this instant on become done without confirmation; null if each waits for
   * its confirmation.
   */
  readonly autoConfirmFrom: number | null;
  readonly isActive: boolean;
  /** Occurrences exist up to this instant; null while inactive. */
  readonly materializedUntil: number | null;
  readonly createdBy: number | null;
  readonly createdAt: number;
}

const toSchedule = (row: Selectable<CompanyTables['schedules']>): Schedule => ({
  id: row.id,
  targetModuleId: row.target_module_id,
  targetParcelId: row.target_parcel_id,
  label: row.label,
  freq: row.freq,
  intervalDays: row.interval_days,
  weekdays: row.weekdays === null ? null : JSON.parse(row.weekdays),
  startTimes: JSON.parse(row.start_times),
  timezone: row.timezone,
  ...toWateringInput(row),
  startsOn: row.starts_on,
  endsOn: row.ends_on,
  confirmationPolicy: row.confirmation_policy,
  autoConfirmFrom: row.auto_confirm_from,
  isActive: row.is_active === 1,
  materializedUntil: row.materialized_until,
  createdBy: row.created_by,
  createdAt: row.created_at,
});

const scheduleColumns = (schedule: Omit<Schedule, 'id'>) => ({
  target_module_id: schedule.targetModuleId,
  target_parcel_id: schedule.targetParcelId,
  label: schedule.label,
  freq: schedule.freq,
  interval_days: schedule.intervalDays,
  weekdays: schedule.weekdays === null ? null : JSON.stringify(schedule.weekdays),
  start_times: JSON.stringify(schedule.startTimes),
  timezone: schedule.timezone,
  ...amountColumns(schedule),
  starts_on: schedule.startsOn,
  ends_on: schedule.endsOn,
  confirmation_policy: schedule.confirmationPolicy,
  auto_confirm_from: schedule.autoConfirmFrom,
  is_active: toFlag(schedule.isActive),
  materialized_until: schedule.materializedUntil,
  created_by: schedule.createdBy,
  created_at: schedule.createdAt,
});

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

/** Active schedules of these modules and of their parcels. */
export async function activeSchedulesOf(
  db: CompanyDb,
  moduleIds: readonly number[],
): Promise<Schedule[]> {
  if (moduleIds.length === 0) return [];

  const rows = await db
    .selectFrom('schedules')
    .selectAll()
    .where('is_active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('target_module_id', 'in', moduleIds),
        eb(
          'target_parcel_id',
          'in',
          eb.selectFrom('modules').select('modules.parcel_id').where('modules.id', 'in', moduleIds),
        ),
      ]),
    )
    .orderBy('id')
    .execute();

  return rows.map(toSchedule);
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
