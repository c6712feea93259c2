import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { newLocation, type StoreLocation } from '../../stores/stores.ts';

const BINARY = fileURLToPath(new URL('../../../dist/acequia.js', import.meta.url));

let folder: string;
let place: StoreLocation;
let db: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acequia-import-'));
  place = await newLocation();
  db = place.db;
});
afterEach(async () => {
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

interface ImportExit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: string[]): ChildProcess {
  return spawn(process.execPath, [BINARY, 'import', '--db', db, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
}

async function exitOf(child: ChildProcess): Promise<ImportExit> {
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

function acequiaImport(...args: string[]): Promise<ImportExit> {
  const child = start(args);
  child.stdin!.end();
  return exitOf(child);
}

async function file(name: string, content: string | object): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const DEPTHS = [10, 20, 30, 40, 50, 60];

const farm = (name = 'Mas Rouge', timezone = 'Europe/Athens') => ({
  company: { name, timezone },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  modules: [
    {
      uid: 'A1B2C3',
      name: 'North 1',
      category: 'SOIL_PROBE',
      sensors: DEPTHS.map((depth) => ({ type: 'humidity', depth })),
    },
  ],
});

async function instants(sensorId = 1): Promise<string[]> {
  const store = await openStore({ db });
  try {
    const rows = await store.read(1, (own) =>
      own.selectFrom('readings').select('at').where('sensor_id', '=', sensorId).orderBy('at').execute(),
    );
    return rows.map(({ at }) => new Date(at).toISOString());
  } finally {
    await store.close();
  }
}

const LONG = 'module,type,depth,time,value\n';
const longRow = (minute: number, value = 5) =>
  `A1B2C3,humidity,10,${new Date(Date.UTC(2024, 0, 1) + minute * 60_000).toISOString()},${value}\n`;

describe('acequia import', () => {
  it('imports a farm and its readings in one go, and says what it did', async () => {
    const readings = await file(
      'readings.csv',
      `${LONG}North 1,humidity,10,2024-01-10T06:00,5\nNorth 1,humidity,20,2024-01-10T07:00,6\n`,
    );
    const run = await acequiaImport(await file('farm.json', farm()), readings);
    expect(run).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'farm.json: company "Mas Rouge" (#1) created.\n  1 user: 1 created\n  1 module: 1 created\n  6 sensors: 6 created\n' +
        '  module #1 "North 1" ("A1B2C3") created\n' +
        'readings.csv: 2 rows read, 2 readings stored of 2 sensors, 2024-01-10 06:00 to 2024-01-10 07:00 (Europe/Athens).\n',
    });
    expect(await instants()).toEqual(['2024-01-10T04:00:00.000Z']);
  });

  it('reads standard input, in another zone', async () => {
    await acequiaImport(await file('farm.json', farm()));
    const child = start(['-', '--module', 'north 1', '--timezone', 'America/New_York']);
    child.stdin!.end('time,humidity_10\n2024-01-10T06:00,5\n');
    expect(await exitOf(child)).toMatchObject({ code: 0, stderr: '' });
    expect(await instants()).toEqual(['2024-01-10T11:00:00.000Z']);
  });

  it('imports what is valid, shows the first rejected rows, and writes all of them to a file that can be mended', async () => {
    await acequiaImport(await file('farm.json', farm()));
    const rejects = join(folder, 'rejects.csv');
    const readings = await file(
      'readings.csv',
      `${LONG}${longRow(0)}South 9,humidity,10,2024-01-10T06:00,5\u001b[2J\n`,
    );
    const run = await acequiaImport(readings, '--rejects', rejects);
    expect(run.code).toBe(0);
    expect(run.stderr).toBe(
      'line 3: unknown module; value is not a number: "South 9,humidity,10,2024-01-10T06:00,5 [2J"\n',
    );
    expect(run.stdout).toContain('1 row rejected, in whole or in part:\n    1 x unknown module\n');
    const mended = (await readFile(rejects, 'utf8')).replace('South 9', 'North 1').replace('\u001b[2J', '');
    expect(await acequiaImport(await file('mended.csv', mended))).toMatchObject({ code: 0, stderr: '' });
    expect(await instants()).toHaveLength(2);
  });

  it('fails when nothing of a readings file can be imported', async () => {
    await acequiaImport(await file('farm.json', farm()));
    expect(
      await acequiaImport(await file('readings.csv', `${LONG}South 9,humidity,10,2024-01-10T06:00,5\n`)),
    ).toMatchObject({ code: 1 });
  });

  it('asks which company is meant where there are several, and finds it by name or id', async () => {
    await acequiaImport(await file('farm.json', farm()), await file('other.json', farm('Mas Bleu', 'Europe/Paris')));
    const readings = await file('readings.csv', LONG + longRow(0));
    expect(await acequiaImport(readings)).toMatchObject({
      code: 2,
      stderr:
        'readings.csv: The store holds several companies.\nSay which with --company: "Mas Rouge" (#1), "Mas Bleu" (#2).\n',
    });
    for (const company of ['Mas Rouge', 'mas rouge', '1', '#1'])
      expect(await acequiaImport(readings, '--company', company)).toMatchObject({ code: 0 });
    expect(await acequiaImport(readings, '--company', 'Mas Vert')).toMatchObject({ code: 1 });
    expect(await instants()).toHaveLength(1);
  });

  it('says what to do first where the store has no company', async () => {
    expect(await acequiaImport(await file('readings.csv', LONG + longRow(0)))).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'readings.csv: The store has no company yet.\nImport a farm file first: it declares the company, its modules and their sensors.\n',
    });
  });

  it('refuses a farm file with the place of the fault, and keeps nothing of it', async () => {
    const unsound = { ...farm(), modules: [{ uid: 'A1B2C3', sensors: [{ type: 'humidity', depth: 'ten' }] }] };
    const run = await acequiaImport(await file('farm.json', unsound));
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^farm\.json: modules\[0\]\.sensors\[0\]\.depth is not valid: expected a depth in cm/);
    expect(await acequiaImport(await file('readings.csv', LONG + longRow(0)))).toMatchObject({ code: 1 });
  });

  it.each([
    ['no file', []],
    ['standard input twice', ['-', '-']],
    ['a zone that is none', ['-', '--timezone', 'Europe/Pari']],
    ['one rejects file for two readings files', ['-', 'other.csv', '--rejects', 'rejects.csv']],
    ['an unknown option', ['-', '--modul', 'x']],
  ])('exits with 2 for %s', async (_, args) => {
    const run = await acequiaImport(...args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });

  it('exits with 2 for a wide file without --module', async () => {
    await acequiaImport(await file('farm.json', farm()));
    expect(await acequiaImport(await file('wide.csv', 'time,humidity_10\n2024-01-10T06:00,5\n'))).toMatchObject({
      code: 2,
    });
  });

  it('never writes rejects over a file to import', async () => {
    const readings = await file('readings.csv', LONG + longRow(0));
    expect(await acequiaImport(readings, '--rejects', readings)).toMatchObject({ code: 2 });
    expect(await readFile(readings, 'utf8')).toBe(LONG + longRow(0));
  });

  it.each([
    ['is not there', 'missing.csv', /there is no such file/],
    ['is a folder', '', /it is a folder/],
  ])('fails with a sentence when a file %s', async (_, name, why) => {
    const run = await acequiaImport(join(folder, name));
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(why);
  });

  it('prints a JSON Schema that accepts a farm and refuses what is no farm', async () => {
    const { code, stdout } = await acequiaImport('--print-schema');
    expect(code).toBe(0);
    const accepts = new Ajv({ strict: false }).compile(JSON.parse(stdout));
    expect(accepts(farm())).toBe(true);
    expect(accepts({ ...farm(), probes: [] })).toBe(false);
    expect(accepts({ users: [] })).toBe(false);
  });
});

