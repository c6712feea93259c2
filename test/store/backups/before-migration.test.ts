import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { storedBackups } from '../../../src/store/backups/backup-folder.ts';
import { defaultBackupFolder } from '../../../src/store/backups/backup-location.ts';
import { problemsOf } from '../../../src/store/backups/check-backup.ts';
import { openStore, viewStore } from '../../../src/store/store.ts';
import { makeCopiesBeforeMigrations } from '../../../src/store/upgrade-settings.ts';
import { mountSmallDisk } from '../../stores/small-disk.ts';
import { executeRaw, makeFirstStore, withFirstStore } from '../first-store/first-store.ts';
import { inTemporaryFolder } from '../temporary-stores.ts';

// A command that ran in this process may have turned them off.
beforeEach(() => makeCopiesBeforeMigrations(true));

const copiesOf = (db: string) => storedBackups(defaultBackupFolder(db));

const upgrade = async (db: string): Promise<void> => {
  await (await openStore({ db })).close();
};

const hasTable = (file: string, table: string): boolean => {
  const database = new DatabaseSync(file, { readOnly: true });
  const found = database.prepare('select 1 from sqlite_schema where name = ?').get(table);
  database.close();
  return found !== undefined;
};

describe('before a store is upgraded', () => {
  it('it is copied as it was, once', () =>
    withFirstStore(false, async (db) => {
      await upgrade(db);
      await upgrade(db);
      const copies = await copiesOf(db);
      expect(copies).toMatchObject([
        { isGood: true, manifest: { kind: 'before_migration', migrations: ['0001-first-schema'] } },
      ]);
      const [copy] = copies;
      expect(await problemsOf(copy!)).toEqual([]);
      expect(hasTable(copy!.path, 'reading_local_days')).toBe(false);
      expect(hasTable(db, 'reading_local_days')).toBe(true);

      // Wherever it is put, it is that store again.
      const view = await viewStore(copy!.path);
      expect(view.state).toBe('needsMigration');
      await view.close();
    }));

  it('another process that waits for the upgrade makes no second copy', () =>
    withFirstStore(false, async (db) => {
      await Promise.all([upgrade(db), upgrade(db), upgrade(db)]);
      expect(await copiesOf(db)).toHaveLength(1);
    }));

  it('the newest two copies stay, and an upgrade that failed makes no new one', () =>
    inTemporaryFolder(async (folder) => {
      const db = join(folder, 'farm.db');
      for (const name of ['Mas Un', 'Mas Deux', 'Mas Trois']) {
        for (const suffix of ['', '-wal', '-shm']) await rm(db + suffix, { force: true });
        await makeFirstStore(db);
        await executeRaw(db, `update companies set name = '${name}' where id = 1`);
        // The upgrade fails on this table, after the copy.
        await executeRaw(db, 'create table local_day_zones (zone text)');
        await expect(upgrade(db)).rejects.toThrow();
        await expect(upgrade(db)).rejects.toThrow();
      }
      const copies = await copiesOf(db);
      expect(copies.map(({ isGood }) => isGood)).toEqual([true, true]);
    }));

  it('nothing is copied where copies are off', () =>
    withFirstStore(false, async (db) => {
      makeCopiesBeforeMigrations(false);
      try {
        await upgrade(db);
        expect(existsSync(defaultBackupFolder(db))).toBe(false);
      } finally {
        makeCopiesBeforeMigrations(true);
      }
    }));
});

const disk = mountSmallDisk(8);

it.skipIf(disk === null)('on a full disk the upgrade is refused with the way out', async () => {
  const { folder, remove } = disk!;
  try {
    const db = join(folder, 'farm.db');
    await makeFirstStore(db);
    await expect(openStore({ db })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('no space'),
      hint: expect.stringContaining('ACEQUIA_BACKUPS=off'),
    });
    expect(hasTable(db, 'reading_local_days')).toBe(false);
    expect(await readdir(defaultBackupFolder(db))).toEqual(['acequia-backups.txt']);

    makeCopiesBeforeMigrations(false);
    await upgrade(db);
    expect(hasTable(db, 'reading_local_days')).toBe(true);
  } finally {
    makeCopiesBeforeMigrations(true);
    remove();
  }
});
