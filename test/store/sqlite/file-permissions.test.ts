import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
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
    expect(await modesIn(join(folder, 'farm'))).toEqual({
      'acequia.db': '600',
      'acequia.db-shm': '600',
      'acequia.db-wal': '600',
    });
    expect(((await stat(join(folder, 'farm'))).mode & 0o777).toString(8)).toBe('700');
    await store.close();
  }));

const modesIn = async (folder: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(folder)).sort().map(async (name) => {
        const { mode } = await stat(join(folder, name));
        return [name, (mode & 0o777).toString(8)];
      }),
    ),
  );

it.each([
  ['everybody could read', 0o644],
  ['its group could write', 0o660],
  ['everybody could execute', 0o711],
])('that %s, with its logs, is closed when it is opened', (_, mode) =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'acequia.db');
    const first = await openStore({ db: file });
    for (const name of await readdir(folder)) await chmod(join(folder, name), mode);

    const second = await openStore({ db: file });

    expect(await modesIn(folder)).toEqual({
      'acequia.db': '600',
      'acequia.db-shm': '600',
      'acequia.db-wal': '600',
    });
    await Promise.all([first.close(), second.close()]);
  }),
);

it('that a link leads to is closed with its logs', () =>
  inTemporaryFolder(async (folder) => {
    await mkdir(join(folder, 'data'));
    const file = join(folder, 'data', 'acequia.db');
    await (await openStore({ db: file })).close();
    await chmod(file, 0o644);
    await symlink(file, join(folder, 'link.db'));

    const store = await openStore({ db: join(folder, 'link.db') });

    expect(new Set(Object.values(await modesIn(join(folder, 'data'))))).toEqual(new Set(['600']));
    await store.close();
  }));

it('keeps its mode if it is a file of another program', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'notes.txt');
    await writeFile(file, 'We watered the north block today.\n'.repeat(200));
    await chmod(file, 0o644);
    await expect(openStore({ db: file })).rejects.toMatchObject(
      refusal(/is not an Acequia store/, /--db/),
    );
    expect(await modesIn(folder)).toEqual({ 'notes.txt': '644' });
  }));

it.each([
  ['a link to itself', (folder: string) => join(folder, 'loop')],
  ['a name that is too long', (folder: string) => join(folder, 'n'.repeat(300))],
])('is refused at %s', (_, at) =>
  inTemporaryFolder(async (folder) => {
    await symlink('loop', join(folder, 'loop'));
    await expect(openStore({ db: at(folder) })).rejects.toMatchObject(
      refusal(/cannot be opened/, /--db/),
    );
  }),
);