describe('an import that does not come to its end', () => {
  async function interrupted(signal: 'SIGINT' | 'SIGKILL'): Promise<ImportExit> {
    await acequiaImport(await file('farm.json', farm()));
    const child = start(['-']);
    child.stdin!.on('error', () => undefined);
    child.stdin!.write(LONG);
    const end = exitOf(child);
    let minute = 0;
    while (child.exitCode === null && (await instants()).length === 0) {
      const rows = Array.from({ length: 5000 }, () => longRow(minute++)).join('');
      await new Promise((resolve) => child.stdin!.write(rows, resolve));
    }
    child.kill(signal);
    const result = await end;
    child.stdin!.destroy();
    return result;
  }

  it('leaves whole batches when it is stopped, says so, and goes on when it is run again', async () => {
    const run = await interrupted('SIGINT');
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('stopped before the end');
    const kept = (await instants()).length;
    expect(kept % 10_000).toBe(0);
    const whole = LONG + Array.from({ length: kept + 5 }, (_, minute) => longRow(minute)).join('');
    expect(await acequiaImport(await file('whole.csv', whole))).toMatchObject({ code: 0 });
    expect(await instants()).toHaveLength(kept + 5);
  });

  it('leaves whole batches and their sums when it is killed', async () => {
    await interrupted('SIGKILL');
    const kept = (await instants()).length;
    expect(kept).toBeGreaterThan(0);
    expect(kept % 10_000).toBe(0);
    const store = await openStore({ db });
    const summed = await store.read(1, (own) => own.selectFrom('reading_days').select('count').execute());
    await store.close();
    expect(summed.reduce((sum, { count }) => sum + count, 0)).toBe(kept);
  });
});

