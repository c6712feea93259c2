import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import type { DoctorFinding } from '../../../src/cli/doctor/findings.ts';
import { type CommandResult, REPOSITORY } from '../../acceptance/program.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { closedPort } from '../../mail-server.ts';
import { newFolder } from '../../temporary-places.ts';

const run = (args: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> =>
  runInProcess(['doctor', ...args], { env: { HOME: '/nowhere', USERPROFILE: '/nowhere', ...env } });

async function findingsOf(
  args: readonly string[],
  env?: Record<string, string>,
): Promise<DoctorFinding[]> {
  const { stdout } = await run([...args, '--json'], env);
  return (JSON.parse(stdout) as { findings: DoctorFinding[] }).findings;
}

const contents = async (folder: string): Promise<[string, string][]> =>
  Promise.all(
    (await readdir(folder))
      .sort()
      .map(async (name) => [name, await readFile(join(folder, name), 'base64')]),
  );

it('exits with 1 if a finding is bad', async () => {
  const { code, stdout } = await run(['--db', join(REPOSITORY, 'package.json')]);
  expect([code, stdout]).toEqual([1, expect.stringContaining('is not an Acequia store')]);
});

it('reads a store with the log of a crashed program, and leaves the log', async () => {
  const folder = await newFolder();
  const db = await newBaseFarm();
  const writer = new DatabaseSync(db);
  writer.exec("update companies set timezone = 'America/New_York'");
  for (const ending of ['', '-wal'])
    await copyFile(`${db}${ending}`, join(folder, `farm.db${ending}`));
  writer.close();
  const before = await contents(folder);
  expect(JSON.stringify(await findingsOf(['--db', join(folder, 'farm.db')]))).toContain(
    'America/New_York',
  );
  expect((await contents(folder)).filter(([name]) => !name.endsWith('-shm'))).toEqual(before);
});

it('reports the source of each setting, and warns of a set clock', async () => {
  const db = await newBaseFarm();
  const env = { ACEQUIA_DB: db, ACEQUIA_LOG_LEVEL: 'error', ACEQUIA_CLOCK: '2030-01-01T00:00:00Z' };
  const findings = await findingsOf(['--lang', 'fr'], env);
  const configuration = findings.find(({ subject }) => subject === 'configuration');
  expect(configuration?.what).toBe(
    `store ${db} (from ACEQUIA_DB), language fr (from the command line), log level error (from ACEQUIA_LOG_LEVEL)`,
  );
  const clock = findings.find(({ subject }) => subject === 'clock');
  expect(clock).toMatchObject({
    level: 'doubtful',
    what: expect.stringContaining('ACEQUIA_CLOCK'),
  });
});

it('suggests a name for an unknown variable, and does not show its value', async () => {
  const env = { ACEQUIA_SMTP_URI: 'smtp://ana:hunter2@mail.example.org', ACEQUIA_XYZZY: 'hunter2' };
  const findings = await findingsOf(['--db', await newBaseFarm()], env);
  const unknown = findings.filter(
    ({ subject, level }) => subject === 'configuration' && level === 'doubtful',
  );
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
    ['README.md', ...pages.map((name) => `docs/${name}`)].map((page) =>
      readFile(join(REPOSITORY, page), 'utf8'),
    ),
  );
  const names = texts
    .flatMap((text) => text.match(/(?<=`)ACEQUIA_[A-Z_]+/g) ?? [])
    .filter((name) => !/^ACEQUIA_(TEST|BENCH|BROWSER|VALIDATION)/.test(name));
  expect(names).toContain('ACEQUIA_MQTT_PASSWORD');
  const findings = await findingsOf(
    ['--db', await newBaseFarm()],
    Object.fromEntries(names.map((name) => [name, ''])),
  );
  expect(findings.filter(({ subject }) => subject === 'configuration')).toHaveLength(1);
});

it('checks the service of the environment unless there is a store', async () => {
  const env = { ACEQUIA_REMOTE_URL: `http://127.0.0.1:${await closedPort()}/v1` };
  const [configuration, service] = await findingsOf([], env);
  expect(configuration!.what).toContain(
    `service ${env.ACEQUIA_REMOTE_URL} (from ACEQUIA_REMOTE_URL)`,
  );
  expect(service).toMatchObject({ subject: 'service', level: 'bad' });
  const withStore = await findingsOf(['--db', join(await newFolder(), 'farm.db')], env);
  const chosen = withStore.find(({ subject }) => subject === 'configuration');
  expect(chosen?.what).toMatch(/^store \S+farm\.db \(from the command line\)/);
  expect(withStore.map(({ subject }) => subject)).not.toContain('service');
});
