import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { Lang } from '../../../src/domain/lang.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { DARK_COLOURS, decodePicture, LIGHT_COLOURS } from '../../chart/oak-chart.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { newFolder } from '../../temporary-places.ts';
import { HOUR, iso } from '../../time.ts';
import { connectStdio, firstText } from '../mcp-session.ts';
import { CLOCK, runCommand, runProgram } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { storeForFile } from '../test-surfaces.ts';

const NOW = Date.parse(CLOCK);

async function farmWithReadings(): Promise<string> {
  const db = await newBaseFarm();
  const rows = Array.from({ length: 7 * 24 }, (_, index) => {
    return `${iso(NOW - (index + 1) * HOUR)},${20 + (index % 24) / 10},24,26`;
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
  it('answers with a text and a picture, without structured content or a schema of it', async () => {
    const { client, call } = await connectStdio(await farmWithReadings());
    const result = await call('chart_moisture', { module: 'North 1' });
    expect(Object.keys(result)).toEqual(['content']);
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image']);
    expect(firstText(result)).toMatch(/^Moisture of North 1 \(10 to 30 cm/);
    const picture = decodePicture(pictureIn(result));
    expect([picture.width, picture.height]).toEqual([1600, 900]);
    expect(picture.count(LIGHT_COLOURS.curve)).toBeGreaterThan(1000);
    // Fails if the font was not found.
    expect(picture.count(LIGHT_COLOURS.text, { y: 10, y2: 44 })).toBeGreaterThan(200);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'chart_moisture')).not.toHaveProperty('outputSchema');
  });

  it('labels the picture for the person, and writes the text for the model', async () => {
    const db = await farmWithReadings();
    const past = { module: 'North 1', start: '2026-06-28T10:00Z', end: '2026-06-30T10:00Z' };
    const chartIn = async (lang?: Lang) => (await connectStdio(db, { lang })).call('chart_moisture', past);
    // The farm is in France.
    const [plain, english, french] = [await chartIn(), await chartIn('en'), await chartIn('fr')];
    expect(firstText(plain)).toBe(firstText(english));
    expect(firstText(french)).toMatch(/^Humidité/);
    expect(pictureIn(plain).equals(pictureIn(french))).toBe(true);
    expect(pictureIn(plain).equals(pictureIn(english))).toBe(false);
  });

  it('draws a watering that was just logged, in the dark theme', async () => {
    const { call } = await connectStdio(await farmWithReadings());
    const chart = async () =>
      decodePicture(pictureIn(await call('chart_moisture', { module: 'North 1', theme: 'dark' })));
    expect((await chart()).count(DARK_COLOURS.water)).toBe(0);
    await call('log_watering', { module: 'North 1', startedAt: 'today 6:00', inputMode: 'duration', durationMin: 60 });
    expect((await chart()).count(DARK_COLOURS.water)).toBeGreaterThan(100);
  });
});

describe('the chart over HTTP', () => {
  const PAST = { start: '2026-06-28T10:00Z', end: '2026-06-30T10:00Z' };

  async function chartService() {
    const db = await farmWithReadings();
    const { base } = await serveStoreForTest(db, '--clock', CLOCK);
    const { key } = await createTestKey(db);
    const ask = (query: Record<string, string>, { method = 'GET', by = key } = {}) =>
      fetch(`${base}/modules/1/measurements/chart?${new URLSearchParams(query)}`, {
        method,
        headers: { 'x-api-key': by },
      });
    return { db, ask };
  }

  it('is the picture of the tool, not to be cached, and HEAD sends its length alone', async () => {
    const { db, ask } = await chartService();
    const answer = await ask(PAST);
    const picture = Buffer.from(await answer.arrayBuffer());
    const headers = { 'content-type': 'image/png', 'content-length': String(picture.length) };
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...headers, 'cache-control': 'no-store' });
    const { call } = await connectStdio(db);
    expect(picture.equals(pictureIn(await call('chart_moisture', { module: 'North 1', ...PAST })))).toBe(true);
    const head = await ask(PAST, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Object.fromEntries(head.headers)).toMatchObject(headers);
  });

  it('is refused as a problem', async () => {
    const answer = await (await chartService()).ask({ view: 'heatmap' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(await answer.json()).toMatchObject({ status: 400, code: 'invalid_parameter' });
  });

  it('needs readings:read, and names no parcel to a key without parcels:read', async () => {
    const { db, ask } = await chartService();
    const pictureFor = async (...options: string[]) => ask(PAST, { by: (await createTestKey(db, ...options)).key });
    expect((await pictureFor('--scopes', 'parcels:read')).status).toBe(403);
    const answers = [await pictureFor('--scopes', 'readings:read'), await pictureFor()];
    const pictures = answers.map(async (answer) => decodePicture(Buffer.from(await answer.arrayBuffer())));
    const [withheld, whole] = await Promise.all(pictures);
    // "North 1 · parcel 1" is a shorter title than "North 1 · North block".
    const title = { y: 10, y2: 44 };
    expect(withheld!.count(LIGHT_COLOURS.text, title)).toBeLessThan(whole!.count(LIGHT_COLOURS.text, title));
  });
});

