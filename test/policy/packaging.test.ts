import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import { Command } from 'commander';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod/v3';
import { CLIENT_NAMES } from '../../src/cli/connect/client-files.ts';
import { addCommonOptions, optionVariables } from '../../src/cli/process/settings.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const text = (name: string) => readFileSync(pathOf(name), 'utf8');
const json = (name: string) => JSON.parse(text(name));

const packageJson = json('package.json');

const READ_OR_INSTALLED = [
  ...['README.md', '.github', '.claude-plugin', 'package.json', 'docs', 'packages'],
  ...['prompts', 'src', 'tools', 'demo', 'eval'],
];
const TEXTS = /\.(md|json|ts|tsx|mjs|html|css|yml)$|Dockerfile$/;

/** The fields of a release, which package.json has once their names are owned. */
const published = JSON.parse(
  `{${/```json\n("mcpName"[^`]*)```/.exec(text('docs/releasing.md'))![1]}}`,
) as { mcpName: string; homepage: string; repository: { url: string } };
const repository = published.repository.url.replace(/^git\+|\.git$/g, '');

describe('the README', () => {
  it('names the bundle that is packed', () =>
    expect(text('README.md')).toContain(`build/${packageJson.name}-${packageJson.version}.mcpb`));

  const clients = text('docs/clients.md');
  const rows = text('README.md')
    .split('\n')
    .filter((line) => line.includes('acequia.js connect ') && line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const cellsOf = (name: string) => rows.find((cells) => cells[1]!.split(', ').includes(name));

  it.each(Object.entries(CLIENT_NAMES))('says of %s whether it was run', (id, name) => {
    const [, table = ''] = clients.split(/<!-- (?:clients: generated|\/clients) -->/);
    const wasRun = table.split('\n').some((line) => /^\| ([^|]+) \|/.exec(line)?.[1] === name);
    const notRun = /^Not run: (.*?)\./m.exec(clients)![1]!.split(', ');
    expect(notRun.includes(name)).toBe(!wasRun);
    expect(cellsOf(name)).toMatchObject({
      2: expect.stringContaining(id),
      3: wasRun ? 'yes' : 'no',
    });
  });
});

/** Names that somebody else could take: of packages, repositories and their plugins. */
const UNOWNED = [
  /\bnpx (-y |--yes )?acequia/,
  /\bnpm (install|i|exec) .*\bacequia-mcp\b/,
  /["']-y["'], ?["']acequia/,
  /acequia-mcp@/,
  /(github|githubusercontent)\.com\/acequia/,
  /github\.acequia/,
  /marketplace add acequia/,
  /(install-mcp|mcp\/install)\?name=/,
];
const unownedIn = (content: string): string[] =>
  content.split('\n').filter((line) => UNOWNED.some((pattern) => pattern.test(line)));

describe('what is read or installed', () => {
  it('names no package, repository or link that nobody owns yet, but in docs/releasing.md', () => {
    const files = execFileSync('git', ['ls-files', ...READ_OR_INSTALLED], {
      cwd: pathOf('.'),
      encoding: 'utf8',
    });
    const paths = files.split('\n').filter((path) => TEXTS.test(path) && existsSync(pathOf(path)));
    expect(paths.length).toBeGreaterThan(500);
    const found = paths
      .filter((path) => path !== 'docs/releasing.md')
      .flatMap((path) => unownedIn(text(path)).map((line) => `${path}: ${line.trim()}`));
    expect(found).toEqual([]);
  });

  it('would be found wrong with the lines that docs/releasing.md has for that day', () =>
    expect(unownedIn(text('docs/releasing.md')).length).toBeGreaterThan(8));
});

describe('docs/releasing.md', () => {
  const releasing = text('docs/releasing.md');
  const linked = (label: string) =>
    new URL(new RegExp(`\\[${label}\\]\\(([^)]+)\\)`).exec(releasing)![1]!);

  it.each([
    ['Cursor', 'cursor.com', 'base64'],
    ['VS Code', 'insiders.vscode.dev', 'utf8'],
  ] as const)('adds this package by the link for %s', (client, site, encoding) => {
    const { host, searchParams } = linked(`Add to ${client}`);
    expect([host, searchParams.get('name')]).toEqual([site, 'acequia']);
    const config = Buffer.from(searchParams.get('config')!, encoding).toString();
    expect(JSON.parse(config)).toEqual({ command: 'npx', args: ['-y', packageJson.name] });
  });

  it('adds the plugin from the repository of the release', () => {
    const { pathname } = new URL(repository);
    expect(releasing).toContain(`claude plugin marketplace add ${pathname.slice(1)}`);
  });
});

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Record<string, string>;
}

const { packages } = json('package-lock.json') as { packages: Record<string, Locked> };

describe('the lock file', () => {
  it('holds the packages of every platform, so that a fresh clone installs on each', () => {
    const optional = Object.values(packages).flatMap((each) =>
      Object.keys(each.optionalDependencies ?? {}),
    );
    expect(optional.length).toBeGreaterThan(20);
    for (const name of optional)
      expect(packages[`node_modules/${name}`]?.version, name).toMatch(/^\d+\./);
  });

  it('names no address of a registry', () => {
    for (const [name, { resolved }] of Object.entries(packages))
      expect(resolved, name).toBeUndefined();
  });

  it('holds the hash of every package, also of those for other platforms', () => {
    const unhashed = Object.entries(packages).filter(
      ([name, { integrity }]) => name !== '' && integrity === undefined,
    );
    expect(unhashed.map(([name]) => name)).toEqual([]);
  });
});

const plugin = json('packages/plugin/.claude-plugin/plugin.json');

describe('the plugin for Claude Code', () => {
  it('has the version of the package, and starts what is on the path', () => {
    expect(plugin.version).toBe(packageJson.version);
    const { mcpServers } = json('packages/plugin/.mcp.json');
    expect(mcpServers).toEqual({ acequia: { command: Object.keys(packageJson.bin)[0] } });
  });

  it('has a typable name, and is listed in the marketplace file beside it', () => {
    expect(plugin.name).toMatch(/^[a-z][a-z0-9-]*$/);
    const { name, owner, plugins } = json('.claude-plugin/marketplace.json');
    expect([name, owner.name, plugins.length]).toEqual(['acequia', plugin.author.name, 1]);
    expect(plugins[0]).toMatchObject({ name: plugin.name, description: plugin.description });
    expect(existsSync(pathOf(`${plugins[0].source}/.claude-plugin/plugin.json`))).toBe(true);
  });
});

const { serverFile: makeServerFile } = await import(
  pathToFileURL(pathOf('scripts/release/server-file.mjs')).href
);
const BUNDLE_HASH = 'ab'.repeat(32);
const server = makeServerFile({ ...packageJson, ...published }, BUNDLE_HASH);

const input = {
  description: z.string().min(1),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).min(1).optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
};
const variable = z.strictObject({ name: z.string().regex(/^[A-Z][A-Z0-9_]*$/), ...input });
const version = z
  .string()
  .max(255)
  .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
const address = z.string().url().startsWith('https://');
const stdio = z.strictObject({ type: z.literal('stdio') });

const npmPackage = z.strictObject({
  registryType: z.literal('npm'),
  identifier: z.string().regex(/^\S+$/),
  version,
  runtimeHint: z.literal('npx'),
  transport: stdio,
  environmentVariables: z.array(variable),
});

/**
 * The registry takes a bundle from a release on GitHub or GitLab only, and its version from the
 * address.
 */
const bundlePackage = z.strictObject({
  registryType: z.literal('mcpb'),
  identifier: address.regex(
    /^https:\/\/github\.com\/[a-zA-Z\d-]+\/[\w.-]+\/releases\/download\/[^/]+\/[^/]*mcp[^/]*$/,
  ),
  fileSha256: z.string().regex(/^[\da-f]{64}$/),
  transport: stdio,
});

const header = z.strictObject({
  name: z.string().min(1),
  ...input,
  value: z.string(),
  variables: z.record(z.strictObject(input)),
});

const remote = z.strictObject({
  type: z.literal('streamable-http'),
  url: z.string().startsWith('https://'),
  variables: z.record(z.strictObject(input)),
  headers: z.array(header),
});

/**
 * Written here after the schema of 2025-12-11, which is not in the repository: the part that this
 * file uses, with the rules of the registry for it. Fields that the schema has and this file does
 * not are refused too.
 */
const serverFile = z.strictObject({
  $schema: z.literal(
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z\d][a-zA-Z\d.-]*[a-zA-Z\d]\/[a-zA-Z\d][\w.-]*[a-zA-Z\d]$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  websiteUrl: address,
  repository: z.strictObject({
    url: address.regex(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/),
    source: z.literal('github'),
  }),
  icons: z
    .array(
      z.strictObject({
        src: address.max(255),
        mimeType: z.enum(['image/png', 'image/jpeg', 'image/svg+xml', 'image/webp']),
        sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)).min(1),
      }),
    )
    .min(1),
  packages: z.tuple([npmPackage, bundlePackage]),
  remotes: z.tuple([remote]),
});

const namesInBraces = (template: string) =>
  [...template.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);

describe('server.json', () => {
  it('has the fields that the rules above allow, and no others', () =>
    expect(serverFile.safeParse(server).error).toBeUndefined());

  it('is about the package and the repository that package.json then names', () => {
    expect(server.packages[0]).toMatchObject({
      identifier: packageJson.name,
      version: packageJson.version,
    });
    expect(server).toMatchObject({ name: published.mcpName, websiteUrl: published.homepage });
    expect(server.repository.url).toBe(repository);
    const [owner] = new URL(repository).pathname.slice(1).split('/');
    expect(server.name.split('/')[0]).toBe(`io.github.${owner}`);
  });

  it('names the bundle that a release of that repository holds, with its hash', () => {
    const { name, version } = packageJson;
    expect(server.packages[1]).toMatchObject({
      identifier: `${repository}/releases/download/v${version}/${name}-${version}.mcpb`,
      fileSha256: BUNDLE_HASH,
    });
  });

  it('shows icons that are in the repository, of the size that it says', () => {
    const { pathname } = new URL(server.repository.url);
    for (const { src, mimeType, sizes } of server.icons) {
      const path = new URL(src).pathname.replace(`${pathname}/v${packageJson.version}/`, '');
      expect([path, existsSync(pathOf(path))]).toEqual([path, true]);
      if (mimeType !== 'image/png') continue;
      const { width, height } = PNG.sync.read(readFileSync(pathOf(path)));
      expect(sizes).toEqual([`${width}x${height}`]);
    }
  });

  it('asks for each variable of its templates, and for no other', () => {
    const [{ url, variables, headers }] = server.remotes;
    expect(namesInBraces(url)).toEqual(Object.keys(variables));
    for (const header of headers)
      expect(namesInBraces(header.value)).toEqual(Object.keys(header.variables));
  });

  it('names variables that the program reads, and every secret as one', () => {
    const variables: z.infer<typeof variable>[] = server.packages[0].environmentVariables;
    const readVariables = [...optionVariables(addCommonOptions(new Command())), 'ACEQUIA_API_KEY'];
    for (const { name, isSecret = false } of variables) {
      expect(readVariables).toContain(name);
      expect([name, isSecret]).toEqual([name, /KEY|TOKEN|PASSWORD/.test(name)]);
    }
    expect(variables.length).toBeGreaterThan(3);
    const [{ headers }] = server.remotes;
    for (const { isSecret, variables } of headers)
      for (const each of [{ isSecret }, ...Object.values<{ isSecret?: boolean }>(variables)])
        expect(each.isSecret).toBe(true);
  });
});

describe('the icon', () => {
  const draw = (value: number) => {
    const drawing = new Resvg(readFileSync(pathOf('docs/icon.svg')), {
      fitTo: { mode: 'width', value },
    });
    return PNG.sync.read(drawing.render().asPng());
  };

  it.each([512, 48])('is the drawing at %i pixels, as npm run docs renders it', (width) => {
    const drawn = draw(width);
    const icon = PNG.sync.read(readFileSync(pathOf(`docs/icon-${width}.png`)));
    expect([icon.width, icon.height]).toEqual([width, width]);
    // Another processor may round a colour differently.
    expect(drawn.data.filter((value, at) => Math.abs(value - icon.data[at]!) > 3)).toHaveLength(0);
  });

  it('has a drop and a layer of soil at 16 × 16 pixels, and stands out on white and on black', () => {
    const { data } = draw(16);
    const at = (x: number, y: number) => [...data.subarray(4 * (16 * y + x), 4 * (16 * y + x) + 4)];
    const ground = at(1, 8);
    expect(contrast(ground, [255, 255, 255])).toBeGreaterThan(3);
    expect(contrast(ground, [0, 0, 0])).toBeGreaterThan(3);
    expect(contrast(ground, at(8, 7))).toBeGreaterThan(3);
    expect(contrast(ground, at(8, 12))).toBeGreaterThan(3);
  });
});

/** Contrast ratio of WCAG 2.2, which asks at least 3 of graphics. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const luminance = (colour: readonly number[]) => {
    const [red, green, blue] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

describe('the workflow of tests', () => {
  const content = text('.github/workflows/test.yml');
  const { jobs, permissions } = parseYaml(content);

  it('is for three systems and two versions of Node, runs what npm test is, and may only read', () => {
    const { strategy, steps } = jobs.test;
    expect(strategy.matrix).toEqual({
      os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
      node: [22, 24],
    });
    expect(steps.map(({ run }: { run?: string }) => run).filter(Boolean)).toEqual([
      'npm ci',
      'npm test',
    ]);
    expect(permissions).toEqual({ contents: 'read' });
  });

  it('says that it was never run', () => {
    expect(content).toMatch(/^# Never run/);
    expect(text('.github/CONTRIBUTING.md')).toContain('was never run');
  });
});
