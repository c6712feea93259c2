/**
 * The source files that one warm call walks through, from the request to the store and back to the
 * answer: those with a function that is entered. `node bench/walk.mjs [--files]` runs the sources
 * as they are, without a build; with --files it lists the files, each with its function entries.
 */
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Client } from './client.mjs';
import { farm, importFarm, newKey, serveCommand, startServer } from './program.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Within the repository, so that the program finds its packages. */
const folder = join(root, 'node_modules', '.walk');
const program = join(folder, 'acequia.js');
const coverage = new URL('./coverage.mjs', import.meta.url).href;
const listsFiles = process.argv.includes('--files');

const WARM_UP_CALLS = 30;
/** What a call leaves to do after its answer is done by then. */
const SETTLE_MS = 300;

async function buildWithMaps() {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const dist = join(root, 'dist');
  for (const name of await readdir(dist))
    if (!name.endsWith('.js')) await cp(join(dist, name), join(folder, name), { recursive: true });

  const { dependencies, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await build({
    absWorkingDir: root,
    entryPoints: {
      acequia: 'src/cli/acequia.ts',
      'read-worker': 'src/cli/reads/read-worker.ts',
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    sourcemap: true,
    platform: 'node',
    format: 'esm',
    external: [...Object.keys(dependencies), 'pg-native'],
    alias: { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') },
    define: { ACEQUIA_VERSION: JSON.stringify(version) },
    banner: {
      js: "import { createRequire as acequiaRequire } from 'node:module'; const require = acequiaRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

class SourceFiles {
  #bundles = new Map();

  /** Undefined for the code of a package or of Node.js. */
  async fileOf({ url, startOffset }) {
    if (!url.startsWith(pathToFileURL(folder).href)) return undefined;
    const bundle = fileURLToPath(url);
    if (!this.#bundles.has(bundle))
      this.#bundles.set(bundle, {
        text: await readFile(bundle, 'utf8'),
        map: new SourceMap(JSON.parse(await readFile(`${bundle}.map`, 'utf8'))),
      });
    const { text, map } = this.#bundles.get(bundle);
    const before = text.slice(0, startOffset).split('\n');
    const { originalSource } = map.findEntry(before.length - 1, before.at(-1).length);
    const file = originalSource && relative(root, resolve(dirname(bundle), originalSource));
    return file?.startsWith('src/') || file?.startsWith('tools/') ? file : undefined;
  }
}

const sources = new SourceFiles();

async function walk(name, call, takeCoverage) {
  for (let i = 0; i < WARM_UP_CALLS; i++) await call();
  await pause(SETTLE_MS);
  await takeCoverage();
  await call();
  const entered = await takeCoverage();

  const entries = new Map();
  for (const each of entered) {
    const file = await sources.fileOf(each);
    if (file !== undefined) entries.set(file, (entries.get(file) ?? 0) + each.count);
  }
  const total = [...entries.values()].reduce((sum, count) => sum + count, 0);
  console.log(`| ${name} | ${entries.size} | ${total} |`);
  if (!listsFiles) return;
  for (const file of [...entries.keys()].sort()) console.log(`${entries.get(file)}\t${file}`);
}

const FIRST_AT = Date.UTC(2025, 5, 1);
let count = 0;
const nextInstant = () => new Date(FIRST_AT + count++ * 3_600_000).toISOString();

async function walkOverStdio(db) {
  const client = new Client(['--import', coverage, program, '--db', db], { hasChannel: true });
  await client.open();
  const takeCoverage = () => client.message('take');
  await walk('get_company over stdio', () => client.call('get_company'), takeCoverage);
  const log = () =>
    client.call('log_watering', {
      module: 'North 1',
      startedAt: nextInstant(),
      inputMode: 'duration',
      durationMin: 45,
    });
  await walk('log_watering over stdio', log, takeCoverage);
  await client.kill();
}

async function walkOverHttp(db) {
  const key = newKey(db, { binary: program });
  const server = await startServer(['--import', coverage, ...serveCommand(db, program)], {
    hasChannel: true,
  });
  const request = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/v1${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  const takeCoverage = () => server.ask('take');

  await walk('GET of the company', () => request('GET', '/company'), takeCoverage);
  const post = () =>
    request('POST', '/modules/1/irrigation/events', {
      startedAt: nextInstant(),
      inputMode: 'duration',
      durationMin: 45,
    });
  await walk('POST of a watering', post, takeCoverage);

  const device = 'A84041FFFF181F0D';
  await request('PUT', '/devices', { device, moduleId: 1, depths: [10] });
  const send = () =>
    request('POST', '/ingest/ttn/dragino-lse01', {
      end_device_ids: { device_id: 'soil-1', dev_eui: device },
      received_at: nextInstant(),
      uplink_message: {
        decoded_payload: { temp_SOIL: '24.59', water_SOIL: '19.57' },
        received_at: nextInstant(),
      },
    });
  await walk('reading of a LoRaWAN webhook', send, takeCoverage);
  await server.stop();
}

await buildWithMaps();
const db = join(folder, 'farm.db');
await importFarm(db, farm, { binary: program });
console.log('| call | files | function entries |\n|---|---|---|');
await walkOverStdio(db);
await walkOverHttp(db);
await rm(folder, { recursive: true, force: true });
