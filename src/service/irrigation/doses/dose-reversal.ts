import { addChangePart, partsOfChange } from '../../../store/changes/change-parts.ts';
import {
  type Reversal,
  toReversals,
  withStoredImages,
  writeReversals,
} from '../../../store/changes/reversals.ts';
import {
  deletePendingUndo,
  type PendingUndo,
  updatePendingUndo,
} from '../../../store/irrigation/pending-undos.ts';
import { recordingDb } from '../../../store/scope/company-db.ts';
import { type ChangedRow, isSameImage } from '../../../store/scope/recorded-rows.ts';
import { RowRecorder } from '../../../store/scope/row-recorder.ts';
import type { CompanyDb } from '../../../store/tables.ts';

/** Takes back one part of the undone change, as a part of the undo. */
export async function takeBackNextPart(db: CompanyDb, undo: PendingUndo): Promise<void> {
  const { value: next } = await partsOfChange(db, undo.undoes, undo.afterPart, 1).next();
  if (!next) return deletePendingUndo(db, undo);

  const recorder = new RowRecorder();
  await writeReversals(recordingDb(db, recorder), await unchangedRows(db, next.rows));
  await addChangePart(db, undo.changeId, recorder);
  await updatePendingUndo(db, { ...undo, afterPart: next.part });
}

/** All that the undo has found unchanged, unless something other than a call has written since. */
async function unchangedRows(db: CompanyDb, rows: readonly ChangedRow[]): Promise<Reversal[]> {
  const stored = await withStoredImages(db, toReversals(rows));
  return stored.flatMap(({ row, image }) => (isSameImage(image, row.from) ? [row] : []));
}
