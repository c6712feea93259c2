import { dueBackup } from '../../domain/backups/due-backups.ts';
import { backupsOfStore, identityOfStore } from '../../store/backups/backup-folder.ts';
import { folderRecords, makesNoCopies } from '../../store/backups/folder-records.ts';
import type { Store } from '../../store/store.ts';
import { type BackupContext, backUp, drillBackup } from '../backups/backup-runs.ts';
import { LeaseHeldError } from '../lease.ts';

export interface BackupJobReport {
  readonly copied: number;
  readonly deleted: number;
  readonly drilled: number;
  /** For people; null if there was nothing to copy. */
  readonly path: string | null;
}

const NOTHING: BackupJobReport = { copied: 0, deleted: 0, drilled: 0, path: null };

/**
 * Makes the copy of the day, or tries the newest one once a month, if no other process does. Throws
 * a `BackupError`, which is recorded in the store.
 */
export async function runDueBackup(context: BackupContext): Promise<BackupJobReport> {
  const { store, folder, now } = context;
  const records = await store.readAll(folderRecords);
  if (makesNoCopies(records)) return NOTHING;

  const record = records.find((each) => each.folder === folder) ?? null;
  try {
    switch (dueBackup(record, now())) {
      case 'copy':
        return await copy(context);
      case 'drill':
        return await drill(context);
      case null:
        return NOTHING;
    }
  } catch (error) {
    // The next process makes the copy.
    if (error instanceof LeaseHeldError || context.signal.aborted) return NOTHING;
    throw error;
  }
}

async function copy(context: BackupContext): Promise<BackupJobReport> {
  const report = await backUp(context, (record) => dueBackup(record, context.now()) === 'copy');
  return report === null
    ? NOTHING
    : { copied: 1, deleted: report.deleted, drilled: 0, path: report.path };
}

async function drill(context: BackupContext): Promise<BackupJobReport> {
  const { file, folder, now } = context;
  const report = await drillBackup(context, async (record) => {
    if (dueBackup(record, now()) !== 'drill') return null;
    const store = identityOfStore(file, record.storeId);
    const [newest] = await backupsOfStore(folder, store, now());
    return newest?.path ?? null;
  });
  return report === null ? NOTHING : { ...NOTHING, drilled: 1, path: report.path };
}

export const backupJob = (context: BackupContext) => ({
  surface: 'tick' as const,
  operation: 'back_up',
  store: context.store,
  run: (store: Store) => runDueBackup({ ...context, store }),
  counts: ({ copied, deleted, drilled }: BackupJobReport) => ({ copied, deleted, drilled }),
});
