import { randomUUID } from 'node:crypto';
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  backupsOfStore,
  type FolderUse,
  identityOfStore,
  manifestPathOf,
  markBackupFolder,
  ownerOfStore,
  partialPath,
  storedBackup,
  storedBackups,
  useBackupFolder,
  writeKeepRule,
} from '../../../src/store/backups/backup-folder.ts';
import { problemsOf } from '../../../src/store/backups/check-backup.ts';
import { type BackupReport, makeBackup } from '../../../src/store/backups/make-backup.ts';
import { openStore } from '../../../src/store/store.ts';
import { propertyRuns } from '../../property-runs.ts';
import { mountSmallDisk } from '../../stores/small-disk.ts';
import { inTemporaryFolder } from '../temporary-stores.ts';

const FIRST = Date.parse('2026-07-01T03:00:00Z');
const DAY_MS = 86_400_000;

interface Place {
  readonly file: string;
  readonly folder: string;
  readonly storeId: string;
  add(name: string): void;
  /** A copy on a day after the first. */
  copy(day: number): Promise<BackupReport>;
}

const withPlace = <T>(body: (place: Place) => Promise<T>): Promise<T> =>
  inTemporaryFolder((folder) => body(placeIn(folder)));

function placeIn(folder: string): Place {
  const [file, storeId] = [join(folder, 'farm.db'), randomUUID()];
  const backups = join(folder, 'backups');
  return {
    file,
    folder: backups,
    storeId,
    add(name) {
      const database = new DatabaseSync(file);
      database.prepare('insert into companies (name) values (?)').run(name);
      database.close();
    },
    async copy(day) {
      await ensureStore(file, storeId);
      return copyTo({ file, folder: backups, storeId }, day);
    },
  };
}

/** With the id that its record of a folder gives it. */
async function ensureStore(file: string, storeId: string): Promise<void> {
  const store = await openStore({ db: file });
  const row = { folder: 'x', store_id: storeId };
  await store.writeUnlocked((all) =>
    all
      .insertInto('backup_folders')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  await store.close();
}

async function copyTo(
  { file, folder, storeId }: Pick<Place, 'file' | 'folder' | 'storeId'>,
  day: number,
): Promise<BackupReport> {
  await markBackupFolder({ folder, storeFile: file, wasUsed: false });
  const now = FIRST + day * DAY_MS;
  return makeBackup({ file, folder, storeId, now }, { onPages: () => undefined });
}

async function newestIn(place: Place) {
  const store = identityOfStore(place.file, place.storeId);
  const [newest] = await backupsOfStore(place.folder, store, FIRST + 900 * DAY_MS);
  return newest!;
}

function companiesIn(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare('select name from companies order by id').all();
    return rows.map((row) => (row as { name: string }).name);
  } finally {
    database.close();
  }
}

