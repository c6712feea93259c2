import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { newFolder } from '../../temporary-places.ts';

it.each([
  [['imprt', 'farm.json'], /^error: unknown command 'imprt'\nDid you mean import\?\n/],
  [['Doctor'], /^error: unknown command 'Doctor'\nDid you mean doctor\?\n/],
  // The option belongs to the command that was meant.
  [['imprt', '--rejects', 'x.csv'], /^error: unknown command 'imprt'\nDid you mean import\?\n/],
  [['irrigate'], /^error: unknown command 'irrigate'\nThe commands are mcp, .*doctor/],
  [['keys', 'crate'], /^error: unknown command 'crate'\n\(Did you mean create\?\)\n/],
  [['mcp', 'serve'], /^error: too many arguments for 'mcp'/],
  [['--dbb', 'x.db'], /^error: unknown option '--dbb'\nDid you mean --db\?\n/],
])('%j is refused with the nearest known one', async (args, message) => {
  expect(await runInProcess(args)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(message),
  });
});

it.each([
  ['import', '--rejects'],
  ['serve', '--port'],
  ['chart', '--module'],
  ['call', '--json'],
])('the help of %s begins with its own options', async (command, own) => {
  const { stdout } = await runInProcess([command, '--help']);
  const [options, common] = stdout.split('\nOptions of every command:\n');
  expect(options).toContain(`\n  ${own}`);
  expect(common).toMatch(/^ {2}--db /);
  expect(options).not.toContain('\n  --db ');
});

it('~ is the home folder in an option, a variable and a file name', async () => {
  const home = await newFolder();
  const env = { HOME: home, USERPROFILE: home };
  await mkdir(join(home, 'farms'));
  await writeFile(
    join(home, 'farms', 'farm.json'),
    JSON.stringify({ company: { name: 'Mas Rouge' } }),
  );
  const options = { env, cwd: await newFolder() };
  expect(
    await runInProcess(['import', '~/farms/farm.json', '--db=~/farms/a.db'], options),
  ).toMatchObject({ code: 0 });
  expect(existsSync(join(home, 'farms', 'a.db'))).toBe(true);
  const byVariable = await runInProcess(['call', 'get_company'], {
    ...options,
    env: { ...env, ACEQUIA_DB: '~/farms/a.db' },
  });
  expect(byVariable).toMatchObject({ code: 0, stderr: '' });
});

it('a date alone is its midnight on this computer', async () => {
  const db = await newBaseFarm();
  const options = { env: { TZ: 'Europe/Athens' } };
  await runInProcess(['keys', 'create', '--expires', '2099-07-01', '--db', db], options);
  const { stdout } = await runInProcess(['keys', 'list', '--json', '--db', db], options);
  expect(JSON.parse(stdout)[0].expiresAt).toBe('2099-06-30T21:00:00.000Z');
  const impossible = await runInProcess(
    ['keys', 'create', '--expires', '2099-02-30', '--db', db],
    options,
  );
  expect(impossible).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give a date such as 2026-07-01'),
  });
});
