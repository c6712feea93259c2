import { lastOf } from '../../domain/items.ts';
import { addDailyRows } from '../daily-rows.ts';
import { unrecorded } from '../scope/company-db.ts';
import type { TableRemovedInSteps } from '../scope/company-scope-rules.ts';
import type { CompanyDb } from '../tables.ts';
import type { PendingRegeneration } from './pending-regenerations.ts';

// The planned waterings of a removed schedule or module may be too many for one transaction. The
// row of the schedule or module is then hidden at once, so that nothing finds it any more, and
// deleted after the last of its waterings.

/** A schedule or a module. */
export interface OccurrenceOwner {
  readonly table: TableRemovedInSteps;
  readonly id: number;
}

/** The occurrences of a schedule on a module. */
export interface OccurrenceGroup {
  readonly scheduleId: number;
  readonly moduleId: number;
  readonly count: number;
}

/** Bounds the rows that one statement counts. */
const GROUPS_PER_QUERY = 20;

export async function occurrenceGroupsOf(
  db: CompanyDb,
  { table, id }: OccurrenceOwner,
): Promise<OccurrenceGroup[]> {
  const isSchedule = table === 'schedules';
  const found: OccurrenceGroup[] = [];
  for (let after = 0; ; ) {
    const groups = isSchedule
      ? await groupsOfSchedule(db, id, after)
      : await groupsOfModule(db, id, after);
    found.push(...groups.filter(({ count }) => count > 0));
    if (groups.length < GROUPS_PER_QUERY) return found;
    const last = lastOf(groups);
    after = isSchedule ? last.moduleId : last.scheduleId;
  }
}

const groupsOfSchedule = async (
  db: CompanyDb,
  scheduleId: number,
  afterModuleId: number,
): Promise<OccurrenceGroup[]> => {
  const rows = await db
    .selectFrom('waterings')
    .select(({ fn }) => ['module_id as moduleId', fn.countAll<number>().as('count')])
    .where('schedule_id', '=', scheduleId)
    .where('module_id', '>', afterModuleId)
    .groupBy('module_id')
    .orderBy('module_id')
    .limit(GROUPS_PER_QUERY)
    .$narrowType<{ moduleId: number }>()
    .execute();

  return rows.map((row) => ({ ...row, scheduleId }));
};

/** Includes schedules that have no occurrences on the module. */
const groupsOfModule = async (
  db: CompanyDb,
  moduleId: number,
  afterScheduleId: number,
): Promise<OccurrenceGroup[]> => {
  const rows = await db
    .selectFrom('schedules')
    .select((schedule) => [
      'id as scheduleId',
      schedule
        .selectFrom('waterings')
        .whereRef('waterings.schedule_id', '=', 'schedules.id')
        .where('waterings.module_id', '=', moduleId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('count'),
    ])
    .where('id', '>', afterScheduleId)
    .orderBy('id')
    .limit(GROUPS_PER_QUERY)
    .execute();

  return rows.map(({ scheduleId, count }) => ({ scheduleId, moduleId, count: count ?? 0 }));
};

/** Those of a parcel that has no probe; returns how many. */
export async function deleteOccurrencesOfParcel(
  db: CompanyDb,
  scheduleId: number,
  now: number,
): Promise<number> {
  const { numDeletedRows } = await unrecorded(db)
    .deleteFrom('waterings')
    .where('schedule_id', '=', scheduleId)
    .where('parcel_id', 'is not', null)
    .executeTakeFirst();

  const deleted = Number(numDeletedRows);
  if (deleted > 0) await addDailyRows(db, now, -deleted);
  return deleted;
}

/** Returns the number of deleted rows, which is below `limit` once none is left. */
export async function deleteOccurrences(
  db: CompanyDb,
  {
    scheduleId,
    moduleId,
    changedAt,
  }: Pick<PendingRegeneration, 'scheduleId' | 'moduleId' | 'changedAt'>,
  limit: number,
): Promise<number> {
  const ids = db
    .selectFrom('waterings')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('module_id', '=', moduleId)
    .limit(limit);
  const { numDeletedRows } = await unrecorded(db)
    .deleteFrom('waterings')
    .where('id', 'in', ids)
    .executeTakeFirst();

  const deleted = Number(numDeletedRows);
  if (deleted > 0) await addDailyRows(db, changedAt, -deleted);
  return deleted;
}

export async function hideRemovedRow(
  db: CompanyDb,
  { table, id }: OccurrenceOwner,
  now: number,
): Promise<void> {
  await db.updateTable(table).set({ removed_at: now }).where('id', '=', id).execute();
}

/**
 * Deletes the hidden rows whose planned waterings are all deleted: no regeneration is pending for
 * them any more.
 */
export async function deleteHiddenRows(db: CompanyDb): Promise<void> {
  await unrecorded(db)
    .deleteFrom('schedules')
    .where('removed_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('pending_plans')
            .select('pending_plans.changed_at')
            .whereRef('pending_plans.schedule_id', '=', 'schedules.id'),
        ),
      ),
    )
    .execute();
  await unrecorded(db)
    .deleteFrom('modules')
    .where('removed_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('pending_plans')
            .select('pending_plans.changed_at')
            .whereRef('pending_plans.module_id', '=', 'modules.id'),
        ),
      ),
    )
    .execute();
}
