import { randomUUID } from 'node:crypto';
import { copyFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RETENTION } from '../../../src/domain/backups/retention.ts';
import {
  isOfStore,
  makeBackupFolder,
  manifestPathOf,
  partialPath,
  storedBackup,
  storedBackups,
  useBackupFolder,
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
      await (await openStore({ db: file })).close();
      await makeBackupFolder(backups);
      return makeBackup(
        {
          file,
          folder: backups,
          storeId,
          now: FIRST + day * DAY_MS,
          retention: DEFAULT_RETENTION,
          isSizeLimited: false,
        },
        { onPages: () => undefined },
      );
    },
  };
}

async function newestIn(place: Place) {
  const [newest] = (await storedBackups(place.folder)).filter((each) =>
    isOfStore(each, place.storeId),
  );
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
      const partial = partialPath(place.folder, place.storeId);
      const ofOther = partialPath(place.folder, randomUUID());
      for (const name of [partial, `${partial}-journal`, ofOther]) await writeFile(name, 'x');
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

describe('a folder for copies', () => {
  it('is made beside the store, and elsewhere only used once it is marked', () =>
    inTemporaryFolder(async (folder) => {
      const [file, named] = [join(folder, 'farm.db'), join(folder, 'stick')];
      await writeFile(file, '');
      await useBackupFolder(join(folder, 'backups'), file);
      await expect(useBackupFolder(named, file)).rejects.toMatchObject({
        failure: 'folder_missing',
      });
      await makeBackupFolder(named);
      await useBackupFolder(named, file);
    }));

  it('that exists on the same disk is not taken for the one of an absent disk', () =>
    inTemporaryFolder(async (folder) => {
      const [file, named] = [join(folder, 'farm.db'), join(folder, 'stick')];
      await writeFile(file, '');
      await makeBackupFolder(named);
      await inTemporaryFolder(async (empty) => {
        await expect(useBackupFolder(empty, file)).rejects.toMatchObject({
          failure: 'folder_unmarked',
        });
      });
    }));
});

const disk = mountSmallDisk(8);

describe.skipIf(disk === null)('a full disk', () => {
  it('keeps the copies that exist and leaves nothing else', async () => {
    const { folder: root, remove } = disk!;
    try {
      const place = placeIn(root);
      await inTemporaryFolder(async (elsewhere) => {
        const other = { ...placeIn(elsewhere), folder: join(root, 'backups') };
        const copy = (day: number) =>
          makeBackup(
            {
              file: other.file,
              folder: other.folder,
              storeId: other.storeId,
              now: FIRST + day * DAY_MS,
              retention: DEFAULT_RETENTION,
              isSizeLimited: false,
            },
            { onPages: () => undefined },
          );
        await (await openStore({ db: other.file })).close();
        await makeBackupFolder(place.folder);
        await expect(copy(0)).rejects.toMatchObject({ failure: 'disk_full' });
        expect(await readdir(place.folder)).toEqual(['acequia-backups.txt']);
      });
    } finally {
      remove();
    }
  });
});
