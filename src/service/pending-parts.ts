import type { PendingWork } from '../operation/call.ts';
import {
  type AlertState,
  deleteAlertDependents,
  insertAlertStates,
  newAlertState,
} from '../store/alerts/alert-states.ts';
import { addChangePart, lastPartBefore, partsOfChange } from '../store/changes/change-parts.ts';
import { modulesOfRows } from '../store/changes/changed-modules.ts';
import { changeWithoutParts } from '../store/changes/changes.ts';
import {
  deletePendingParts,
  hasPendingParts,
  type PendingParts,
  type PendingUndo,
  pendingParts,
  pendingUndo,
  updatePendingParts,
} from '../store/changes/pending-parts.ts';
import {
  type Reversal,
  toReversals,
  withStoredImages,
  writeReversals,
} from '../store/changes/reversals.ts';
import { announceChange } from '../store/company-changes.ts';
import { upsertUnassignedReadings } from '../store/ingest/unassigned-readings.ts';
import { companyIdOf, recordingDb } from '../store/scope/company-db.ts';
import { type ChangedRow, isSameImage } from '../store/scope/recorded-rows.ts';
import { RowRecorder } from '../store/scope/row-recorder.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';
import {
  deleteReadingsOfAssignment,
  isWrittenAnew,
  writtenReadings,
} from './ingest/devices/assignment-undo.ts';
import { writeInSteps } from './write-in-steps.ts';

// A change of thousands of rows would hold the write lock for long. Its transaction stores them as
// parts of the change; each later transaction writes the rows of a part. An undo takes the parts back
// in the same way. After a kill, housekeeping continues, or the next call that needs the rows.

/** The first states of alerts that a part adds. */
export type FirstStates = (db: CompanyDb, alertIds: readonly string[]) => Promise<AlertState[]>;

const dueAtOnce: FirstStates = async (_, alertIds) => alertIds.map((id) => newAlertState(id, 1));

export const completePendingParts = (
  store: Store,
  companyId: number,
  firstStates?: FirstStates,
  signal?: AbortSignal,
): Promise<void> =>
  writeInSteps(store, companyId, (db) => completeNextPart(db, firstStates), signal);

/** For each use of alerts or of changes. */
export const pendingChangeParts: PendingWork = async ({ db }) => {
  if (!(await hasPendingParts(db))) return null;
  const companyId = companyIdOf(db);
  return { needed: (store) => completePendingParts(store, companyId) };
};

/** Writes one part, or takes one back, if any is pending. */
export async function completeNextPart(
  db: CompanyDb,
  firstStates = dueAtOnce,
): Promise<{ readonly isFinished: boolean }> {
  const parts = await pendingParts(db);
  const undo = parts === null ? await pendingUndo(db) : null;
  if (parts !== null) await writeNextPart(db, parts, firstStates);
  if (undo !== null) await takeBackNextPart(db, undo);
  return { isFinished: parts === null && undo === null };
}

async function writeNextPart(
  db: CompanyDb,
  pending: PendingParts,
  firstStates: FirstStates,
): Promise<void> {
  const { changeId, afterPart } = pending;
  const { value: next } = await partsOfChange(db, changeId, afterPart, 1).next();
  if (!next) return deletePendingParts(db, 'pending_parts', pending);

  // Writes the change, as an undo of its undo would.
  const undone = next.rows.map((row) => ({ ...row, before: row.after, after: row.before }));
  await writeWithAlertStates(db, toReversals(undone), firstStates);
  announceChange(db, modulesOfRows(next.rows));
  await updatePendingParts(db, 'pending_parts', { changeId, afterPart: next.part });
}

/** Takes back one part of the undone change, as a part of the undo. */
async function takeBackNextPart(db: CompanyDb, undo: PendingUndo): Promise<void> {
  const next = await lastPartBefore(db, undo.undoes, undo.afterPart);
  if (!next) return deletePendingParts(db, 'pending_undos', undo);

  if (!isWrittenAnew(next.rows)) {
    const recorder = new RowRecorder();
    await takeBackRows(recordingDb(db, recorder), undo, next.rows);
    await addChangePart(db, undo.changeId, recorder);
  }
  await updatePendingParts(db, 'pending_undos', { ...undo, afterPart: next.part });
}

async function takeBackRows(
  db: CompanyDb,
  { undoes }: PendingUndo,
  rows: readonly ChangedRow[],
): Promise<void> {
  const reversals = await unchangedRows(db, rows);
  const isReading = ({ table }: Reversal): boolean => table === 'device_readings';
  await writeWithAlertStates(
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

async function writeWithAlertStates(
  db: CompanyDb,
  reversals: readonly Reversal[],
  firstStates = dueAtOnce,
): Promise<void> {
  await deleteAlertDependents(db, alertsRemovedBy(reversals));
  await writeReversals(db, reversals);
  await insertAlertStates(db, await firstStates(db, alertsStartedBy(reversals)));
}

export const alertsRemovedBy = (reversals: readonly Reversal[]): string[] =>
  reversals.flatMap(({ table, key, to }) => (table === 'alerts' && to === null ? String(key) : []));

/** The alerts that have to be evaluated. */
export const alertsStartedBy = (reversals: readonly Reversal[]): string[] =>
  reversals.flatMap(({ table, key, from, to }) =>
    table === 'alerts' && from === null && to?.is_active === 1 && to.module_id !== null
      ? String(key)
      : [],
  );
