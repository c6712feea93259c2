import { type Call, WorkRequired } from '../../../operation/call.ts';
import { schedulesBehind, schedulesWithDue } from '../../../store/irrigation/schedules.ts';
import { companyIdOf } from '../../../store/scope/company-db.ts';
import { advanceSchedules } from './schedule-progress.ts';

type ReadingCall = Pick<Call, 'db' | 'now' | 'skipsOptionalWork'>;

/**
 * Called before waterings are returned with their stored status, once no regeneration is pending.
 * Throws WorkRequired while past ones of automatic schedules are still planned. Returns false if
 * they are, and the store accepts no writes.
 */
export async function confirmDueWaterings(
  call: ReadingCall,
  { moduleId }: { readonly moduleId?: number | undefined },
): Promise<boolean> {
  await planPastWaterings(call);
  return areAdvanced(call, await schedulesWithDue(call.db, call.now, moduleId));
}

/** Called before waterings are read by a query that derives their status. */
export async function planPastWaterings(call: ReadingCall): Promise<void> {
  areAdvanced(call, await schedulesBehind(call.db, call.now));
}

function areAdvanced(
  { db, now, skipsOptionalWork }: ReadingCall,
  scheduleIds: readonly number[],
): boolean {
  if (scheduleIds.length === 0) return true;
  if (skipsOptionalWork) return false;

  const companyId = companyIdOf(db);
  throw new WorkRequired({
    needed: (store) => advanceSchedules(store, companyId, scheduleIds, now),
    isOptional: true,
  });
}
