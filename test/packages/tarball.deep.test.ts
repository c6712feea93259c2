import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import { beforeAll, expect, it } from 'vitest';
import { farmWithReadings } from '../acceptance/mcp/app-clients.ts';
import { CLOCK } from '../acceptance/program.ts';
import { folderForFile } from '../temporary-places.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const NATIVE = ['@photostructure/sqlite', 'node-gyp-build', 'node-addon-api', '@resvg/resvg-js'];

/** The program, what it loads, and what people read. */
const HELD = [
  /^(package\.json|README\.md|LICENSE|docs\/changelog\.md)$/,
  /^dist\/(acequia|start|backup-worker|read-worker|stop-thread|chunk-[\w-]+)\.js(\.LEGAL\.txt)?$/,
  /^dist\/(catalog|operations|openapi|page|farm\.schema|server-identity)\.json$/,
  /^dist\/(page|chat-page)\.html$/,
  /^dist\/(page|api-page)\/[\w.-]+$/,
  /^dist\/skills\/[\w-]+\/SKILL\.md$/,
  /^dist\/DejaVuSansCondensed\.(ttf|LICENSE\.txt)$/,
];
const LARGEST_BYTES = 4_000_000;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let packed: Packed;

/** npm, without the environment of the npm that runs these tests. */
function npm(command: 'npm' | 'npx', args: readonly string[], cwd: string) {
  const bare = Object.entries(process.env).filter(([name]) => !/^(npm_|ACEQUIA_)/i.test(name));
  const env = {
    ...Object.fromEntries(bare),
    npm_config_cache: join(folder, 'cache'),
    npm_config_update_notifier: 'false',
  };
  return promisify(execFile)(command, args, {
    cwd,
    env,
    shell: process.platform === 'win32',
    maxBuffer: 1e8,
  });
}

beforeAll(async () => {
  folder = await folderForFile();
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, root];
  const reported: readonly Packed[] | Record<string, Packed> = JSON.parse(
    (await npm('npm', args, folder)).stdout,
  );
  packed = Object.values(reported)[0]!;
}, 120_000);

it('the package contains only what is needed, in a few megabytes', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths.filter((path) => !HELD.some((pattern) => pattern.test(path)))).toEqual([]);
  for (const pattern of HELD) expect(paths.some((path) => pattern.test(path))).toBe(true);
  process.stderr.write(
    `The package: ${paths.length} files, ${(packed.size / 1e6).toFixed(2)} MB packed.\n`,
  );
  expect(packed.size).toBeLessThan(LARGEST_BYTES);
});

it('installed in an empty folder without a network, npx acequia-mcp opens a store and draws', async () => {
  // npx runs packages in a folder of that name.
  const home = join(folder, '_npx', '0f1e');
  await mkdir(home, { recursive: true });
  const pictures = await readdir(join(root, 'node_modules', '@resvg'));
  const installed = [
    ...NATIVE,
    ...pictures.filter((name) => name !== 'resvg-js').map((name) => `@resvg/${name}`),
  ];
  const overrides = Object.fromEntries(
    installed.map((name) => [name, `file:${join(root, 'node_modules', name)}`]),
  );
  await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, overrides }));
  const offline = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await npm('npm', ['install', ...offline, join(folder, packed.filename)], home);
  const chart = [
    'chart',
    '--module',
    'North 1',
    '--out',
    'a.png',
    '--db',
    await farmWithReadings(),
    '--clock',
    CLOCK,
  ];
  const { stderr } = await npm('npx', ['--offline', 'acequia-mcp', ...chart], home);
  expect(stderr.replace(/^npm warn.*\n/gm, '')).toBe('');
  expect(PNG.sync.read(await readFile(join(home, 'a.png'))).width).toBeGreaterThan(500);
}, 300_000);
