import type { Insertable } from 'kysely';
import type { PendingWaterings } from '../../schema/tables/irrigation.ts';
import { preparedListQuery, preparedQuery, preparedRowInserts } from '../queries/prepared-query.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

/** The waterings of a probe that equipment gives a dose, and that later transactions complete. */
export interface PendingDoses {
  readonly moduleId: number;
  /** When the equipment changed: doses are as if all had been completed at that instant. */
  readonly changedAt: number;
  readonly waterings: PendingWaterings;
  /** The last one that was read; null before the first. */
  readonly after: { readonly startedAt: number; readonly id: number } | null;
}

/** `changeId` is null for an import, which records no change. */
export interface StoredPendingDoses extends PendingDoses {
  readonly changeId: number | null;
}

/** Rows of one statement, largest first: a change of a large parcel adds one for each probe. */
const INSERT_SIZES = [100, 10, 1];

const insertPendingRows = preparedRowInserts(
  INSERT_SIZES,
  (db, rows: readonly Insertable<CompanyTables['pending_doses']>[]) =>
    db.insertInto('pending_doses').values(rows),
);

const pendingRows = (db: CompanyDb, limit: number) =>
  db.selectFrom('pending_doses').selectAll().orderBy('module_id').limit(limit);

const pendingOfAll = preparedQuery((db, limit: number) => pendingRows(db, limit));
const pendingOfModules = preparedListQuery((db, moduleIds, limit: number) =>
  pendingRows(db, limit).where('module_id', 'in', moduleIds),
);

/** The doses of these probes; by default, of all. */
export interface DosesFilter {
  readonly moduleIds?: readonly number[] | undefined;
}

/** Ordered by probe. */
export async function pendingDoses(
  db: CompanyDb,
  { moduleIds }: DosesFilter,
  limit: number,
): Promise<StoredPendingDoses[]> {
  const rows = await (moduleIds ? pendingOfModules(db, moduleIds, limit) : pendingOfAll(db, limit));

  return rows.map((row) => ({
    moduleId: row.module_id,
    changeId: row.change_id,
    changedAt: row.changed_at,
    waterings: row.waterings,
    after:
      row.after_started_at === null || row.after_id === null
        ? null
        : { startedAt: row.after_started_at, id: row.after_id },
  }));
}

export const hasPendingDoses = async (db: CompanyDb, filter: DosesFilter): Promise<boolean> =>
  (await pendingDoses(db, filter, 1)).length > 0;

const columnsOf = ({ after }: Pick<PendingDoses, 'after'>) => ({
  after_started_at: after?.startedAt ?? null,
  after_id: after?.id ?? null,
});

/** The change to which they belong is set when it is recorded. */
export async function addPendingDoses(
  db: CompanyDb,
  pending: readonly PendingDoses[],
): Promise<void> {
  const rows = pending.map((doses) => ({
    module_id: doses.moduleId,
    change_id: null,
    changed_at: doses.changedAt,
    waterings: doses.waterings,
    ...columnsOf(doses),
  }));
  await insertPendingRows(db, rows);
}

export async function setChangeOfPendingDoses(db: CompanyDb, changeId: number): Promise<void> {
  await db.updateTable('pending_doses').set({ change_id: changeId }).execute();
}

export async function updatePendingDoses(db: CompanyDb, pending: PendingDoses): Promise<void> {
  await db
    .updateTable('pending_doses')
    .set(columnsOf(pending))
    .where('module_id', '=', pending.moduleId)
    .execute();
}

export async function deletePendingDoses(
  db: CompanyDb,
  completed: readonly PendingDoses[],
): Promise<void> {
  const ids = completed.map(({ moduleId }) => moduleId);
  if (ids.length > 0) await db.deleteFrom('pending_doses').where('module_id', 'in', ids).execute();
}
