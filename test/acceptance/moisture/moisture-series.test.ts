import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MeasurementType } from '../../../src/schema/company.ts';
import type { MoistureSeriesBody } from '../../../src/schema/series.ts';
import type { SoilHorizonBody } from '../../../src/schema/soil.ts';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import { recordReadings } from '../../../src/store/ingest/reading-writes.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { bareModule, DAY, HOUR, iso, MINUTE } from '../../farm.ts';
import type { StoreLocation } from '../../stores/stores.ts';
import { newEmptyStore } from '../../stores/template-stores.ts';
import { importFarmFile, importReadingsCsv } from '../imported-data.ts';
import { newMcpClient } from '../mcp-client.ts';

const BINARY = process.env.ACEQUIA_BINARY ?? fileURLToPath(new URL('../../../dist/acequia.js', import.meta.url));

/** 12:00 in Europe/Paris, where the server's clock starts. */
const CLOCK = Date.UTC(2026, 6, 1, 10);
/** Where the readings of the random probes begin; a Saturday at midnight UTC. */
const START = Date.UTC(2026, 5, 20);

const FARM = {
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [{ name: 'North block', soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 }] }],
  modules: [
    {
      uid: 'A1',
      name: 'North 1',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      commissionedAt: '2025-01-11T09:00:00Z',
      sensors: [10, 20, 30].map((depth) => ({ type: 'humidity', depth })),
      settings: { rootDepthCm: 40 },
    },
    { uid: 'A2', name: 'Never in the field', category: 'SOIL_PROBE' },
  ],
};

/** A quarter-hourly week of three depths that dries from 30 % on, up to the clock's start. */
function dryingWeek(): string {
  const rows = Array.from({ length: 672 }, (_, index) => {
    const value = (30 - index / 100).toFixed(2);
    return `${iso(CLOCK - (672 - index) * 15 * MINUTE)},${value},${value},${value}\n`;
  });
  return `time,humidity_10,humidity_20,humidity_30\n${rows.join('')}`;
}

