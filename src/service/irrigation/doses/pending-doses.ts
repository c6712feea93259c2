import { setTimeout as pause } from 'node:timers/promises';
import type { PendingWork } from '../../../operation/call.ts';
import { addChangePart } from '../../../store/changes/change-parts.ts';
import { pendingUndo } from '../../../store/changes/pending-parts.ts';
import {
  type DosesFilter,
  deletePendingDoses,
  hasPendingDoses,
  pendingDoses,
  updatePendingDoses,
} from '../../../store/irrigation/pending-doses.ts';
import { companyIdOf, recordingDb } from '../../../store/scope/company-db.ts';
import { RowRecorder } from '../../../store/scope/row-recorder.ts';
import type { Store } from '../../../store/store.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { completeNextPart } from '../../pending-parts.ts';
import { PAUSE_BETWEEN_STEPS_MS } from '../../write-in-steps.ts';
import { completeSomeDoses } from './dose-completion.ts';

// New equipment may give tens of thousands of past waterings their first dose. The transaction of
// the change completes some, and records the probes of the others as pending; each later one
// completes some more, as a further part of the change. Until then, a call that uses the waterings of
// such a probe completes its doses first. An undo takes the parts back in the same way.

const PROBES_PER_STEP = 100;

/** Completes some pending doses in one transaction, after the parts of changes. */
export async function completeSomePendingDoses(
  db: CompanyDb,
  filter: DosesFilter = {},
): Promise<{ readonly completed: number; readonly isFinished: boolean }> {
  const parts = await completeNextPart(db);
  if (!parts.isFinished) return { completed: 0, isFinished: false };

  const probes = await pendingDoses(db, filter, PROBES_PER_STEP);
  const [first] = probes;
  if (first === undefined) return { completed: 0, isFinished: true };

  const recorder = new RowRecorder();
  const { completed, pending } = await completeSomeDoses(recordingDb(db, recorder), probes);
  const [next] = pending;
  if (next) await updatePendingDoses(db, next);
  const remaining = new Set(pending.map(({ moduleId }) => moduleId));
  const done = probes.filter(({ moduleId }) => !remaining.has(moduleId));
  await deletePendingDoses(db, done);

  // An import records no change.
  if (first.changeId !== null) await addChangePart(db, first.changeId, recorder);
  return { completed, isFinished: remaining.size === 0 && probes.length < PROBES_PER_STEP };
}

/** Returns how many doses it completed. */
export async function completePendingDoses(
  store: Store,
  companyId: number,
  filter: DosesFilter,
  signal?: AbortSignal,
): Promise<number> {
  for (let completed = 0; ; ) {
    const step = await store.write(companyId, (db) => completeSomePendingDoses(db, filter));
    completed += step.completed;
    if (step.isFinished || signal?.aborted) return completed;
    await pause(PAUSE_BETWEEN_STEPS_MS);
  }
}

/** The doses of all probes, because one change at a time records its parts. */
export const pendingDosesOfAll: PendingWork = async ({ db }) => {
  const isPending = (await hasPendingDoses(db, {})) || (await pendingUndo(db)) !== null;
  if (!isPending) return null;
  const companyId = companyIdOf(db);
  return { needed: (store) => completePendingDoses(store, companyId, {}) };
};
