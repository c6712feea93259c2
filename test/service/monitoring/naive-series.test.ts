import fc from 'fast-check';
import { expect } from 'vitest';
import type { MeasurementType } from '../../../src/domain/moisture/measurement.ts';
import type { MoistureSeriesBody } from '../../../src/schema/moisture/series.ts';
import type { SoilHorizonBody } from '../../../src/schema/soil/soil.ts';
import { changeSettingsOf } from '../../../src/service/moisture/probe-settings.ts';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import { bareModule, DAY, HOUR, iso, it, MINUTE, type TestFarm } from '../../farm.ts';
import { propertyRuns } from '../../property-runs.ts';
import { recordRows } from '../../store/stored-readings.ts';

/** A Saturday at midnight UTC. */
const START = Date.UTC(2026, 5, 20);

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
  /** In order of arrival: of readings with one sensor and instant the last one counts. */
  readonly batches: readonly (readonly Reading[])[];
  readonly start: number;
  readonly end: number;
  readonly interval: number | null;
  readonly maxPoints: number;
  readonly align: 'utc' | 'local';
}

const DEPTHS = fc.uniqueArray(
  fc.integer({ min: 1, max: 18 }).map((five) => 5 * five),
  { minLength: 1, maxLength: 5 },
);

/**
 * A reading within ten days: on a grid of quarter hours, so that instants coincide, or at any
 * second.
 */
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
    interval: fc.option(
      fc.constantFrom(60, 900, 1234, 3600, 5400, 7200, 21_600, 86_400, 172_800, 604_800),
    ),
    maxPoints: fc.integer({ min: 1, max: 60 }),
    align: fc.constantFrom('utc', 'local'),
  })
  .map(({ weights, batches, start, minutes, ...plan }) => ({
    ...plan,
    own: weights && Object.fromEntries(plan.depths.map((depth, index) => [depth, weights[index]!])),
    batches: batches.map((batch) => batch.filter(({ sensor }) => sensor < plan.depths.length)),
    start: START + start * MINUTE,
    end: START + (start + minutes) * MINUTE,
  }));

