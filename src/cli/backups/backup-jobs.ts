import { MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';
import type { BackupJobs } from '../../service/jobs/background-jobs.ts';
import type { Log } from '../process/log.ts';
import type { Settings } from '../process/settings.ts';
import { backupFolderOf } from './backup-settings.ts';

/** A chat that is opened and closed at once does not begin a copy. */
const FIRST_AFTER_MS = MINUTE_MS;

/**
 * The copies that a process makes by itself. Undefined where it makes none, also with a clock that
 * is not the real one: that is for replays and tests.
 */
export function backupJobs(
  { db, clockStartsAt }: Pick<Settings, 'db' | 'clockStartsAt'>,
  log: Pick<Log, 'warn'>,
  firstAfterMs = FIRST_AFTER_MS,
): BackupJobs | undefined {
  const folder = backupFolderOf(db);
  if (folder === null || clockStartsAt !== null) return undefined;

  return {
    file: db,
    folder,
    isReady: () => process.uptime() * SECOND_MS >= firstAfterMs,
    openProcess: async () => (await import('./backup-process.ts')).backupProcess(),
    async reportFailure({ failure, message }) {
      const { failureAdvice } = await import('./failure-advice.ts');
      await log.warn(
        { folder, failure, hint: failureAdvice(failure) },
        `No copy of the store was made: ${message}`,
      );
    },
  };
}
