import { readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { inTemporaryFolder } from '../temporary-stores.ts';

const refusal = (message: RegExp, hint: RegExp) => ({
  code: 'STORE_UNAVAILABLE',
  message: expect.stringMatching(message),
  hint: expect.stringMatching(hint),
});

it('is accessible to its owner only: the folder that it creates, the file, and the files beside it', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'farm', 'acequia.db');
    const store = await openStore({ db: file });
    const modes = await Promise.all(
      (await readdir(join(folder, 'farm'))).map(async (name) => {
        const { mode } = await stat(join(folder, 'farm', name));
        return [name, (mode & 0o777).toString(8)];
      }),
    );
    expect(Object.fromEntries(modes)).toEqual({
      'acequia.db': '600',
      'acequia.db-shm': '600',
      'acequia.db-wal': '600',
    });
    expect(((await stat(join(folder, 'farm'))).mode & 0o777).toString(8)).toBe('700');
    await store.close();
  }));

it.each([
  ['a link to itself', (folder: string) => join(folder, 'loop')],
  ['a name that is too long', (folder: string) => join(folder, 'n'.repeat(300))],
])('is refused at %s', (_, at) =>
  inTemporaryFolder(async (folder) => {
    await symlink('loop', join(folder, 'loop'));
    await expect(openStore({ db: at(folder) })).rejects.toMatchObject(refusal(/cannot be opened/, /--db/));
  }),
);