describe('a copy', () => {
  it('has the rows of the store, its own manifest, no log, and nobody else may read it', () =>
    withPlace(async (place) => {
      await place.copy(0);
      place.add('Mas Rouge');
      const { path, isNew, rows } = await place.copy(1);
      expect({ isNew, rows }).toEqual({ isNew: true, rows: 1 });
      expect(companiesIn(path)).toEqual(['Mas Rouge']);
      expect(await problemsOf(storedBackup(manifestPathOf(path))!)).toEqual([]);
      expect((await readdir(place.folder)).sort()).toEqual([
        'acequia-backups.txt',
        'farm-2026-07-01T03-00-00Z.db',
        'farm-2026-07-01T03-00-00Z.json',
        'farm-2026-07-02T03-00-00Z.db',
        'farm-2026-07-02T03-00-00Z.json',
      ]);
      if (process.platform !== 'win32')
        for (const name of [path, manifestPathOf(path)])
          expect((await stat(name)).mode & 0o777).toBe(0o600);
    }));

  it('of a store without changes renews the manifest of the newest one', () =>
    withPlace(async (place) => {
      const first = await place.copy(0);
      const second = await place.copy(1);
      expect(second).toEqual({ ...first, isNew: false });
      const { manifest } = await newestIn(place);
      expect([manifest.firstAt, manifest.at]).toEqual([FIRST, FIRST + DAY_MS]);
    }));

  it('is made anew where the newest one is damaged', () =>
    withPlace(async (place) => {
      const { path } = await place.copy(0);
      const bytes = await readFile(path);
      bytes[bytes.length - 1]! ^= 1;
      await writeFile(path, bytes);
      expect(await place.copy(1)).toMatchObject({ isNew: true, deleted: 1 });
      expect(await storedBackups(place.folder)).toHaveLength(1);
    }));

  it('deletes what a killed run left behind, but not what others have there', () =>
    withPlace(async (place) => {
      const { path } = await place.copy(0);
      const identity = identityOfStore(place.file, place.storeId);
      const partial = partialPath(place.folder, ownerOfStore(identity));
      const other = ownerOfStore({ ...identity, id: randomUUID() });
      const ofOther = partialPath(place.folder, other);
      const marker = join(place.folder, '.acequia-partial-marker.999999999.txt');
      for (const name of [partial, `${partial}-journal`, marker, ofOther])
        await writeFile(name, 'x');
      await writeFile(join(place.folder, 'letter.json'), '{"format":1}');
      // Killed between its manifest and its file.
      const manifest = JSON.parse(await readFile(manifestPathOf(path), 'utf8'));
      const alone = join(place.folder, 'farm-2026-06-30T03-00-00Z.json');
      await writeFile(alone, JSON.stringify({ ...manifest, file: 'farm-2026-06-30T03-00-00Z.db' }));

      await place.copy(1);
      const names = await readdir(place.folder);
      expect(names.filter((name) => name.startsWith('.'))).toEqual([ofOther.split('/').at(-1)]);
      expect(names).toContain('letter.json');
      expect(names).not.toContain('farm-2026-06-30T03-00-00Z.json');
    }));

  it('leaves the copies of another store in the folder alone', () =>
    withPlace(async (place) => {
      await place.copy(0);
      const { manifest, manifestPath } = await newestIn(place);
      const store = { ...manifest.store, id: randomUUID() };
      await writeFile(manifestPath, JSON.stringify({ ...manifest, store }));
      for (const day of [1, 2, 3]) {
        place.add(`Mas ${day}`);
        await place.copy(day);
      }
      expect(await storedBackups(place.folder)).toHaveLength(4);
    }));

  it('is of one instant, although another process keeps writing', () =>
    withPlace(async (place) => {
      await place.copy(0);
      const filler = new DatabaseSync(place.file);
      filler.exec(`insert into secrets (name, value)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
        select 'secret ' || i, hex(randomblob(200)) from n`);

      let written = 0;
      const writing = setInterval(() => {
        filler.exec(`begin; insert into companies (name) values ('a ${written}');
          insert into companies (name) values ('b ${written}'); commit`);
        written++;
      }, 5);
      const { path } = await place.copy(1).finally(() => clearInterval(writing));
      filler.close();

      const companies = companiesIn(path);
      expect(written).toBeGreaterThan(companies.length / 2);
      expect(companies).toEqual(
        Array.from({ length: companies.length / 2 }, (_, n) => [`a ${n}`, `b ${n}`]).flat(),
      );
    }));
});

type Spoil = (path: string, other: string) => Promise<void>;

const changeByte =
  (at: number, bits: number): Spoil =>
  async (path) => {
    const bytes = await readFile(path);
    bytes[Math.floor(at * bytes.length)]! ^= bits;
    await writeFile(path, bytes);
  };

const SPOILINGS = fc.oneof(
  fc
    .record({
      at: fc.double({ min: 0, max: 0.999999, noNaN: true }),
      bits: fc.integer({ min: 1, max: 255 }),
    })
    .map(({ at, bits }) => changeByte(at, bits)),
  fc.double({ min: 0, max: 0.999, noNaN: true }).map(
    (share): Spoil =>
      async (path) => {
        await truncate(path, Math.floor((await stat(path)).size * share));
      },
  ),
  fc.constantFrom('companies', 'kysely_migration').map(
    (table): Spoil =>
      async (path) => {
        const database = new DatabaseSync(path);
        database.exec(`delete from ${table} where rowid = (select max(rowid) from ${table})`);
        database.close();
      },
  ),
  fc.constant<Spoil>((path, other) => copyFile(other, path)),
);

