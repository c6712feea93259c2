import { setTimeout as pause } from 'node:timers/promises';
import {
  NOTHING_PLANNED,
  type PlanCounts,
  withCountsOf,
} from '../../../domain/irrigation/plan-parts.ts';
import type { RegenerationPlan } from '../../../domain/irrigation/regeneration-plan.ts';
import type { Call, PendingWork } from '../../../operation/call.ts';
import {
  deletePendingRegenerations,
  hasPendingRemovals,
  type PendingRegeneration,
  pendingRegenerations,
  type RegenerationFilter,
} from '../../../store/irrigation/pending-regenerations.ts';
import { deleteHiddenRows } from '../../../store/irrigation/removals.ts';
import { companyIdOf } from '../../../store/scope/company-db.ts';
import type { Store } from '../../../store/store.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { PAUSE_BETWEEN_STEPS_MS } from '../../write-in-steps.ts';
import { applyRegenerations, NOTHING_REGENERATED } from './regeneration-steps.ts';
import { newStepClock, OCCURRENCES_PER_STEP, REGENERATIONS_PER_STEP } from './step-limits.ts';

/** Applies some pending regenerations in one transaction: the first, and others like it. */
export async function applySomePending(
  db: CompanyDb,
  filter: RegenerationFilter,
  clock = newStepClock(),
): Promise<{ plan: RegenerationPlan; isFinished: boolean }> {
  const candidates = await pendingRegenerations(db, filter, REGENERATIONS_PER_STEP);
  const [first] = candidates;
  if (first === undefined) return { plan: NOTHING_REGENERATED.plan, isFinished: true };

  const sameChange = candidates.filter((candidate) => isSameChange(candidate, first));
  const limits = { occurrences: OCCURRENCES_PER_STEP, clock };
  const { plan, pending } = await applyRegenerations(db, sameChange, limits);

  const stillPending = new Set(pending);
  const applied = sameChange.filter((regeneration) => !stillPending.has(regeneration));
  await deletePendingRegenerations(
    db,
    first.scheduleId,
    applied.map(({ moduleId }) => moduleId),
  );
  if (first.isRemoval) await deleteHiddenRows(db);

  const hasReadAll = candidates.length < REGENERATIONS_PER_STEP;
  const hasAppliedAll = pending.length === 0 && sameChange.length === candidates.length;
  return { plan, isFinished: hasReadAll && hasAppliedAll };
}

/** The two differ at most in their probe. */
const isSameChange = (a: PendingRegeneration, b: PendingRegeneration): boolean =>
  a.scheduleId === b.scheduleId &&
  a.changedAt === b.changedAt &&
  a.regenerateFrom === b.regenerateFrom &&
  a.isRemoval === b.isRemoval &&
  JSON.stringify([...a.movedStartTimes]) === JSON.stringify([...b.movedStartTimes]);

/** Counts what it has done: the plans themselves may have hundreds of thousands of waterings. */
export async function applyPendingRegenerations(
  store: Store,
  companyId: number,
  filter: RegenerationFilter,
  signal?: AbortSignal,
): Promise<PlanCounts> {
  let counts = NOTHING_PLANNED;
  for (;;) {
    const step = await store.write(companyId, (db) => applySomePending(db, filter));
    counts = withCountsOf(counts, step.plan);
    if (step.isFinished || signal?.aborted) return counts;
    await pause(PAUSE_BETWEEN_STEPS_MS);
  }
}

/**
 * Applies the pending regenerations of a call after its commit and before its answer. If the
 * process crashes in between, housekeeping or the next reader applies them.
 */
export function applyRegenerationsAfterCommit(
  call: Call,
  pending: readonly PendingRegeneration[],
): void {
  if (pending.length === 0) return;
  const companyId = companyIdOf(call.db);
  call.afterCommit(async (store, signal) => {
    // Only its own, because other calls of the company may have begun far more.
    for (const scheduleId of new Set(pending.map((each) => each.scheduleId)))
      await applyPendingRegenerations(store, companyId, { scheduleId }, signal);
  });

  // Removed waterings are hidden already, so the caller is told only of those to be updated.
  const updates = pending.filter(({ isRemoval }) => !isRemoval);
  const modules = new Set(updates.map(({ moduleId }) => moduleId)).size;
  if (modules > 0) call.advise({ kind: 'planned_waterings_follow', modules });
}

/** The rows of removed schedules and modules that are still to be deleted. */
export const pendingRemovals: PendingWork = async ({ db }) => {
  if (!(await hasPendingRemovals(db))) return null;
  const companyId = companyIdOf(db);
  return { needed: (store) => applyPendingRegenerations(store, companyId, {}) };
};
