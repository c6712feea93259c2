import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BINARY } from '../program.ts';

const FARM = { company: { name: 'Mas Rouge' }, users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }] };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acequia-settings-'));
  await writeFile(join(folder, 'farm.json'), JSON.stringify(FARM));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fileExists = (file: string): Promise<boolean> =>
  access(join(folder, file)).then(
    () => true,
    () => false,
  );

const runWithEnv = (args: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [BINARY, ...args], { cwd: folder, env: { ...process.env, ...env } });

it.each([
  ['behind the command', ['import', '--db', 'line.db', 'farm.json']],
  ['before the command', ['--db', 'line.db', 'import', 'farm.json']],
])('an option %s wins over its environment variable', async (_, args) => {
  await runWithEnv(args, { ACEQUIA_DB: 'environment.db' });
  expect([await fileExists('line.db'), await fileExists('environment.db')]).toEqual([true, false]);
});

it('the environment variable counts where the line says nothing', async () => {
  await runWithEnv(['import', 'farm.json'], { ACEQUIA_DB: 'environment.db' });
  expect(await fileExists('environment.db')).toBe(true);
});

it('an option behind the command wins over the same one before it', async () => {
  await runWithEnv(['--db', 'before.db', 'import', '--db', 'behind.db', 'farm.json']);
  expect([await fileExists('behind.db'), await fileExists('before.db')]).toEqual([true, false]);
});

it.each([
  ['an unknown option', ['--speed', '9']],
  ['an unknown command', ['irrigate']],
  ['an instant without an offset', ['--clock', '2026-07-01T06:00', 'import', 'farm.json']],
  ['a language that is not spoken', ['import', '--lang', 'de', 'farm.json']],
  ['a host with a path', ['serve', '--allowed-hosts', 'water.example.org/mcp']],
  ['a site without a scheme', ['serve', '--allowed-origins', 'app.example.org']],
  ['a site with a path', ['serve', '--allowed-origins', 'https://app.example.org/mcp']],
])('%s is wrong usage: exit code 2', async (_, args) => {
  await expect(runWithEnv(args)).rejects.toMatchObject({ code: 2, stdout: '' });
});

it('a variable that is set to nothing says nothing', async () => {
  const home = { HOME: folder, USERPROFILE: folder, APPDATA: folder, LOCALAPPDATA: folder, XDG_DATA_HOME: folder };
  await runWithEnv(['import', 'farm.json'], { ...home, ACEQUIA_DB: ' ', ACEQUIA_LANG: '', ACEQUIA_LOG_LEVEL: '' });
  const made = await readdir(folder, { recursive: true });
  expect(made).toContainEqual(expect.stringMatching(/acequia[\\/](Data[\\/])?acequia\.db$/));
});

it('nor does one of a single command', async () => {
  const blank = { ACEQUIA_DB: 'nowhere.db', ACEQUIA_METRICS_PORT: '', ACEQUIA_MAX_BODY: ' ', ACEQUIA_MQTT_MAP: '' };
  await expect(runWithEnv(['serve', '--port', '0'], blank)).rejects.toMatchObject({ code: 1 });
  const stderr = expect.stringContaining('--map <file>');
  const ingest = ['ingest', 'mqtt', '--broker', 'mqtt://127.0.0.1:1'];
  await expect(runWithEnv(ingest, blank)).rejects.toMatchObject({ code: 2, stderr });
});
