import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { DARK_COLOURS, decodePicture, LIGHT_COLOURS } from '../../chart/oak-chart.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { newFolder } from '../../temporary-places.ts';
import { connectStdio, firstText, refusalOf } from '../mcp-session.ts';
import { BINARY, CLOCK, runProgram } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';

const HOUR = 3_600_000;
const NOW = Date.parse(CLOCK);

async function farmWithReadings(): Promise<string> {
  const db = await newBaseFarm();
  const rows = Array.from({ length: 7 * 24 }, (_, index) => {
    const at = new Date(NOW - (index + 1) * HOUR).toISOString();
    return `${at},${20 + (index % 24) / 10},24,26`;
  });
  await importReadingsCsv(db, `time,humidity_10,humidity_20,humidity_30\n${rows.join('\n')}\n`, { module: 'North 1' });
  return db;
}

function pictureIn(result: CallToolResult): Buffer {
  const [, image] = result.content;
  if (image?.type !== 'image') throw new Error(`No picture: ${JSON.stringify(result.content)}`);
  expect(image.mimeType).toBe('image/png');
  return Buffer.from(image.data, 'base64');
}

describe('the tool chart_moisture', () => {
  it('answers a text and a picture, and nothing structured', async () => {
    const { call } = await connectStdio(await farmWithReadings());
    const result = await call('chart_moisture', { module: 'North 1' });
    expect(Object.keys(result)).toEqual(['content']);
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image']);
    expect(firstText(result)).toMatch(/^Moisture of North 1 \(10 to 30 cm/);
    const picture = decodePicture(pictureIn(result));
    expect([picture.width, picture.height]).toEqual([1600, 900]);
    expect(picture.count(LIGHT_COLOURS.curve)).toBeGreaterThan(1000);
    // Fails if the font was not found.
    expect(picture.count(LIGHT_COLOURS.text, { y: 10, y2: 44 })).toBeGreaterThan(200);
  });

  it('draws what was logged a moment ago, and in dark where asked', async () => {
    const { call } = await connectStdio(await farmWithReadings());
    const chart = async () =>
      decodePicture(pictureIn(await call('chart_moisture', { module: 'North 1', theme: 'dark' })));
    expect((await chart()).count(DARK_COLOURS.water)).toBe(0);
    await call('log_watering', { module: 'North 1', startedAt: 'today 6:00', inputMode: 'duration', durationMin: 60 });
    expect((await chart()).count(DARK_COLOURS.water)).toBeGreaterThan(100);
  });

  it('is listed without a schema of its output', async () => {
    const { client } = await connectStdio(await newBaseFarm());
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'chart_moisture')).not.toHaveProperty('outputSchema');
  });

  it('refuses as the other tools do', async () => {
    const { call } = await connectStdio(await newBaseFarm());
    expect(refusalOf(await call('chart_moisture', { module: 'Nowhere' })).code).toBe('not_found');
  });
});

