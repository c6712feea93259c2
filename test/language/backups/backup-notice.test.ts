import { expect, it } from 'vitest';
import { describeBackupNotice } from '../../../src/language/backups/backup-notice.ts';
import { renderText } from '../render-text.ts';

const notice = { kind: 'backup_notice' as const, copiedAt: null, isServed: false };

it.each([
  [
    { ...notice, problem: 'disk_full' as const },
    'No copy of the records could be made: their disk is full. There is none; "acequia doctor" in a terminal tells what to do.',
  ],
  [
    {
      ...notice,
      problem: 'folder_missing' as const,
      copiedAt: Date.parse('2026-07-01T01:00:00Z'),
      isServed: true,
    },
    'No copy of the records could be made: their folder is not there. The last one is from today 03:00; whoever runs the service finds what to do with "acequia doctor".',
  ],
  [
    { ...notice, problem: 'same_disk' as const },
    'The copies of the records are on the same disk as the records, and would be lost with it: ACEQUIA_BACKUPS can name a folder on another disk.',
  ],
])('says what is amiss with the copies: %j', (backups, sentence) => {
  expect(renderText(describeBackupNotice(backups))).toBe(sentence);
});
