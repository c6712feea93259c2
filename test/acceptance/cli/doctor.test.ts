import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DoctorFinding } from '../../../src/cli/doctor/findings.ts';
import { tools } from '../../../tools/index.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { type CommandResult, runCommand } from '../program.ts';
import { startRestService } from '../rest-service.ts';

const doctor = (
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> =>
  runCommand(['doctor', ...args], { env: { HOME: '/nowhere', USERPROFILE: '/nowhere', ...env } });

const contents = async (folder: string): Promise<[string, string][]> =>
  Promise.all(
    (await readdir(folder))
      .sort()
      .map(async (name) => [name, await readFile(join(folder, name), 'base64')]),
  );

it('acequia doctor reports in aligned lines without colour, and leaves the store unchanged', async () => {
  const folder = await newFolder();
  const db = join(folder, 'farm.db');
  await copyFile(await newBaseFarm(), db);
  const before = await contents(folder);
  const { code, stdout, stderr } = await doctor(['--db', db]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.at(-1)).toBe('16 good, 0 doubtful, 0 bad. All is well.');
  for (const line of lines.slice(0, -2))
    expect(line).toMatch(/^(good {6}[a-z]+ |good {6}zone data | {25}\S)/);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(140);
  expect(stdout).not.toContain('\u001b');
  const subjects = lines.flatMap((line) => /^good {6}(zone data|\S+)/.exec(line)?.[1] ?? []);
  expect(subjects).toEqual([
    ...[
      'copies',
      'disk',
      'jobs',
      'outbox',
      'access',
      'configuration',
      'store',
      'integrity',
      'lock',
      'clock',
      'zone data',
      'zones',
      'mail',
      'rows',
    ],
    ...['lease', 'assistants'],
  ]);
  expect(await contents(folder)).toEqual(before);
});

it('acequia doctor checks the remote service of the options', async () => {
  const service = await startRestService();
  const env = { ACEQUIA_REMOTE_URL: service.base, ACEQUIA_API_KEY: await service.newKey() };
  const count = tools.length;
  const { stdout } = await doctor(['--remote', service.base, '--lang', 'fr', '--json'], env);
  const findings: DoctorFinding[] = JSON.parse(stdout).findings;
  expect(findings.map(({ level, subject, what }) => [level, subject, what])).toEqual([
    [
      ...['good', 'configuration'],
      `service ${service.base} (from the command line) instead of a store, a key (from ACEQUIA_API_KEY), language fr (from the command line), log level warn (the default)`,
    ],
    ['good', 'service', `${service.base} answers`],
    ['good', 'key', 'accepted for the company "Mas Rouge"'],
    [
      'good',
      'tools',
      `${count} of ${count} are offered, those whose endpoints its openapi.json names`,
    ],
    ['good', 'zone data', expect.any(String)],
  ]);
});
