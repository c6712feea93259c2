import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../in-process-command.ts';
import {
  newDatabase,
  postgresServer,
  setReadOnly,
  type TestDatabase,
} from '../../stores/postgres.ts';
import { type CommandResult, type Json, runCommand } from '../program.ts';
import { type RestService, serveStoreForTest } from '../rest-service.ts';

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

const CLOCK = ['--clock', '2026-07-01T10:00:00Z'];

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
  await writeFile(
    join(folder, 'readings.csv'),
    `module,type,depth,time,value\n${readings.join('\n')}\n`,
  );
  database = await newDatabase('nothing');
  await acequia('import', 'farm.json', 'readings.csv');
});
afterAll(async () => {
  if (server === null) return;
  await database.remove();
  await rm(folder, { recursive: true, force: true });
});

/** The URL goes through the environment, as a password should. */
const optionsOn = (db: string) => ({ cwd: folder, env: { ACEQUIA_DB: db } });
const acequiaOn = (db: string, ...args: readonly string[]): Promise<CommandResult> =>
  runInProcess(args, optionsOn(db));
const acequia = (...args: readonly string[]) => acequiaOn(database.db, ...args);

const password = () => new URL(database.db).password;

describe.skipIf(server === null)('a database in place of a file', () => {
  it('serves every command, and each sees what another has written', async () => {
    const words = [
      'module=North 1',
      'startedAt=2026-07-01T06:00:00Z',
      'inputMode=duration',
      'durationMin=40',
    ];
    const log = ['call', 'log_watering', ...words, 'idempotencyKey=once', ...CLOCK];
    const logged = await runCommand(log, optionsOn(database.db));
    expect(logged).toMatchObject({ code: 0, stderr: '' });
    // 40 minutes at 6 mm/h.
    expect(logged.stdout).toContain('4 mm');
    const repeated = await acequia(...log);
    expect(repeated.stdout).toMatch(/^Already logged/);
    expect(repeated.stdout).toContain(logged.stdout.trim());
    expect((await acequia('tick', ...CLOCK)).code).toBe(0);

    const { key } = JSON.parse(
      (await acequia('keys', 'create', '--preset', 'everything', '--json', ...CLOCK)).stdout,
    ) as { key: string };
    const [one, two] = await Promise.all([
      serveStoreForTest(database.db, ...CLOCK),
      serveStoreForTest(database.db, ...CLOCK),
    ]);
    const dosesAt = async ({ request }: RestService) =>
      (await request('GET', '/irrigation/events', { key })).body.data.map(
        ({ waterMm }: Json) => waterMm,
      );
    expect(await dosesAt(one)).toEqual([4]);
    const body = { startedAt: '2026-07-01T07:00:00Z', inputMode: 'depth_mm', inputDepthMm: 5 };
    const headers = { 'idempotency-key': 'k' };
    expect(
      (await one.request('POST', '/modules/1/irrigation/events', { key, body, headers })).status,
    ).toBe(201);
    expect(await dosesAt(two)).toEqual([5, 4]);
    const period = ['module=1', 'start=2026-06-01T00:00:00Z', 'detail=full', '--json'];
    const series = await acequia('call', 'get_moisture_series', ...period, ...CLOCK);
    // 20, 21, 22 and 23 in each hour.
    expect(JSON.parse(series.stdout).statistics).toMatchObject({
      min: { value: 21.5 },
      max: { value: 21.5 },
    });
  });

  it('is checked by the doctor, with its row-level security, and without its password', async () => {
    const { code, stdout, stderr } = await acequia('doctor', '--json');
    const { findings } = JSON.parse(stdout) as {
      findings: { level: string; subject: string; what: string }[];
    };
    expect(findings).toContainEqual(
      expect.objectContaining({
        level: 'good',
        subject: 'store',
        what: expect.stringMatching(/PostgreSQL \d+/),
      }),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain(password());

    if (server!.adminUrl === server!.url) return;
    const admin = Object.assign(new URL(server!.adminUrl), {
      pathname: new URL(database.db).pathname,
    }).href;
    const report = JSON.parse((await acequiaOn(admin, 'doctor', '--json')).stdout) as {
      findings: unknown[];
    };
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        level: 'doubtful',
        subject: 'row security',
        what: expect.stringContaining('postgres'),
      }),
    );
  });

  it('that accepts no writes is bad, and the doctor names the setting', async () => {
    await setReadOnly(database.db, 'on');
    const { code, stdout } = await acequia('doctor', '--json').finally(() =>
      setReadOnly(database.db, 'off'),
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({
        level: 'bad',
        subject: 'store',
        what: expect.stringContaining('accepts no writes: default_transaction_read_only is on'),
        advice: expect.stringContaining('Set it to off'),
      }),
    );
  });

  it('that is empty is set up by tools, by two at once as one company', async () => {
    const empty = await newDatabase('nothing');
    const call = (...words: string[]) => acequiaOn(empty.db, 'call', ...words, ...CLOCK);
    const company = [
      'set_company',
      'name=Mas Vert',
      'timezone=Europe/Paris',
      'ownerEmail=eve@example.org',
    ];
    expect(await call('list_modules')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('acequia init'),
    });
    const both = await Promise.all(
      [company, [...company, 'idempotencyKey=a']].map((words) =>
        runCommand(['call', ...words, ...CLOCK], optionsOn(empty.db)),
      ),
    );
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.map(({ stdout }) => stdout.split(':')[0]).sort()).toEqual([
      'Added',
      'Nothing changed',
    ]);
    expect(await call('set_parcel', 'name=Olives', 'areaM2=15000')).toMatchObject({
      code: 0,
      stderr: '',
    });
    const module = await call('set_module', 'name=Olive 1', 'parcel=Olives', 'sensors=humidity 20');
    expect(module).toMatchObject({ code: 0, stderr: '' });
    expect(module.stdout).toContain('Olive 1 is a soil probe in Olives, sensors at 20 cm.');
    expect((await call('set_module', 'name=Olive 1', 'sensors=humidity 30')).stdout).toContain(
      'sensors at 30 cm',
    );
    await empty.remove();
  });

  it('that is empty is left empty by the doctor', async () => {
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
  ])('that cannot be reached ends %s with 1, without its password', async (...args) => {
    const gone = Object.assign(new URL(database.db), { port: '1', password: 'hunter2' }).href;
    const { code, stdout, stderr } = await acequiaOn(gone, ...args);
    expect(code).toBe(1);
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain('cannot be reached');
    expect(stdout + stderr).not.toContain('hunter2');
  });

  it('is refused by the demo', async () => {
    const { code, stderr } = await acequia('demo');
    expect(code).toBe(1);
    expect(stderr).toContain('a database was named');
    expect(stderr).not.toContain(password());
  });

  it('of another kind is wrong usage, and its URL is not repeated', async () => {
    const { code, stderr } = await acequiaOn('mysql://ana:hunter2@db/farm', 'tick');
    expect(code).toBe(2);
    expect(stderr).toContain('postgres://');
    expect(stderr).not.toContain('hunter2');
  });
});
