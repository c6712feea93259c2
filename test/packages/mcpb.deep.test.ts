import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { getMcpConfigForManifest, type McpbManifestAny, unpackExtension } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { PNG } from 'pngjs';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newBaseFarm } from '../base-farm.ts';
import { afterTest } from '../cleanup.ts';
import { folderForFile, newFolder } from '../temporary-places.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The scripts have no types. */
const script = (name: string) => import(pathToFileURL(join(root, 'packages', 'mcpb', name)).href);

/** Packs what is built, with these options. */
function pack(options: readonly string[]) {
  const line = [join(root, 'packages', 'mcpb', 'package.mjs'), ...options];
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, line, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

let folder: string;
let bundle: string;
let manifest: McpbManifestAny;
beforeAll(async () => {
  folder = await folderForFile();
  const file = join(folder, 'acequia.mcpb');
  const { code, stdout } = await pack(['--allow-missing', '--offline', '--out', file]);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(file) });
  bundle = join(folder, 'unpacked');
  await unpackExtension({ mcpbPath: file, outputDir: bundle, silent: true });
  manifest = JSON.parse(await readFile(join(bundle, 'manifest.json'), 'utf8'));
}, 120_000);
afterEach(() => void vi.unstubAllEnvs());

describe('the bundle', () => {
  it('has the same time for every file, whenever and wherever it is packed', async () => {
    const zip = await readFile(join(folder, 'acequia.mcpb'));
    const fixed = Buffer.from(zip);
    const { fixTimes } = await script('zip-times.mjs');
    fixTimes(fixed);
    expect(fixed.equals(zip)).toBe(true);
  });

  it('lists the tools and prompts that the server has, under the version of the package', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const catalog = JSON.parse(await readFile(join(bundle, 'dist', 'catalog.json'), 'utf8'));
    const names = (each: readonly { name: string }[] | undefined) => each?.map(({ name }) => name);
    expect(manifest.version).toBe(version);
    expect(names(manifest.tools)).toEqual(names(catalog.tools));
    expect(names(manifest.prompts)).toEqual(names(catalog.prompts));
    for (const { text } of manifest.prompts!) expect(text).not.toContain('{{');
  });

  it('has the embedded store for Linux, macOS and Windows, on both processors', async () => {
    const systems = await readdir(
      join(bundle, 'node_modules', '@photostructure', 'sqlite', 'prebuilds'),
    );
    const platforms = ['darwin', 'linux', 'win32'].flatMap((system) => [
      `${system}-arm64`,
      `${system}-x64`,
    ]);
    expect(systems.sort()).toEqual(platforms);
  });

  it('has the icon of the project in the required size', async () => {
    const icon = await readFile(join(bundle, manifest.icon!));
    const { width, height } = PNG.sync.read(icon);
    expect([width, height]).toEqual([512, 512]);
    expect(icon.equals(await readFile(join(root, 'docs', 'icon-512.png')))).toBe(true);
  });
});

/** Starts the server as a program with the installed bundle does. */
async function installed(userConfig: Record<string, string>) {
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath: bundle,
    systemDirs: {},
    userConfig,
    pathSeparator: sep,
  });
  expect(config!.command).toBe('node');
  const client = new Client({ name: 'installed', version: '1' });
  const home = await newFolder();
  const env = {
    ...getDefaultEnvironment(),
    ...config!.env,
    HOME: home,
    USERPROFILE: home,
    XDG_DATA_HOME: home,
  };
  const transport = {
    command: process.execPath,
    args: config!.args ?? [],
    cwd: home,
    env,
    stderr: 'ignore' as const,
  };
  await client.connect(new StdioClientTransport(transport));
  afterTest(() => client.close());
  return client;
}

describe('once installed, outside this project', () => {
  it('starts without any setting', async () => {
    const client = await installed({});
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      manifest.tools!.map(({ name }) => name),
    );
  });

  it('uses the configured store and language, and draws', async () => {
    const client = await installed({ store: await newBaseFarm(), language: 'fr' });
    const call = async (name: string, args = {}) =>
      (await client.callTool({ name, arguments: args })) as CallToolResult;
    const watering = {
      module: 'North 1',
      startedAt: 'today 0:30',
      inputMode: 'duration',
      durationMin: 30,
    };
    // 3.2 mm/h for half an hour.
    expect((await call('log_watering', watering)).structuredContent).toMatchObject({
      event: { waterMm: 1.6 },
    });
    const { content } = await call('chart_moisture', { module: 'North 1' });
    expect(content).toContainEqual(
      expect.objectContaining({ type: 'image', mimeType: 'image/png' }),
    );
  });
});

describe('an unavailable binary', () => {
  const other = process.platform === 'win32' ? 'darwin-arm64' : 'win32-x64-msvc';

  it('is named, and nothing is packed unless that is allowed', async () => {
    const file = join(await newFolder(), 'a.mcpb');
    const { code, stderr } = await pack(['--offline', '--out', file]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`@resvg/resvg-js-${other}@`),
    });
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is refused from a registry if its hash differs from the lock file', async () => {
    const fakeTarball = gzipSync(Buffer.alloc(1024));
    const registry = createServer((request, response) => {
      const { port } = registry.address() as AddressInfo;
      if (request.url!.endsWith('.tgz')) return response.end(fakeTarball);
      const name = decodeURIComponent(request.url!.slice(1));
      const integrity = `sha512-${createHash('sha512').update(fakeTarball).digest('base64')}`;
      const dist = { tarball: `http://127.0.0.1:${port}/forged.tgz`, integrity };
      return response.end(
        JSON.stringify({
          name,
          'dist-tags': { latest: '2.6.2' },
          versions: { '2.6.2': { name, version: '2.6.2', dist } },
        }),
      );
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    afterTest(() => new Promise((resolve) => registry.close(resolve)));
    const { port } = registry.address() as AddressInfo;
    vi.stubEnv('npm_config_registry', `http://127.0.0.1:${port}/`);
    vi.stubEnv('npm_config_cache', await newFolder());
    const { filesOf, platformPackages } = await script('native.mjs');
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
    const wanted = platformPackages(lock).find(({ name }: { name: string }) =>
      name.endsWith(other),
    );
    await expect(filesOf(wanted, root, { isOffline: false })).rejects.toThrow(
      'does not match package-lock.json',
    );
  });
});
