import { exec } from 'node:child_process';
import { realpathSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  stat,
  statfs,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/domain/periods.ts';
import { defaultBackupFolder } from '../../../src/store/backups/backup-location.ts';
import { releaseClosedFiles } from '../../../src/store/sqlite/connection.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { executeRaw, makeFirstStore } from '../../store/first-store/first-store.ts';
import { newFolder } from '../../temporary-places.ts';
import { doctor, findingWith, withDatabase } from './examined-store.ts';

describe('a store that does not exist yet', () => {
  it('is doubtful, with advice on how to start, and is not created', async () => {
    const folder = await newFolder();
    const report = await doctor(join(folder, 'data', 'farm.db'));
    expect(report.code).toBe(0);
    expect(report.on('store')).toMatchObject(findingWith('doubtful', '', 'acequia init'));
    expect(report.on('disk').level).toBe('good');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is bad if its folder is a file', async () => {
    const file = join(await newFolder(), 'plain.txt');
    await writeFile(file, 'a');
    const report = await doctor(join(file, 'farm.db'));
    expect(report.code).toBe(1);
    expect(report.on('disk')).toMatchObject(findingWith('bad', 'plain.txt'));
  });

  it('may be an empty file, which stays empty', async () => {
    const db = join(await newFolder(), 'farm.db');
    await writeFile(db, '');
    const report = await doctor(db);
    expect([report.code, report.on('store').level]).toEqual([0, 'doubtful']);
    expect(await readFile(db, 'utf8')).toBe('');
  });
});

describe('a file', () => {
  it.each([
    ['text', 'We watered the north block today.\n'.repeat(200), /is not an Acequia store/],
    ['a database of another program', null, /database of another program/],
  ])('that is %s is bad, and the other checks still run', async (_, content, why) => {
    const db = join(await newFolder(), 'farm.db');
    if (content === null)
      withDatabase(db, (database) => database.exec('create table songs (name text)'));
    else await writeFile(db, content);
    const before = await readFile(db);
    const report = await doctor(db);
    expect(report.code).toBe(1);
    expect(report.on('store')).toMatchObject({ level: 'bad', what: expect.stringMatching(why) });
    expect(report.on('zone data').level).toBe('good');
    expect(await readFile(db)).toEqual(before);
  });

  const overwriteMiddle = async (db: string) =>
    writeFile(db, (await readFile(db)).fill(0xa5, 40_960, 81_920));
  const execute = (sql: string) => async (db: string) =>
    withDatabase(db, (database) => database.exec(sql));
  const futureMigration =
    "insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2030-01-01')";
  const brokenReference =
    'pragma foreign_keys = off; update modules set parcel_id = 99 where id = 1';

  it.each<[string, (db: string) => Promise<unknown>, string, string, string]>([
    ['of a newer Acequia', execute(futureMigration), 'store', '', 'Update Acequia'],
    ['that is damaged', overwriteMiddle, 'integrity', '', 'backup'],
    ['without its end', (db) => truncate(db, 40_960), 'store', '', 'backup'],
    [
      'with a reference to a missing row',
      execute(brokenReference),
      'integrity',
      'a row of modules whose parcels is missing',
      '',
    ],
  ])('%s is bad, and the advice says what to do', async (_, change, subject, what, advice) => {
    const db = await newBaseFarm();
    await change(db);
    const { code, on } = await doctor(db);
    expect(code).toBe(1);
    expect(on(subject)).toMatchObject(findingWith('bad', what, advice));
  });
});

it.skipIf(process.platform === 'win32')(
  'a file that others may read is bad, with the command that closes it',
  async () => {
    const db = join(await newFolder(), "Ana's farm.db");
    await copyFile(await newBaseFarm(), db);
    await chmod(db, 0o644);

    const before = await doctor(db);

    expect(before.on('access')).toMatchObject(
      findingWith('bad', `${db} (mode 644)`, 'Opening the store does the same'),
    );
    const command = /chmod 600 .*\.db'/.exec(before.on('access').advice!)![0];
    expect((await stat(db)).mode & 0o777).toBe(0o644);
    // The doctor of this process has created logs, which the end of its own process would remove.
    await releaseClosedFiles();
    await promisify(exec)(command);
    expect((await doctor(db)).on('access')).toMatchObject(findingWith('good', 'only the owner'));
  },
);

describe('a store of an earlier version', () => {
  const appliedMigrations = (db: string) =>
    withDatabase(db, (database) => database.prepare('select name from kysely_migration').all());

  it('is doubtful, and is not migrated', async () => {
    const db = join(await newFolder(), 'farm.db');
    await makeFirstStore(db);
    const report = await doctor(db);
    expect([report.code, report.on('store').level]).toEqual([0, 'doubtful']);
    expect(report.on('store').advice).toContain('acequia tick');
    expect(appliedMigrations(db)).toEqual([{ name: '0001-first-schema' }]);
  });

  it('is bad if it is from before the first release, with advice on what to do', async () => {
    const db = join(await newFolder(), 'farm.db');
    await makeFirstStore(db);
    await executeRaw(db, "update kysely_migration set name = '0001-first-tables'");
    const report = await doctor(db);
    expect(report.code).toBe(1);
    expect(report.on('store')).toMatchObject(
      findingWith('bad', 'before the first release', '218d5811'),
    );
    expect(appliedMigrations(db)).toEqual([{ name: '0001-first-tables' }]);
  });
});

describe('the disk', () => {
  it('says when it is full at the pace of the copies, those on the same disk included', async () => {
    const db = await newBaseFarm();
    const folder = defaultBackupFolder(db);
    withDatabase(db, (database) =>
      database.exec(`insert into backup_folders (folder, store_id) values ('${folder}', 'farm')`),
    );
    await mkdir(folder, { recursive: true });
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    // A copy every five days, each larger by a hundredth of what is free.
    const bytesPerCopy = Math.floor(free / 100);
    for (let nth = 0; nth < 4; nth++) await writeCopy(nth, bytesPerCopy);

    const { figures, what } = (await doctor(db)).on('disk');
    // 1 / 500 of the free space a day, five times: the store and four copies.
    expect(figures).toMatchObject({ daysUntilFull: expect.closeTo(100, -1) });
    expect(what).toMatch(/; full in \d+ days at this pace$/);

    async function writeCopy(nth: number, bytes: number): Promise<void> {
      const at = Date.now() - (20 - 5 * nth) * DAY_MS;
      const file = `farm-${nth}.db`;
      const manifest = {
        ...{ format: 1, kind: 'regular', store: { id: 'farm', path: realpathSync(db) }, file },
        ...{ firstAt: at, at, checkedAt: at, drilledAt: null, damage: null },
        ...{ bytes: (nth + 1) * bytes, sha256: '', migrations: [], tables: [] },
      };
      await writeFile(join(folder, file), '');
      // Without content, so that it takes no space.
      await truncate(join(folder, file), manifest.bytes);
      await writeFile(join(folder, `farm-${nth}.json`), JSON.stringify(manifest));
    }
  });
});
