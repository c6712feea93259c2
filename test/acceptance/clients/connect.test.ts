import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENT_NAMES, type ClientId } from '../../../src/cli/connect/client-files.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { BINARY } from '../program.ts';

const cleanEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(ACEQUIA_|XDG_|CLAUDE_|CODEX_)/.test(name)),
);

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

function start({ home, work }: TestUser, args: readonly string[], env: Record<string, string> = {}) {
  const surroundings = {
    ...cleanEnv,
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, '.config'),
    LOCALAPPDATA: home,
    ...env,
  };
  return spawn(process.execPath, [BINARY, ...args], { cwd: work, env: surroundings });
}

async function exitOf(child: ChildProcessWithoutNullStreams) {
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  const [code] = await once(child, 'close');
  return { ...said, code: code as number };
}

function connect(who: TestUser, args: readonly string[], env?: Record<string, string>, answer = '') {
  const child = start(who, ['connect', ...args], env);
  child.stdin.end(answer);
  return exitOf(child);
}

const DESKTOP =
  process.platform === 'darwin'
    ? 'Library/Application Support/Claude/claude_desktop_config.json'
    : '.config/Claude/claude_desktop_config.json';
const CODE =
  process.platform === 'darwin' ? 'Library/Application Support/Code/User/mcp.json' : '.config/Code/User/mcp.json';

const FILES: Record<ClientId, [path: string, content: string]> = {
  'claude-desktop': [DESKTOP, '{\n    "globalShortcut": "x",\n    "mcpServers": {}\n}'],
  'claude-code': ['.claude.json', '{"numStartups":3,"mcpServers":{"other":{"command":"x"}},"projects":{}}'],
  codex: ['.codex/config.toml', '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n'],
  gemini: ['.gemini/settings.json', '// mine\n{\n\t"ui": { "theme": "dark", }, // dark\n}\n'],
  cursor: ['.cursor/mcp.json', ''],
  vscode: [CODE, '{\r\n  // my servers\r\n  "servers": {},\r\n  "inputs": []\r\n}\r\n'],
  opencode: ['.config/opencode/opencode.jsonc', '{\n  "mcp": {\n    "other": { "type": "remote" } // far\n  }\n}\n'],
};
const CLIENT_IDS = Object.keys(CLIENT_NAMES) as ClientId[];

describe.each(CLIENT_IDS)('acequia connect %s', (client) => {
  const [path, content] = FILES[client];

  it('shows the change, writes it on yes, does nothing the second time, and takes it out again', async () => {
    const db = await newBaseFarm();
    const who = await newTestUser({ [path]: content });
    const file = join(who.home, path);

    const shown = await connect(who, [client, '--db', db, '--dry-run']);
    expect(shown).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\+ .*acequia/m) });
    expect(await readFile(file, 'utf8')).toBe(content);

    const written = await connect(who, [client, '--db', db], {}, 'y\n');
    expect(written.code).toBe(0);
    expect(written.stdout.startsWith(shown.stdout)).toBe(true);
    expect(await readFile(`${file}.before-acequia`, 'utf8')).toBe(content);
    const after = await readFile(file, 'utf8');
    const again = await connect(who, [client, '--db', db]);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('already has this entry') });
    expect(await readFile(file, 'utf8')).toBe(after);

    expect((await connect(who, [client, '--remove', '--yes'])).code).toBe(0);
    expect(await readFile(file, 'utf8')).not.toContain('acequia');
    expect((await connect(who, [client, '--remove'])).stdout).toContain('has no entry for Acequia');
  });

  it('writes what the doctor finds to start this program on this store', async () => {
    const db = await newBaseFarm();
    const who = await newTestUser();
    expect((await connect(who, [client, '--db', db, '--yes'])).code).toBe(0);
    const { stdout } = await exitOf(start(who, ['doctor', '--json', '--db', db]));
    const { findings } = JSON.parse(stdout) as { findings: { subject: string; level: string; what: string }[] };
    expect(findings.filter(({ subject }) => subject === 'assistants')).toEqual([
      expect.objectContaining({ level: 'good', what: expect.stringContaining(`${CLIENT_NAMES[client]} (`) }),
    ]);
  });

  it.skipIf(client === 'claude-desktop')('writes beside the work with --project, and nothing at home', async () => {
    const who = await newTestUser();
    const before = await readdir(who.home);
    expect((await connect(who, [client, '--project', '--yes'])).code).toBe(0);
    expect(await readdir(who.home)).toEqual(before);
    const made = (await readdir(who.work, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
    expect(made).toHaveLength(2);
  });
});

