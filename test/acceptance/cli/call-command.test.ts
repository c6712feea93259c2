import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { BINARY, CLOCK, runProgram } from '../program.ts';
import { sharedRestService } from '../rest-service.ts';

const storeOptions = (db: string) => ['--db', db, '--clock', CLOCK, '--lang', 'en'];
const call = (db: string, ...words: string[]) => runProgram('call', ...words, ...storeOptions(db));

const WATERING = ['module=North 1', 'startedAt=today 6:00', 'inputMode=duration', 'durationMin=45'];

async function callWithInput(db: string, input: string, ...words: string[]) {
  const child = spawn(process.execPath, [BINARY, 'call', ...words, ...storeOptions(db)]);
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end(input);
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

const service = sharedRestService();

it('acequia call asks a service in place of a store, with the key in the environment', async () => {
  const env = {
    ...process.env,
    ACEQUIA_API_KEY: await service().newKey('--scopes', 'readings:read,parcels:read,company:read'),
  };
  const args = (...words: string[]) => [
    BINARY,
    'call',
    ...words,
    '--remote',
    service().base,
    '--clock',
    CLOCK,
    '--lang',
    'en',
  ];
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, args('list_modules', 'parcel=South block', '--json'), { env });
  expect(JSON.parse(stdout).data.map(({ name }: { name: string }) => name)).toEqual(['South 1', 'Mast']);
  await expect(run(process.execPath, args('log_watering', ...WATERING), { env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^insufficient_scope/),
  });
});

describe('acequia call', () => {
  it('runs a tool with words and amounts as a person says them, and prints what it says', async () => {
    const db = await newBaseFarm();
    const { stdout, stderr } = await call(db, 'log_watering', ...WATERING);
    // 45 min at 3.2 mm/h.
    expect(stdout).toMatch(/^Logged 45 min of drip on North 1, today 06:00 .*: 2\.4 mm .*\n$/);
    expect(stderr).toBe('');
  });

  it('prints the structured answer alone with --json, as an assistant gets it', async () => {
    const db = await newBaseFarm();
    await call(db, 'log_watering', ...WATERING, 'idempotencyKey=k');
    const { stdout } = await call(db, 'log_watering', ...WATERING, 'idempotencyKey=k', '--json');
    const { event, summary } = JSON.parse(stdout);
    expect(event).toMatchObject({ id: 1, waterMm: 2.4, source: 'mcp' });
    expect(summary).toContain('2.4 mm');
    expect(JSON.parse((await call(db, 'list_waterings', '--json')).stdout).data).toHaveLength(1);
  });

  it('takes JSON behind :=, and lists as JSON text', async () => {
    const db = await newBaseFarm();
    const schedule = [
      'module=North 1',
      'freq=weekly',
      'timezone=Europe/Paris',
      'startsOn=2026-07-02',
      'inputMode=duration',
    ];
    const more = ['startTimes:=["06:00","18:00"]', 'weekdays=[1,3]', 'durationMin:=30'];
    const { stdout } = await call(db, 'create_schedule', ...schedule, ...more, 'label=a=b:=c', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ startTimes: ['06:00', '18:00'], weekdays: [1, 3], label: 'a=b:=c' });
  });

  it('reads an object from standard input with -, and the line goes before it', async () => {
    const db = await newBaseFarm();
    const { stdout, code } = await callWithInput(
      db,
      '{"module":"North 2","detail":1}',
      'get_module',
      '-',
      '--json',
    ).then(async (refused) => {
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      return callWithInput(db, '{"module":"North 2"}', 'get_module', '-', 'module=North 1', '--json');
    });
    expect([code, JSON.parse(stdout).name]).toEqual([0, 'North 1']);
  });

  it('writes a picture with --out, and says where it would have gone without', async () => {
    const db = await newBaseFarm();
    const out = join(await newFolder(), 'north.png');
    const { stdout } = await call(db, 'chart_moisture', 'module=North 1', '--out', out);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(out);
    expect(PNG.sync.read(await readFile(out)).width).toBeGreaterThan(400);
    const { stderr } = await call(db, 'chart_moisture', 'module=North 1');
    expect(stderr).toContain('--out');
  });

  it('ends with 1 where the tool refuses: code, message and hint on standard error', async () => {
    const db = await newBaseFarm();
    await expect(call(db, 'log_watering', 'module=North', ...WATERING.slice(1))).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^AMBIGUOUS_NAME: "North" .*\nAsk which one .*#1.*\n$/),
    });
    const out = join(await newFolder(), 'none', 'north.png');
    await expect(call(db, 'chart_moisture', 'module=North 1', '--out', out)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written'),
    });
  });

  it.each([
    ['a tool that there is not', ['log_watring'], /nearest is log_watering/],
    ['no tool', [], /missing required argument/],
    ['a word that is no argument', ['get_module', 'North 1'], /name=value/],
    ['text behind := that is no JSON', ['get_module', 'module:=North'], /module is not JSON/],
    ['an argument twice', ['get_module', 'module=a', 'module=b'], /given twice/],
    ['a picture of what has none', ['get_company', '--out', 'a.png'], /does not answer with a picture/],
    ['an option that there is not', ['get_company', '--jsn'], /unknown option/],
  ])('ends with 2 for %s', async (_, words, said) => {
    await expect(call(await newBaseFarm(), ...words)).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(said),
    });
  });

  it.each(['[1]', 'no', ''])('ends with 2 for %j on standard input', async (input) => {
    expect(await callWithInput(await newBaseFarm(), input, 'get_company', '-')).toMatchObject({ code: 2, stdout: '' });
  });

  it('makes no store where there is none', async () => {
    const db = join(await newFolder(), 'none.db');
    await expect(call(db, 'get_company')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(db) });
    expect(existsSync(db)).toBe(false);
  });
});
