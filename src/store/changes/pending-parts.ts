import { preparedQuery } from '../queries/prepared-query.ts';
import type { ChangedRow } from '../scope/recorded-rows.ts';
import type { CompanyDb } from '../tables.ts';
import { partsOfChange } from './change-parts.ts';

// Later transactions write the parts of a change, or take them back for an undo, one part each.

/** A change of which the parts are stored, and not all of them are written yet. */
export interface PendingParts {
  readonly changeId: number;
  /** The part that was written last; 0 before that. */
  readonly afterPart: number;
}

/** An undo that has not taken back all parts of the change yet. */
export interface PendingUndo {
  /** The id of the undo. */
  readonly changeId: number;
  /** The change that it undoes. */
  readonly undoes: number;
  /** The part that it has taken back last, beginning with the last one; 0 before that. */
  readonly afterPart: number;
}

const firstPending = preparedQuery((db) =>
  db
    .selectFrom('pending_parts')
    .select('change_id')
    .unionAll(db.selectFrom('pending_undos').select('change_id'))
    .limit(1),
);

export const hasPendingParts = async (db: CompanyDb): Promise<boolean> =>
  (await firstPending(db)).length > 0;

const firstParts = preparedQuery((db) =>
  db.selectFrom('pending_parts').selectAll().orderBy('change_id').limit(1),
);

const firstUndo = preparedQuery((db) =>
  db.selectFrom('pending_undos').selectAll().orderBy('change_id').limit(1),
);

export async function pendingParts(db: CompanyDb): Promise<PendingParts | null> {
  const [row] = await firstParts(db);
  return row ? { changeId: row.change_id, afterPart: row.after_part } : null;
}

export async function pendingUndo(db: CompanyDb): Promise<PendingUndo | null> {
  const [row] = await firstUndo(db);
  return row ? { changeId: row.change_id, undoes: row.undoes, afterPart: row.after_part } : null;
}

interface UnwrittenRows {
  readonly rows: readonly ChangedRow[];
  /** The undo that writes them, which records them only then; null for parts of a change. */
  readonly undoId: number | null;
}

export async function unwrittenRows(db: CompanyDb): Promise<UnwrittenRows> {
  const rows: ChangedRow[] = [];
  const parts = await pendingParts(db);
  if (parts !== null) {
    for await (const part of partsOfChange(db, parts.changeId, parts.afterPart))
      rows.push(...part.rows);
    return { rows, undoId: null };
  }

  const undo = await pendingUndo(db);
  if (undo === null) return { rows, undoId: null };
  for await (const { part, rows: ofPart } of partsOfChange(db, undo.undoes)) {
    if (part === undo.afterPart) break;
    rows.push(...ofPart.map((row) => ({ ...row, before: row.after, after: row.before })));
  }
  return { rows, undoId: undo.changeId };
}

export async function addPendingParts(db: CompanyDb, changeId: number): Promise<void> {
  await db.insertInto('pending_parts').values({ change_id: changeId, after_part: 0 }).execute();
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

type PendingTable = 'pending_parts' | 'pending_undos';

export async function updatePendingParts(
  db: CompanyDb,
  table: PendingTable,
  { changeId, afterPart }: PendingParts,
): Promise<void> {
  await db
    .updateTable(table)
    .set({ after_part: afterPart })
    .where('change_id', '=', changeId)
    .execute();
}

export async function deletePendingParts(
  db: CompanyDb,
  table: PendingTable,
  { changeId }: PendingParts,
): Promise<void> {
  await db.deleteFrom(table).where('change_id', '=', changeId).execute();
}
