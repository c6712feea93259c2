import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { outputOf } from './commands.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

const FARM = {
  company: { name: 'Mas Rouge', countryCode: 'GB', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [{ name: 'North block', type: 'olive' }],
  modules: [
    {
      uid: 'A1B2C3',
      name: 'North 1',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      commissionedAt: '2026-01-11T09:00:00Z',
      sensors: [{ type: 'humidity', depth: 10 }],
      // 1.6 L/h x 2 per m2 = 3.2 mm/h.
      installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
    },
  ],
};

/**
 * The program as its package brings it, installed in an empty folder, with a farm and a process
 * that serves it over HTTP.
 */
export async function packedProgram(folder) {
  const at = join(folder, 'installed');
  const [packed, db] = [join(folder, 'packed'), join(folder, 'farm.db')];
  await Promise.all([at, packed].map((each) => mkdir(each, { recursive: true })));
  const npm = (args, cwd) =>
    outputOf('npm', [...args, '--loglevel', 'error'], { cwd, env: process.env });
  await npm(['pack', '--pack-destination', packed], root);
  const [tarball] = await readdir(packed);
  await writeFile(join(at, 'package.json'), '{ "private": true }');
  await npm(['install', '--no-audit', '--no-fund', join(packed, tarball)], at);

  const binary = join(at, 'node_modules', '.bin', 'acequia');
  const acequia = (...args) =>
    outputOf(binary, [...args, '--db', db], { cwd: at, env: process.env });
  const farm = join(folder, 'farm.json');
  await writeFile(farm, JSON.stringify(FARM));
  await acequia('import', farm);
  const { key } = JSON.parse(await acequia('keys', 'create', '--preset', 'assistant', '--json'));
  const serving = spawn(binary, ['serve', '--port', '0', '--db', db], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(serving, 'exit');
  const url = await mcpAddress(serving);

  const answered = [];
  return {
    /** The command that a client is told to start. */
    command: [
      process.execPath,
      join(at, 'node_modules', 'acequia-mcp', 'dist', 'acequia.js'),
      '--db',
      db,
    ],
    url,
    key,
    /** A watering to be logged; each is another. */
    watering(client, way) {
      const idempotencyKey = `${client} ${way}`;
      const minutes = answered.push(idempotencyKey);
      return {
        module: 'North 1',
        durationMin: '45 min',
        note: idempotencyKey,
        idempotencyKey,
        startedAt: `2026-06-01 06:${String(minutes).padStart(2, '0')}`,
      };
    },
    /** Notes of waterings that were answered and do not stand in the book. */
    async unwritten() {
      const { data } = JSON.parse(await acequia('call', 'list_waterings', 'limit=200', '--json'));
      const notes = data.map(({ note }) => note);
      return answered.filter((note) => !notes.includes(note));
    },
    async stop() {
      serving.kill();
      await ended;
    },
  };
}

/** The address that a process says it takes MCP at. */
async function mcpAddress(serving) {
  for await (const line of createInterface({ input: serving.stdout })) {
    const [, url] = /^MCP on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('acequia serve ended before it served');
}
