import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newDatabase, postgresServer, type TestDatabase } from '../../stores/postgres.ts';
import { BINARY } from '../program.ts';

const server = await postgresServer();

const FARM = {
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  modules: [
    {
      uid: 'A1',
      name: 'North 1',
      category: 'SOIL_PROBE',
      commissionedAt: '2025-01-11T09:00:00Z',
      sensors: [{ type: 'humidity', depth: 10 }],
      installation: { system: 'sprinkler', flowMmPerH: 6 },
    },
  ],
};

const CLOCK = ['--clock', '2026-07-01T10:00:00Z', '--lang', 'en'];

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  if (server === null) return;
  folder = await mkdtemp(join(tmpdir(), 'acequia-database-'));
  await writeFile(join(folder, 'farm.json'), JSON.stringify(FARM));
  const readings = Array.from({ length: 3_000 }, (_, index) => {
    const at = new Date(Date.UTC(2026, 5, 1) + index * 900_000).toISOString();
    return `A1,humidity,10,${at},${20 + (index % 4)}`;
  });
  await writeFile(join(folder, 'readings.csv'), `module,type,depth,time,value\n${readings.join('\n')}\n`);
  database = await newDatabase('nothing');
  await acequia('import', 'farm.json', 'readings.csv');
});
afterAll(async () => {
  if (server === null) return;
  await database.remove();
  await rm(folder, { recursive: true, force: true });
});

interface CommandExit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The URL goes through the environment, as a password should. */
const acequiaOn = (db: string, ...args: readonly string[]): Promise<CommandExit> =>
  new Promise((resolve) => {
    const env = { ...process.env, ACEQUIA_DB: db };
    execFile(process.execPath, [BINARY, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
const acequia = (...args: readonly string[]) => acequiaOn(database.db, ...args);

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

async function startServed(): Promise<string> {
  const env = { ...process.env, ACEQUIA_DB: database.db };
  const child = spawn(process.execPath, [BINARY, 'serve', '--port', '0', ...CLOCK], { cwd: folder, env });
  running.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return /https?:\S+/.exec(String(said))![0];
}

const password = () => new URL(database.db).password;

describe.skipIf(server === null)('a database in place of a file', () => {
  it('is worked on by every command, and what one logs another sees', async () => {
    const words = ['module=North 1', 'startedAt=2026-07-01T06:00:00Z', 'inputMode=duration', 'durationMin=40'];
    const logged = await acequia('call', 'log_watering', ...words, 'idempotencyKey=once', ...CLOCK);
    expect(logged).toMatchObject({ code: 0, stderr: '' });
    // 40 minutes at 6 mm/h.
    expect(logged.stdout).toContain('4 mm');
    expect((await acequia('call', 'log_watering', ...words, 'idempotencyKey=once', ...CLOCK)).stdout).toBe(
      logged.stdout,
    );
    expect((await acequia('tick', ...CLOCK)).code).toBe(0);

    const { key } = JSON.parse((await acequia('keys', 'create', '--json', ...CLOCK)).stdout) as { key: string };
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const [one, two] = await Promise.all([startServed(), startServed()]);
    const list = async (url: string) =>
      (await (await fetch(`${url}/irrigation/events`, { headers })).json()) as { data: { waterMm: number }[] };
    expect(await list(one)).toMatchObject({ data: [{ waterMm: 4 }] });
    const body = { startedAt: '2026-07-01T07:00:00Z', inputMode: 'depth_mm', inputDepthMm: 5 };
    const posted = await fetch(`${one}/modules/1/irrigation/events`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': 'k' },
      body: JSON.stringify(body),
    });
    expect(posted.status).toBe(201);
    expect((await list(two)).data.map(({ waterMm }) => waterMm)).toEqual([5, 4]);
    const series = await acequia(
      'call',
      'get_moisture_series',
      'module=1',
      'start=2026-06-01T00:00:00Z',
      '--json',
      ...CLOCK,
    );
    // 20, 21, 22 and 23 in each hour.
    expect(JSON.parse(series.stdout).statistics).toMatchObject({ min: { value: 21.5 }, max: { value: 21.5 } });
  });

  it('is told of by the doctor, with the wall behind the queries, and never with the password', async () => {
    const { code, stdout, stderr } = await acequia('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: { level: string; subject: string; what: string }[] };
    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'good', subject: 'store', what: expect.stringMatching(/PostgreSQL \d+/) }),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain(password());

    if (server!.adminUrl === server!.url) return;
    const admin = Object.assign(new URL(server!.adminUrl), { pathname: new URL(database.db).pathname }).href;
    const told = JSON.parse((await acequiaOn(admin, 'doctor', '--json')).stdout) as { findings: unknown[] };
    expect(told.findings).toContainEqual(
      expect.objectContaining({
        level: 'doubtful',
        subject: 'row security',
        what: expect.stringContaining('postgres'),
      }),
    );
  });

  it('that holds nothing yet is left so by the doctor', async () => {
    const empty = await newDatabase('nothing');
    const look = async () => (await acequiaOn(empty.db, 'doctor')).stdout;
    expect(await look()).toContain('is empty');
    expect(await look()).toContain('is empty');
    await empty.remove();
  });

  it.each([
    ['import', 'farm.json'],
    ['tick'],
    ['keys', 'list'],
    ['serve', '--port', '0'],
    ['call', 'get_company'],
    ['doctor'],
  ])('that cannot be reached is told by %s, with exit code 1 and without the password', async (...args) => {
    const gone = Object.assign(new URL(database.db), { port: '1', password: 'hunter2' }).href;
    const { code, stdout, stderr } = await acequiaOn(gone, ...args);
    expect(code).toBe(1);
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain('cannot be reached');
    expect(stdout + stderr).not.toContain('hunter2');
  });

  it('is no place for the demo, which is made and removed as a file', async () => {
    const { code, stderr } = await acequia('demo');
    expect(code).toBe(1);
    expect(stderr).toContain('a database is named');
    expect(stderr).not.toContain(password());
  });

  it('of another kind is wrong usage, and not repeated', async () => {
    const { code, stderr } = await acequiaOn('mysql://ana:hunter2@db/farm', 'tick');
    expect(code).toBe(2);
    expect(stderr).toContain('postgres://');
    expect(stderr).not.toContain('hunter2');
  });
});
