import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const NATIVE = ['@photostructure/sqlite', 'node-gyp-build', 'node-addon-api', '@resvg/resvg-js'];

/** The program, what it loads, and what people read. */
const HELD = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(acequia|start|chunk-[A-Z0-9]+)\.js(\.LEGAL\.txt)?$/,
  /^dist\/(catalog|operations|openapi|page|farm\.schema)\.json$/,
  /^dist\/page\.html$/,
  /^dist\/(page|api-page)\/[\w.-]+$/,
  /^dist\/skills\/[\w-]+\/SKILL\.md$/,
  /^dist\/DejaVuSansCondensed\.(ttf|LICENSE\.txt)$/,
];
const LARGEST_BYTES = 4_000_000;

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let packed: readonly Packed[];

/** npm, without the environment of the npm that runs these tests. */
function npm(command: 'npm' | 'npx', args: readonly string[], cwd: string) {
  const bare = Object.entries(process.env).filter(([name]) => !/^(npm_|ACEQUIA_)/i.test(name));
  const env = {
    ...Object.fromEntries(bare),
    npm_config_cache: join(folder, 'cache'),
    npm_config_update_notifier: 'false',
  };
  return promisify(execFile)(command, args, { cwd, env, shell: process.platform === 'win32', maxBuffer: 1e8 });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acequia-tarball-'));
  const pictures = await readdir(join(root, 'node_modules', '@resvg'));
  const installed = [...NATIVE, ...pictures.filter((name) => name !== 'resvg-js').map((name) => `@resvg/${name}`)];
  const folders = [root, ...installed.map((name) => join(root, 'node_modules', name))];
  const { stdout } = await npm(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, ...folders],
    folder,
  );
  const reported = JSON.parse(stdout) as readonly Packed[] | Record<string, Packed>;
  packed = Object.values(reported);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the package contains only what is needed, in a few megabytes', () => {
  const [own] = packed;
  const paths = own!.files.map(({ path }) => path);
  expect(paths.filter((path) => !HELD.some((pattern) => pattern.test(path)))).toEqual([]);
  for (const pattern of HELD) expect(paths.some((path) => pattern.test(path))).toBe(true);
  process.stderr.write(`The package: ${paths.length} files, ${(own!.size / 1e6).toFixed(2)} MB packed.\n`);
  expect(own!.size).toBeLessThan(LARGEST_BYTES);
});

it('installed in an empty folder without a network, npx acequia-mcp plays the demo', async () => {
  // npx runs packages in a folder of that name.
  const home = join(folder, '_npx', '0f1e');
  await mkdir(home, { recursive: true });
  const [own, ...others] = packed;
  const overrides = Object.fromEntries(others.map(({ name, filename }) => [name, `file:${join(folder, filename)}`]));
  await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, overrides }));
  await npm('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, own!.filename)], home);
  const { stdout, stderr } = await npm('npx', ['--offline', 'acequia-mcp', 'demo', '--db', 'demo.db'], home);
  expect(stderr.replace(/^npm warn.*\n/gm, '')).toBe('');
  // npx may delete that folder.
  expect(stdout).toMatch(/Connect an assistant: +npx -y acequia-mcp connect claude-code --db /);
  expect(await readdir(home)).toContain('demo.db');
}, 300_000);
