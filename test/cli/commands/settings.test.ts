import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runInProcess } from '../../in-process-command.ts';
import { newFolder } from '../../temporary-places.ts';

const FARM = {
  company: { name: 'Mas Rouge' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
};

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
  await writeFile(join(folder, 'farm.json'), JSON.stringify(FARM));
});

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(args, { cwd: folder, env });

it.each([
  [
    'an option behind the command wins over the environment',
    ['import', '--db', 'used.db', 'farm.json'],
    'other.db',
  ],
  [
    'an option before the command wins over the environment',
    ['--db', 'used.db', 'import', 'farm.json'],
    'other.db',
  ],
  [
    'an option behind the command wins over one before it',
    ['--db', 'other.db', 'import', '--db', 'used.db', 'farm.json'],
    '',
  ],
  ['the environment is used without an option', ['import', 'farm.json'], 'used.db'],
])('%s', async (_, args, db) => {
  expect(await run(args, { ACEQUIA_DB: db })).toMatchObject({ code: 0 });
  expect(['used.db', 'other.db'].map((name) => existsSync(join(folder, name)))).toEqual([
    true,
    false,
  ]);
});

it.each([
  ['an unknown option', ['--speed', '9']],
  ['an unknown command', ['irrigate']],
  ['an instant without an offset', ['--clock', '2026-07-01T06:00', 'import', 'farm.json']],
  ['an unknown language', ['import', '--lang', 'de', 'farm.json']],
  ['a host with a path', ['serve', '--allowed-hosts', 'water.example.org/mcp']],
  ['an origin without a scheme', ['serve', '--allowed-origins', 'app.example.org']],
  ['a limit that is no number', ['serve', '--rate-limit', 'many']],
  ['a limit below the least', ['serve', '--max-json-depth', '1']],
  ['a port that does not exist', ['serve', '--port', '70000']],
  ['an origin with a path', ['serve', '--allowed-origins', 'https://app.example.org/mcp']],
])('%s is wrong usage: exit code 2', async (_, args) => {
  expect(await run(args)).toMatchObject({ code: 2, stdout: '' });
});

it.each([['serve'], ['init'], ['tick'], ['import', 'farm.json'], ['service', 'install']])(
  '%s refuses a service that a variable names, unless --db names the store',
  async (...words) => {
    const env = { ACEQUIA_REMOTE_URL: 'https://water.example.org/v1' };
    expect(await run(words, env)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('ACEQUIA_REMOTE_URL names a service'),
    });
    expect(await readdir(folder)).toEqual(['farm.json']);
  },
);

it('works on the store of --db although a variable names a service', async () => {
  const env = { ACEQUIA_REMOTE_URL: 'https://water.example.org/v1' };
  expect(await run(['import', '--db', 'used.db', 'farm.json'], env)).toMatchObject({ code: 0 });
});

const SECRET = 'Hunter2Hunter2Hunter2Hunter2Hunter2Hunter2_';
const KEY = `acequia_${SECRET}`;

it.each<[string, (location: string) => Parameters<typeof run>]>([
  ['--db', (location) => [['import', 'farm.json', '--db', location]]],
  ['ACEQUIA_DB', (location) => [['import', 'farm.json'], { ACEQUIA_DB: location }]],
  ['--from', (location) => [['copy', '--from', location, '--to', 'copy.db']]],
  ['--to', (location) => [['copy', '--db', 'farm.db', '--to', location]]],
  ['ACEQUIA_REMOTE_URL', (location) => [['call', 'get_company'], { ACEQUIA_REMOTE_URL: location }]],
])('a secret as %s is refused without repeating it, and makes no file', async (option, command) => {
  const locations = [
    KEY,
    `jdbc:postgresql://ana:${SECRET}@db.example.org/farm`,
    `ana:${SECRET}@db.example.org/farm`,
  ];
  for (const location of locations) {
    const { code, stdout, stderr } = await run(...command(location));
    expect({ code, stdout }, location).toEqual({ code: 2, stdout: '' });
    expect(stderr, location).toContain(option);
    expect(stderr, location).not.toContain(SECRET);
    if (location === KEY && !option.includes('REMOTE')) expect(stderr).toContain('ACEQUIA_API_KEY');
  }
  expect(await readdir(folder)).toEqual(['farm.json']);
});

it.each([['serve', '--port', '0'], ['keys', 'create'], ['call', 'get_company'], ['tick']])(
  '%s needs an existing store, and creates none',
  async (...args) => {
    const stderr = expect.stringMatching(/There is no store .*none\.db\.\nMake one/);
    expect(await run([...args, '--db', 'none.db'])).toMatchObject({ code: 1, stdout: '', stderr });
    expect(await readdir(folder)).toEqual(['farm.json']);
  },
);

it('a blank variable counts as absent', async () => {
  const home = {
    HOME: folder,
    USERPROFILE: folder,
    APPDATA: folder,
    LOCALAPPDATA: folder,
    XDG_DATA_HOME: folder,
  };
  await run(['import', 'farm.json'], {
    ...home,
    ACEQUIA_DB: ' ',
    ACEQUIA_LANG: '',
    ACEQUIA_LOG_LEVEL: '',
  });
  const files = await readdir(folder, { recursive: true });
  expect(files).toContainEqual(expect.stringMatching(/acequia[\\/](Data[\\/])?acequia\.db$/));
});

it('a blank variable of a single command counts as absent', async () => {
  const blank = {
    ACEQUIA_DB: 'nowhere.db',
    ACEQUIA_METRICS_PORT: '',
    ACEQUIA_MAX_BODY: ' ',
    ACEQUIA_MQTT_MAP: '',
  };
  expect(await run(['serve', '--port', '0'], blank)).toMatchObject({ code: 1 });
  const stderr = expect.stringContaining('--map a file');
  expect(await run(['ingest', 'mqtt', '--broker', 'mqtt://127.0.0.1:1'], blank)).toMatchObject({
    code: 2,
    stderr,
  });
});

it.each([
  ['ACEQUIA_SMTP_URL', { ACEQUIA_SMTP_URL: 'http://ana:secret@example.org' }],
  ['ACEQUIA_MAIL_FROM', { ACEQUIA_SMTP_URL: 'smtp://example.org', ACEQUIA_MAIL_FROM: 'Mas Rouge' }],
])('acequia tick refuses an invalid %s without quoting it', async (name, env) => {
  const { code, stdout, stderr } = await run(['tick', '--db', 'farm.db'], env);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(name);
  expect(stderr).not.toContain('secret');
});
