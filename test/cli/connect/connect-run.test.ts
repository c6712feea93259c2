import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT_NAMES, type ClientId } from '../../../src/cli/connect/client-files.ts';
import type { DoctorFinding } from '../../../src/cli/doctor/findings.ts';
import { createTestKey } from '../../acceptance/rest-service.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { type InProcessOptions, runInProcess } from '../../in-process-command.ts';
import { jsonReaction, type StubService, startStubService } from '../../remote/stub-service.ts';
import { newFolder } from '../../temporary-places.ts';

type Input = InProcessOptions['input'];

interface TestUser {
  readonly home: string;
  readonly work: string;
}

async function newTestUser(files: Record<string, string> = {}): Promise<TestUser> {
  const home = await newFolder();
  for (const [name, content] of Object.entries({ ...files, 'work/.keep': '' })) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), content);
  }
  return { home, work: join(home, 'work') };
}

const run = (
  { home, work }: TestUser,
  args: readonly string[],
  env: Record<string, string> = {},
  input: Input = '',
) => {
  const places = {
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, '.config'),
    LOCALAPPDATA: home,
  };
  return runInProcess(args, { cwd: work, env: { ...places, ...env }, input });
};

const connect = (
  user: TestUser,
  args: readonly string[],
  env?: Record<string, string>,
  answer?: Input,
) => run(user, ['connect', ...args], env, answer);

/** The program that a started entry runs in place of this process: a doctor that finds nothing. */
const PROGRAM = join(mkdtempSync(join(tmpdir(), 'acequia-program-')), 'acequia.js');
const RUNNER = process.argv[1]!;
beforeAll(() => {
  writeFileSync(PROGRAM, `process.stdout.write('{"findings": []}')`);
  process.argv[1] = PROGRAM;
});
afterAll(() => {
  process.argv[1] = RUNNER;
  rmSync(dirname(PROGRAM), { recursive: true });
});

const DESKTOP =
  process.platform === 'darwin'
    ? 'Library/Application Support/Claude/claude_desktop_config.json'
    : '.config/Claude/claude_desktop_config.json';
const CODE =
  process.platform === 'darwin'
    ? 'Library/Application Support/Code/User/mcp.json'
    : '.config/Code/User/mcp.json';

const FILES: Record<ClientId, [path: string, content: string]> = {
  'claude-desktop': [DESKTOP, '{\n    "globalShortcut": "x",\n    "mcpServers": {}\n}'],
  'claude-code': [
    '.claude.json',
    '{"numStartups":3,"mcpServers":{"other":{"command":"x"}},"projects":{}}',
  ],
  codex: ['.codex/config.toml', '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n'],
  gemini: ['.gemini/settings.json', '// mine\n{\n\t"ui": { "theme": "dark", }, // dark\n}\n'],
  cursor: ['.cursor/mcp.json', ''],
  vscode: [CODE, '{\r\n  // my servers\r\n  "servers": {},\r\n  "inputs": []\r\n}\r\n'],
  opencode: [
    '.config/opencode/opencode.jsonc',
    '{\n  "mcp": {\n    "other": { "type": "remote" } // far\n  }\n}\n',
  ],
};
const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

const CLIENT_IDS = Object.keys(CLIENT_NAMES) as ClientId[];

describe.each(CLIENT_IDS)('acequia connect %s', (client) => {
  const [path, content] = FILES[client];

  it('shows the change and writes it on yes, where the doctor finds it; does nothing the second time, and removes it', async () => {
    const db = await newBaseFarm();
    const user = await newTestUser({ [path]: content });
    const file = join(user.home, path);

    const preview = await connect(user, [client, '--db', db, '--dry-run']);
    expect(preview).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^\+ .*acequia/m),
    });
    expect(await readFile(file, 'utf8')).toBe(content);

    const firstRun = await connect(user, [client, '--db', db], {}, 'y\n');
    expect(firstRun.code).toBe(0);
    expect(firstRun.stdout.startsWith(preview.stdout)).toBe(true);
    expect(await readFile(`${file}.before-acequia`, 'utf8')).toBe(content);
    const after = await readFile(file, 'utf8');
    const { stdout } = await run(user, ['doctor', '--json', '--db', db]);
    const findings: DoctorFinding[] = JSON.parse(stdout).findings;
    expect(findings.filter(({ subject }) => subject === 'assistants')).toEqual([
      expect.objectContaining({
        level: 'good',
        what: expect.stringContaining(`${CLIENT_NAMES[client]} (`),
      }),
    ]);
    const secondRun = await connect(user, [client, '--db', db]);
    expect(secondRun).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('already has this entry'),
    });
    expect(await readFile(file, 'utf8')).toBe(after);

    expect((await connect(user, [client, '--remove', '--yes'])).code).toBe(0);
    expect(await readFile(file, 'utf8')).not.toContain('acequia');
    expect((await connect(user, [client, '--remove'])).stdout).toContain(
      'has no entry for Acequia',
    );
  });

  it.skipIf(client === 'claude-desktop')(
    'writes to the working folder with --project, and nothing at home',
    async () => {
      const user = await newTestUser();
      const before = await readdir(user.home);
      expect((await connect(user, [client, '--project', '--yes'])).code).toBe(0);
      expect(await readdir(user.home)).toEqual(before);
      const files = (await readdir(user.work, { recursive: true, withFileTypes: true })).filter(
        (each) => each.isFile(),
      );
      expect(files).toHaveLength(2);
    },
  );
});

