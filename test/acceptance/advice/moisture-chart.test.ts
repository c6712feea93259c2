import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile } from '../../base-farm.ts';
import { DARK_COLOURS, decodePicture, LIGHT_COLOURS } from '../../chart/oak-chart.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { runInProcess } from '../../in-process-command.ts';
import { itInDeepRuns } from '../../property-runs.ts';
import { newFolder } from '../../temporary-places.ts';
import { HOUR, iso } from '../../time.ts';
import { connectStdio, firstText, sharedSession } from '../mcp-session.ts';
import { CLOCK, runCommand } from '../program.ts';
import { createTestKey, type RestService, serveStoreForFile } from '../rest-service.ts';
import { storeForFile } from '../test-surfaces.ts';

const NOW = Date.parse(CLOCK);
/** A period whose picture does not depend on the running clock. */
const PAST = { start: '2026-06-28T10:00Z', end: '2026-06-30T10:00Z' };

let db: string;
beforeAll(async () => {
  db = await baseFarmForFile();
  const rows = Array.from({ length: 7 * 24 }, (_, index) => {
    return `${iso(NOW - (index + 1) * HOUR)},${20 + (index % 24) / 10},24,26`;
  });
  await importReadingsCsv(db, `time,humidity_10,humidity_20,humidity_30\n${rows.join('\n')}\n`, {
    module: 'North 1',
  });
});

const session = sharedSession({ store: async () => db });
const chartOf = (args: Record<string, unknown> = {}) =>
  session.call('chart_moisture', { module: 'North 1', ...args });

function pictureIn(result: CallToolResult): Buffer {
  const [, image] = result.content;
  if (image?.type !== 'image') throw new Error(`No picture: ${JSON.stringify(result.content)}`);
  expect(image.mimeType).toBe('image/png');
  return Buffer.from(image.data, 'base64');
}

describe('the tool chart_moisture', () => {
  it('answers with a text and a picture, without structured content or a schema of it', async () => {
    const result = await chartOf();
    expect(Object.keys(result)).toEqual(['content']);
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image']);
    expect(firstText(result)).toMatch(/^Moisture of North 1 \(10 to 30 cm/);
    const picture = decodePicture(pictureIn(result));
    expect([picture.width, picture.height]).toEqual([1600, 900]);
    expect(picture.count(LIGHT_COLOURS.curve)).toBeGreaterThan(1000);
    // Fails if the font was not found.
    expect(picture.count(LIGHT_COLOURS.text, { y: 10, y2: 44 })).toBeGreaterThan(200);
    const { tools } = await session.client.listTools();
    expect(tools.find(({ name }) => name === 'chart_moisture')).not.toHaveProperty('outputSchema');
  });

  it('labels the picture for the person, who is in France, and writes the text for the model', async () => {
    const english = await (await connectStdio(db, { lang: 'en' })).call('chart_moisture', {
      module: 'North 1',
      ...PAST,
    });
    const plain = await chartOf(PAST);
    expect(firstText(plain)).toBe(firstText(english));
    expect(pictureIn(plain).equals(pictureIn(english))).toBe(false);
  });

  itInDeepRuns('draws a watering that was just logged, in the dark theme', async () => {
    const chart = async () => decodePicture(pictureIn(await chartOf({ theme: 'dark' })));
    expect((await chart()).count(DARK_COLOURS.water)).toBe(0);
    const watering = {
      module: 'North 1',
      startedAt: 'today 6:00',
      inputMode: 'duration',
      durationMin: 60,
    };
    await session.call('log_watering', watering);
    expect((await chart()).count(DARK_COLOURS.water)).toBeGreaterThan(100);
  });
});

describe('the chart over HTTP', () => {
  let service: RestService;
  beforeAll(async () => {
    service = await serveStoreForFile(db, '--clock', CLOCK);
  });

  async function ask(
    query: Record<string, string>,
    { method = 'GET', keyOptions = [] as string[] } = {},
  ) {
    const { key } = await createTestKey(db, ...keyOptions);
    return fetch(`${service.base}/modules/1/measurements/chart?${new URLSearchParams(query)}`, {
      method,
      headers: { 'x-api-key': key },
    });
  }

  it('is the picture of the tool, not to be cached, and HEAD sends its length alone', async () => {
    const answer = await ask(PAST);
    const picture = Buffer.from(await answer.arrayBuffer());
    const headers = { 'content-type': 'image/png', 'content-length': String(picture.length) };
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...headers,
      'cache-control': 'no-store',
    });
    expect(picture.equals(pictureIn(await chartOf(PAST)))).toBe(true);
    const head = await ask(PAST, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Object.fromEntries(head.headers)).toMatchObject(headers);
  });

  it('is refused as a problem', async () => {
    const answer = await ask({ view: 'heatmap' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      400,
      'application/problem+json',
    ]);
    expect(await answer.json()).toMatchObject({ status: 400, code: 'invalid_parameter' });
  });

  it('needs readings:read, and names no parcel to a key without parcels:read', async () => {
    const pictureFor = (...keyOptions: string[]) => ask(PAST, { keyOptions });
    expect((await pictureFor('--scopes', 'parcels:read')).status).toBe(403);
    const answers = [await pictureFor('--scopes', 'readings:read'), await pictureFor()];
    const pictures = answers.map(async (answer) =>
      decodePicture(Buffer.from(await answer.arrayBuffer())),
    );
    const [withheld, whole] = await Promise.all(pictures);
    // "North 1 · parcel 1" is a shorter title than "North 1 · North block".
    const title = { y: 10, y2: 44 };
    expect(withheld!.count(LIGHT_COLOURS.text, title)).toBeLessThan(
      whole!.count(LIGHT_COLOURS.text, title),
    );
  });
});

