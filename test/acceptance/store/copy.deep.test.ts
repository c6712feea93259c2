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
import {
  CLOCK,
  type CommandResult,
  type RunningCommand,
  runCommand,
  runProgram,
  startCommand,
} from '../program.ts';
import { connectRaw } from '../raw-server.ts';

const server = await postgresServer();

const LONG_TIMEOUT_MS = 120_000;

/** More than six batches. */
const READINGS = 60_500;
/** More than one batch. */
const WATERINGS = 620;

/** The URLs go through the environment, as a password should. */
const places = (from: string, to: string) => ({ ACEQUIA_COPY_FROM: from, ACEQUIA_COPY_TO: to });
const run = (env: Record<string, string>, ...args: readonly string[]): Promise<CommandResult> =>
  runCommand(args, { env });
const copy = (from: string, to: string, ...args: readonly string[]): Promise<CommandResult> =>
  run(places(from, to), 'copy', ...args);
const startCopy = (from: string, to: string): RunningCommand =>
  startCommand(['copy'], { env: places(from, to) });

const COMPARED_CALLS = [
  ['list_waterings', { limit: 200 }],
  ['list_modules', {}],
  ['get_irrigation_setup', { module: 'North 1' }],
  [
    'get_moisture_series',
    { module: 'North 1', start: '2023-01-01T00:00:00Z', end: '2026-06-30T00:00:00Z' },
  ],
] as const;

async function answersOf(db: string): Promise<string[]> {
  const server = await connectRaw(db);
  const answers = await Promise.all(
    COMPARED_CALLS.map(([name, args]) => server.answer(server.call(name, args))),
  );
  server.child.stdin.end();
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  return answers.map(({ result }) => JSON.stringify(bodyOf(result)));
}

let folder: string;
let source: string;
let answered: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acequia-copy-'));
  source = join(folder, 'farm.db');
  await importBaseFarm(source);
  const rows = Array.from({ length: READINGS }, (_, index) => {
    const at = new Date(Date.UTC(2023, 0, 1) + index * 900_000).toISOString();
    return `A1,humidity,10,${at},${20 + (index % 40) / 7}`;
  });
  const readings = `module,type,depth,time,value\n${rows.join('\n')}\n`;
  await writeFile(join(folder, 'readings.csv'), readings);
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
afterAll(() => rm(folder, { recursive: true, force: true }));

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

const untilSome = (count: () => number | Promise<number>) =>
  expect.poll(count, { interval: 5, timeout: LONG_TIMEOUT_MS / 2 }).toBeGreaterThan(0);

/** Blocks a copy to a database after its readings, until the `blocker` is closed. */
async function whileTableLocked(
  db: string,
  body: (blocker: pg.Client) => Promise<void>,
): Promise<void> {
  const blocker = new pg.Client({ connectionString: db });
  await blocker.connect();
  try {
    await blocker.query(`set acequia.company to 'all';
      create function wait_for_release() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(7); return null; end';
      create trigger wait_for_release before insert on reading_hours execute function wait_for_release();
      select pg_advisory_lock(7)`);
    await body(blocker);
  } finally {
    await blocker.end();
  }
}