it('changes nothing unless the answer is yes', async () => {
  const user = await newTestUser({ '.cursor/mcp.json': '{}' });
  for (const answer of ['', '\n', 'n\n', 'maybe\n']) {
    const { code, stderr } = await connect(user, ['cursor'], {}, answer);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing was changed'),
    });
  }
  expect(await readdir(join(user.home, '.cursor'))).toEqual(['mcp.json']);
  expect(await readFile(join(user.home, '.cursor/mcp.json'), 'utf8')).toBe('{}');
});

it('shows an entry of another program without its secrets, and replaces it only on yes', async () => {
  const foreign = { command: 'python', args: ['-m', 'canal'], env: { CANAL_TOKEN: 's3cret' } };
  const content = JSON.stringify({ mcpServers: { acequia: foreign } }, null, 2);
  const user = await newTestUser({ '.cursor/mcp.json': content });
  const refused = await connect(user, ['cursor'], {}, 'n\n');
  expect(refused.stdout).toMatch(/^-.*"command": "python"/m);
  expect(refused.stderr).toContain('starts another program. Replace it?');
  expect(refused.stdout).not.toContain('s3cret');
  expect(await readFile(join(user.home, '.cursor/mcp.json'), 'utf8')).toBe(content);
  expect((await connect(user, ['cursor'], {}, 'yes\n')).code).toBe(0);
  const { mcpServers } = JSON.parse(await readFile(join(user.home, '.cursor/mcp.json'), 'utf8'));
  expect(mcpServers.acequia).toEqual({ type: 'stdio', command: process.execPath, args: [PROGRAM] });
});

it('warns if another entry starts Acequia already', async () => {
  const content = JSON.stringify({
    mcpServers: { water: { command: 'npx', args: ['-y', 'acequia-mcp'] } },
  });
  const user = await newTestUser({ '.cursor/mcp.json': content });
  expect((await connect(user, ['cursor', '--dry-run'])).stdout).toContain(
    '"water" starts Acequia as well',
  );
});

it.each([
  [
    'claude-code',
    '.claude.json',
    '{ "mcpServers": { } \n "b": 1 }',
    'line 2, column 2: comma expected',
  ],
  ['claude-desktop', DESKTOP, '// no comments here\n{}', 'line 1'],
  ['codex', '.codex/config.toml', 'model = "x\n', 'line 1'],
  ['vscode', CODE, '[]', 'an object at its root'],
])(
  'leaves an invalid file of %s unchanged, and says where it is invalid',
  async (client, path, content, message) => {
    const user = await newTestUser({ [path]: content });
    const { code, stderr } = await connect(user, [client, '--yes']);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    expect(await readFile(join(user.home, path), 'utf8')).toBe(content);
    expect(await readdir(dirname(join(user.home, path)))).not.toContainEqual(
      expect.stringContaining('before-acequia'),
    );
  },
);

it('keeps the copy from before its first change', async () => {
  const user = await newTestUser({ '.cursor/mcp.json': '{ "mcpServers": {} }' });
  const file = join(user.home, '.cursor/mcp.json');
  expect((await connect(user, ['cursor', '--yes'])).code).toBe(0);
  expect((await connect(user, ['cursor', '--yes', '--read-only'])).code).toBe(0);
  expect(await readFile(file, 'utf8')).toContain('--read-only');
  expect(await readFile(`${file}.before-acequia`, 'utf8')).toBe('{ "mcpServers": {} }');
});

