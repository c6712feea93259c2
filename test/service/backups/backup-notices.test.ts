import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import {
  ensureFolderRecord,
  recordCopy,
  recordFailure,
} from '../../../src/store/backups/folder-records.ts';
import { advisoriesOf, bodyOf, it, type TestFarm } from '../../farm.ts';
import { isOnPostgres } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';

const HOUR_MS = 3_600_000;

/** A folder on the disk of tests, where their stores are. */
async function recordIn(farm: TestFarm, folder: string, failedHoursAgo: number | null) {
  // Times of copies are real.
  const now = Date.now();
  await farm.store.writeAll(async (all) => {
    await ensureFolderRecord(all, folder);
    await recordCopy(all, folder, { copiedAt: now - 30 * HOUR_MS, drilledAt: now - 20 * HOUR_MS });
    if (failedHoursAgo !== null) {
      const failedAt = now - failedHoursAgo * HOUR_MS;
      await recordFailure(all, folder, { failure: 'disk_full', failedAt });
    }
  });
}

const noticesOf = async (farm: TestFarm) =>
  advisoriesOf(await farm.tool('morning_brief'), 'backup_notice');

// Copies are made of files alone.
describe.skipIf(isOnPostgres)('the brief', () => {
  it('names why no copy was made, and the page says that there is none', async ({ farm }) => {
    await recordIn(farm, await newFolder(), 2);
    expect(await noticesOf(farm)).toMatchObject([{ problem: 'disk_full' }]);
    const words = {
      en: 'no copy of the records',
      fr: 'copie des données',
      es: 'copia de los datos',
    };
    for (const [lang, text] of Object.entries(words)) {
      const page = bodyOf(await farm.tool('get_farm_page', { lang }));
      expect(page.waiting).toContain(text);
    }
  });

  it('says once a month that the copies are on the disk of the store, and nothing where they are not', async ({
    farm,
  }) => {
    const folder = await newFolder();
    await recordIn(farm, folder, null);
    expect(await noticesOf(farm)).toMatchObject([{ problem: 'same_disk' }]);
    expect(bodyOf(await farm.tool('get_farm_page')).waiting ?? null).toBeNull();

    const drilledAt = Date.now() - 25 * HOUR_MS;
    await farm.store.writeAll((all) => recordCopy(all, folder, { drilledAt }));
    expect(await noticesOf(farm)).toEqual([]);
  });

  it('says nothing of a folder that is used no more', async ({ farm }) => {
    await recordIn(farm, join(await newFolder(), 'gone'), 100);
    expect(await noticesOf(farm)).toEqual([]);
  });

  it('takes the folder of another disk for one', async ({ farm }) => {
    if (!existsSync('/proc/version')) return;
    await recordIn(farm, '/proc', null);
    expect(await noticesOf(farm)).toEqual([]);
  });
});
