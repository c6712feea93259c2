import type { BackupFailure } from '../../domain/backups/failures.ts';

const ADVICE: Readonly<Record<BackupFailure, string>> = {
  disk_full:
    'Free some space on that disk, or name a folder on another one. The store and the copies that exist are as they were.',
  folder_missing: 'Connect the disk, or name another folder.',
  folder_unmarked:
    'Connect the disk; if this is the right folder, put an empty file acequia-backups.txt into it.',
  folder_unwritable: 'Let this user write to the folder, or name another one.',
  store_damaged:
    'Run "acequia doctor". Keep the older copies, and the damaged file, until the store is repaired.',
  copy_damaged: 'Do not rely on this copy. "acequia backup" makes a new one.',
  unexpected: 'Run it again; if it persists, run "acequia doctor".',
};

export const failureAdvice = (failure: BackupFailure): string => ADVICE[failure];
