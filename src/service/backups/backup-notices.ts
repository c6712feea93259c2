import { DAY_MS } from '../../domain/periods.ts';
import type { Call } from '../../operation/call.ts';
import type { Advisory } from '../../schema/advisory.ts';

/** An older failure is one of a folder that is used no more. */
const FAILURE_COUNTS_MS = 3 * DAY_MS;

/** After a drill, of which there is one a month: often enough to be read, and no daily noise. */
const SAME_DISK_SAID_MS = DAY_MS;

/** What is amiss with the copies of the store. Their times are real, whatever the clock of calls. */
export async function backupNotices(call: Call): Promise<Advisory[]> {
  const now = Date.now();
  const record = await call.newestBackupFolder();
  if (record === null) return [];

  const { failure, failedAt, copiedAt, drilledAt, isOnStoreDisk } = record;
  const notice = { kind: 'backup_notice' as const, copiedAt, isServed: call.isServed };
  if (failure !== null && failedAt !== null)
    return now - failedAt < FAILURE_COUNTS_MS ? [{ ...notice, problem: failure }] : [];

  const isToSay = drilledAt !== null && now - drilledAt < SAME_DISK_SAID_MS;
  return isToSay && isOnStoreDisk && !call.isServed ? [{ ...notice, problem: 'same_disk' }] : [];
}