it('asks, and takes no answer or any other than yes for no', async () => {
  const who = await newTestUser({ '.cursor/mcp.json': '{}' });
  for (const answer of ['', '\n', 'n\n', 'maybe\n']) {
    const { code, stderr } = await connect(who, ['cursor'], {}, answer);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed') });
  }
  expect(await readdir(join(who.home, '.cursor'))).toEqual(['mcp.json']);
  expect(await readFile(join(who.home, '.cursor/mcp.json'), 'utf8')).toBe('{}');
});

it('shows an entry of another hand under its name without its secrets, and replaces it on yes alone', async () => {
  const foreign = { command: 'python', args: ['-m', 'canal'], env: { CANAL_TOKEN: 's3cret' } };
  const content = JSON.stringify({ mcpServers: { acequia: foreign } }, null, 2);
  const who = await newTestUser({ '.cursor/mcp.json': content });
  const refused = await connect(who, ['cursor'], {}, 'n\n');
  expect(refused.stdout).toMatch(/^-.*"command": "python"/m);
  expect(refused.stderr).toContain('starts another program. Replace it?');
  expect(refused.stdout).not.toContain('s3cret');
  expect(await readFile(join(who.home, '.cursor/mcp.json'), 'utf8')).toBe(content);
  expect((await connect(who, ['cursor'], {}, 'yes\n')).code).toBe(0);
  const { mcpServers } = JSON.parse(await readFile(join(who.home, '.cursor/mcp.json'), 'utf8'));
  expect(mcpServers.acequia).toEqual({ type: 'stdio', command: process.execPath, args: [BINARY] });
});

it('says when another entry starts Acequia already', async () => {
  const content = JSON.stringify({ mcpServers: { water: { command: 'npx', args: ['-y', 'acequia-mcp'] } } });
  const who = await newTestUser({ '.cursor/mcp.json': content });
  expect((await connect(who, ['cursor', '--dry-run'])).stdout).toContain('"water" starts Acequia as well');
});

it.each([
  ['claude-code', '.claude.json', '{ "mcpServers": { } \n "b": 1 }', 'line 2, column 2: comma expected'],
  ['claude-desktop', DESKTOP, '// no comments here\n{}', 'line 1'],
  ['codex', '.codex/config.toml', 'model = "x\n', 'line 1'],
  ['vscode', CODE, '[]', 'an object at its root'],
])('leaves a file of %s that is broken as it is, and says where', async (client, path, content, said) => {
  const who = await newTestUser({ [path]: content });
  const { code, stderr } = await connect(who, [client, '--yes']);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
  expect(await readFile(join(who.home, path), 'utf8')).toBe(content);
  expect(await readdir(dirname(join(who.home, path)))).not.toContainEqual(expect.stringContaining('before-acequia'));
});

it('keeps the copy from before its first change through the changes after it', async () => {
  const who = await newTestUser({ '.cursor/mcp.json': '{ "mcpServers": {} }' });
  const file = join(who.home, '.cursor/mcp.json');
  expect((await connect(who, ['cursor', '--yes'])).code).toBe(0);
  expect((await connect(who, ['cursor', '--yes', '--read-only'])).code).toBe(0);
  expect(await readFile(file, 'utf8')).toContain('--read-only');
  expect(await readFile(`${file}.before-acequia`, 'utf8')).toBe('{ "mcpServers": {} }');
});

