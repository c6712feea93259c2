/** The built program on a farm in a temporary folder. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from './client.mjs';

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url));

export const program = process.env.ACEQUIA_BINARY ?? pathOf('../dist/acequia.js');
/** Another build that some benchmarks measure in turn with the program; undefined without one. */
export const programBefore = process.env.ACEQUIA_BENCH_BEFORE;

/** The sides of a figure that measure a build: `sideOf(binary)` returns what runs in each round. */
export async function sidesOfBuilds(sideOf) {
  const sides = {};
  if (programBefore !== undefined) sides.before = await sideOf(programBefore);
  sides.measured = await sideOf(program);
  return sides;
}
export const echo = pathOf('./baseline/echo.mjs');

export const farm = {
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [{ name: 'North block' }],
  modules: [
    {
      uid: 'A1',
      name: 'North 1',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      commissionedAt: '2025-01-01T00:00:00Z',
      sensors: [{ type: 'humidity', depth: 10 }],
      installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
    },
  ],
};

export async function inFolder(body) {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-bench-'));
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const importFarm = (db, farm, { binary = program, options = [] } = {}) =>
  inFolder(async (folder) => {
    if (!existsSync(binary)) throw new Error(`There is no ${binary}. Build first: npm run build`);
    const file = join(folder, 'farm.json');
    await writeFile(file, JSON.stringify(farm));
    const argv = [binary, 'import', file, ...options, '--db', db];
    execFileSync(process.execPath, argv, { stdio: 'ignore', env: childEnvironment() });
  });

let farmCount = 0;

/** Returns the file of a farm of its own, which this build has imported. */
export async function newFarm(folder, binary = program, content = farm) {
  const db = join(folder, `farm-${++farmCount}.db`);
  await importFarm(db, content, { binary });
  return db;
}

export const withFarm = (body, binary = program) =>
  inFolder(async (folder) => body(await newFarm(folder, binary)));

/** Imports readings from a sequence of texts. */
export async function importReadings(db, blocks, { binary = program, options = [] } = {}) {
  const argv = [binary, 'import', '-', ...options, '--db', db];
  const child = spawn(process.execPath, argv, {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: childEnvironment(),
  });
  const ended = once(child, 'close');
  for (const block of blocks) if (!child.stdin.write(block)) await once(child.stdin, 'drain');
  child.stdin.end();
  const [status] = await ended;
  if (status !== 0) throw new Error(`The import ended with ${status}`);
}

export function newKey(db, { binary = program, options = [] } = {}) {
  const argv = [binary, 'keys', 'create', '--preset', 'everything', ...options, '--db', db];
  const stdio = ['ignore', 'pipe', 'ignore'];
  return execFileSync(process.execPath, argv, { stdio, env: childEnvironment() }).toString().trim();
}

export const serveCommand = (db, binary = program) => [
  binary,
  'serve',
  '--db',
  db,
  '--port',
  '0',
  '--rate-limit',
  '0',
];

/** Resolves once the HTTP server has printed its address. */
export async function startServer(argv, { env = {}, hasChannel = false } = {}) {
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'inherit', ...(hasChannel ? ['ipc'] : [])],
    env: { ...childEnvironment(), ...env },
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended,
  ]);
  const port = Number(/:(\d+)\/v1$/.exec(line)?.[1]);
  if (!port) throw new Error(`${argv[0]} does not serve: ${line}`);
  return {
    port,
    pid: child.pid,
    async ask(message) {
      child.send(message);
      return (await once(child, 'message'))[0];
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}