/**
 * A year of an hourly logger: newest first, local time of Europe/Athens without an offset, six depths beside weather
 * columns, some rows repeated. The first hour is 2023-09-26 08:00.
 */
function loggerYear(): { text: string; instants: string[] } {
  const first = Date.UTC(2023, 8, 26, 5);
  const hours = Array.from({ length: 8640 }, (_, hour) => first + hour * 3_600_000);
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Athens',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const rows = hours.map((at, hour) => {
    // Moisture changes so slowly that both passes of the repeated hour are equal at all depths.
    const moisture = DEPTHS.map((depth) => (30 - depth / 10 - Math.floor(hour / 24) / 100).toFixed(2));
    return `${local.format(at)},${moisture.join(',')},0,${(10 + (hour % 97) / 10).toFixed(2)},${60 + (hour % 31)}\n`;
  });
  const repeated = new Set([1000, 3000, 3001, 5000, 8000]);
  const lines = rows.flatMap((row, hour) => (repeated.has(hour) ? [row, row] : [row])).reverse();
  return { text: HEADER + lines.join(''), instants: hours.map((at) => new Date(at).toISOString()) };
}

const HEADER = `time,${DEPTHS.map((depth) => `humidity_${depth}`).join(',')},rain,air_temperature,air_humidity\n`;

describe('a year of a real logger', () => {
  it('comes in whole: both passes of the repeated hour, no reading in the missing one, repeats once', async () => {
    const { text, instants: expected } = loggerYear();
    await acequiaImport(await file('farm.json', farm()));
    const run = await acequiaImport(await file('year.csv', text), '--module', 'North 1');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    // 8,640 hours and 5 rows twice; six depths.
    expect(run.stdout).toContain('8,645 rows read, 51,840 readings stored of 6 sensors');
    expect(run.stdout).toContain('30 readings repeated');
    expect(run.stdout).toContain('skipped 3 columns (names no sensor): "rain", "air_temperature", "air_humidity"');
    for (const sensor of [1, 6]) expect(await instants(sensor)).toEqual(expected);
    expect(expected).toEqual(expect.arrayContaining(['2023-10-29T00:00:00.000Z', '2023-10-29T01:00:00.000Z']));
  });

  const openAgri = process.env.ACEQUIA_TEST_OPENAGRI;
  it.skipIf(openAgri === undefined)('comes in whole from the file that ACEQUIA_TEST_OPENAGRI names', async () => {
    const original = await readFile(openAgri!, 'utf8');
    const year = await file('year.csv', HEADER + original.slice(original.indexOf('\n') + 1));
    await acequiaImport(await file('farm.json', farm()));
    const child = start(['-', '--module', 'North 1']);
    createReadStream(year).pipe(child.stdin!);
    const run = await exitOf(child);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    // 8,548 instants at six depths; five rows are repeated.
    expect(run.stdout).toContain(
      '8,553 rows read, 51,288 readings stored of 6 sensors, 2023-09-26 08:00 to 2024-09-20 03:00',
    );
    expect(run.stdout).toContain('30 readings repeated');
    const all = await instants();
    expect(all).toHaveLength(8548);
    // Local 03:00 of 2023-10-29 is 00:00Z and 01:00Z; on 2024-03-31 it does not exist: 02:00 is 00:00Z, 04:00 is
    // 01:00Z.
    expect(all.filter((at) => /^2023-10-29T0[01]/.test(at))).toHaveLength(2);
    expect(all.filter((at) => /^2024-03-31T0[01]/.test(at))).toHaveLength(2);
  });
});