interface Server {
  readonly client: Client;
  call(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
}

async function connect(db: string, clock: number): Promise<Server> {
  const client = newMcpClient();
  const args = [BINARY, '--db', db, '--clock', iso(clock)];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  // From here on the client holds every result against the schema that its tool lists.
  await client.listTools();
  return {
    client,
    call: async (name, given) => (await client.callTool({ name, arguments: given })) as CallToolResult,
  };
}

let folder: string;
let place: StoreLocation;
let store: Store;
let server: Server;
let saturation: Map<number, number>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acequia-monitoring-'));
  place = await newEmptyStore();
  const { db } = place;
  await importFarmFile(db, FARM);
  await importReadingsCsv(db, dryingWeek(), { module: 'North 1' });
  store = await openStore({ db });
  server = await connect(db, CLOCK);
  const { data } = bodyOf<{ data: SoilHorizonBody[] }>(await server.call('list_soil_horizons', {}));
  saturation = new Map(data.map(({ code, theta_sat }) => [Number(code), theta_sat]));
});
afterAll(async () => {
  await server?.client.close();
  await store?.close();
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

/** The structured result; fails when the tool refused. */
function bodyOf<Body = MoistureSeriesBody>(result: CallToolResult): Body & { summary: string } {
  if (result.isError) throw new Error(`Refused: ${JSON.stringify(result.content)}`);
  return result.structuredContent as Body & { summary: string };
}

const codeOf = (result: CallToolResult): unknown => (result._meta?.['acequia/error'] as { code?: string })?.code;

interface Layer {
  readonly horizon: number;
  readonly top: number;
  readonly bottom: number;
  readonly from: number;
  readonly to: number | null;
}

interface Reading {
  readonly sensor: number;
  readonly at: number;
  readonly value: number;
}

interface SeriesCase {
  readonly type: MeasurementType;
  readonly depths: readonly number[];
  readonly rootDepthCm: number | null;
  readonly own: Record<string, number> | null;
  readonly layers: readonly Layer[];
  /** As they came in: the last of a sensor and an instant is what stands. */
  readonly batches: readonly (readonly Reading[])[];
  readonly start: number;
  readonly end: number;
  /** Seconds. */
  readonly interval: number | null;
  readonly maxPoints: number;
}

const DEPTHS = fc.uniqueArray(
  fc.integer({ min: 1, max: 18 }).map((five) => 5 * five),
  { minLength: 1, maxLength: 5 },
);

/** A reading within ten days: on a grid of quarter hours, so that instants meet and repeat, or at any second. */
const READING = fc.record({
  sensor: fc.nat({ max: 4 }),
  at: fc.oneof(
    fc.nat({ max: 40 }).map((quarter) => START + 3 * DAY + quarter * 15 * MINUTE),
    fc.nat({ max: 240 }).map((hour) => START + hour * HOUR),
    fc.nat({ max: 864_000 }).map((second) => START + second * 1000),
  ),
  value: fc.integer({ min: 0, max: 6000 }).map((hundredths) => hundredths / 100),
});

const LAYER = fc
  .record({
    horizon: fc.integer({ min: 1, max: 12 }),
    top: fc.integer({ min: 0, max: 8 }).map((ten) => 10 * ten),
    thickness: fc.integer({ min: 1, max: 8 }).map((ten) => 10 * ten),
    from: fc.integer({ min: -2, max: 12 }).map((day) => START + day * DAY + HOUR),
    days: fc.option(fc.integer({ min: 1, max: 8 })),
  })
  .map(({ horizon, top, thickness, from, days }) => ({
    horizon,
    top,
    bottom: top + thickness,
    from,
    to: days === null ? null : from + days * DAY,
  }));

const CASE: fc.Arbitrary<SeriesCase> = fc
  .record({
    type: fc.constantFrom<MeasurementType>('humidity', 'humidity', 'temperature', 'tensio'),
    depths: DEPTHS,
    rootDepthCm: fc.option(fc.integer({ min: 1, max: 10 }).map((ten) => 10 * ten)),
    weights: fc.option(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 5, maxLength: 5 })),
    layers: fc.array(LAYER, { maxLength: 4 }),
    batches: fc.array(fc.array(READING, { maxLength: 40 }), { minLength: 1, maxLength: 4 }),
    start: fc.integer({ min: -60, max: 9 * 1440 }),
    minutes: fc.integer({ min: 1, max: 10 * 1440 }),
    interval: fc.option(fc.constantFrom(60, 900, 1234, 3600, 5400, 7200, 21_600, 86_400, 172_800, 604_800)),
    maxPoints: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ weights, batches, start, minutes, ...plan }) => ({
    ...plan,
    own: weights && Object.fromEntries(plan.depths.map((depth, place) => [depth, weights[place]!])),
    batches: batches.map((batch) => batch.filter(({ sensor }) => sensor < plan.depths.length)),
    start: START + start * MINUTE,
    end: START + (start + minutes) * MINUTE,
  }));

let putUp = 0;

/** Puts a probe up in a parcel of its own, and records its readings batch after batch. */
async function importCase({ type, depths, rootDepthCm, own, layers, batches }: SeriesCase): Promise<number> {
  const name = `Random ${++putUp}`;
  const { id, sensorIds } = await store.write(1, async (db) => {
    const parcel_id = await insertFarmRow(db, 'parcels', { name, type: null, geometry: null });
    for (const { horizon, top, bottom, from, to } of layers)
      await db
        .insertInto('soil_layers')
        .values({
          parcel_id,
          soil_horizon_id: horizon,
          depth_top_cm: top,
          depth_bottom_cm: bottom,
          started_at: from,
          ended_at: to,
        })
        .execute();
    const module = bareModule({
      uid: name,
      name,
      parcel_id,
      root_depth_cm: rootDepthCm,
      depth_weights: own && JSON.stringify(own),
    });
    const moduleId = await insertFarmRow(db, 'modules', module);
    const ids: number[] = [];
    for (const depth of depths)
      ids.push(await insertFarmRow(db, 'sensors', { module_id: moduleId, type, depth, label: null }));
    return { id: moduleId, sensorIds: ids };
  });
  for (const batch of batches)
    await store.write(1, (db) =>
      recordReadings(db, {
        sensorIds: batch.map(({ sensor }) => sensorIds[sensor]!),
        at: batch.map(({ at }) => at),
        values: batch.map(({ value }) => value),
        length: batch.length,
      }),
    );
  return id;
}

