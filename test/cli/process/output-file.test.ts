import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { assertNotStoreFile } from '../../../src/cli/process/output-file.ts';
import { folderForFile } from '../../temporary-places.ts';

let folder: string;
let db: string;

beforeAll(async () => {
  folder = await folderForFile();
  db = join(folder, 'farm.db');
  for (const suffix of ['', '-wal', '-shm']) await writeFile(db + suffix, suffix);
  await link(db, join(folder, 'hard-linked.png'));
  await link(`${db}-wal`, join(folder, 'linked-log.png'));
  await symlink(db, join(folder, 'linked.png'));
  await symlink(folder, join(folder, 'linked-folder'));
  await mkdir(join(folder, 'other'));
  await writeFile(join(folder, 'other', 'copy.db'), '');
});

const refusal = (output: string, stores = [db]) => {
  try {
    assertNotStoreFile(output, '--out', stores);
    return null;
  } catch (error) {
    return error;
  }
};

it.each([
  'farm.db',
  'farm.db-wal',
  'farm.db-shm',
  'farm.db-journal',
  'other/../farm.db',
  'linked-folder/farm.db-journal',
  'linked.png',
  'hard-linked.png',
  'linked-log.png',
  'other/copy.db-wal',
])('refuses %s as an output file beside the store farm.db', (name) => {
  for (const path of [`${folder}/${name}`, relative(process.cwd(), join(folder, name))]) {
    expect(refusal(path)).toMatchObject({ code: 'invalid_parameter', field: '--out' });
  }
});

it.each([
  'moisture.png',
  'farm.db.png',
  'other/farm.db',
  'other/copy.db',
  'nowhere/deep/x.png',
  'other/copy.db/x.png',
])('accepts %s as an output file', (name) => {
  expect(refusal(join(folder, name))).toBeNull();
});

it('compares nothing with a database on a server', () => {
  expect(refusal('farm.db', ['postgres://db.example.org/farm'])).toBeNull();
});
