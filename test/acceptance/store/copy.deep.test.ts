import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { importBaseFarm } from '../../base-farm.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { newDatabase, postgresServer, type TestDatabase } from '../../stores/postgres.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf } from '../mcp-session.ts';
import { BINARY, CLOCK, runProgram } from '../program.ts';
import { connectRaw } from '../raw-server.ts';

const server = await postgresServer();

const LONG_TIMEOUT_MS = 120_000;

/** More than six batches. */
const READINGS = 60_500;
/** More than one batch. */
const WATERINGS = 620;

interface CopyExit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (env: Record<string, string>, ...args: readonly string[]): Promise<CopyExit> =>
  new Promise((resolve) => {
    execFile(process.execPath, [BINARY, ...args], { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const places = (from: string, to: string) => ({ ACEQUIA_COPY_FROM: from, ACEQUIA_COPY_TO: to });
const copy = (from: string, to: string, ...args: readonly string[]): Promise<CopyExit> =>
  run(places(from, to), 'copy', ...args);

const COMPARED_CALLS = [
  ['list_waterings', { limit: 200 }],
  ['list_modules', {}],
  ['get_irrigation_setup', { module: 'North 1' }],
  ['get_moisture_series', { module: 'North 1', start: '2023-01-01T00:00:00Z', end: '2026-06-30T00:00:00Z' }],
] as const;

async function answersOf(db: string): Promise<string[]> {
  const server = await connectRaw(db);
  const answers = await Promise.all(COMPARED_CALLS.map(([name, args]) => server.answer(server.call(name, args))));
  server.child.stdin.end();
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  return answers.map(({ result }) => JSON.stringify(bodyOf(result)));
}

let made: string;
let source: string;
let answered: readonly string[];
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'acequia-copy-'));
  source = join(made, 'farm.db');
  await importBaseFarm(source);
  const rows = Array.from({ length: READINGS }, (_, index) => {
    const at = new Date(Date.UTC(2023, 0, 1) + index * 900_000).toISOString();
    return `A1,humidity,10,${at},${20 + (index % 40) / 7}`;
  });
  const readings = `module,type,depth,time,value\n${rows.join('\n')}\n`;
  await writeFile(join(made, 'readings.csv'), readings);
  await importReadingsCsv(source, readings);
  const words = ['module=North 1', 'inputMode=duration', 'durationMin=40', 'startedAt=today 6:00'];
  await runProgram('call', 'log_watering', ...words, '--db', source, '--clock', CLOCK);
  change(
    source,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${WATERINGS - 1})
     insert into waterings (company_id, module_id, is_detached, started_at, duration_min, input_mode,
         dose_fraction_wetted_is_default, status, source, created_at)
       select 1, 1, 0, 1700000000000 + i * 3600000, 40, 'duration', 0, 'done', 'manual', 0 from n`,
  );
  answered = await answersOf(source);
}, LONG_TIMEOUT_MS);
afterAll(() => rm(made, { recursive: true, force: true }));

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const { remove } of databases.splice(0)) await remove();
});

async function newDatabaseOf(what: 'nothing' | 'tables'): Promise<string> {
  const database = await newDatabase(what);
  databases.push(database);
  return database.db;
}

function change(file: string, statement: string): void {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(statement);
  database.close();
}

function rowsArrived(file: string): number {
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
    try {
      return database.prepare('select count(*) as count from readings').get()!.count as number;
    } finally {
      database.close();
    }
  } catch {
    return 0;
  }
}

const waiting = (arrived: () => number | Promise<number>) =>
  expect.poll(arrived, { interval: 5, timeout: LONG_TIMEOUT_MS / 2 }).toBeGreaterThan(0);

function startCopy(from: string, to: string): { child: ChildProcess; ended: Promise<CopyExit> } {
  const child = spawn(process.execPath, [BINARY, 'copy'], { env: { ...process.env, ...places(from, to) } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  return { child, ended: once(child, 'close').then(([code]) => ({ code, stdout, stderr })) };
}

/** Blocks a copy to a database after its readings, until `beside` releases its locks. */
async function whileTableLocked(db: string, body: (beside: pg.Client) => Promise<void>): Promise<void> {
  const beside = new pg.Client({ connectionString: db });
  await beside.connect();
  try {
    await beside.query(`set acequia.company to 'all';
      create function held() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(7); return null; end';
      create trigger held before insert on reading_hours execute function held();
      select pg_advisory_lock(7)`);
    await body(beside);
  } finally {
    await beside.end();
  }
}

async function lockedCounts(beside: pg.Client): Promise<number[]> {
  const { rows } = await beside.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and objid = 7 and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.map(({ pid }) => pid);
}

const expectEqual = async (from: string, to: string): Promise<void> => {
  const { code, stdout, stderr } = await copy(from, to, '--check');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('are equal');
};

it('copies a file to another, and tells every table with its rows', { timeout: LONG_TIMEOUT_MS }, async () => {
  const target = join(await newFolder(), 'copy.db');
  const { code, stdout, stderr } = await copy(source, target);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ {2}waterings +620 rows, [0-9a-f]{16}$/m);
  expect(stdout).toMatch(/^ {2}readings +60,500 rows, [0-9a-f]{16}$/m);
  expect(await answersOf(target)).toEqual(answered);
});

it('goes on after it was killed, and serves nobody before it is whole', { timeout: LONG_TIMEOUT_MS }, async () => {
  const target = join(await newFolder(), 'copy.db');
  const { child, ended } = startCopy(source, target);
  await waiting(() => rowsArrived(target));
  child.kill('SIGKILL');
  await ended;
  const there = rowsArrived(target);
  // Whole batches.
  expect(there % 10_000).toBe(0);
  expect(there).toBeLessThan(READINGS);

  for (const args of [['call', 'get_company'], ['tick'], ['import', join(made, 'readings.csv')]] as const) {
    const refused = await run({ ACEQUIA_DB: target }, ...args);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('unfinished copy');
  }
  const { findings } = JSON.parse((await run({ ACEQUIA_DB: target }, 'doctor', '--json')).stdout);
  expect(findings).toContainEqual(
    expect.objectContaining({ level: 'bad', subject: 'store', what: expect.stringContaining('unfinished copy') }),
  );

  expect(await copy(source, target)).toMatchObject({ code: 0, stderr: '' });
  await expectEqual(source, target);
});

it('stops when it is interrupted, and the same command goes on', { timeout: LONG_TIMEOUT_MS }, async () => {
  const target = join(await newFolder(), 'copy.db');
  const { child, ended } = startCopy(source, target);
  await waiting(() => rowsArrived(target));
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('run the same command again');
  expect(await copy(source, target)).toMatchObject({ code: 0, stderr: '' });
  await expectEqual(source, target);
});

it('finds the one row that is not as it was', { timeout: LONG_TIMEOUT_MS }, async () => {
  const target = join(await newFolder(), 'copy.db');
  await copy(source, target);
  change(target, 'update readings set value = value + 1e-9 where at = (select max(at) from readings)');
  const { code, stdout, stderr } = await copy(source, target, '--check');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/readings: 60,500 rows, [0-9a-f]{16} against 60,500 rows, [0-9a-f]{16}\n/);
  expect(stderr).not.toContain('waterings');
});

it('refuses a place that holds a store, and leaves it', { timeout: LONG_TIMEOUT_MS }, async () => {
  const target = join(await newFolder(), 'other.db');
  await importBaseFarm(target);
  const before = await answersOf(target);
  const { code, stderr } = await copy(source, target);
  expect(code).toBe(1);
  expect(stderr).toContain('already holds a store');
  expect(await answersOf(target)).toEqual(before);
});

it('takes the store of --db where no other is named, and works on no service', {
  timeout: LONG_TIMEOUT_MS,
}, async () => {
  const folder = await newFolder();
  const small = join(folder, 'small.db');
  await importBaseFarm(small);
  const told = await run({ ACEQUIA_DB: small, ACEQUIA_COPY_FROM: '' }, 'copy', '--to', join(folder, 'copy.db'));
  expect(told).toMatchObject({ code: 0, stderr: '' });
  const wrong = ['copy', '--to', join(folder, 'c.db'), '--remote', 'https://water.example.org/v1'];
  expect((await run({}, ...wrong)).code).toBe(2);
  expect((await run({ ACEQUIA_DB: small }, 'copy')).code).toBe(2);
});

it('is wrong usage with a URL of another kind, which is not repeated', async () => {
  const { code, stderr } = await copy(source, 'mysql://ana:hunter2@db/farm');
  expect(code).toBe(2);
  expect(stderr).toContain('postgres://');
  expect(stderr).not.toContain('hunter2');
});

describe.skipIf(server === null)('with a database', () => {
  it('copies a file there and back, with the same checksums and answers', { timeout: LONG_TIMEOUT_MS }, async () => {
    const database = await newDatabaseOf('nothing');
    const back = join(await newFolder(), 'back.db');
    const there = await copy(source, database);
    expect(there).toMatchObject({ code: 0, stderr: '' });
    const again = await copy(database, back);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    const tables = ({ stdout }: CopyExit) => stdout.split('\n').slice(1);
    expect(tables(again)).toEqual(tables(there));
    await expectEqual(source, back);
    expect(await answersOf(database)).toEqual(answered);
    expect(await answersOf(back)).toEqual(answered);
    const words = ['module=North 1', 'inputMode=duration', 'durationMin=40', 'startedAt=today 7:00', '--json'];
    for (const db of [database, back]) {
      const { stdout } = await run({ ACEQUIA_DB: db }, 'call', 'log_watering', ...words, '--clock', CLOCK);
      expect(JSON.parse(stdout).event.id).toBe(WATERINGS + 1);
    }
  });

  it('goes on after it was killed, and takes what came since', { timeout: LONG_TIMEOUT_MS }, async () => {
    const folder = await newFolder();
    const growing = join(folder, 'growing.db');
    await copyFile(source, growing);
    const database = await newDatabaseOf('tables');
    await whileTableLocked(database, async (beside) => {
      const { child, ended } = startCopy(growing, database);
      await waiting(async () => (await lockedCounts(beside)).length);
      child.kill('SIGKILL');
      await ended;
      await beside.query('select pg_advisory_unlock_all()');
      expect((await beside.query('select count(*) from readings')).rows).toEqual([{ count: String(READINGS) }]);
    });
    const refused = await run({ ACEQUIA_DB: database }, 'call', 'get_company');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('unfinished copy');
    const doctor = JSON.parse((await run({ ACEQUIA_DB: database }, 'doctor', '--json')).stdout);
    expect(doctor.findings).toContainEqual(
      expect.objectContaining({ level: 'bad', what: expect.stringContaining('unfinished copy') }),
    );

    change(growing, 'update readings set value = 1 where at = (select min(at) from readings)');
    change(growing, `update modules set name = 'Mast 2' where name = 'Mast'`);
    expect(await copy(growing, database)).toMatchObject({ code: 0, stderr: '' });
    await expectEqual(growing, database);
  });

  it('goes on by itself where the server ended its connection', { timeout: LONG_TIMEOUT_MS }, async () => {
    const database = await newDatabaseOf('tables');
    await whileTableLocked(database, async (beside) => {
      const { ended } = startCopy(source, database);
      await waiting(async () => (await lockedCounts(beside)).length);
      const [first] = await lockedCounts(beside);
      await beside.query('select pg_terminate_backend($1)', [first]);
      await waiting(async () => (await lockedCounts(beside)).filter((pid) => pid !== first).length);
      await beside.query('select pg_advisory_unlock_all()');
      expect(await ended).toMatchObject({ code: 0, stderr: '' });
    });
    await expectEqual(source, database);
  });

  it('never shows a password', { timeout: LONG_TIMEOUT_MS }, async () => {
    const database = await newDatabaseOf('nothing');
    const small = join(await newFolder(), 'small.db');
    await importBaseFarm(small);
    const withPassword = Object.assign(new URL(database), { password: 'hunter2' }).href;
    // If the server requires a password, that one must not be shown.
    const { password } = new URL(database);
    const said = [
      await copy(small, password ? database : withPassword),
      await copy(small, password ? database : withPassword),
      await copy(password ? database : withPassword, small),
      await copy(small, Object.assign(new URL(withPassword), { port: '1' }).href),
      await run({}, 'copy', '--from', withPassword, '--to', `${withPassword} x`, '--nothing'),
    ];
    expect(said.map(({ code }) => code)).toEqual([0, 1, 1, 1, 2]);
    const all = said.map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(all).toContain('postgres://');
    expect(all).not.toContain('hunter2');
    if (password) expect(all).not.toContain(password);
  });
});
