import { addChangePart, lastPartBefore } from '../store/changes/change-parts.ts';
import { changeWithoutParts } from '../store/changes/changes.ts';
import {
  type Reversal,
  toReversals,
  withStoredImages,
  writeReversals,
} from '../store/changes/reversals.ts';
import { upsertUnassignedReadings } from '../store/ingest/unassigned-readings.ts';
import {
  deletePendingUndo,
  type PendingUndo,
  updatePendingUndo,
} from '../store/irrigation/pending-undos.ts';
import { recordingDb } from '../store/scope/company-db.ts';
import { type ChangedRow, isSameImage } from '../store/scope/recorded-rows.ts';
import { RowRecorder } from '../store/scope/row-recorder.ts';
import type { CompanyDb } from '../store/tables.ts';
import {
  deleteReadingsOfAssignment,
  isWrittenAnew,
  writtenReadings,
} from './ingest/devices/assignment-undo.ts';

/** Takes back one part of the undone change, as a part of the undo. */
export async function takeBackNextPart(db: CompanyDb, undo: PendingUndo): Promise<void> {
  const next = await lastPartBefore(db, undo.undoes, undo.afterPart);
  if (!next) return deletePendingUndo(db, undo);

  if (!isWrittenAnew(next.rows)) {
    const recorder = new RowRecorder();
    await takeBackRows(recordingDb(db, recorder), undo, next.rows);
    await addChangePart(db, undo.changeId, recorder);
  }
  await updatePendingUndo(db, { ...undo, afterPart: next.part });
}

async function takeBackRows(
  db: CompanyDb,
  { undoes }: PendingUndo,
  rows: readonly ChangedRow[],
): Promise<void> {
  const reversals = await unchangedRows(db, rows);
  const isReading = ({ table }: Reversal): boolean => table === 'device_readings';
  await writeReversals(
    db,
    reversals.filter((reversal) => !isReading(reversal)),
  );
  const readings = reversals.filter(isReading);
  if (readings.length === 0) return;

  const change = await changeWithoutParts(db, undoes);
  const assignments = toReversals(change?.rows ?? []);
  await deleteReadingsOfAssignment({ db }, [...assignments, ...readings]);
  await upsertUnassignedReadings(db, writtenReadings(readings));
}

/** All that the undo has found unchanged, unless something other than a call has written since. */
async function unchangedRows(db: CompanyDb, rows: readonly ChangedRow[]): Promise<Reversal[]> {
  const stored = await withStoredImages(db, toReversals(rows));
  return stored.flatMap(({ row, image }) => (isSameImage(image, row.from) ? [row] : []));
}
