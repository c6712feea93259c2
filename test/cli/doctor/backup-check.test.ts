import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkBackups } from '../../../src/cli/doctor/backup-check.ts';
import {
  ensureFolderRecord,
  recordCopy,
  recordFailure,
} from '../../../src/store/backups/folder-records.ts';
import { openStore, viewStore } from '../../../src/store/store.ts';
import { inTemporaryFolder } from '../../store/temporary-stores.ts';
import { findingWith } from './examined-store.ts';

const NOW = Date.parse('2026-07-10T08:00:00Z');
const HOUR_MS = 3_600_000;

type Records = 'none' | 'fresh' | 'old' | 'full';

const checkWith = (records: Records) =>
  inTemporaryFolder(async (root) => {
    const [db, folder] = [join(root, 'farm.db'), join(root, 'backups')];
    await writeFile(db, '');
    const store = await openStore({ db });
    await store.writeAll(async (all) => {
      if (records === 'none') return;
      await ensureFolderRecord(all, folder);
      const copiedAt = NOW - (records === 'old' ? 72 : 5) * HOUR_MS;
      await recordCopy(all, folder, { copiedAt });
      if (records === 'full')
        await recordFailure(all, folder, { failure: 'disk_full', failedAt: NOW - 2 * HOUR_MS });
    });
    await store.close();

    const view = await viewStore(db);
    try {
      return await checkBackups(NOW, db, view);
    } finally {
      await view.close();
    }
  });

it.each([
  ['none', 'good', 'yet; a running program makes one each day'],
  ['fresh', 'good', 'made or checked 5 hours ago, never tried; on the same disk as the store'],
  ['old', 'doubtful', 'made or checked 3 days ago'],
  ['full', 'doubtful', 'failed 2 hours ago: there is no space left; the newest was made'],
] as const)('of copies: %s', async (records, level, text) => {
  expect(await checkWith(records)).toMatchObject([findingWith(level, text)]);
});
