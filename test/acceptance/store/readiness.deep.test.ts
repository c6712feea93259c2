import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importBaseFarm, newBaseFarm } from '../../base-farm.ts';
import { newDatabase, postgresServer } from '../../stores/postgres.ts';
import { queryOnce, startEmbeddedServer } from '../../stores/postgres-server.ts';
import { mountSmallDisk } from '../../stores/small-disk.ts';
import { CLOCK, runCommand, waitUntil } from '../program.ts';
import { createTestKey, type RestService, serveStoreForTest } from '../rest-service.ts';

const CHECK_EVERY_MS = 5_000;
const server = await postgresServer();

const ready = async (service: RestService): Promise<string> => {
  const { status, body } = await service.request('GET', '/../ready');
  return status === 200 ? 'ready' : `${status}: ${body.detail}`;
};

async function msUntil(condition: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  await waitUntil(condition);
  return performance.now() - startedAt;
}

const becomes = (service: RestService, state: string): Promise<number> =>
  msUntil(async () => (await ready(service)).includes(state));

const stateOfDoctor = async (db: string, subject: string) => {
  const { stdout } = await runCommand(['doctor', '--json'], { env: { ACEQUIA_DB: db } });
  const { findings } = JSON.parse(stdout) as {
    findings: { subject: string; level: string; what: string }[];
  };
  return findings.find((finding) => finding.subject === subject);
};

describe('on a full disk', () => {
  it('a service with a file is not ready within seconds, and is again once there is space', async (context) => {
    const disk = mountSmallDisk(16);
    if (disk === null) return context.skip('file systems cannot be mounted here');
    try {
      const db = join(disk.folder, 'farm.db');
      await copyFile(await newBaseFarm(), db);
      const service = await serveStoreForTest(db, '--clock', CLOCK);
      expect(await ready(service)).toBe('ready');

      disk.fill();
      expect(await becomes(service, '503: ')).toBeLessThan(CHECK_EVERY_MS + 2_000);
      expect(await ready(service)).toContain('its disk is full');
      expect(await stateOfDoctor(db, 'disk')).toMatchObject({ level: 'bad' });

      disk.free();
      await becomes(service, 'ready');
      await service.stop();
    } finally {
      disk.remove();
    }
  });

  it('a service with a database is not ready within seconds, and is again once there is space', async (context) => {
    const disk = mountSmallDisk(400);
    if (disk === null) return context.skip('file systems cannot be mounted here');
    const database = await startEmbeddedServer({}, disk.folder);
    try {
      await queryOnce(database.maintenanceUrl, 'create database farm template template0');
      const db = database.url('farm');
      await importBaseFarm(db);
      const { key } = await createTestKey(db);
      const service = await serveStoreForTest(db, '--clock', CLOCK);
      expect(await ready(service)).toBe('ready');

      disk.fill();
      expect(await becomes(service, '503: ')).toBeLessThan(CHECK_EVERY_MS + 2_000);
      expect(await ready(service)).toContain('its disk is full');
      expect(await stateOfDoctor(db, 'writes')).toMatchObject({ level: 'bad' });
      expect((await service.request('GET', '/company', { key })).status).toBe(200);

      disk.free();
      await becomes(service, 'ready');
      await service.stop();
    } finally {
      await database.stop();
      disk.remove();
    }
  });
});

describe('while another process holds a lock', () => {
  const LOCK_FILE = `const { DatabaseSync } = require('@photostructure/sqlite');
    new DatabaseSync(process.argv[1]).exec('begin immediate');`;
  const LOCK_TABLE = `const client = new (require('pg').Client)(process.argv[1]);
    client.connect().then(() => client.query('begin; lock table waterings in exclusive mode'));`;

  it.for([
    ['file', LOCK_FILE, 'lock'],
    ['database', LOCK_TABLE, 'writes'],
  ] as const)(
    'a service with a %s is not ready after 30 s, and is again once it is released',
    async ([kind, script, subject], context) => {
      if (kind === 'database' && server === null) return context.skip();
      const database = kind === 'database' ? await newDatabase('nothing') : null;
      const db = database?.db ?? (await newBaseFarm());
      if (database) await importBaseFarm(db);
      const service = await serveStoreForTest(db, '--clock', CLOCK);
      const program = `${script} setInterval(() => {}, 1000); console.log('locked')`;
      const other = spawn(process.execPath, ['-e', program, db]);
      try {
        await once(other.stdout, 'data');
        await new Promise((resolve) => setTimeout(resolve, 500));
        const ms = await becomes(service, '503: ');
        expect(ms).toBeGreaterThan(25_000);
        expect(ms).toBeLessThan(45_000);
        expect(await ready(service)).toContain('another program has locked it');
        expect(await stateOfDoctor(db, subject)).toMatchObject({
          level: 'doubtful',
          what: expect.stringContaining('another program has locked'),
        });

        other.kill('SIGKILL');
        await becomes(service, 'ready');
        await service.stop();
      } finally {
        other.kill('SIGKILL');
        await database?.remove();
      }
    },
  );
});
