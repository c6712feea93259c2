import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { CLOCK, type CommandResult } from '../../acceptance/program.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { newFolder } from '../../temporary-places.ts';

const OPTIONS = ['--clock', CLOCK];
const call = (db: string, words: readonly string[], input?: string): Promise<CommandResult> =>
  runInProcess(['call', ...words, '--db', db, ...OPTIONS], { input });

const WATERING = ['module=North 1', 'startedAt=today 6:00', 'inputMode=duration', 'durationMin=45'];

describe('acequia call', () => {
  it('prints the structured result with --json, and repeats it under an idempotency key', async () => {
    const db = await newBaseFarm();
    const words = ['log_watering', ...WATERING, 'idempotencyKey=k'];
    await call(db, words);
    const { event, summary } = JSON.parse((await call(db, [...words, '--json'])).stdout);
    expect(event).toMatchObject({ id: 1, waterMm: 2.4, source: 'mcp' });
    expect(summary).toContain('2.4 mm');
  });

  it('reads JSON after := and lists as JSON text', async () => {
    const when = [
      'freq=weekly',
      'timezone=Europe/Paris',
      'startsOn=2026-07-02',
      'startTimes:=["06:00","18:00"]',
    ];
    const amount = ['weekdays=[1,3]', 'inputMode=duration', 'durationMin:=30', 'label=a=b:=c'];
    const words = ['create_schedule', 'module=North 1', ...when, ...amount, '--json'];
    const schedule = { startTimes: ['06:00', '18:00'], weekdays: [1, 3], label: 'a=b:=c' };
    expect(JSON.parse((await call(await newBaseFarm(), words)).stdout)).toMatchObject(schedule);
  });

  it('reads an object from standard input with -, and prefers the command line', async () => {
    const db = await newBaseFarm();
    expect(await call(db, ['get_module', '-'], '{"module":"North 2","detail":1}')).toMatchObject({
      code: 1,
      stdout: '',
    });
    const { stdout } = await call(
      db,
      ['get_module', '-', 'module=North 1', '--json'],
      '{"module":"North 2"}',
    );
    expect(JSON.parse(stdout).name).toBe('North 1');
  });

  it('writes a picture to --out, and names the option without it', async () => {
    const db = await newBaseFarm();
    const folder = await newFolder();
    const out = join(folder, 'north.png');
    const { stdout } = await call(db, ['chart_moisture', 'module=North 1', '--out', out]);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(out);
    expect(PNG.sync.read(await readFile(out)).width).toBeGreaterThan(400);
    expect((await call(db, ['chart_moisture', 'module=North 1'])).stderr).toContain('--out');
    const missing = join(folder, 'none', 'north.png');
    const stderr = expect.stringContaining('cannot be written');
    expect(await call(db, ['chart_moisture', 'module=North 1', '--out', missing])).toMatchObject({
      code: 1,
      stderr,
    });
  });

  it('ends with 1 when the tool refuses, with code, message and hint on standard error', async () => {
    const words = ['log_watering', 'module=North', ...WATERING.slice(1)];
    expect(await call(await newBaseFarm(), words)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^AMBIGUOUS_NAME: "North" .*\nAsk which one .*#1.*\n$/),
    });
  });

  it.each([
    ['an unknown tool', ['log_watring'], /nearest is log_watering/],
    [
      'a tool unlike any other',
      ['irrigate'],
      /there is no tool "irrigate"; "acequia call" lists them all/,
    ],
    ['a word that is not an argument', ['get_module', 'North 1'], /name=value/],
    ['invalid JSON after :=', ['get_module', 'module:=North'], /module is not JSON/],
    ['an argument twice', ['get_module', 'module=a', 'module=b'], /given twice/],
    [
      '--out for a tool without a picture',
      ['get_company', '--out', 'a.png'],
      /does not answer with a picture/,
    ],
    ['an unknown option', ['get_company', '--jsn'], /unknown option/],
    ['an array on standard input', ['get_company', '-'], /object/, '[1]'],
    ['nothing on standard input', ['get_company', '-'], /./, ''],
  ])('ends with 2 for %s', async (_, words, message, input = '') => {
    const result = await call(await newBaseFarm(), words, input);
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('prints a list as a table below the summary, without columns that are empty in every row', async () => {
    const db = await newBaseFarm();
    const { stdout } = await call(db, ['list_modules', 'parcel=North block']);
    const [summary, table] = stdout.split('\n\n');
    expect(summary).toContain('North 1');
    const [heading, ...rows] = table!
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(heading).toEqual(expect.arrayContaining(['id', 'name', 'parcelId']));
    expect(rows.map((row) => row[heading!.indexOf('name')])).toEqual(['North 1', 'North 2']);
    expect(heading).not.toContain('serialHex');
  });

  it('takes a day without an hour for equipment, but not for a watering', async () => {
    const db = await newBaseFarm();
    const equipment = [
      'module=North 1',
      'system=drip',
      'flowMmPerH:=3',
      'effectiveFrom=2026-05-01',
      '--json',
    ];
    const { stdout } = await call(db, ['set_module_installation', ...equipment]);
    // Midnight in Europe/Paris, in summer time.
    expect(stdout).toContain('2026-04-30T22:00:00.000Z');
    const watering = WATERING.map((word) => word.replace('today 6:00', '2026-05-01'));
    expect(await call(db, ['log_watering', ...watering])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no hour given'),
    });
  });

  it('names the cursor of the next page', async () => {
    const db = await newBaseFarm();
    const first = await call(db, ['list_modules', 'limit:=1']);
    const cursor = /add (cursor=\S+)\n$/.exec(first.stdout)?.[1];
    expect((await call(db, ['list_modules', 'limit:=1', cursor!])).stdout).toContain('North 2');
  });

  it('names the field of a list that is sent beside it', async () => {
    const words = ['set_soil_profile', 'parcel=North block', 'texture=loam'];
    expect((await call(await newBaseFarm(), words)).stderr).toContain(
      'Nearest: soilHorizonId of layers.',
    );
  });

  it('has a help of its own, and none for an unknown tool', async () => {
    expect((await runInProcess(['call', '--help'])).stdout).toMatch(
      /^Usage: acequia call \[options\] \[tool\]/,
    );
    expect(await runInProcess(['call', 'log_watring', '-h'])).toMatchObject({
      code: 2,
      stdout: '',
    });
  });
});
