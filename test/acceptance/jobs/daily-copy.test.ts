import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { CLOCK, runCommand } from '../program.ts';

async function newFarm() {
  const folder = await newFolder();
  const db = join(folder, 'farm.db');
  await copyFile(await newBaseFarm(), db);
  return {
    folder,
    db,
    tick: (env: Record<string, string> = {}, ...words: string[]) =>
      runCommand(['tick', ...words], { env: { ACEQUIA_DB: db, ...env } }),
  };
}

const copiesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.db'));

it('three processes on one file make one copy a day, and one of them tries it', async () => {
  const { folder, tick } = await newFarm();
  const results = await Promise.all([tick(), tick(), tick()]);
  for (const { code, stderr } of results) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const texts = results.map(({ stdout }) => stdout).join('');
  expect(texts.match(/The store was copied to/g)).toHaveLength(1);

  const later = [await tick(), await tick()].map(({ stdout }) => stdout).join('');
  expect(later).not.toContain('The store was copied to');
  expect((texts + later).match(/was tried: it can be restored/g)).toHaveLength(1);
  expect(await copiesIn(join(folder, 'backups'))).toHaveLength(1);
  expect((await readdir(join(folder, 'backups'))).filter((name) => name.startsWith('.'))).toEqual(
    [],
  );
});

it('makes none where copies are off, or the clock is not the real one', async () => {
  const { folder, tick } = await newFarm();
  await tick({ ACEQUIA_BACKUPS: 'off' });
  await tick({}, '--clock', CLOCK);
  expect(await readdir(folder)).not.toContain('backups');
});

it('makes none of a demo, whatever the clock, but for who asks for it', async () => {
  const { folder, db, tick } = await newFarm();
  const database = new DatabaseSync(db);
  database.exec("insert into backup_folders (folder, store_id) values ('off', 'demo')");
  database.close();
  await tick();
  expect(await readdir(folder)).not.toContain('backups');
  const doctor = await runCommand(['doctor'], { env: { ACEQUIA_DB: db } });
  expect(doctor.stdout).toContain('none are made by themselves of a demo farm');

  expect(await runCommand(['backup'], { env: { ACEQUIA_DB: db } })).toMatchObject({ code: 0 });
  expect(await copiesIn(join(folder, 'backups'))).toHaveLength(1);
});

it('says why no copy was made, and does all else', async () => {
  const { folder, db, tick } = await newFarm();
  const stick = join(folder, 'stick');
  await mkdir(stick);
  const { code, stdout, stderr } = await tick({ ACEQUIA_BACKUPS: stick });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('planned waterings produced'),
  });
  expect(JSON.parse(stderr)).toMatchObject({
    folder: stick,
    failure: 'folder_unmarked',
    hint: expect.stringContaining('acequia-backups.txt'),
  });
  expect(await readdir(stick)).toEqual([]);

  const database = new DatabaseSync(db);
  database.exec('update backup_folders set failed_at = 0');
  database.close();
  await rm(stick, { recursive: true });
  expect(JSON.parse((await tick({ ACEQUIA_BACKUPS: stick })).stderr).failure).toBe(
    'folder_missing',
  );
  await runCommand(['backup', stick], { env: { ACEQUIA_DB: db } });
  expect((await tick({ ACEQUIA_BACKUPS: stick })).stdout).toContain('was tried');
  expect(await copiesIn(stick)).toHaveLength(1);
});