it.each([
  'postgres://ana:sekret@db.example.org/farm',
  'postgres://ana@db.example.org/farm?sslmode=require&sslpassword=sekret',
])('prints no password of a database: %s', async (db) => {
  const user = await newTestUser({});
  for (const client of ['codex', 'claude-code', 'cursor']) {
    const { code, stdout, stderr } = await connect(user, [client, '--print', '--db', db]);
    expect(code).toBe(0);
    expect(`${stdout}${stderr}`).not.toContain('sekret');
    expect(stdout).toContain('ACEQUIA_DB');
  }
});

it.skipIf(process.platform === 'win32')('keeps permissions and links', async () => {
  const user = await newTestUser({ 'dotfiles/mcp.json': '{}', '.cursor/.keep': '' });
  const target = join(user.home, 'dotfiles/mcp.json');
  const link = join(user.home, '.cursor/mcp.json');
  await chmod(target, 0o640);
  await symlink(target, link);
  expect((await connect(user, ['cursor', '--yes'])).code).toBe(0);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, 'utf8')).toContain('acequia');
  expect(await modeOf(target)).toBe(0o640);
  expect(await modeOf(`${target}.before-acequia`)).toBe(0o600);
});

describe.skipIf(process.platform === 'win32')('a key', () => {
  it.each(CLIENT_IDS)('is written where only its owner can read it, for %s', async (client) => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db);
    const [path, content] = FILES[client];
    const user = await newTestUser({ [path]: content });
    const file = join(user.home, path);
    await chmod(file, 0o644);

    const args = [client, '--yes', '--db', db];
    expect((await connect(user, args, { ACEQUIA_API_KEY: key })).code).toBe(0);
    const holdsKey = (await readFile(file, 'utf8')).includes(key);
    expect(holdsKey).toBe(client === 'claude-desktop');
    expect(await modeOf(file)).toBe(holdsKey ? 0o600 : 0o644);
    expect(await modeOf(`${file}.before-acequia`)).toBe(0o600);
  });

  it('of an earlier entry is closed to others in the backup, and the doctor names what is open', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db);
    const user = await newTestUser({ [DESKTOP]: '{}' });
    const file = join(user.home, DESKTOP);
    const backup = `${file}.before-acequia`;
    const doctor = async () => (await run(user, ['doctor', '--db', db])).stdout;

    const env = { ACEQUIA_API_KEY: key };
    expect((await connect(user, ['claude-desktop', '--yes', '--db', db], env)).code).toBe(0);
    expect(await doctor()).not.toContain('chmod');
    await chmod(file, 0o640);
    expect((await doctor()).replaceAll(/\s+/g, ' ')).toContain(`Run: chmod 600 ${file}.`);

    await writeFile(backup, await readFile(file));
    await chmod(backup, 0o644);
    expect((await connect(user, ['claude-desktop', '--remove', '--yes'])).code).toBe(0);
    expect(await readFile(backup, 'utf8')).toContain(key);
    expect(await modeOf(backup)).toBe(0o600);

    await rm(backup);
    await writeFile(
      file,
      `{ "mcpServers": { "acequia": { "command": "acequia", "env": { "ACEQUIA_API_KEY": "${key}" } } } }`,
    );
    expect((await connect(user, ['claude-desktop', '--remove', '--yes'])).code).toBe(0);
    expect(await readFile(backup, 'utf8')).toContain(key);
    expect(await modeOf(backup)).toBe(0o600);
  });
});

it('overwrites nothing that another program wrote during its question', async () => {
  const user = await newTestUser({ '.cursor/mcp.json': '{}' });
  const file = join(user.home, '.cursor/mcp.json');
  async function* answerAfterChange() {
    await writeFile(file, '{ "mcpServers": {} }');
    yield 'y\n';
  }
  const result = await connect(user, ['cursor'], {}, answerAfterChange());
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('in the meantime') });
  expect(await readFile(file, 'utf8')).toBe('{ "mcpServers": {} }');
});

