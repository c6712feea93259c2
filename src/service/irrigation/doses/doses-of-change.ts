import { assertNothingPending, type Call, type WriteContext } from '../../../operation/call.ts';
import { rowCountOfParts } from '../../../store/changes/change-parts.ts';
import {
  probesSharingIrrigations,
  probesWithIncompleteWaterings,
} from '../../../store/irrigation/incomplete-waterings.ts';
import {
  addPendingDoses,
  type PendingDoses,
  setChangeOfPendingDoses,
} from '../../../store/irrigation/pending-doses.ts';
import type { WateredTargets } from '../../../store/irrigation/watering-target.ts';
import { companyIdOf } from '../../../store/scope/company-db.ts';
import {
  type CompletedDoses,
  completeDosesOfParcels,
  completeSomeDoses,
  WATERINGS_PER_STEP,
} from './dose-completion.ts';
import { completePendingDoses, pendingDosesOfAll } from './pending-doses.ts';

/**
 * Completes what one transaction may, and stores the rest as pending. `limit` says how many
 * waterings that are.
 */
export async function completeDosesOf(
  { db, now }: WriteContext,
  { moduleIds, parcelIds }: WateredTargets,
  waterings: 'recorded' | 'all',
  limit = WATERINGS_PER_STEP,
): Promise<CompletedDoses> {
  await assertNothingPending({ db, now }, [pendingDosesOfAll]);
  const onParcels = await completeDosesOfParcels({ db, now }, parcelIds, waterings);
  const probes = await probesWithIncompleteWaterings(db, moduleIds, {
    waterings,
    changedAt: now,
  });
  // The area of these probes may be the last that was missing to spread the volume of a whole
  // parcel.
  const others = waterings === 'all' ? [] : await probesSharingIrrigations(db, probes);

  const result = await completeSomeDoses<PendingDoses>(
    db,
    [
      ...probes.map((moduleId) => ({ moduleId, changedAt: now, waterings, after: null })),
      ...others.map((moduleId) => ({
        moduleId,
        changedAt: now,
        waterings: 'of_parcel' as const,
        after: null,
      })),
    ],
    limit,
  );
  await addPendingDoses(db, result.pending);
  return { ...result, completed: onParcels + result.completed };
}

/** Says how many doses are completed, after the pending ones. */
export function finishDosesOfChange(call: Call, doses: CompletedDoses): void {
  const advise = (count: number): void => {
    if (count > 0) call.advise({ kind: 'doses_completed', count });
  };
  if (doses.pending.length === 0) advise(doses.completed);
  else completeRestAfterCommit(call, doses, (count) => advise(doses.completed + count));
}

/** Passes on how many doses were pending. */
export function completeRestAfterCommit(
  call: Call,
  { pending }: CompletedDoses,
  onCompleted: (count: number) => void = () => undefined,
): void {
  if (pending.length === 0) return;

  const companyId = companyIdOf(call.db);
  call.afterRecording(async (changeId) => {
    await setChangeOfPendingDoses(call.db, changeId);
    call.afterCommit(async (store, signal) => {
      await completePendingDoses(store, companyId, {}, signal);
      // Counted in the store, because other calls may have completed some of them.
      onCompleted(await store.read(companyId, (db) => rowCountOfParts(db, changeId)));
    });
  });
}
