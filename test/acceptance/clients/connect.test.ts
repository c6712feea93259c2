import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { BINARY, runCommand } from '../program.ts';

it('connects an assistant on yes, where the doctor finds it, and disconnects it', async () => {
  const db = await newBaseFarm();
  const home = await newFolder();
  const file = join(home, '.gemini', 'settings.json');
  const content = '// mine\n{\n\t"ui": { "theme": "dark", }, // dark\n}\n';
  await mkdir(dirname(file));
  await writeFile(file, content);
  const run = (args: readonly string[], input = '') =>
    runCommand(args, { input, cwd: home, env: { HOME: home, USERPROFILE: home } });

  const asked = await run(['connect', 'gemini', '--db', db], 'y\n');
  expect(asked).toMatchObject({ code: 0, stderr: expect.stringContaining('Write it? [y/N] y') });
  expect(await readFile(file, 'utf8')).toContain(BINARY);
  expect((await run(['doctor', '--db', db])).stdout.replace(/\s+/g, ' ')).toContain(
    'good assistants Gemini CLI',
  );
  expect((await run(['connect', 'gemini', '--remove', '--yes'])).code).toBe(0);
  expect(await readFile(file, 'utf8')).not.toContain('acequia');
});
