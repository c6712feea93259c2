import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../../temporary-places.ts';
import { startCommand, waitWhileRunning } from '../program.ts';

it('acequia init writes nothing when it is interrupted', async () => {
  const home = await newFolder();
  const env = { HOME: home, USERPROFILE: home, APPDATA: home, LANG: 'en_FR.UTF-8', LC_ALL: '' };
  const running = startCommand(['init', '--db', join(home, 'farm.db')], { env, cwd: home });
  running.child.stdin.write('Mas Rouge\n');
  await waitWhileRunning(running, () => running.stderr().includes('Country'));
  running.child.kill('SIGINT');
  await running.ended;
  expect(await readdir(home)).toEqual([]);
});