describe('a spoilt copy', () => {
  it('fails its check, and an untouched one does not', () =>
    withPlace(async (place) => {
      await place.copy(0);
      place.add('Mas Rouge');
      const { path } = await place.copy(1);
      const [whole, other] = [`${path}.whole`, join(place.folder, 'farm-2026-07-01T03-00-00Z.db')];
      await copyFile(path, whole);
      await fc.assert(
        fc.asyncProperty(SPOILINGS, async (spoil) => {
          await copyFile(whole, path);
          expect(await problemsOf(storedBackup(manifestPathOf(path))!)).toEqual([]);
          await spoil(path, other);
          expect(await problemsOf(storedBackup(manifestPathOf(path))!)).not.toEqual([]);
        }),
        { numRuns: Math.max(30, propertyRuns(300)) },
      );
    }));
});

/** Changes the manifest of the newest copy. */
async function withManifest(place: Place, name: string, change: object): Promise<void> {
  const { manifest } = await newestIn(place);
  await writeFile(join(place.folder, name), JSON.stringify({ ...manifest, ...change }));
}

describe('a copy that makes place', () => {
  it('is of the same store: a file that was copied with its id has copies of its own', () =>
    withPlace(async (place) => {
      await place.copy(0);
      const clone = { ...place, file: join(place.folder, '..', 'clone.db') };
      await copyFile(place.file, clone.file);
      for (const day of [1, 2, 3]) {
        const database = new DatabaseSync(clone.file);
        database.exec(`insert into companies (name) values ('Mas ${day}')`);
        database.close();
        await writeKeepRule(place.folder, { kind: 'newest', count: 1 });
        expect(await copyTo(clone, day)).toMatchObject({ isNew: true, deleted: day === 1 ? 0 : 1 });
      }
      expect(companiesIn((await newestIn(place)).path)).toEqual([]);
      expect(await storedBackups(place.folder)).toHaveLength(2);
    }));

  it('does not take the file of another one with it, whose manifest somebody copied', () =>
    withPlace(async (place) => {
      const { path } = await place.copy(0);
      const { manifest } = await newestIn(place);
      await withManifest(place, 'farm (1).json', {});
      await withManifest(place, 'odd.json', { file: '..', at: manifest.at - DAY_MS });
      await writeKeepRule(place.folder, { kind: 'newest', count: 1 });
      expect(await place.copy(1)).toMatchObject({ path, isNew: false, deleted: 0 });
      expect((await newestIn(place)).isGood).toBe(true);
    }));

  it('is none that a person gave another name', () =>
    withPlace(async (place) => {
      const { path } = await place.copy(0);
      const mine = join(place.folder, 'before-import.db');
      await rename(path, mine);
      await rename(manifestPathOf(path), manifestPathOf(mine));
      await writeKeepRule(place.folder, { kind: 'newest', count: 1 });
      for (const day of [1, 2]) {
        place.add(`Mas ${day}`);
        await place.copy(day);
      }
      const stored = storedBackup(manifestPathOf(mine));
      expect(await problemsOf(stored!)).toEqual([]);
      expect(await storedBackups(place.folder)).toHaveLength(2);
    }));

  it('does so by the rule of the folder, until that cannot be read', () =>
    withPlace(async (place) => {
      await place.copy(0);
      await writeKeepRule(place.folder, { kind: 'newest', count: 2 });
      for (const day of [100, 200, 300]) {
        place.add(`Mas ${day}`);
        await place.copy(day);
      }
      expect(await storedBackups(place.folder)).toHaveLength(2);

      const marker = join(place.folder, 'acequia-backups.txt');
      await writeFile(marker, 'Keep: ten years\n');
      place.add('Mas');
      await expect(place.copy(400)).rejects.toThrow('Keep: ten years');
      expect(await storedBackups(place.folder)).toHaveLength(3);
    }));

  it('does so by the size of the store, not by that of a file whose log holds the rows', () =>
    withPlace(async (place) => {
      await place.copy(0);
      const writer = new DatabaseSync(place.file);
      writer.exec(`pragma wal_autocheckpoint = 0; insert into secrets (name, value)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 9000)
        select 'secret ' || i, hex(randomblob(300)) from n`);
      expect(await place.copy(1)).toMatchObject({ deleted: 0 });
      writer.exec("insert into companies (name) values ('Mas Rouge')");
      expect(await copyTo(place, 2)).toMatchObject({ isNew: true, deleted: 0 });
      writer.close();
    }));
});