async function processesThatWait(blocker: pg.Client): Promise<number[]> {
  const { rows } = await blocker.query<{ pid: number }>(
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

it('continues after it was killed, and its target is refused until it is complete', {
  timeout: LONG_TIMEOUT_MS,
}, async () => {
  const target = join(await newFolder(), 'copy.db');
  const { child, ended } = startCopy(source, target);
  await untilSome(() => rowsArrived(target));
  child.kill('SIGKILL');
  await ended;
  const countArrived = rowsArrived(target);
  // Whole batches.
  expect(countArrived % 10_000).toBe(0);
  expect(countArrived).toBeLessThan(READINGS);

  await expectUnfinished(
    target,
    ['call', 'get_company'],
    ['tick'],
    ['import', join(folder, 'readings.csv')],
  );
  expect(await copy(source, target)).toMatchObject({ code: 0, stderr: '' });
  await expectEqual(source, target);
});

it('stops at SIGINT, and the same command continues', { timeout: LONG_TIMEOUT_MS }, async () => {
  const target = join(await newFolder(), 'copy.db');
  const { child, ended } = startCopy(source, target);
  await untilSome(() => rowsArrived(target));
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('run the same command again');
  expect(await copy(source, target)).toMatchObject({ code: 0, stderr: '' });
  await expectEqual(source, target);
});

/** Every command refuses the target of an unfinished copy, and the doctor reports it. */
async function expectUnfinished(db: string, ...commands: (readonly string[])[]): Promise<void> {
  const stderr = expect.stringContaining('unfinished copy');
  for (const args of commands)
    expect(await run({ ACEQUIA_DB: db }, ...args)).toMatchObject({ code: 1, stderr });
  const { findings } = JSON.parse((await run({ ACEQUIA_DB: db }, 'doctor', '--json')).stdout);
  expect(findings).toContainEqual(
    expect.objectContaining({
      level: 'bad',
      subject: 'store',
      what: expect.stringContaining('unfinished copy'),
    }),
  );
}

describe.skipIf(server === null)('with a database', () => {
  it('copies a file there and back, with the same checksums and answers', {
    timeout: LONG_TIMEOUT_MS,
  }, async () => {
    const database = await newDatabaseOf('nothing');
    const back = join(await newFolder(), 'back.db');
    const copied = await copy(source, database);
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    const copiedBack = await copy(database, back);
    expect(copiedBack).toMatchObject({ code: 0, stderr: '' });
    const tables = ({ stdout }: CommandResult) => stdout.split('\n').slice(1);
    expect(tables(copiedBack)).toEqual(tables(copied));
    await expectEqual(source, back);
    expect(await answersOf(database)).toEqual(answered);
    expect(await answersOf(back)).toEqual(answered);
    const words = [
      'module=North 1',
      'inputMode=duration',
      'durationMin=40',
      'startedAt=today 7:00',
      '--json',
    ];
    for (const db of [database, back]) {
      const { stdout } = await run(
        { ACEQUIA_DB: db },
        'call',
        'log_watering',
        ...words,
        '--clock',
        CLOCK,
      );
      expect(JSON.parse(stdout).event.id).toBe(WATERINGS + 1);
    }
  });

  it('continues after it was killed, with the changes made since', {
    timeout: LONG_TIMEOUT_MS,
  }, async () => {
    const folder = await newFolder();
    const growing = join(folder, 'growing.db');
    await copyFile(source, growing);
    const database = await newDatabaseOf('tables');
    await whileTableLocked(database, async (blocker) => {
      const { child, ended } = startCopy(growing, database);
      await untilSome(async () => (await processesThatWait(blocker)).length);
      child.kill('SIGKILL');
      await ended;
      await blocker.query('select pg_advisory_unlock_all()');
      expect((await blocker.query('select count(*) from readings')).rows).toEqual([
        { count: String(READINGS) },
      ]);
    });
    await expectUnfinished(database, ['call', 'get_company']);
    change(growing, 'update readings set value = 1 where at = (select min(at) from readings)');
    change(growing, `update modules set name = 'Mast 2' where name = 'Mast'`);
    expect(await copy(growing, database)).toMatchObject({ code: 0, stderr: '' });
    await expectEqual(growing, database);
  });

  it('continues by itself after the server closed its connection', {
    timeout: LONG_TIMEOUT_MS,
  }, async () => {
    const database = await newDatabaseOf('tables');
    await whileTableLocked(database, async (blocker) => {
      const { ended } = startCopy(source, database);
      await untilSome(async () => (await processesThatWait(blocker)).length);
      const [first] = await processesThatWait(blocker);
      await blocker.query('select pg_terminate_backend($1)', [first]);
      await untilSome(
        async () => (await processesThatWait(blocker)).filter((pid) => pid !== first).length,
      );
      await blocker.query('select pg_advisory_unlock_all()');
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
    const results = [
      await copy(small, password ? database : withPassword),
      await copy(small, password ? database : withPassword),
      await copy(password ? database : withPassword, small),
      await copy(small, Object.assign(new URL(withPassword), { port: '1' }).href),
      await run({}, 'copy', '--from', withPassword, '--to', `${withPassword} x`, '--nothing'),
    ];
    expect(results.map(({ code }) => code)).toEqual([0, 1, 1, 1, 2]);
    const all = results.map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(all).toContain('postgres://');
    expect(all).not.toContain('hunter2');
    if (password) expect(all).not.toContain(password);
  });
});
