import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getMcpConfigForManifest, unpackExtension } from '@anthropic-ai/mcpb';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it } from 'vitest';
import { cleanEnv, waitUntil } from '../acceptance/program.ts';
import { afterTest } from '../cleanup.ts';
import { folderForFile, newFolder } from '../temporary-places.ts';
import { buildContainer, within } from './container-steps.ts';
import { addPublishedFields } from './published-fields.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const base = `${name}-${version}`;
const FILES = [
  'SHA256SUMS',
  `${base}-container.tar.gz`,
  `${base}.cdx.json`,
  `${base}.mcpb`,
  `${base}.tgz`,
  'server.json',
];

/** Leaves out the npm that runs these tests. */
const env = Object.fromEntries(Object.entries(cleanEnv).filter(([key]) => !/^npm_/i.test(key)));
const ran = async (
  command: string,
  args: readonly string[],
  cwd: string,
  more: Record<string, string> = {},
) =>
  (await promisify(execFile)(command, args, { cwd, env: { ...env, ...more }, maxBuffer: 1e8 }))
    .stdout;

let folder: string;
let release: string;
let again: string;
let releaseOutput: string;

/** Two clones of one commit: what is committed here, with a changelog that names the version. */
beforeAll(async () => {
  folder = await folderForFile();
  const [one, other] = [join(folder, 'one'), join(folder, 'the other')];
  const git = (cwd: string, ...args: string[]) => ran('git', args, cwd);
  await git(folder, 'clone', '--quiet', root, one);
  const changelog = join(one, 'docs', 'changelog.md');
  const text = await readFile(changelog, 'utf8');
  await writeFile(
    changelog,
    text.replace(/^## .*$/m, `## [${version}] - 2026-11-23\n\n- The first version.`),
  );
  await addPublishedFields(one);
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  await git(one, ...author, 'commit', '--quiet', '--all', '--message', 'Release');
  await git(folder, 'clone', '--quiet', one, other);
  releaseOutput = await ran('npm', ['run', 'release'], one, { TZ: 'UTC' });
  await ran('bash', ['-c', 'umask 077 && chmod -R go= . && npm run release'], other, {
    TZ: 'Pacific/Kiritimati',
  });
  [release, again] = [one, other].map((clone) => join(clone, 'build', 'release')) as [
    string,
    string,
  ];
}, 900_000);

const contentOf = (file: string) => readFile(join(release, file));

describe('a release', () => {
  it('is the same bytes from another clone, in another zone, under another umask', async () => {
    expect((await readdir(release)).sort()).toEqual(FILES);
    expect((await readdir(again)).sort()).toEqual(FILES);
    for (const file of FILES)
      expect([file, (await contentOf(file)).equals(await readFile(join(again, file)))]).toEqual([
        file,
        true,
      ]);
  });

  it('has the checksum of each file, and the hash of the bundle in server.json', async () => {
    const hash = async (file: string) =>
      createHash('sha256')
        .update(await contentOf(file))
        .digest('hex');
    const others = FILES.filter((file) => file !== 'SHA256SUMS');
    const lines = await Promise.all(others.map(async (file) => `${await hash(file)}  ${file}\n`));
    expect(`${await contentOf('SHA256SUMS')}`).toBe(lines.join(''));
    const { name: entryName, packages } = JSON.parse(`${await contentOf('server.json')}`);
    expect(entryName).toBe('io.github.acequia-mcp/acequia');
    expect(packages[1].fileSha256).toBe(await hash(`${base}.mcpb`));
  });

  it('publishes nothing, and says what to own and to do', () => {
    expect(releaseOutput).toContain('Nothing was published.');
    for (const what of [
      'two-factor',
      'io.github.acequia-mcp',
      'container registry',
      'GitHub organization',
      'to sign',
    ])
      expect(releaseOutput).toContain(what);
    expect(releaseOutput).toContain(`npm publish build/release/${base}.tgz`);
    expect(releaseOutput).not.toContain('VERSION');
  });

  it('has a bill of materials that the schema of CycloneDX accepts', async () => {
    const at = await newFolder();
    await writeFile(join(at, 'package.json'), '{ "private": true }');
    const validator = [
      '@cyclonedx/cyclonedx-library@10.3.0',
      'ajv@8',
      'ajv-formats@3',
      'ajv-formats-draft2019@1.6.1',
    ];
    await ran('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...validator], at);
    const program = `
      import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
      import { readFileSync } from 'node:fs';
      const text = readFileSync(process.argv[1], 'utf8');
      const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
      const wrong = JSON.stringify({ ...JSON.parse(text), metadata: { component: {} } });
      console.log(JSON.stringify([await validator.validate(text), (await validator.validate(wrong)) !== null]));`;
    const args = ['--input-type=module', '--eval', program, join(release, `${base}.cdx.json`)];
    expect(JSON.parse(await ran(process.execPath, args, at))).toEqual([null, true]);
  });
});

/** Connects as a client of one age, and lists the tools that the catalog lists. */
async function toolsOf(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  mode: 'legacy' | 'auto',
) {
  const client = new Client({ name: 'release', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  afterTest(() => client.close());
  expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
  return (await client.listTools()).tools.map((tool) => tool.name);
}

const listed = async (): Promise<string[]> =>
  JSON.parse(await readFile(join(root, 'dist', 'catalog.json'), 'utf8')).tools.map(
    (tool: { name: string }) => tool.name,
  );

async function homeEnv() {
  const home = await newFolder();
  return { ...env, HOME: home, USERPROFILE: home, XDG_DATA_HOME: home };
}

describe('the package, installed in an empty folder', () => {
  let home: string;
  beforeAll(async () => {
    // npx runs packages in a folder of that name, which it may delete.
    home = join(folder, '_npx', '0f1e');
    await mkdir(home, { recursive: true });
    await ran('npm', ['install', '--no-audit', '--no-fund', join(release, `${base}.tgz`)], home);
  });

  it.each(['legacy', 'auto'] as const)(
    'answers a client that begins in the mode %s',
    async (mode) => {
      const args = ['--no-install', name, '--db', join(await newFolder(), 'farm.db')];
      const transport = new StdioClientTransport({
        command: 'npx',
        args,
        cwd: home,
        env: await homeEnv(),
        stderr: 'ignore',
      });
      expect(await toolsOf(transport, mode)).toEqual(await listed());
    },
  );

  it('has its version', async () => {
    expect(await ran('npx', ['--no-install', name, '--version'], home)).toBe(`${version}\n`);
  });

  it('plays the demo, and connects nothing to the folder of npx', async () => {
    const output = await ran('npx', ['--no-install', name, 'demo', '--db', 'demo.db'], home);
    expect(output).toMatch(/Connect an assistant: +node \S+ connect claude-code --db /);
    const connect = ['--no-install', name, 'connect', 'cursor', '--print'];
    await expect(ran('npx', connect, home)).rejects.toThrow('which may delete it at any time');
  });
});

describe('the bundle, unpacked', () => {
  it.each(['legacy', 'auto'] as const)(
    'is started by its manifest, for a client in the mode %s',
    async (mode) => {
      const extensionPath = join(await newFolder(), 'bundle');
      await unpackExtension({
        mcpbPath: join(release, `${base}.mcpb`),
        outputDir: extensionPath,
        silent: true,
      });
      const manifest = JSON.parse(await readFile(join(extensionPath, 'manifest.json'), 'utf8'));
      const config = await getMcpConfigForManifest({
        manifest,
        extensionPath,
        systemDirs: {},
        userConfig: {},
        pathSeparator: sep,
      });
      const { command, args, env: configuredEnv } = config!;
      const transport = new StdioClientTransport({
        command,
        args,
        env: { ...(await homeEnv()), ...configuredEnv },
        stderr: 'ignore',
      });
      expect(await toolsOf(transport, mode)).toEqual(await listed());
    },
  );

  it('has the pictures of every platform', async () => {
    const extensionPath = join(await newFolder(), 'bundle');
    await unpackExtension({
      mcpbPath: join(release, `${base}.mcpb`),
      outputDir: extensionPath,
      silent: true,
    });
    const platforms = await readdir(join(extensionPath, 'node_modules', '@resvg'));
    for (const platform of [
      'linux-x64-gnu',
      'linux-arm64-gnu',
      'darwin-arm64',
      'darwin-x64',
      'win32-x64-msvc',
      'win32-arm64-msvc',
    ])
      expect(platforms).toContain(`resvg-js-${platform}`);
  });
});

/** Reads the port where it says that it serves MCP. */
async function portOf(output: Readable): Promise<string> {
  let text = '';
  output.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const printed = () => /:(\d+)\/mcp/.exec(text)?.[1];
  await waitUntil(() => printed() !== undefined);
  return printed()!;
}

describe('the container', () => {
  it('is built from its context in an empty folder, imports a farm, is healthy and serves both eras', async () => {
    const context = join(folder, 'context');
    await mkdir(context);
    await ran('tar', ['-xzf', join(release, `${base}-container.tar.gz`)], context);
    const image = await buildContainer(context, join(folder, 'image'));
    const at = (words: readonly string[]) => words.map((word) => within(image.root, word));
    const containerEnv = Object.fromEntries(
      Object.entries(image.env).map(([key, value]) => [key, within(image.root, value)]),
    );
    const cwd = join(image.root, image.workdir);
    const acequia = (...args: string[]) => {
      const [command, ...first] = at(image.entrypoint);
      return ran(command!, [...first, ...args], cwd, containerEnv);
    };

    const [, farm] = /^```json\n(\{\n {2}"company"[\s\S]*?)^```$/m.exec(
      await readFile(join(root, 'docs', 'import.md'), 'utf8'),
    )!;
    await writeFile(join(folder, 'farm.json'), farm!);
    await acequia('import', join(folder, 'farm.json'));
    const { key } = JSON.parse(await acequia('keys', 'create', '--preset', 'assistant', '--json'));

    // Any free port.
    const served = image.command.map((word) => (word === '8383' ? '0' : word));
    const [command, ...first] = [...at(image.entrypoint), ...served];
    const serving = spawn(command!, first, {
      env: { ...env, ...containerEnv },
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    afterTest(() => serving.kill('SIGKILL'));
    const ended = once(serving, 'exit');
    const port = await portOf(serving.stdout);

    const [healthy, ...check] = image.healthcheck.map((word) => word.replace('8383', port));
    await ran(healthy!, check, cwd);
    for (const mode of ['legacy', 'auto'] as const) {
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      const address = new URL(`http://127.0.0.1:${port}/mcp`);
      const tools = await toolsOf(
        new StreamableHTTPClientTransport(address, { requestInit }),
        mode,
      );
      expect(tools).toContain('log_watering');
    }
    serving.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