it.each([
  'postgres://ana:sekret@db.example.org/farm',
  'postgres://ana@db.example.org/farm?password=sekret',
  'postgres://ana@db.example.org/farm?sslmode=require&sslpassword=sekret',
])('puts no password of a database on a line: %s', async (db) => {
  const who = await newTestUser({});
  for (const client of ['codex', 'claude-code', 'cursor']) {
    const { code, stdout, stderr } = await connect(who, [client, '--print', '--db', db]);
    expect(code).toBe(0);
    expect(`${stdout}${stderr}`).not.toContain('sekret');
    expect(stdout).toContain('ACEQUIA_DB');
  }
});

it.skipIf(process.platform === 'win32')('keeps permissions, and writes behind a link instead of over it', async () => {
  const who = await newTestUser({ 'dotfiles/mcp.json': '{}', '.cursor/.keep': '' });
  const kept = join(who.home, 'dotfiles/mcp.json');
  const link = join(who.home, '.cursor/mcp.json');
  await chmod(kept, 0o640);
  await symlink(kept, link);
  expect((await connect(who, ['cursor', '--yes'])).code).toBe(0);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(kept, 'utf8')).toContain('acequia');
  expect((await stat(kept)).mode & 0o777).toBe(0o640);
  expect((await stat(`${kept}.before-acequia`)).mode & 0o777).toBe(0o640);
});

it('writes nothing over what another program wrote while the question stood', async () => {
  const who = await newTestUser({ '.cursor/mcp.json': '{}' });
  const file = join(who.home, '.cursor/mcp.json');
  const child = start(who, ['connect', 'cursor']);
  const outcome = exitOf(child);
  await once(child.stderr, 'data');
  await writeFile(file, '{ "mcpServers": {} }');
  child.stdin.end('y\n');
  expect(await outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('in the meantime') });
  expect(await readFile(file, 'utf8')).toBe('{ "mcpServers": {} }');
});

describe('a service', () => {
  const url = 'https://water.example.org/v1';
  const key = { ACEQUIA_API_KEY: 'acequia_0123456789abcdefghijklmn' };

  it('is written with the name of its key, not with the key', async () => {
    const who = await newTestUser();
    const { stdout, code } = await connect(who, ['claude-code', '--remote', url, '--yes'], key);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('must be set where') });
    const content = await readFile(join(who.home, '.claude.json'), 'utf8');
    expect(content).toContain(url);
    expect(content).not.toContain(key.ACEQUIA_API_KEY);
    expect(stdout).not.toContain(key.ACEQUIA_API_KEY);
  });

  it('needs its key for a program that takes it from its file alone, where it is never shown', async () => {
    const who = await newTestUser();
    const refused = await connect(who, ['claude-desktop', '--remote', url, '--yes']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Set ACEQUIA_API_KEY') });
    const { stdout } = await connect(who, ['claude-desktop', '--remote', url, '--yes'], key);
    expect(await readFile(join(who.home, DESKTOP), 'utf8')).toContain(key.ACEQUIA_API_KEY);
    expect(stdout).not.toContain(key.ACEQUIA_API_KEY);
  });
});

it('prints what belongs into a file with --print, and touches none', async () => {
  const who = await newTestUser();
  const before = await readdir(who.home);
  const { stdout, stderr } = await connect(who, ['vscode', '--print', '--lang', 'fr']);
  expect(JSON.parse(stdout)).toEqual({
    servers: { acequia: { type: 'stdio', command: process.execPath, args: [BINARY, '--lang', 'fr'] } },
  });
  expect(stderr).toContain('mcp.json');
  expect(await readdir(who.home)).toEqual(before);
});

it('refuses an assistant it does not know, and a file that its program does not have', async () => {
  const who = await newTestUser();
  expect(await connect(who, ['abacus'])).toMatchObject({ code: 2, stderr: expect.stringContaining('claude-code') });
  expect(await connect(who, ['claude-desktop', '--project'])).toMatchObject({ code: 1 });
});
