import type { Insertable } from 'kysely';
import { entryOf } from '../../domain/items.ts';
import { preparedListQuery, preparedQuery, preparedRowInserts } from '../queries/prepared-query.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';

/** A change that has not been applied yet to the planned occurrences of a schedule on one probe. */
export interface PendingRegeneration {
  readonly scheduleId: number;
  readonly moduleId: number;
  /**
   * The change applies to occurrences that start after it, as if it had been applied in full at
   * that instant.
   */
  readonly changedAt: number;
  /** Start of the first occurrence that may be added; null if only doses change. */
  readonly regenerateFrom: number | null;
  /** Maps each start time that the change replaces to its replacement. */
  readonly movedStartTimes: ReadonlyMap<string, string>;
  /** All occurrences are still to be deleted, because the schedule or the module was removed. */
  readonly isRemoval: boolean;
}

/** Regenerations on these modules or of this schedule; with neither, all of the company. */
export interface RegenerationFilter {
  readonly moduleIds?: readonly number[] | undefined;
  readonly scheduleId?: number | undefined;
}

/** Rows of one statement, largest first: a change of a large parcel adds one for each probe. */
const INSERT_SIZES = [100, 10, 1];

const insertPendingRows = preparedRowInserts(
  INSERT_SIZES,
  (db, rows: readonly Insertable<CompanyTables['pending_plans']>[]) =>
    db.insertInto('pending_plans').values(rows),
);

const pendingRows = (db: CompanyDb, limit: number) =>
  db
    .selectFrom('pending_plans')
    .selectAll()
    .orderBy('schedule_id')
    .orderBy('module_id')
    .limit(limit);

const pendingOfAll = preparedQuery((db, limit: number) => pendingRows(db, limit));
const pendingOfModules = preparedListQuery((db, moduleIds, limit: number) =>
  pendingRows(db, limit).where('module_id', 'in', moduleIds),
);
const pendingOfSchedule = preparedQuery((db, limit: number, scheduleId: number) =>
  pendingRows(db, limit).where('schedule_id', '=', scheduleId),
);

async function filteredPendingRows(
  db: CompanyDb,
  { moduleIds, scheduleId }: RegenerationFilter,
  limit: number,
) {
  if (scheduleId !== undefined) return pendingOfSchedule(db, limit, scheduleId);
  if (moduleIds === undefined) return pendingOfAll(db, limit);
  return pendingOfModules(db, moduleIds, limit);
}

/** Ordered by schedule, then by probe. */
export async function pendingRegenerations(
  db: CompanyDb,
  filter: RegenerationFilter,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<PendingRegeneration[]> {
  const rows = await filteredPendingRows(db, filter, limit);
  return rows.map((row) => ({
    scheduleId: row.schedule_id,
    moduleId: row.module_id,
    changedAt: row.changed_at,
    regenerateFrom: row.regenerate_from,
    movedStartTimes: parseMovedStartTimes(row.moved_start_times),
    isRemoval: row.is_removal === 1,
  }));
}

function parseMovedStartTimes(text: string): ReadonlyMap<string, string> {
  const pairs: [string, string][] = JSON.parse(text);
  return new Map(pairs);
}

export const hasPendingRegenerations = async (
  db: CompanyDb,
  filter: RegenerationFilter,
): Promise<boolean> => (await pendingRegenerations(db, filter, 1)).length > 0;

const firstPending = preparedQuery((db) =>
  db
    .selectFrom('pending_plans')
    .select('module_id as id')
    .unionAll(db.selectFrom('pending_doses').select('module_id as id'))
    .unionAll(db.selectFrom('pending_undos').select('change_id as id'))
    .limit(1),
);

/** Asks for regenerations, doses and undos in one statement, because most companies have none. */
export const hasPendingWaterings = async (db: CompanyDb): Promise<boolean> =>
  (await firstPending(db)).length > 0;

export const hasPendingRemovals = async (db: CompanyDb): Promise<boolean> =>
  (await db
    .selectFrom('pending_plans')
    .select('schedule_id')
    .where('is_removal', '=', 1)
    .limit(1)
    .executeTakeFirst()) !== undefined;

export const schedulesWithPendingRegenerations = async (db: CompanyDb): Promise<number[]> =>
  (await db.selectFrom('pending_plans').select('schedule_id').distinct().execute()).map(
    (row) => row.schedule_id,
  );

export async function addPendingRegenerations(
  db: CompanyDb,
  regenerations: readonly PendingRegeneration[],
): Promise<void> {
  // All regenerations of one change share one map.
  const maps = new Set(regenerations.map(({ movedStartTimes }) => movedStartTimes));
  const texts = new Map([...maps].map((map) => [map, JSON.stringify([...map])]));
  const rows = regenerations.map((regeneration) => ({
    schedule_id: regeneration.scheduleId,
    module_id: regeneration.moduleId,
    changed_at: regeneration.changedAt,
    regenerate_from: regeneration.regenerateFrom,
    moved_start_times: entryOf(texts, regeneration.movedStartTimes),
    is_removal: toFlag(regeneration.isRemoval),
  }));
  await insertPendingRows(db, rows);
}

export async function deletePendingRegenerations(
  db: CompanyDb,
  scheduleId: number,
  moduleIds: readonly number[],
): Promise<void> {
  if (moduleIds.length === 0) return;
  await db
    .deleteFrom('pending_plans')
    .where('schedule_id', '=', scheduleId)
    .where('module_id', 'in', moduleIds)
    .execute();
}