describe('a store', () => {
  it('that is named and does not exist is refused before anything is shown or written', async () => {
    const user = await newTestUser();
    for (const [args, env] of [
      [['--db', 'nowhere.db'], {}],
      [[], { ACEQUIA_DB: 'nowhere.db' }],
    ] as [string[], Record<string, string>][]) {
      const { code, stdout, stderr } = await connect(user, ['cursor', '--yes', ...args], env);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(
        'nowhere.db. Nothing was written. Check the path, or make the store with "acequia init"',
      );
    }
    expect(await readdir(user.home)).toEqual(['work']);
  });

  it('that is no store is refused', async () => {
    const user = await newTestUser({
      'work/notes.db': 'not a database, but long enough to look like one'.repeat(30),
    });
    expect(await connect(user, ['cursor', '--yes', '--db', 'notes.db'])).toMatchObject({
      code: 1,
      stdout: '',
    });
  });

  it('of two companies is refused without a key of one of them, and nothing is written', async () => {
    const db = await newBaseFarm();
    await importFarmFile(db, {
      company: { name: 'Mas Noir', timezone: 'Europe/Paris' },
      users: [],
      parcels: [],
    });
    const user = await newTestUser();
    const { code, stdout, stderr } = await connect(user, ['cursor', '--yes', '--db', db]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /Nothing was written[.].*"acequia keys create --preset assistant --company NAME".*ACEQUIA_API_KEY/,
    );
    expect((await readdir(user.home)).sort()).toEqual(['work']);
    const { key } = await createTestKey(db, '--company', 'Mas Rouge');
    expect(
      (await connect(user, ['cursor', '--yes', '--db', db], { ACEQUIA_API_KEY: key })).code,
    ).toBe(0);
  });

  it('of this computer may be missing, and the next step is said', async () => {
    const { code, stdout } = await connect(await newTestUser(), ['cursor', '--yes']);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"acequia init" asks for it'),
    });
  });
});

describe('several farms', () => {
  it('have an entry and a variable each, are named with their companies, and keep one another', async () => {
    const db = await newBaseFarm();
    const company = { name: 'Mas Noir', timezone: 'Europe/Paris' };
    const owner = { email: 'noir@example.org', name: 'Noé', role: 'OWNER' } as const;
    await importFarmFile(db, { company, users: [owner], parcels: [] });
    const keys = {
      ACEQUIA_API_KEY_ROUGE: (await createTestKey(db, '--company', 'Mas Rouge')).key,
      ACEQUIA_API_KEY_MAS_NOIR: (await createTestKey(db, '--company', 'Mas Noir')).key,
    };
    const user = await newTestUser();
    const file = join(user.home, '.claude.json');
    const connectFarm = (...args: string[]) =>
      connect(user, ['claude-code', '--db', db, ...args], keys);

    const first = await connectFarm('--name', 'rouge', '--yes');
    expect(first.stdout).toContain('The key is accepted for the company "Mas Rouge".');
    expect(first.stdout).toContain('ACEQUIA_API_KEY_ROUGE must be set where Claude Code');
    const second = await connectFarm('--name', 'mas-noir', '--yes');
    expect(second.stdout).toContain('accepted for the company "Mas Noir"');
    expect(second.stdout).toContain('Entries for other farms: rouge.');

    const { mcpServers } = JSON.parse(await readFile(file, 'utf8'));
    const keyOf = (name: string) => mcpServers[name].env.ACEQUIA_API_KEY;
    expect(keyOf('rouge')).toBe('$' + '{ACEQUIA_API_KEY_ROUGE:-}');
    expect(keyOf('mas-noir')).toBe('$' + '{ACEQUIA_API_KEY_MAS_NOIR:-}');
    expect((await run(user, ['doctor', '--db', db], keys)).stdout).toContain('entry "mas-noir"');

    expect((await connectFarm('--name', 'rouge', '--remove', '--yes')).code).toBe(0);
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).mcpServers)).toEqual(['mas-noir']);
    expect((await connectFarm('--name', 'rouge', '--remove')).stdout).toContain(
      'has no entry "rouge" for Acequia',
    );
  });

  it('do not replace one another without a question that says so', async () => {
    const user = await newTestUser();
    const [one, other] = [await newBaseFarm(), await newBaseFarm()];
    expect((await connect(user, ['cursor', '--db', one, '--yes'])).code).toBe(0);
    const asked = await connect(user, ['cursor', '--db', other], {}, 'n\n');
    expect(asked).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is for another store, service or key; --name keeps both.'),
    });
  });

  it.each(['Valley', 'a_b', '-a', 'a'.repeat(33), ''])('have no entry called %j', async (name) => {
    const refused = await connect(await newTestUser(), ['codex', '--name', name, '--yes']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('valley-farm') });
  });
});

it('refuses a key that the store does not accept, and writes nothing', async () => {
  const user = await newTestUser();
  const env = { ACEQUIA_API_KEY: `acequia_${'x'.repeat(43)}` };
  const args = ['cursor', '--yes', '--db', await newBaseFarm()];
  const { code, stdout, stderr } = await connect(user, args, env);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('does not accept the key');
  expect(await readdir(user.home)).toEqual(['work']);
});

