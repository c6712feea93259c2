import { BackupError } from '../../domain/backups/failures.ts';
import { SECOND_MS } from '../../domain/periods.ts';
import { useBackupFolder } from '../../store/backups/backup-folder.ts';
import { writeErasureList } from '../../store/backups/erasure-list.ts';
import {
  ensureFolderRecord,
  type FolderRecord,
  recordCopy,
  recordFailure,
} from '../../store/backups/folder-records.ts';
import type { BackupReport, BackupRequest } from '../../store/backups/make-backup.ts';
import { allErasures } from '../../store/company/erasures.ts';
import type { Store } from '../../store/store.ts';
import { claimLease, LeaseHeldError, withLease } from '../lease.ts';

export interface DrillRequest {
  /** The copy. */
  readonly path: string;
  readonly now: number;
}

export interface DrillReport {
  readonly path: string;
  /** In ms since 1970 UTC, as of the manifest. */
  readonly at: number;
  readonly rows: number;
  readonly tables: number;
  /** How many were missing in the copy, because it is older than this program. */
  readonly migrations: number;
  readonly companies: number;
  /** Answers of tools in all companies. */
  readonly answers: number;
  readonly ms: number;
}

/** Runs the heavy part in a process of its own, which ends at once when the signal is aborted. */
export interface BackupProcess {
  copy(request: BackupRequest, signal: AbortSignal): Promise<BackupReport>;
  drill(request: DrillRequest, signal: AbortSignal): Promise<DrillReport>;
}

const LEASE = 'backup';
const LEASE_MS = 60 * SECOND_MS;
const RENEW_EVERY_MS = 15 * SECOND_MS;

export interface BackupContext {
  readonly store: Store;
  readonly file: string;
  readonly folder: string;
  readonly holder: string;
  readonly process: BackupProcess;
  readonly signal: AbortSignal;
  /** In real time: a copy is of the day on which it was made. */
  readonly now: () => number;
}

/**
 * Runs `work` while no other process works on the copies of this store, and records a failure.
 * Throws a `LeaseHeldError` while another one does.
 */
async function inBackupTurn<T>(
  { store, file, folder, holder, signal, now }: BackupContext,
  work: (record: FolderRecord, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lease = { name: LEASE, holder, durationMs: LEASE_MS };
  return withLease(store, lease, async () => {
    const record = await store.writeUnlocked((all) => ensureFolderRecord(all, folder));

    const lost = new AbortController();
    const renewal = setInterval(() => {
      store
        .writeUnlocked((all) => claimLease(all, lease))
        .then((isHeld) => {
          if (!isHeld) lost.abort(new LeaseHeldError());
        })
        // It lasts for several renewals more.
        .catch(() => undefined);
    }, RENEW_EVERY_MS).unref();

    try {
      const wasUsed = record.checkedAt !== null;
      await useBackupFolder({ folder, storeFile: file, wasUsed });
      return await work(record, AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      const { failure } = error instanceof BackupError ? error : { failure: 'unexpected' as const };
      if (!signal.aborted && !lost.signal.aborted)
        await store.writeUnlocked((all) =>
          recordFailure(all, folder, { failure, failedAt: now() }),
        );
      throw error;
    } finally {
      clearInterval(renewal);
    }
  });
}

/**
 * Null if the copy is not due any more: that is decided when no other process can make one.
 */
export const backUp = (
  context: BackupContext,
  isDue: (record: FolderRecord) => boolean,
): Promise<BackupReport | null> =>
  inBackupTurn(context, async (record, signal) => {
    if (!isDue(record)) return null;

    const { store, file, folder, process } = context;
    const now = context.now();
    const { storeId } = record;
    await writeErasureList(folder, { storeId, file }, await store.readAll(allErasures));
    const report = await process.copy({ file, folder, storeId, now }, signal);
    await store.writeUnlocked((all) => recordCopy(all, folder, { copiedAt: now }));
    return report;
  });

/** `choosePath` is given the id of the store, and returns null where there is no copy to try. */
export const drillBackup = (
  context: BackupContext,
  choosePath: (record: FolderRecord) => Promise<string | null>,
): Promise<DrillReport | null> =>
  inBackupTurn(context, async (record, signal) => {
    const path = await choosePath(record);
    if (path === null) return null;

    const { store, folder, process } = context;
    const now = context.now();
    const report = await process.drill({ path, now }, signal);
    await store.writeUnlocked((all) => recordCopy(all, folder, { drilledAt: now }));
    return report;
  });