async function addProbe(
  { write }: TestFarm,
  name: string,
  { type, depths, rootDepthCm, own, layers, batches }: SeriesCase,
): Promise<number> {
  const { id, sensorIds } = await write(async (db) => {
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
    const moduleId = await insertFarmRow(db, 'modules', bareModule({ uid: name, name, parcel_id }));
    await changeSettingsOf({ db, now: 0 }, { moduleId }, { rootDepthCm, depthWeights: own });
    const ids: number[] = [];
    for (const depth of depths)
      ids.push(
        await insertFarmRow(db, 'sensors', { module_id: moduleId, type, depth, label: null }),
      );
    return { id: moduleId, sensorIds: ids };
  });
  for (const batch of batches)
    await write((db) =>
      recordRows(
        db,
        batch.map(({ sensor, at, value }) => [sensorIds[sensor]!, at, value]),
      ),
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

type Saturation = ReadonlyMap<number, number>;

/**
 * The series computed from the raw readings and the specification alone, in steps of half a
 * centimetre of soil.
 */
function naiveSeries(
  each: SeriesCase,
  saturation: Saturation,
): { intervalMs: number | null; points: NaivePoint[] } {
  const stored = new Map<string, Reading>();
  for (const reading of each.batches.flat()) stored.set(`${reading.sensor} ${reading.at}`, reading);
  const readings = [...stored.values()].filter(({ at }) => at >= each.start && at < each.end);
  const intervalMs = each.interval === null ? naiveInterval(readings, each) : each.interval * 1000;
  const startOf = (at: number) =>
    intervalMs === null ? at : naiveStart(at, intervalMs, each.align);
  const starts = [...new Set(readings.map(({ at }) => startOf(at)))].sort((a, b) => a - b);
  const { weights, cells } = naiveWeights(each);
  const points = starts.map((start) => {
    const inBucket = readings.filter(({ at }) => startOf(at) === start);
    const means = each.depths.map((_, sensor) =>
      meanOf(inBucket.filter((reading) => reading.sensor === sensor)),
    );
    const shares = means.map((mean, sensor) => {
      const saturated = layerValueAt(each.layers, saturation, {
        depth: each.depths[sensor]!,
        at: start,
      });
      return mean === null || saturated === null ? null : mean / saturated;
    });
    const filled = weighted(means, cells);
    // Half a centimetre of soil at 100 % is 5 mm of water.
    const mm = cells.reduce(
      (sum, count, sensor) => sum + ((means[sensor] ?? filled ?? 0) / 100) * count * 5,
      0,
    );
    const value = weighted(means, weights);
    return {
      at: start,
      value,
      share: weighted(shares, weights),
      mm: filled === null ? null : mm,
      means,
    };
  });
  return { intervalMs, points };
}

/**
 * Clocks in Paris are 2 h ahead of UTC in summer; several days are counted from Monday, 5 January
 * 1970.
 */
function naiveStart(at: number, length: number, align: SeriesCase['align']): number {
  const first = align === 'local' ? (length % DAY === 0 ? 4 * DAY : 0) - 2 * HOUR : 0;
  return Math.floor((at - first) / length) * length + first;
}

function naiveInterval(
  readings: readonly Reading[],
  { maxPoints, align }: SeriesCase,
): number | null {
  const pointsAt = (length: number) =>
    new Set(readings.map(({ at }) => naiveStart(at, length, align))).size;
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
  readings.length === 0
    ? null
    : readings.reduce((sum, { value }) => sum + value, 0) / readings.length;

function weighted(values: readonly (number | null)[], weights: readonly number[]): number | null {
  let [sum, weight] = [0, 0];
  for (const [index, value] of values.entries())
    if (value !== null) {
      sum += value * weights[index]!;
      weight += weights[index]!;
    }
  return weight === 0 ? null : sum / weight;
}

/** The half centimetres nearest to each sensor, and its weight. */
function naiveWeights({ depths, rootDepthCm, own }: SeriesCase): {
  weights: number[];
  cells: number[];
} {
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

/**
 * The capacity of the soil at a depth: of the layer in force, or of the first one declared there.
 */
function layerValueAt(
  layers: readonly Layer[],
  saturation: Saturation,
  { depth, at }: { depth: number; at: number },
): number | null {
  const ownerAt = (instant: number): Layer | undefined => {
    const inForce = layers.filter(
      ({ from, to }) => from <= instant && (to === null || instant < to),
    );
    const deepest = Math.max(...inForce.map(({ bottom }) => bottom));
    const covering = inForce.filter(
      ({ top, bottom }) =>
        top <= depth && (depth < bottom || (depth === bottom && bottom === deepest)),
    );
    return covering.reduce<Layer | undefined>(
      (best, each) => (best && best.top > each.top ? best : each),
      undefined,
    );
  };
  const changes = layers
    .flatMap(({ from, to }) => (to === null ? [from] : [from, to]))
    .sort((a, b) => a - b);
  const first = changes.find((change) => ownerAt(change) !== undefined);
  const owner = ownerAt(at) ?? (first !== undefined && first > at ? ownerAt(first) : undefined);
  return owner === undefined ? null : saturation.get(owner.horizon)!;
}

function expectClose(actual: number | null | undefined, exact: number | null): void {
  if (exact === null || actual == null) expect(actual).toBe(exact);
  else {
    expect(Math.abs(actual - exact)).toBeLessThan(0.05 + 1e-6);
    expect(actual).toBe(Number(actual.toFixed(1)));
  }
}

const VALUE_FIELDS = {
  humidity: 'value_vwc',
  temperature: 'value_temp',
  tensio: 'value_tensio',
} as const;

it('equals a naive calculation from the raw readings, with gaps, weights, soil profiles and late or corrected readings', async ({
  farm,
}) => {
  const { data: horizons } = await farm.tool<{ data: SoilHorizonBody[] }>('list_soil_horizons');
  const saturation = new Map(horizons.map(({ code, theta_sat }) => [Number(code), theta_sat]));
  let count = 0;
  await fc.assert(
    fc.asyncProperty(CASE, async (each) => {
      const id = await addProbe(farm, `Random ${++count}`, each);
      const { intervalMs, points } = naiveSeries(each, saturation);
      const answer = await farm.tool<MoistureSeriesBody>('get_moisture_series', {
        module: `#${id}`,
        start: iso(each.start),
        end: iso(each.end),
        maxPoints: each.maxPoints,
        align: each.align,
        detail: 'full',
        depths: true,
        interval: each.interval ?? undefined,
      });
      const field = VALUE_FIELDS[each.type];
      expect(answer).toMatchObject({
        type: each.type,
        interval_seconds: intervalMs && intervalMs / 1000,
      });
      expect(answer.data.map(({ time }) => time)).toEqual(points.map(({ at }) => iso(at)));
      for (const [row, point] of points.entries()) {
        const actual = answer.data[row]!;
        expectClose(actual[field], point.value);
        if (each.type === 'humidity') {
          expectClose(actual.value_vwc_max, point.share);
          expectClose(actual.value_mm, point.mm);
        }
        for (const { depth, values } of answer.sensors!) {
          const mean = point.means[each.depths.indexOf(depth!)]!;
          if (mean === null) expect(values[row]).toBeNull();
          else expect(values[row]).toBeCloseTo(mean, 5);
        }
      }
      const values = answer.data.flatMap((point) => point[field] ?? []);
      expect(answer.statistics?.min.value).toBe(
        values.length === 0 ? undefined : Math.min(...values),
      );
      expect(answer.statistics?.max.value).toBe(
        values.length === 0 ? undefined : Math.max(...values),
      );
    }),
    { numRuns: propertyRuns(150) },
  );
});