interface NaivePoint {
  readonly at: number;
  readonly value: number | null;
  readonly share: number | null;
  readonly mm: number | null;
  readonly means: readonly (number | null)[];
}

/** The series from the raw readings and the words of the interface alone: half a centimetre of soil after the other. */
function naiveSeries(each: SeriesCase): { intervalMs: number | null; points: NaivePoint[] } {
  const standing = new Map<string, Reading>();
  for (const reading of each.batches.flat()) standing.set(`${reading.sensor} ${reading.at}`, reading);
  const readings = [...standing.values()].filter(({ at }) => at >= each.start && at < each.end);
  const intervalMs = each.interval === null ? naiveInterval(readings, each.maxPoints) : each.interval * 1000;
  const startOf = (at: number) => (intervalMs === null ? at : Math.floor(at / intervalMs) * intervalMs);
  const starts = [...new Set(readings.map(({ at }) => startOf(at)))].sort((a, b) => a - b);
  const { weights, cells } = naiveWeights(each);
  const points = starts.map((start) => {
    const inBucket = readings.filter(({ at }) => startOf(at) === start);
    const means = each.depths.map((_, sensor) => meanOf(inBucket.filter((reading) => reading.sensor === sensor)));
    const shares = means.map((mean, sensor) => {
      const held = layerValueAt(each.layers, each.depths[sensor]!, start);
      return mean === null || held === null ? null : mean / held;
    });
    const filled = weighted(means, cells);
    // Half a centimetre of soil at 100 % is 5 mm of water.
    const mm = cells.reduce((sum, count, sensor) => sum + ((means[sensor] ?? filled ?? 0) / 100) * count * 5, 0);
    const value = weighted(means, weights);
    return { at: start, value, share: weighted(shares, weights), mm: filled === null ? null : mm, means };
  });
  return { intervalMs, points };
}

function naiveInterval(readings: readonly Reading[], maxPoints: number): number | null {
  const pointsAt = (length: number) => new Set(readings.map(({ at }) => Math.floor(at / length))).size;
  if (pointsAt(1) <= maxPoints) return null;
  const usual = [15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY].find(
    (i) => pointsAt(i) <= maxPoints,
  );
  if (usual !== undefined) return usual;
  let weeks = 1;
  while (pointsAt(weeks * 7 * DAY) > maxPoints) weeks++;
  return weeks * 7 * DAY;
}

const meanOf = (readings: readonly Reading[]): number | null =>
  readings.length === 0 ? null : readings.reduce((sum, { value }) => sum + value, 0) / readings.length;

function weighted(values: readonly (number | null)[], weights: readonly number[]): number | null {
  let [sum, weight] = [0, 0];
  for (const [place, value] of values.entries())
    if (value !== null) {
      sum += value * weights[place]!;
      weight += weights[place]!;
    }
  return weight === 0 ? null : sum / weight;
}

/** The half centimetres that each sensor stands for, being the nearest, and its weight. */
function naiveWeights({ depths, rootDepthCm, own }: SeriesCase): { weights: number[]; cells: number[] } {
  const sorted = depths.toSorted((a, b) => a - b);
  const [last, above] = [sorted.at(-1)!, sorted.at(-2)];
  const bottom = rootDepthCm ?? (above === undefined ? 0 : last + (last - above) / 2);
  const cells = depths.map(() => 0);
  const uptake = depths.map(() => 0);
  for (let cell = 0; cell < 2 * bottom; cell++) {
    const depth = cell / 2 + 0.25;
    const distances = depths.map((each) => Math.abs(each - depth));
    const nearest = distances.indexOf(Math.min(...distances));
    cells[nearest]! += 1;
    uptake[nearest]! += [40, 30, 20, 10][Math.floor((4 * depth) / bottom)]!;
  }
  const set = depths.map((depth) => own?.[depth] ?? 0);
  if (set.some((weight) => weight > 0)) return { weights: set, cells };
  return { weights: rootDepthCm === null ? depths.map(() => 1) : uptake, cells };
}

