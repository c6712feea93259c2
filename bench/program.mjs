/** The built program on a farm in a temporary folder. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from './client.mjs';

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url));

export const program = process.env.ACEQUIA_BINARY ?? pathOf('../dist/acequia.js');
export const echo = pathOf('./baseline/echo.mjs');
export const echoAndInsert = pathOf('./baseline/echo-and-insert.mjs');
export const echoAndQuery = pathOf('./baseline/echo-and-query.mjs');

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

export const bringIn = (db, farm) =>
  inFolder(async (folder) => {
    if (!existsSync(program)) throw new Error('Build first: npm run build');
    const file = join(folder, 'farm.json');
    await writeFile(file, JSON.stringify(farm));
    execFileSync(process.execPath, [program, 'import', file, '--db', db], { stdio: 'ignore', env: childEnvironment() });
  });

export const withFarm = (body) =>
  inFolder(async (folder) => {
    const db = join(folder, 'farm.db');
    await bringIn(db, farm);
    return body(db);
  });