describe('acequia chart', () => {
  it('writes the picture of the tool in any time zone of the process, with options from the environment too', async () => {
    const out = join(await newFolder(), 'north.png');
    const { start, end } = PAST;
    const options = [
      '--view',
      'depths',
      '--theme',
      'dark',
      '--start',
      start,
      '--end',
      end,
      '--out',
      out,
    ];
    const { code, stdout, stderr } = await runCommand(
      ['chart', '--module', 'North 1', ...options],
      {
        env: {
          ACEQUIA_DB: db,
          ACEQUIA_LANG: 'fr',
          ACEQUIA_CLOCK: CLOCK,
          TZ: 'Australia/Lord_Howe',
        },
      },
    );
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('Moisture of North 1'),
    });
    expect(stdout).toContain(out);
    const picture = await readFile(out);
    expect(decodePicture(picture).at(1, 1)).toBe(DARK_COLOURS.background);
    expect(
      picture.equals(pictureIn(await chartOf({ ...PAST, view: 'depths', theme: 'dark' }))),
    ).toBe(true);
  });

  it('names the terminal command that sets up a farm, when there is none', async () => {
    const { code, stderr } = await runInProcess([
      'chart',
      '--module',
      'North 1',
      '--db',
      await storeForFile(),
    ]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^There is no farm in this store yet[.]\nIn a terminal, "acequia init"/,
      ),
    });
  });

  it('ends with 2 for an invalid argument, and with 1 without a store or folder', async () => {
    const folder = await newFolder();
    const chart = (...args: string[]) => runInProcess(['chart', '--clock', CLOCK, ...args]);
    const failure = (code: number, message: string) => ({
      code,
      stderr: expect.stringContaining(message),
    });
    const ofNorth = ['--module', 'North 1', '--db'];
    expect(await chart(...ofNorth, db, '--view', 'heatmap')).toMatchObject(failure(2, 'view'));
    expect(await chart('--db', db)).toMatchObject(failure(2, '--module'));
    expect(await chart(...ofNorth, join(folder, 'none.db'))).toMatchObject(
      failure(1, 'There is no store'),
    );
    const out = join(folder, 'no', 'such', 'folder.png');
    expect(await chart(...ofNorth, db, '--out', out)).toMatchObject(
      failure(1, 'cannot be written'),
    );
  });
});
