import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

/** An undo that has not taken back all parts of the change yet. */
export interface PendingUndo {
  /** Of the undo. */
  readonly changeId: number;
  /** The change that it undoes. */
  readonly undoes: number;
  /** The part that it has taken back last, beginning with the last one; 0 before that. */
  readonly afterPart: number;
}

const firstRow = preparedQuery((db) =>
  db.selectFrom('pending_undos').selectAll().orderBy('change_id').limit(1),
);

export async function pendingUndo(db: CompanyDb): Promise<PendingUndo | null> {
  const [row] = await firstRow(db);
  return row ? { changeId: row.change_id, undoes: row.undoes, afterPart: row.after_part } : null;
}

export async function addPendingUndo(
  db: CompanyDb,
  { changeId, undoes, afterPart }: PendingUndo,
): Promise<void> {
  await db
    .insertInto('pending_undos')
    .values({ change_id: changeId, undoes, after_part: afterPart })
    .execute();
}

export async function updatePendingUndo(
  db: CompanyDb,
  { changeId, afterPart }: PendingUndo,
): Promise<void> {
  await db
    .updateTable('pending_undos')
    .set({ after_part: afterPart })
    .where('change_id', '=', changeId)
    .execute();
}

export async function deletePendingUndo(db: CompanyDb, { changeId }: PendingUndo): Promise<void> {
  await db.deleteFrom('pending_undos').where('change_id', '=', changeId).execute();
}
