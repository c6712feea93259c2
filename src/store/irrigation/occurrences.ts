import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Occurrence } from '../../domain/irrigation/occurrence-planner.ts';
import { wateringFields } from '../../schema/irrigation/watering.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import { unrecorded } from '../scope/company-db.ts';
import { rowCount } from '../store-statistics.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';
import {
  AMOUNT_COLUMNS,
  DOSE_COLUMNS,
  storedModuleId,
  toDose,
  toWateringInput,
} from './watering-columns.ts';

const { id, scheduledStart, startedAt, status, isDetached } = wateringFields;

/** Only the fields that planning needs, because it reads many rows. */
const occurrenceMapper = new ResourceMapper({
  id,
  moduleId: storedModuleId,
  scheduledStart,
  startedAt,
  status,
  isDetached,
});

const OCCURRENCE_COLUMNS = [...occurrenceMapper.columns, ...AMOUNT_COLUMNS, ...DOSE_COLUMNS];

/**
 * The occurrences that start after `from.at` or whose scheduled start (local time as text) is not
 * before `from.scheduledStart`. A person may have moved an occurrence: one that now starts before
 * `from.at` still occupies its scheduled start, and one moved past `from.at` may have an earlier
 * scheduled start.
 */
export async function occurrencesFrom(
  db: CompanyDb,
  { scheduleId, moduleId }: { scheduleId: number; moduleId: number | null },
  from: { at: number; scheduledStart: string },
): Promise<Occurrence[]> {
  const rows = await db
    .selectFrom('waterings')
    .select(OCCURRENCE_COLUMNS)
    .where('schedule_id', '=', scheduleId)
    .where((eb) => isOnModule(eb, moduleId))
    .where((eb) =>
      eb.or([eb('started_at', '>', from.at), eb('scheduled_start', '>=', from.scheduledStart)]),
    )
    .orderBy('started_at')
    .orderBy('id')
    .$narrowType<{ scheduled_start: string }>()
    .execute();

  return rows.map((row) => ({
    ...occurrenceMapper.toValue(row),
    scheduledStart: row.scheduled_start,
    ...toWateringInput(row),
    ...toDose(row),
  }));
}

/** Null for the waterings of a parcel that has no probe. */
const isOnModule = (
  eb: ExpressionBuilder<CompanyTables, 'waterings'>,
  id: number | null,
): Expression<SqlBool> => (id === null ? eb('module_id', 'is', null) : eb('module_id', '=', id));

/** Whether the schedule plans, or planned, waterings of a parcel that had no probe. */
export const hasOccurrencesOfParcel = async (
  db: CompanyDb,
  scheduleId: number,
  from: string,
): Promise<boolean> =>
  (await db
    .selectFrom('waterings')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('parcel_id', 'is not', null)
    .where('scheduled_start', '>=', from)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Bounds the rows that one statement reads. */
const MODULES_PER_QUERY = 20;

/** Probes with occurrences whose scheduled start (local time as text) is not before `from`. */
export async function modulesWithOccurrences(
  db: CompanyDb,
  scheduleId: number,
  from: string,
): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const rows = await db
      .selectFrom('waterings')
      .select('module_id')
      .where('schedule_id', '=', scheduleId)
      .where('module_id', '>', ids.at(-1) ?? 0)
      .where('scheduled_start', '>=', from)
      .groupBy('module_id')
      .orderBy('module_id')
      .limit(MODULES_PER_QUERY)
      .$narrowType<{ module_id: number }>()
      .execute();
    ids.push(...rows.map((row) => row.module_id));
    if (rows.length < MODULES_PER_QUERY) return ids;
  }
}

/**
 * How many occurrences a schedule has on probes for which a regeneration is pending, and whose
 * scheduled start (local time as text) is not before `from`.
 */
export const occurrencesOfPending = (
  db: CompanyDb,
  { scheduleId, isRemoval }: { readonly scheduleId: number; readonly isRemoval: boolean },
  from = '',
): Promise<number> =>
  rowCount(
    db
      .selectFrom('waterings')
      .where('schedule_id', '=', scheduleId)
      .where('module_id', 'in', (eb) =>
        eb
          .selectFrom('pending_plans')
          .select('pending_plans.module_id')
          .where('pending_plans.schedule_id', '=', scheduleId)
          .where('pending_plans.is_removal', '=', toFlag(isRemoval)),
      )
      .where('scheduled_start', '>=', from),
  );

/** The occurrences whose scheduled start (local time as text) is not before `from`. */
export const occupiedStarts = (
  db: CompanyDb,
  scheduleId: number,
  from: string,
): Promise<{ moduleId: number | null; scheduledStart: string }[]> =>
  db
    .selectFrom('waterings')
    .select(['module_id as moduleId', 'scheduled_start as scheduledStart'])
    .where('schedule_id', '=', scheduleId)
    .where('scheduled_start', '>=', from)
    .$narrowType<{ scheduledStart: string }>()
    .execute();

/**
 * Occurrences that start from `from` to `now`, are still planned, and were not edited by a person.
 * Those to which a pending regeneration applies are left out, because it may move or delete them.
 */
const pastPlannedOccurrences = (db: CompanyDb, scheduleId: number, from: number, now: number) =>
  db
    .selectFrom('waterings')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('status', '=', 'planned')
    .where('is_detached', '=', 0)
    .where('started_at', '>=', from)
    .where('started_at', '<=', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('pending_plans')
            .select('pending_plans.changed_at')
            .whereRef('pending_plans.schedule_id', '=', 'waterings.schedule_id')
            .whereRef('pending_plans.module_id', '=', 'waterings.module_id')
            .whereRef('pending_plans.changed_at', '<', 'waterings.started_at'),
        ),
      ),
    )
    .orderBy('started_at');

/** Marks at most `limit` of these occurrences as done. Returns how many. */
export async function completePastOccurrences(
  db: CompanyDb,
  scheduleId: number,
  from: number,
  now: number,
  limit: number,
): Promise<number> {
  const { numUpdatedRows } = await unrecorded(db)
    .updateTable('waterings')
    .set({ status: 'done' })
    .where('id', 'in', pastPlannedOccurrences(db, scheduleId, from, now).limit(limit))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
