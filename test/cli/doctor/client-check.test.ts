import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { link, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { checkClients } from '../../../src/cli/doctor/client-check.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { findingWith, type Report, reportOf } from './examined-store.ts';

const programFolder = mkdtempSync(join(tmpdir(), 'acequia-program-'));
const BINARY = join(programFolder, 'acequia.js');
/** Stands in for the doctor: it finds a fault if it was started with --read-only. */
writeFileSync(
  BINARY,
  `const level = process.argv.includes('--read-only') ? 'bad' : 'good';
  const { PGPASSWORD, PGUSER, FROM_SHELL } = process.env;
  const what = [PGUSER, PGPASSWORD, FROM_SHELL].join(' ');
  if (process.argv.includes('--toolsets')) throw new Error('no such toolset');
  const finding = { level, subject: 'store', what, advice: null };
  process.stdout.write(JSON.stringify({ findings: [finding] }));`,
);
afterAll(() => rmSync(programFolder, { recursive: true, force: true }));

/** Below the home folder. */
const DESKTOP =
  process.platform === 'darwin'
    ? 'Library/Application Support/Claude/claude_desktop_config.json'
    : '.config/Claude/claude_desktop_config.json';

async function newHome(files: Record<string, string>): Promise<string> {
  const folder = await newFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

async function examineAssistants(home: string, db: string, folder?: string): Promise<Report> {
  const before = process.cwd();
  for (const name of Object.keys(process.env))
    if (/^(XDG_|CLAUDE_|CODEX_)/.test(name)) vi.stubEnv(name, undefined);
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, home);
  process.chdir(folder ?? (await newFolder()));
  try {
    return reportOf(await checkClients({ db, remote: null }, BINARY));
  } finally {
    process.chdir(before);
    vi.unstubAllEnvs();
  }
}

const entry = (args: readonly string[], more: object = {}, command = process.execPath) => ({
  command,
  args,
  ...more,
});
const named = (acequia: object, others: object = {}) =>
  JSON.stringify({ mcpServers: { ...others, acequia } });

describe('a user without an assistant', () => {
  it('learns how to connect one, and that nothing is wrong', async () => {
    const { code, findings } = await examineAssistants(await newHome({}), await newBaseFarm());
    expect(findings).toEqual([expect.objectContaining({ level: 'good', advice: null })]);
    expect(findings[0]!.what).toContain(`claude mcp add acequia -- node ${BINARY}`);
    expect(code).toBe(0);
  });

  it('may have other servers, which are not mentioned', async () => {
    const other = {
      command: 'secret-server',
      args: ['--token', 's3cret'],
      env: { TOKEN: 's3cret' },
    };
    const folder = await newHome({ '.claude.json': JSON.stringify({ mcpServers: { other } }) });
    const { findings, text } = await examineAssistants(folder, await newBaseFarm());
    expect(findings.map(({ level }) => level)).toEqual(['good']);
    expect(text).not.toMatch(/secret-server|s3cret/);
  });
});

describe('an assistant that starts this program on this store', () => {
  it.each<[string, string, (db: string) => string]>([
    ['Claude Desktop', DESKTOP, (db) => named(entry([BINARY, '--db', db]))],
    ['Claude Code', '.claude.json', (db) => named(entry([BINARY, 'mcp', `--db=${db}`]))],
    [
      'Claude Code',
      '.claude.json',
      (db) =>
        JSON.stringify({
          projects: { '/farm': JSON.parse(named(entry([BINARY], { env: { ACEQUIA_DB: db } }))) },
        }),
    ],
    [
      'Codex',
      '.codex/config.toml',
      (db) =>
        `model = "x"\n\n[mcp_servers.other]\ncommand = "nope"\n\n[mcp_servers.acequia]\ncommand = ${JSON.stringify(process.execPath)} # here\nargs = [\n  ${JSON.stringify(BINARY)}, # the program\n]\n\n[mcp_servers.acequia.env]\nACEQUIA_DB = '${db}'\n`,
    ],
    [
      'Codex',
      '.codex/config.toml',
      (db) =>
        `[mcp_servers."acequia"]\nargs = ["${BINARY}"]\ncommand = "node"\nenv = { ACEQUIA_API_KEY = "acequia_k", ACEQUIA_DB = "${db}" }\n`,
    ],
    [
      'Gemini CLI',
      '.gemini/settings.json',
      (db) => `// mine\n${named(entry([BINARY, '--db', db])).replace(/}}$/, '},}')} /* "end" */`,
    ],
    ['Cursor', '.cursor/mcp.json', (db) => named(entry([BINARY, '--db', db], {}, 'node'))],
    [
      'opencode',
      '.config/opencode/opencode.json',
      (db) =>
        JSON.stringify({
          mcp: { water: { type: 'local', command: ['node', BINARY, '--db', db] } },
        }),
    ],
  ])('is good: %s, %s', async (client, file, content) => {
    const db = await newBaseFarm();
    const { findings, code } = await examineAssistants(await newHome({ [file]: content(db) }), db);
    expect(findings).toEqual([expect.objectContaining(findingWith('good', client))]);
    expect(findings[0]!.what).toContain('starts this Acequia, on this store');
    expect(code).toBe(0);
  });

  it('is good by another name of the same file', async () => {
    const db = await newBaseFarm();
    const otherName = `${db}.link`;
    await link(db, otherName);
    const home = await newHome({ '.claude.json': named(entry([BINARY, '--db', otherName])) });
    const { findings } = await examineAssistants(home, db);
    expect(findings).toEqual([expect.objectContaining(findingWith('good', 'on this store'))]);
  });

  it('is found in the working directory too', async () => {
    const db = await newBaseFarm();
    const work = await newHome({
      '.mcp.json': named(entry([BINARY, '--db', db])),
      '.vscode/mcp.json': JSON.stringify({ servers: { acequia: entry([BINARY, '--db', db]) } }),
    });
    const { findings } = await examineAssistants(await newHome({}), db, work);
    expect(findings.map(({ level, what }) => [level, what.split(' (')[0]])).toEqual([
      ['good', 'Claude Code'],
      ['good', 'VS Code'],
    ]);
  });
});

describe('an assistant that cannot start the program', () => {
  it.each<[string, (db: string) => string, string]>([
    [
      'whose command does not exist',
      (db) => named(entry([BINARY, '--db', db], {}, '/no/such/node')),
      '/no/such/node',
    ],
    [
      'whose command is not on the path',
      (db) => named(entry([BINARY, '--db', db], {}, 'nodd')),
      'nodd',
    ],
    [
      'whose program does not exist',
      (db) => named(entry(['/no/such/acequia.js', '--db', db])),
      '/no/such/acequia.js',
    ],
    [
      'whose file is cut off',
      (db) => named(entry([BINARY, '--db', db])).slice(0, -3),
      'not valid JSON',
    ],
    [
      'with comments in JSON',
      (db) => `// a\n${named(entry([BINARY, '--db', db]))}`,
      'not valid JSON',
    ],
  ])('is bad: one %s', async (_, content, text) => {
    const db = await newBaseFarm();
    const { findings, code } = await examineAssistants(
      await newHome({ '.claude.json': content(db) }),
      db,
    );
    expect(findings).toEqual([expect.objectContaining(findingWith('bad', text))]);
    expect(findings[0]!.advice).not.toBeNull();
    expect(code).toBe(1);
  });

  it('is doubtful if its unreadable file does not mention Acequia', async () => {
    const { findings, code } = await examineAssistants(
      await newHome({ '.cursor/mcp.json': '{' }),
      await newBaseFarm(),
    );
    expect(findings).toEqual([expect.objectContaining({ level: 'doubtful' })]);
    expect(code).toBe(0);
  });
});

describe('an assistant whose entry is started', () => {
  const env = { PGUSER: 'ana', PGPASSWORD: `\${PGPASSWORD:-}` };

  it('has the variables of its entry and no other of this shell, and says what fails', async () => {
    const db = await newBaseFarm();
    const started = entry([BINARY, '--db', db, '--read-only'], { env });
    const home = await newHome({ '.claude.json': named(started) });
    vi.stubEnv('FROM_SHELL', 'leaked');
    vi.stubEnv('PGPASSWORD', 's3cret');
    const { findings, code } = await examineAssistants(home, db);
    expect(findings).toEqual([expect.objectContaining(findingWith('bad', 'ana s3cret '))]);
    expect(findings[0]!.what).not.toContain('leaked');
    expect(code).toBe(1);
  });

  it('has values as they are where its client expands none', async () => {
    const db = await newBaseFarm();
    const literal = { ...env, PGPASSWORD: `pa$word1\${X:-}` };
    const started = entry([BINARY, '--db', db, '--read-only'], { env: literal });
    const home = await newHome({ [DESKTOP]: named(started) });
    const { findings } = await examineAssistants(home, db);
    expect(findings).toEqual([
      expect.objectContaining(findingWith('bad', `ana ${literal.PGPASSWORD} `)),
    ]);
  });

  it('names the variables that it refers to and that are not set', async () => {
    const db = await newBaseFarm();
    const started = entry([BINARY, '--db', db, '--read-only'], { env });
    const home = await newHome({ '.claude.json': named(started) });
    vi.stubEnv('PGPASSWORD', undefined);
    const { findings } = await examineAssistants(home, db);
    expect(findings[0]!.advice).toContain('PGPASSWORD');
  });

  it('is bad if it gives no answer', async () => {
    const db = await newBaseFarm();
    const started = entry([BINARY, '--db', db, '--toolsets', 'nothing']);
    const { findings } = await examineAssistants(
      await newHome({ '.cursor/mcp.json': named(started) }),
      db,
    );
    expect(findings).toEqual([expect.objectContaining(findingWith('bad', 'gave no answer'))]);
  });
});

describe('an assistant that starts something else', () => {
  it('is doubtful: another copy of the program', async () => {
    const db = await newBaseFarm();
    const folder = await newHome({ 'old/acequia.js': '' });
    const copy = join(folder, 'old', 'acequia.js');
    await writeFile(join(folder, '.claude.json'), named(entry([copy, '--db', db])));
    const { findings } = await examineAssistants(folder, db);
    expect(findings).toEqual([expect.objectContaining(findingWith('doubtful', copy))]);
  });

  it.each([
    ['another store', ['--db', '/another/farm.db'], '/another/farm.db'],
    ['the default store', [], '(the default)'],
    ['a store by a path that depends on the folder', ['--db', 'farm.db'], 'farm.db'],
    ['a service', ['--remote', 'https://water.example.org/v1'], 'a service'],
  ])('is doubtful: %s', async (_, args, text) => {
    const folder = await newHome({ '.claude.json': named(entry([BINARY, ...args])) });
    const { findings } = await examineAssistants(folder, await newBaseFarm());
    expect(findings).toEqual([expect.objectContaining(findingWith('doubtful', text))]);
  });
});

it('takes a service before the store of a variable, as the program does', async () => {
  const db = await newBaseFarm();
  const remote = 'https://water.example.org/v1';
  const variables = { env: { ACEQUIA_DB: db, ACEQUIA_REMOTE_URL: remote } };
  const home = await newHome({ '.claude.json': named(entry([BINARY], variables)) });
  const { findings } = await examineAssistants(home, db);
  expect(findings).toEqual([expect.objectContaining(findingWith('doubtful', 'a service'))]);
});

it('shows no secret of an entry, and changes no file', async () => {
  const db = await newBaseFarm();
  const secrets = {
    env: { ACEQUIA_API_KEY: 'acequia_s3cret', ACEQUIA_SMTP_URL: 'smtp://u:s3cret@mail' },
  };
  const content = named(
    entry([BINARY, '--db', 'postgres://u:s3cret@host/db'], secrets, 'KEY=s3cret node'),
  );
  const folder = await newHome({
    '.claude.json': content,
    '.cursor/mcp.json': content.replace('KEY=s3cret node', 'node'),
  });
  const { text, findings } = await examineAssistants(folder, db);
  expect(findings).toHaveLength(2);
  expect(text).not.toContain('s3cret');
  expect(await readFile(join(folder, '.claude.json'), 'utf8')).toBe(content);
});