/** What the soil at a depth can hold: that of the layer in force, or of the first ever declared there. */
function layerValueAt(layers: readonly Layer[], depth: number, at: number): number | null {
  const ownerAt = (instant: number): Layer | undefined => {
    const inForce = layers.filter(({ from, to }) => from <= instant && (to === null || instant < to));
    const deepest = Math.max(...inForce.map(({ bottom }) => bottom));
    const covering = inForce.filter(
      ({ top, bottom }) => top <= depth && (depth < bottom || (depth === bottom && bottom === deepest)),
    );
    return covering.reduce<Layer | undefined>((best, each) => (best && best.top > each.top ? best : each), undefined);
  };
  const changes = layers.flatMap(({ from, to }) => (to === null ? [from] : [from, to])).sort((a, b) => a - b);
  const first = changes.find((change) => ownerAt(change) !== undefined);
  const owner = ownerAt(at) ?? (first !== undefined && first > at ? ownerAt(first) : undefined);
  return owner === undefined ? null : saturation.get(owner.horizon)!;
}

/** As near to the exact figure as one decimal place can be. */
function expectClose(served: number | null | undefined, exact: number | null): void {
  if (exact === null || served == null) expect(served).toBe(exact);
  else {
    expect(Math.abs(served - exact)).toBeLessThan(0.05 + 1e-6);
    expect(served).toBe(Number(served.toFixed(1)));
  }
}

const MAIN = { humidity: 'value_vwc', temperature: 'value_temp', tensio: 'value_tensio' } as const;

describe('get_moisture_series', () => {
  it('equals a naive calculation from the raw readings, for any probe, gaps, weights, intervals and profiles, and whatever came late, twice or corrected', async () => {
    await fc.assert(
      fc.asyncProperty(CASE, async (each) => {
        const id = await importCase(each);
        const { intervalMs, points } = naiveSeries(each);
        const answer = bodyOf(
          await server.call('get_moisture_series', {
            module: `#${id}`,
            start: iso(each.start),
            end: iso(each.end),
            maxPoints: each.maxPoints,
            depths: true,
            ...(each.interval !== null && { interval: each.interval }),
          }),
        );
        expect(answer).toMatchObject({ type: each.type, interval_seconds: intervalMs && intervalMs / 1000 });
        expect(answer.data.map(({ time }) => time)).toEqual(points.map(({ at }) => iso(at)));
        for (const [row, point] of points.entries()) {
          const served = answer.data[row]!;
          expectClose(served[MAIN[each.type]], point.value);
          if (each.type === 'humidity') {
            expectClose(served.value_vwc_max, point.share);
            expectClose(served.value_mm, point.mm);
          }
          for (const { depth, values } of answer.sensors!) {
            const mean = point.means[each.depths.indexOf(depth!)]!;
            if (mean === null) expect(values[row]).toBeNull();
            else expect(values[row]).toBeCloseTo(mean, 5);
          }
        }
        const known = answer.data.flatMap((served) => served[MAIN[each.type]] ?? []);
        expect(answer.statistics?.min.value).toBe(known.length === 0 ? undefined : Math.min(...known));
        expect(answer.statistics?.max.value).toBe(known.length === 0 ? undefined : Math.max(...known));
      }),
      { numRuns: 150 },
    );
  });

  it('answers the default call small: at most 48 points', async () => {
    const result = await server.call('get_moisture_series', { module: 'North 1' });
    const { data, summary } = bodyOf(result);
    expect(data.length).toBeLessThanOrEqual(48);
    expect(JSON.stringify(result.structuredContent).length).toBeLessThan(6000);
    // From 30 % on 0.01 a quarter of an hour: the last 6 h, from 06:00 UTC, begin 16 readings before the end.
    expect(summary).toContain(
      'Moisture of North 1 (10 to 30 cm, weighted by root uptake): 23.4 % by volume on average from today 08:00 (Europe/Paris) on.',
    );
  });

  it('finds its probe through the parcel', async () => {
    const { module_id: id, summary } = bodyOf(await server.call('get_moisture_series', { module: 'North block' }));
    expect(id).toBe(1);
    expect(summary).toContain('North block was taken as its only probe, North 1.');
  });

  it.each([
    ['invalid_date', { start: '2026-06-30', end: '2026-06-29' }],
    ['invalid_date', { start: 'some day' }],
    ['invalid_parameter', { interval: 0 }],
    ['invalid_parameter', { interval: 1e9 }],
    ['invalid_parameter', { type: 'salinity' }],
    ['invalid_parameter', { interval: 900 }],
    ['invalid_parameter', { cursor: 'eyJhIjoxfQ' }],
    ['not_found', { module: 'Never in the field' }],
    ['not_found', { module: 'Nowhere' }],
  ])('refuses with %s: %o', async (code, args) => {
    expect(codeOf(await server.call('get_moisture_series', { module: 'North 1', ...args }))).toBe(code);
  });
});

