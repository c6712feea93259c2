import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import type { DoctorFinding } from '../../../src/cli/doctor/findings.ts';
import { tools } from '../../../tools/index.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { type CommandResult, REPOSITORY, runCommand } from '../program.ts';
import { startRestService } from '../rest-service.ts';

const run = (args: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> =>
  runCommand(['doctor', ...args], { env: { HOME: '/nowhere', USERPROFILE: '/nowhere', ...env } });

async function findingsOf(args: readonly string[], env?: Record<string, string>): Promise<DoctorFinding[]> {
  const { stdout } = await run([...args, '--json'], env);
  return (JSON.parse(stdout) as { findings: DoctorFinding[] }).findings;
}

const contents = async (folder: string): Promise<[string, string][]> =>
  Promise.all((await readdir(folder)).sort().map(async (name) => [name, await readFile(join(folder, name), 'base64')]));

it('reports in aligned lines without colour, and leaves the store unchanged', async () => {
  const folder = await newFolder();
  const db = join(folder, 'farm.db');
  await copyFile(await newBaseFarm(), db);
  const before = await contents(folder);
  const { code, stdout, stderr } = await run(['--db', db]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.at(-1)).toBe('11 good, 0 doubtful, 0 bad. All is well.');
  for (const line of lines.slice(0, -2)) expect(line).toMatch(/^(good {6}[a-z]+ |good {6}zone data | {25}\S)/);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(140);
  expect(stdout).not.toContain('\u001b');
  const subjects = (await findingsOf(['--db', db])).map(({ subject }) => subject);
  expect(subjects).toEqual([
    ...['configuration', 'store', 'integrity', 'disk', 'clock', 'zone data', 'zones', 'mail', 'outbox', 'lease'],
    'assistants',
  ]);
  expect(await contents(folder)).toEqual(before);
});

it('ends with 1 if anything is bad', async () => {
  const { code, stdout } = await run(['--db', join(REPOSITORY, 'package.json')]);
  expect([code, stdout]).toEqual([1, expect.stringContaining('is not an Acequia store')]);
});

it('reads a store with the log of a crashed program, and leaves the log', async () => {
  const folder = await newFolder();
  const db = await newBaseFarm();
  const writer = new DatabaseSync(db);
  writer.exec("update companies set timezone = 'America/New_York'");
  for (const ending of ['', '-wal']) await copyFile(`${db}${ending}`, join(folder, `farm.db${ending}`));
  writer.close();
  const before = await contents(folder);
  expect(JSON.stringify(await findingsOf(['--db', join(folder, 'farm.db')]))).toContain('America/New_York');
  expect((await contents(folder)).filter(([name]) => !name.endsWith('-shm'))).toEqual(before);
});

it('reports the source of each setting, and warns of a set clock', async () => {
  const db = await newBaseFarm();
  const env = { ACEQUIA_DB: db, ACEQUIA_LOG_LEVEL: 'error', ACEQUIA_CLOCK: '2030-01-01T00:00:00Z' };
  const findings = await findingsOf(['--lang', 'fr'], env);
  expect(findings[0]!.what).toBe(
    `store ${db} (from ACEQUIA_DB), language fr (from the command line), log level error (from ACEQUIA_LOG_LEVEL)`,
  );
  const clock = findings.find(({ subject }) => subject === 'clock');
  expect(clock).toMatchObject({ level: 'doubtful', what: expect.stringContaining('ACEQUIA_CLOCK') });
});

it('suggests a name for an unknown variable, and does not show its value', async () => {
  const env = { ACEQUIA_SMTP_URI: 'smtp://ana:hunter2@mail.example.org', ACEQUIA_XYZZY: 'hunter2' };
  const findings = await findingsOf(['--db', await newBaseFarm()], env);
  const unknown = findings.filter(({ subject, level }) => subject === 'configuration' && level === 'doubtful');
  expect(unknown.map(({ what }) => what)).toEqual([
    expect.stringContaining('ACEQUIA_SMTP_URI'),
    expect.stringContaining('ACEQUIA_XYZZY'),
  ]);
  expect(unknown[0]!.advice).toContain('ACEQUIA_SMTP_URL');
  expect(JSON.stringify(findings)).not.toContain('hunter2');
});

it('knows every variable that the documentation names', async () => {
  const pages = (await readdir(join(REPOSITORY, 'docs'))).filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(
    ['README.md', ...pages.map((name) => `docs/${name}`)].map((page) => readFile(join(REPOSITORY, page), 'utf8')),
  );
  const names = texts
    .flatMap((text) => text.match(/(?<=`)ACEQUIA_[A-Z_]+/g) ?? [])
    .filter((name) => !/^ACEQUIA_(TEST|BENCH|BROWSER|VALIDATION)/.test(name));
  expect(names).toContain('ACEQUIA_MQTT_PASSWORD');
  const findings = await findingsOf(['--db', await newBaseFarm()], Object.fromEntries(names.map((name) => [name, ''])));
  expect(findings.filter(({ subject }) => subject === 'configuration')).toHaveLength(1);
});

it('checks the remote service of the options or the environment, unless there is a store', async () => {
  const service = await startRestService();
  const env = { ACEQUIA_REMOTE_URL: service.base, ACEQUIA_API_KEY: await service.newKey() };
  const count = tools.length;
  const findings = await findingsOf(['--remote', service.base, '--lang', 'fr'], env);
  expect(findings.map(({ level, subject, what }) => [level, subject, what])).toEqual([
    [
      ...['good', 'configuration'],
      `service ${service.base} (from the command line) instead of a store, a key (from ACEQUIA_API_KEY), language fr (from the command line), log level warn (the default)`,
    ],
    ['good', 'service', `${service.base} answers`],
    ['good', 'key', 'accepted for the company "Mas Rouge"'],
    ['good', 'tools', `${count} of ${count} are offered, those whose endpoints its openapi.json names`],
    ['good', 'zone data', expect.any(String)],
  ]);
  const [ofEnvironment] = await findingsOf([], env);
  expect(ofEnvironment!.what).toContain(`service ${service.base} (from ACEQUIA_REMOTE_URL)`);
  const withStore = await findingsOf(['--db', join(await newFolder(), 'farm.db')], env);
  expect(withStore[0]!.what).toMatch(/^store \S+farm\.db \(from the command line\)/);
  expect(withStore.map(({ subject }) => subject)).not.toContain('service');
});