describe('acequia chart', () => {
  it('writes the same picture in every time zone of the process, and prints what it shows', async () => {
    const db = await farmWithReadings();
    const folder = await newFolder();
    const draw = async (zone: string) => {
      const out = join(folder, `${zone.replace('/', '-')}.png`);
      // The clock runs on from its start: an end in the past gives the same picture twice.
      const options = ['--module', 'North 1', '--view', 'depths', '--end', 'today 6:00', '--out', out];
      const args = ['chart', ...options, '--db', db, '--clock', CLOCK];
      const { code, stdout } = await runCommand(args, { env: { TZ: zone } });
      expect(code).toBe(0);
      expect(stdout).toContain('Moisture of North 1');
      expect(stdout).toContain(out);
      return readFile(out);
    };
    const [first, second] = [await draw('UTC'), await draw('Australia/Lord_Howe')];
    expect(decodePicture(first).width).toBe(1600);
    expect(first.equals(second)).toBe(true);
  });

  it('has options for period, theme and language', async () => {
    const out = join(await newFolder(), 'oak.png');
    await runProgram(
      ...['chart', '--module', 'North 1', '--start', 'yesterday 6:00', '--end', 'today 6:00', '--theme', 'dark'],
      ...['--lang', 'fr', '--out', out, '--db', await farmWithReadings(), '--clock', CLOCK],
    );
    expect(decodePicture(await readFile(out)).at(1, 1)).toBe(DARK_COLOURS.background);
  });

  it('takes the options of every command from the environment too', async () => {
    const out = join(await newFolder(), 'north.png');
    const env = { ACEQUIA_DB: await farmWithReadings(), ACEQUIA_LANG: 'fr', ACEQUIA_CLOCK: CLOCK };
    const { code, stdout, stderr } = await runCommand(['chart', '--module', 'North 1', '--out', out], { env });
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining('Humidité') });
  });

  it('names the terminal command that sets up a farm, when there is none', async () => {
    const { code, stderr } = await runCommand(['chart', '--module', 'North 1', '--db', await storeForFile()]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^There is no farm in this store yet[.]\nIn a terminal, "acequia init"/),
    });
  });

  it('ends with 2 for an invalid argument, and with 1 without a store or folder', async () => {
    const [farm, folder] = [await newBaseFarm(), await newFolder()];
    const chart = (...args: string[]) => runCommand(['chart', '--clock', CLOCK, ...args]);
    const failure = (code: number, message: string) => ({ code, stderr: expect.stringContaining(message) });
    const ofNorth = ['--module', 'North 1', '--db'];
    expect(await chart(...ofNorth, farm, '--view', 'heatmap')).toMatchObject(failure(2, 'view'));
    expect(await chart('--db', farm)).toMatchObject(failure(2, '--module'));
    expect(await chart(...ofNorth, join(folder, 'none.db'))).toMatchObject(failure(1, 'There is no store'));
    const out = join(folder, 'no', 'such', 'folder.png');
    expect(await chart(...ofNorth, farm, '--out', out)).toMatchObject(failure(1, 'cannot be written'));
  });
});
