import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { tools as operations, operationsByName } from '../../../tools/index.ts';
import { importBaseFarm } from '../../base-farm.ts';
import { afterFile, afterTest } from '../../cleanup.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { runInProcess } from '../../in-process-command.ts';
import type { WireFields } from '../../operation-calls.ts';
import { newFolder } from '../../temporary-places.ts';
import { HOUR } from '../../time.ts';
import { CLOCK } from '../program.ts';
import { createTestKey } from '../rest-service.ts';
import { type SurfaceClient, serveStore, stdioSurface, storeForFile } from '../test-surfaces.ts';
import { type PartialService, startPartialService } from './partial-service.ts';

const PAST = { moduleId: 1, start: '2026-06-28T10:00Z', end: '2026-06-30T10:00Z' };
const PATHS = /\/(advice|review|chart|brief|overview)(\?|$)/;

const READINGS = [
  'module,type,depth,time,value',
  ...Array.from({ length: 72 }, (_, hour) => {
    const time = new Date(Date.parse(CLOCK) - hour * HOUR - 1_000).toISOString();
    return [10, 20, 30]
      .map((depth) => `North 1,humidity,${depth},${time},${20 + depth / 10 + hour / 24}`)
      .join('\n');
  }),
].join('\n');

let localTool: SurfaceClient;
let remoteTool: SurfaceClient;
let lesser: PartialService;
let key: string;
let service: string;

beforeAll(async () => {
  const db = await storeForFile();
  await importBaseFarm(db);
  await importReadingsCsv(db, READINGS);
  ({ key } = await createTestKey(db, '--surface', 'mcp'));
  service = await serveStore(db);
  lesser = await startPartialService(service, PATHS);
  afterFile(lesser.close);
  localTool = await stdioSurface(['--db', db]);
  remoteTool = await stdioSurface(['--remote', lesser.base], { ACEQUIA_API_KEY: key });
  await writeToStore('log_watering', {
    moduleId: 1,
    startedAt: '2026-06-29T06:00',
    inputMode: 'duration',
    durationMin: 60,
  });
  await writeToStore('set_soil_profile', {
    parcelId: 1,
    layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }],
  });
  await writeToStore('create_alert', { moduleId: 1, threshold: 30 });
});

async function writeToStore(name: string, wire: WireFields): Promise<void> {
  const { refusal } = await localTool.call(operationsByName.get(name)!, wire);
  if (refusal) throw new Error(`${name}: ${refusal.message}`);
}

/** Leaves out what the running clock changes. */
const withoutIds = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null), (name, value) =>
    name === 'until' || (name === 'time' && Date.parse(value) >= Date.parse(CLOCK))
      ? '(now)'
      : value,
  );

describe('a composed operation, with a service that lacks it,', () => {
  it('is offered', async () => {
    const { tools } = await remoteTool.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
  });

  it.each<[string, WireFields]>([
    [
      'advise_watering',
      { moduleId: 1, refillPercent: 80, expectedRainMm: 4.5, demandPercent: 130 },
    ],
    ['review_waterings', PAST],
    ['suggest_thresholds', { moduleId: 1 }],
    ['chart_moisture', PAST],
    ['morning_brief', {}],
    ['farm_overview', {}],
  ])('%s has the answer of the store', async (name, wire) => {
    const operation = operationsByName.get(name)!;
    const [remote, local] = [
      await remoteTool.call(operation, wire),
      await localTool.call(operation, wire),
    ];
    expect(remote.refusal).toBeUndefined();
    expect(withoutIds(remote.body)).toEqual(withoutIds(local.body));
    expect(lesser.requestedPaths.length).toBeGreaterThan(0);
    expect(lesser.requestedPaths.filter((path) => PATHS.test(path))).toEqual([]);
  });

  it('morning_brief computes the advice from readings of the service', async () => {
    const { body } = await remoteTool.call(operationsByName.get('morning_brief')!, {});
    expect(body.alerts).toEqual([expect.objectContaining({ moduleId: 1, threshold: '30' })]);
    expect(lesser.requestedPaths).toContain('/modules/1/measurements/weighted');
  });

  it.each(['advise_watering', 'review_waterings', 'chart_moisture'])(
    '%s is refused for an unknown probe',
    async (name) => {
      const { refusal } = await remoteTool.call(operationsByName.get(name)!, { moduleId: 99 });
      expect(refusal).toMatchObject({ code: 'not_found', status: 404 });
    },
  );
});

const acequia = (...args: string[]) =>
  runInProcess([...args, '--clock', CLOCK], { env: { ACEQUIA_API_KEY: key } });

it.each(['advise_watering', 'farm_overview', 'morning_brief'])(
  '%s has the answer of the store with a service without rain and weather too',
  async (name) => {
    const dry = await startPartialService(
      service,
      /\/(advice|review|chart|brief|overview|rain|weather)(\?|$|\/)/,
    );
    afterTest(dry.close);
    const module = name === 'advise_watering' ? ['module=#1'] : [];
    const { stdout } = await acequia('call', name, ...module, '--json', '--remote', dry.base);
    const { summary: _, next: _next, ...body } = JSON.parse(stdout);
    const local = await localTool.call(
      operationsByName.get(name)!,
      name === 'advise_watering' ? { moduleId: 1 } : {},
    );
    expect(withoutIds(body)).toEqual(withoutIds(local.body));
  },
);

describe('a picture of a service', () => {
  it('is drawn locally by acequia chart and acequia call, even if the service can draw', async () => {
    const fullService = await startPartialService(service, /^$/);
    afterTest(fullService.close);
    const folder = await newFolder();
    const [first, second] = [join(folder, 'chart.png'), join(folder, 'call.png')];
    const { start, end } = PAST;
    const chartOptions = ['--module', 'North 1', '--start', start, '--end', end];
    const chart = await acequia('chart', ...chartOptions, '--remote', lesser.base, '--out', first);
    expect(chart.stdout).toContain('North 1');
    const words = ['module=North 1', `start=${start}`, `end=${end}`];
    await acequia(
      'call',
      'chart_moisture',
      ...words,
      '--remote',
      fullService.base,
      '--out',
      second,
    );
    const local = await localTool.call(operationsByName.get('chart_moisture')!, PAST);
    const picture = Buffer.from(local.body.data, 'base64');
    expect((await readFile(first)).equals(picture)).toBe(true);
    expect((await readFile(second)).equals(picture)).toBe(true);
    expect(fullService.requestedPaths).toContain('/modules/1/measurements/weighted');
    expect(fullService.requestedPaths.filter((path) => /chart/.test(path))).toEqual([]);
  });

  it('of an unknown probe ends acequia chart with 1', async () => {
    const out = join(await newFolder(), 'none.png');
    expect(
      await acequia('chart', '--module', 'Nowhere', '--remote', lesser.base, '--out', out),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nowhere'),
    });
  });
});