describe('the chart over HTTP', () => {
  const PAST = 'start=2026-06-28T10:00Z&end=2026-06-30T10:00Z';

  async function chartService(...keyOptions: string[]) {
    const db = await farmWithReadings();
    const { base } = await serveStoreForTest(db, '--lang', 'en', '--clock', CLOCK);
    const { key } = await createTestKey(db, ...keyOptions);
    return {
      db,
      ask: (query: string, method = 'GET', module = 1) =>
        fetch(`${base}/modules/${module}/measurements/chart?${query}`, { method, headers: { 'x-api-key': key } }),
    };
  }

  it('is the picture that the tool shows, which no cache keeps', async () => {
    const { db, ask } = await chartService();
    const answer = await ask(PAST);
    const picture = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-length')).toBe(String(picture.length));
    const { call } = await connectStdio(db);
    const shown = await call('chart_moisture', {
      ...{ module: 'North 1', start: '2026-06-28T10:00Z', end: '2026-06-30T10:00Z' },
    });
    expect(picture.equals(pictureIn(shown))).toBe(true);
  });

  it('is told of by HEAD without a byte of it', async () => {
    const { ask } = await chartService();
    const [head, whole] = [await ask(PAST, 'HEAD'), await ask(PAST)];
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
    expect(await head.text()).toBe('');
    expect((await ask(`${PAST}&view=heatmap`, 'HEAD')).status).toBe(400);
  });

  it('is refused as a problem', async () => {
    const { ask } = await chartService();
    for (const [query, module, status, code] of [
      ['view=heatmap', 1, 400, 'invalid_parameter'],
      ['start=yesterday', 1, 400, 'invalid_date'],
      ['', 0, 400, 'invalid_id'],
      ['', 99, 404, 'not_found'],
    ] as const) {
      const answer = await ask(query, 'GET', module);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
      expect(await answer.json()).toMatchObject({ status, code });
    }
  });

  it('takes the scope of readings, and names no parcel to a key that may not list them', async () => {
    const [none, some, all] = [
      await chartService('--scopes', 'parcels:read'),
      await chartService('--scopes', 'readings:read'),
      await chartService(),
    ];
    expect((await none.ask(PAST)).status).toBe(403);
    const pictures = await Promise.all([some, all].map(async ({ ask }) => (await ask(PAST)).arrayBuffer()));
    const [withheld, whole] = pictures.map((each) => decodePicture(Buffer.from(each)));
    // "North 1 · parcel 1" is a shorter title than "North 1 · North block".
    const title = { y: 10, y2: 44 };
    expect(withheld!.count(LIGHT_COLOURS.text, title)).toBeLessThan(whole!.count(LIGHT_COLOURS.text, title));
  });
});

describe('acequia chart', () => {
  it('writes the picture to a file, the same in every zone of the process, and says what it shows', async () => {
    const db = await farmWithReadings();
    const folder = await newFolder();
    const draw = async (zone: string) => {
      const out = join(folder, `${zone.replace('/', '-')}.png`);
      const args = [
        BINARY,
        'chart',
        '--module',
        'North 1',
        '--view',
        'depths',
        // The clock runs on from its start: an end in the past gives the same picture twice.
        '--end',
        'today 6:00',
        '--out',
        out,
        '--db',
        db,
        '--clock',
        CLOCK,
        '--lang',
        'en',
      ];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, TZ: zone } });
      expect(stdout).toContain('Moisture of North 1');
      expect(stdout).toContain(out);
      return readFile(out);
    };
    const [first, second] = [await draw('UTC'), await draw('Australia/Lord_Howe')];
    expect(decodePicture(first).width).toBe(1600);
    expect(first.equals(second)).toBe(true);
  });

  it('takes period, theme and language', async () => {
    const out = join(await newFolder(), 'oak.png');
    await runProgram(
      ...['chart', '--module', 'North 1', '--start', 'yesterday 6:00', '--end', 'today 6:00', '--theme', 'dark'],
      ...['--lang', 'fr', '--out', out, '--db', await farmWithReadings(), '--clock', CLOCK],
    );
    expect(decodePicture(await readFile(out)).at(1, 1)).toBe(DARK_COLOURS.background);
  });

  it('ends with 2 on a wrong argument, with 1 where there is no store or no such folder, and says why', async () => {
    const farm = await newBaseFarm();
    const failure = (...args: string[]) =>
      runProgram('chart', '--clock', CLOCK, ...args).then(
        () => null,
        ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
      );
    expect(await failure('--module', 'North 1', '--view', 'heatmap', '--db', farm)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('view'),
    });
    expect(await failure('--db', farm)).toMatchObject({ code: 2, stderr: expect.stringContaining('--module') });
    expect(await failure('--module', 'North 1', '--db', join(await newFolder(), 'none.db'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no store'),
    });
    const nowhere = join(await newFolder(), 'no', 'such', 'folder.png');
    expect(await failure('--module', 'North 1', '--db', farm, '--out', nowhere)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written'),
    });
  });
});