describe('acequia://modules/{module}/moisture', () => {
  it('reads as the tool answers by default', async () => {
    const { contents } = await server.client.readResource({ uri: 'acequia://modules/North%201/moisture' });
    const { start: _, end: __, freshness: ___, ...read } = JSON.parse((contents[0] as { text: string }).text);
    expect(bodyOf(await server.call('get_moisture_series', { module: 'North 1' }))).toMatchObject(read);
  });
});

describe('get_agronomic_state', () => {
  it('tells from the newest moisture and the soil how a probe stands', async () => {
    const state = bodyOf<Record<string, unknown>>(await server.call('get_agronomic_state', { module: 'North 1' }));
    expect(state).toMatchObject({
      state: 'comfort',
      // 30 - 671 / 100.
      value_vwc: 23.3,
      time: iso(CLOCK - 15 * MINUTE),
      basis: { fieldCapacity: 'soil_profile', stressPoint: 'soil_profile' },
    });
    expect(state.summary).toMatch(
      /^North 1 is in comfort, 23\.3 % by volume today 11:45 \(Europe\/Paris\)\. Stress point/,
    );
  });

  it('refuses a module that was never commissioned: not_found', async () => {
    expect(codeOf(await server.call('get_agronomic_state', { module: 'Never in the field' }))).toBe('not_found');
  });
});

describe('a year of a real logger', () => {
  const openAgri = process.env.ACEQUIA_TEST_OPENAGRI;
  it.skipIf(openAgri === undefined)('holds the water that was worked out by hand', async () => {
    const depths = [10, 20, 30, 40, 50, 60];
    const farm = {
      ...FARM,
      company: { name: 'Mas Rouge', timezone: 'Europe/Athens' },
      parcels: [],
      modules: [
        {
          uid: 'A1',
          name: 'North 1',
          commissionedAt: '2023-01-01T00:00:00Z',
          sensors: depths.map((depth) => ({ type: 'humidity', depth })),
        },
      ],
    };
    const original = await readFile(openAgri!, 'utf8');
    const header = `time,${depths.map((depth) => `humidity_${depth}`).join(',')},rain,air_temperature,air_humidity\n`;
    const { db, remove } = await newEmptyStore();
    await importFarmFile(db, farm);
    await importReadingsCsv(db, header + original.slice(original.indexOf('\n') + 1), { module: 'North 1' });
    const year = await connect(db, Date.parse('2024-09-20T00:30:00Z'));
    try {
      const asked = { module: 'North 1', start: '2023-09-26', maxPoints: 10_000, depths: true };
      const { data, sensors } = bodyOf(await year.call('get_moisture_series', asked));
      // The topmost slice is 15 cm, the others 10 cm each.
      const storage = data.map((_, row) =>
        sensors!.reduce((sum, { topCm, bottomCm, values }) => sum + (values[row]! / 10) * (bottomCm! - topCm!), 0),
      );
      expect(data.at(-1)).toMatchObject({ time: '2024-09-20T00:00:00.000Z', value_mm: 21.6 });
      expect(storage.at(-1)).toBeCloseTo(21.58, 9);
      const highest = storage.indexOf(Math.max(...storage));
      expect(data[highest]).toMatchObject({ time: '2024-03-05T10:00:00.000Z', value_mm: 48.9 });
    } finally {
      await year.client.close();
      await remove();
    }
  });
});