describe('a service', () => {
  const key = { ACEQUIA_API_KEY: 'acequia_0123456789abcdefghijklmn' };
  const document = jsonReaction({ paths: { '/company': { get: {} } } });
  let service: StubService;
  let url: string;
  beforeEach(async () => {
    service = await startStubService();
    service.on('GET /v1/openapi.json', document);
    url = service.url;
  });
  afterEach(() => service.close());

  it('whose address lacks /v1 is found by its openapi.json, and the entry has the whole address', async () => {
    const user = await newTestUser();
    const origin = url.replace('/v1', '');
    const { code, stdout } = await connect(user, ['cursor', '--remote', origin, '--yes'], key);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`is at ${url}, not at ${origin}`),
    });
    const { mcpServers } = JSON.parse(await readFile(join(user.home, '.cursor/mcp.json'), 'utf8'));
    expect(mcpServers.acequia.args).toEqual([PROGRAM, '--remote', url]);
  });

  it.each([
    [
      'is something else',
      'GET /v1/openapi.json',
      jsonReaction({ paths: { '/songs': { get: {} } } }),
      'none is offered',
    ],
    ['refuses the key', 'GET /v1/company', jsonReaction({}, 401), 'not accepted'],
    [
      'is out of order',
      'GET /v1/company',
      jsonReaction({ detail: 'Out of order.' }, 500),
      'Out of order.',
    ],
  ])('that %s is not written', async (_, endpoint, reaction, message) => {
    service.on(endpoint, reaction);
    const user = await newTestUser();
    const { code, stdout, stderr } = await connect(user, ['cursor', '--remote', url, '--yes'], key);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/[^.]\. Nothing was written\./);
    expect(await readdir(user.home)).toEqual(['work']);
  });

  it('whose key is only in the environment of the assistant is written', async () => {
    service.on('GET /v1/company', jsonReaction({}, 401));
    expect((await connect(await newTestUser(), ['cursor', '--remote', url, '--yes'])).code).toBe(0);
  });

  it('is written with the name of the variable of its key', async () => {
    const user = await newTestUser();
    const { stdout, code } = await connect(user, ['claude-code', '--remote', url, '--yes'], key);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('must be set where'),
    });
    const content = await readFile(join(user.home, '.claude.json'), 'utf8');
    expect(content).toContain(url);
    expect(content).not.toContain(key.ACEQUIA_API_KEY);
    expect(stdout).not.toContain(key.ACEQUIA_API_KEY);
  });

  it('needs its key for a client that reads it from the file, and does not print it', async () => {
    const user = await newTestUser();
    const refused = await connect(user, ['claude-desktop', '--remote', url, '--yes']);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Set ACEQUIA_API_KEY'),
    });
    const { stdout } = await connect(user, ['claude-desktop', '--remote', url, '--yes'], key);
    expect(await readFile(join(user.home, DESKTOP), 'utf8')).toContain(key.ACEQUIA_API_KEY);
    expect(stdout).not.toContain(key.ACEQUIA_API_KEY);
    const printed = await connect(user, ['claude-desktop', '--remote', url, '--print'], key);
    expect(JSON.parse(printed.stdout).mcpServers.acequia.env).toEqual({
      ACEQUIA_API_KEY: '<ACEQUIA_API_KEY>',
    });
    expect(printed.stderr).toContain('your values for <ACEQUIA_API_KEY>');
  });
});

it('prints the entry with --print, and writes no file', async () => {
  const user = await newTestUser();
  const before = await readdir(user.home);
  const { stdout, stderr } = await connect(user, ['vscode', '--print', '--lang', 'fr']);
  expect(JSON.parse(stdout)).toEqual({
    servers: {
      acequia: { type: 'stdio', command: process.execPath, args: [PROGRAM, '--lang', 'fr'] },
    },
  });
  expect(stderr).toContain('mcp.json');
  expect(await readdir(user.home)).toEqual(before);
});

it('refuses an unknown client, and --project without project files or a key of its own', async () => {
  const user = await newTestUser();
  expect(await connect(user, ['abacus'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('claude-code'),
  });
  expect(await connect(user, ['claude-desktop', '--project'])).toMatchObject({ code: 1 });

  const entry = ['claude-code', '--project', '--print', '--remote', 'https://water.example.org/v1'];
  expect(await connect(user, entry)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('two folders would both take their key from ACEQUIA_API_KEY'),
  });
  const { stdout } = await connect(user, [...entry, '--name', 'valley']);
  expect(stdout).toContain('{ACEQUIA_API_KEY_VALLEY:-}');
});