describe('a store that is not there any more', () => {
  it('is not made, and no copy of nothing', () =>
    withPlace(async (place) => {
      await place.copy(0);
      for (const suffix of ['', '-wal', '-shm']) await rm(place.file + suffix, { force: true });
      await expect(copyTo(place, 1)).rejects.toThrow();
      await expect(stat(place.file)).rejects.toThrow('ENOENT');

      await ensureStore(place.file, randomUUID());
      await expect(copyTo(place, 1)).rejects.toThrow('replaced by another store');
      expect(await storedBackups(place.folder)).toHaveLength(1);
    }));
});

describe('a folder for copies', () => {
  const unmarked = { failure: 'folder_unmarked' };
  const missing = { failure: 'folder_missing' };

  const inFarm = (body: (use: (name: string, wasUsed?: boolean) => FolderUse) => Promise<void>) =>
    inTemporaryFolder(async (folder) => {
      const storeFile = join(folder, 'farm.db');
      await writeFile(storeFile, '');
      await body((name, wasUsed = false) => ({ folder: join(folder, name), storeFile, wasUsed }));
    });

  it('is made beside the store, and elsewhere only used once it is marked', () =>
    inFarm(async (use) => {
      await useBackupFolder(use('backups'));
      await expect(useBackupFolder(use('stick'))).rejects.toMatchObject(missing);
      await markBackupFolder(use('stick'));
      await useBackupFolder(use('stick'));
    }));

  it('that exists on the same disk is not taken for the one of an absent disk', () =>
    inFarm(async (use) => {
      await mkdir(use('stick').folder);
      await expect(useBackupFolder(use('stick'))).rejects.toMatchObject(unmarked);
    }));

  it('is not made again by a person’s script once it has had copies: its disk is absent', () =>
    inFarm(async (use) => {
      await expect(markBackupFolder(use('stick', true))).rejects.toMatchObject(unmarked);
      await mkdir(use('stick').folder);
      await expect(markBackupFolder(use('stick', true))).rejects.toMatchObject(unmarked);
      await markBackupFolder(use('stick'));
    }));

  it('beside the store is made again where it was deleted, and not marked again where it was emptied or is a link', () =>
    inFarm(async (use) => {
      await useBackupFolder(use('backups', true));
      await rm(join(use('backups').folder, 'acequia-backups.txt'));
      await expect(useBackupFolder(use('backups', true))).rejects.toMatchObject(unmarked);
      await rm(use('backups').folder, { recursive: true });

      await symlink(use('stick').folder, use('backups').folder);
      await expect(useBackupFolder(use('backups'))).rejects.toMatchObject(missing);
      await mkdir(use('stick').folder);
      await expect(useBackupFolder(use('backups'))).rejects.toMatchObject(unmarked);
    }));

  it('is no file, and in a folder that exists', () =>
    inFarm(async (use) => {
      for (const name of ['farm.db', 'none/stick'])
        await expect(markBackupFolder(use(name))).rejects.toMatchObject(missing);
    }));
});

const disk = mountSmallDisk(8);

describe.skipIf(disk === null)('a full disk', () => {
  it('keeps the copies that exist and leaves nothing else', async () => {
    const { folder: root, remove } = disk!;
    try {
      await withPlace(async (place) => {
        const folder = join(root, 'backups');
        await ensureStore(place.file, place.storeId);
        await expect(copyTo({ ...place, folder }, 0)).rejects.toMatchObject({
          failure: 'disk_full',
        });
        expect(await readdir(folder)).toEqual(['acequia-backups.txt']);
      });
    } finally {
      remove();
    }
  });
});
