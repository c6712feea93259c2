import type { BackupFailure } from '../../domain/backups/failures.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeOf } from '../../domain/text/times.ts';
import type { AdvisoryOf } from '../advisory-sentences.ts';

const FAILURES: Readonly<Record<BackupFailure, Text>> = {
  disk_full: say`their disk is full`,
  folder_missing: say`their folder is not there`,
  folder_unmarked: say`their folder is not marked, so its disk may be absent`,
  folder_unwritable: say`their folder cannot be written to`,
  store_damaged: say`the store is damaged`,
  copy_damaged: say`the newest one is damaged`,
  unexpected: say`it failed unexpectedly`,
};

export function describeBackupNotice({
  problem,
  copiedAt,
  isServed,
}: AdvisoryOf<'backup_notice'>): Text {
  if (problem === 'same_disk')
    return say`The copies of the records are on the same disk as the records, and would be lost with it: ACEQUIA_BACKUPS can name a folder on another disk.`;

  const last =
    copiedAt === null ? say`There is none` : say`The last one is from ${timeOf(copiedAt)}`;
  const remedy = isServed
    ? say`whoever runs the service finds what to do with "acequia doctor"`
    : say`"acequia doctor" in a terminal tells what to do`;
  return say`No copy of the records could be made: ${FAILURES[problem]}. ${last}; ${remedy}.`;
}
