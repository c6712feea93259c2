import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { newFolder } from '../../temporary-places.ts';
import { CLEAN_EXIT, CLOCK, runCommand } from '../program.ts';
import { startRestService } from '../rest-service.ts';

const WATERING = ['module=North 1', 'startedAt=today 6:00', 'inputMode=duration'];

it('acequia call runs a tool with arguments in words and from standard input, and prints its summary', async () => {
  const words = [
    'call',
    'log_watering',
    '-',
    ...WATERING,
    '--db',
    await newBaseFarm(),
    '--clock',
    CLOCK,
  ];
  const result = await runCommand(words, { input: '{"durationMin":45}' });
  expect(result).toMatchObject(CLEAN_EXIT);
  // 45 min at 3.2 mm/h.
  expect(result.stdout).toMatch(/^Logged 45 min of drip on North 1, today 06:00 .*: 2\.4 mm .*\n$/);
});

it('acequia call prints the calls that are likely to come next on a line of their own', async () => {
  const { stdout } = await runInProcess(
    ['call', 'list_modules', 'limit=1', '--db', await newBaseFarm(), '--clock', CLOCK],
    {},
  );
  expect(stdout).toMatch(/\nNext: .*this call again with cursor: next_cursor/);
});

it('acequia call lists the tools without one, also without a store, by toolset and within --read-only', async () => {
  const db = join(await newFolder(), 'none.db');
  const { code, stdout } = await runCommand(['call', '--db', db]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^irrigation: .*\n {2}log_watering +Log a watering\n/);
  expect(stdout).toContain('\nmonitoring: ');
  const readOnly = await runCommand(['call', '--db', db, '--read-only']);
  expect(readOnly.stdout).toContain('list_waterings');
  expect(readOnly.stdout).not.toContain('log_watering');
});

it('acequia call shows the fields of a list of objects with --help', async () => {
  const { stdout } = await runCommand(['call', 'set_soil_profile', '--help']);
  expect(stdout).toMatch(/^ {2}layers\[\][.]soilHorizonId +Texture/m);
});

it('acequia call shows the arguments of a tool with --help', async () => {
  const { code, stdout } = await runCommand(['call', 'log_watering', '--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: acequia call log_watering startedAt=… \[name=value…\]\n/);
  const [required, optional] = stdout.split('\nOptional:\n');
  expect(optional).toMatch(/^ {2}module +Name or id\.\n {2}parcel +/);
  expect(required).toMatch(/\n {2}startedAt +Local/);
  expect(optional).toMatch(/\n {2}durationMin +45 min, 1h20\./);
});

it('acequia call requests a remote service, with the key of the environment', async () => {
  const { base, newKey } = await startRestService();
  const env = {
    ACEQUIA_API_KEY: await newKey('--scopes', 'readings:read,parcels:read,company:read'),
  };
  const callRemote = (...words: string[]) =>
    runInProcess(['call', ...words, '--remote', base, '--clock', CLOCK], { env });
  const { stdout } = await callRemote('list_modules', 'parcel=South block', '--json');
  expect(JSON.parse(stdout).data.map(({ name }: { name: string }) => name)).toEqual([
    'South 1',
    'Mast',
  ]);
  const stderr = expect.stringMatching(/^insufficient_scope/);
  expect(await callRemote('log_watering', ...WATERING, 'durationMin=45')).toMatchObject({
    code: 1,
    stderr,
  });
});
