import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketMeans } from '../../../src/domain/moisture/bucket-means.ts';
import { resolveMeasurementType } from '../../../src/domain/moisture/measurement.ts';
import {
  depthDetails,
  moisturePoints,
  seriesStatistics,
  summaryPoints,
} from '../../../src/domain/moisture/series.ts';
import { buildSummaryCurve } from '../../../src/domain/moisture/summary-curve.ts';
import { SOIL_HORIZONS, soilHorizonById } from '../../../src/domain/soil/soil-catalog.ts';
import type { DatedLayer } from '../../../src/domain/soil/soil-profile.ts';
import { propertyRuns } from '../../property-runs.ts';

const NONE = { rootDepthCm: null, depthWeights: null, emitterDepthCm: null };
const LOAM = 6;

const layer = (
  depthTopCm: number,
  depthBottomCm: number,
  soilHorizonId: number,
  startedAt = 0,
): DatedLayer => ({
  soilHorizonId,
  depthTopCm,
  depthBottomCm,
  startedAt,
  endedAt: null,
});

/** Rows 1, 2, 3… ms after 1970, one list of values per sensor. */
const rows = (...means: (number | null)[][]) => ({
  at: means[0]!.map((_, index) => index + 1),
  means: means.map((list) => list.map((value) => value ?? Number.NaN)),
});

describe('the measurement type', () => {
  it('is the only one of the sensors, whatever is requested', () => {
    expect(resolveMeasurementType([{ type: 'tensio' }, { type: 'tensio' }], 'humidity')).toBe(
      'tensio',
    );
  });

  it('is the requested one with several types, or none', () => {
    const both = [{ type: 'humidity' }, { type: 'temperature' }] as const;
    expect(resolveMeasurementType(both, 'temperature')).toBe('temperature');
    expect(resolveMeasurementType(both, 'tensio')).toBe('tensio');
    expect(resolveMeasurementType([], 'humidity')).toBe('humidity');
  });
});

describe('a series', () => {
  it('has one decimal, halves away from zero', () => {
    const points = summaryPoints(
      'temperature',
      buildSummaryCurve([10, 20], NONE),
      rows([20.2, -0.2, 20], [20.3, -0.3, 20.04]),
    );
    // 20.25, -0.25 and 20.02.
    expect(points.map(({ value }) => value)).toEqual([20.3, -0.3, 20]);
  });

  it('equals a naive calculation for any probe, gaps, weights, intervals and profiles', () => {
    const HOUR = 3_600_000;
    const probe = fc.record({
      depths: fc.uniqueArray(
        fc.integer({ min: 0, max: 20 }).map((five) => 5 * five),
        { minLength: 1, maxLength: 5 },
      ),
      rootDepthCm: fc.option(fc.integer({ min: 1, max: 12 }).map((ten) => 10 * ten)),
      own: fc.option(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 5, maxLength: 5 })),
      layers: fc.array(
        fc.record({
          top: fc.integer({ min: 0, max: 8 }),
          thickness: fc.integer({ min: 1, max: 8 }),
          id: fc.integer({ min: 1, max: 12 }),
          from: fc.integer({ min: 0, max: 50 }),
          to: fc.option(fc.integer({ min: 1, max: 100 })),
        }),
        { maxLength: 4 },
      ),
      readings: fc.array(
        fc.record({
          sensor: fc.nat({ max: 4 }),
          hour: fc.integer({ min: 0, max: 50 }),
          hundredths: fc.integer({ min: 0, max: 6000 }),
        }),
        { maxLength: 60 },
      ),
      intervalH: fc.option(fc.constantFrom(1, 6, 24)),
    });
    fc.assert(
      fc.property(probe, ({ depths, rootDepthCm, own, layers, readings, intervalH }) => {
        const depthWeights =
          own && Object.fromEntries(depths.map((depth, index) => [depth, own[index]!]));
        const dated = layers.map(({ top, thickness, id, from, to }) => ({
          soilHorizonId: id,
          depthTopCm: 10 * top,
          depthBottomCm: 10 * (top + thickness),
          startedAt: from * HOUR,
          endedAt: to === null ? null : (from + to) * HOUR,
        }));
        const raw = readings
          .filter(({ sensor }) => sensor < depths.length)
          .map(({ sensor, hour, hundredths }) => ({
            sensor,
            at: hour * HOUR,
            value: hundredths / 100,
          }));

        const expected = naive(
          depths,
          rootDepthCm,
          depthWeights,
          dated,
          raw,
          intervalH && intervalH * HOUR,
        );

        const sums = {
          sensor: raw.map(({ sensor }) => sensor),
          at: raw.map(({ at }) => at),
          sum: raw.map(({ value }) => value),
          length: raw.length,
        };
        const curve = buildSummaryCurve(depths, {
          rootDepthCm,
          depthWeights,
          emitterDepthCm: null,
        });
        const points = moisturePoints(
          curve,
          bucketMeans(sums, depths.length, intervalH && intervalH * HOUR),
          dated,
        );
        expect(points.map(({ at }) => at)).toEqual(expected.map(({ at }) => at));
        for (const [index, { value, vwcMax, mm }] of points.entries()) {
          expectServed(value, expected[index]!.vwc);
          expectServed(vwcMax, expected[index]!.vwcMax);
          expectServed(mm, expected[index]!.mm);
        }
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

/** One decimal, and the exact value within its rounding. */
function expectServed(reported: number | null, exact: number | null): void {
  expect(reported === null).toBe(exact === null);
  if (reported === null || exact === null) return;
  expect(Math.abs(reported - exact)).toBeLessThan(0.05 + 1e-6);
  expect(String(reported)).toMatch(/^\d+(\.\d)?$/);
}

/** Bucket by bucket and centimetre by centimetre, by the words of the specification alone. */
function naive(
  depths: number[],
  rootDepthCm: number | null,
  own: Record<string, number> | null,
  layers: DatedLayer[],
  raw: { sensor: number; at: number; value: number }[],
  intervalMs: number | null,
): { at: number; vwc: number | null; vwcMax: number | null; mm: number | null }[] {
  const sorted = depths.toSorted((a, b) => a - b);
  const isSingle = depths.length === 1;
  const end =
    rootDepthCm ?? (isSingle ? 0 : sorted.at(-1)! + (sorted.at(-1)! - sorted.at(-2)!) / 2);
  // Tenths of a centimetre of each sensor: depths are multiples of 5 cm, so that borders lie on
  // multiples of 2.5.
  const tenths = depths.map((): number[] => []);
  for (let tenth = 0; tenth < 10 * end; tenth++) {
    const distances = depths.map((depth) => Math.abs(depth - (tenth + 0.5) / 10));
    tenths[distances.indexOf(Math.min(...distances))]!.push(tenth);
  }
  const uptake = (tenth: number): number =>
    [0.4, 0.3, 0.2, 0.1][Math.floor((4 * (tenth + 0.5)) / (10 * end))]!;
  const ownOnes = depths.map((depth) => own?.[depth] ?? 0);
  let weights = depths.map(() => 1);
  if (ownOnes.some((weight) => weight > 0)) weights = ownOnes;
  else if (rootDepthCm !== null)
    weights = tenths.map((list) => list.reduce((sum, tenth) => sum + uptake(tenth), 0));

  const ownerOf = (depth: number, at: number): DatedLayer | undefined => {
    const inForce = layers.filter((each) => each.startedAt <= at && (each.endedAt ?? at + 1) > at);
    const deepest = Math.max(...inForce.map((each) => each.depthBottomCm));
    const bottomOf = (each: DatedLayer) =>
      each.depthBottomCm === deepest ? deepest + 1e-9 : each.depthBottomCm;
    const owners = inForce.filter((each) => each.depthTopCm <= depth && depth < bottomOf(each));
    return owners.sort((a, b) => a.depthTopCm - b.depthTopCm).at(-1);
  };
  const changes = layers
    .flatMap(({ startedAt, endedAt }) => [startedAt, endedAt ?? startedAt])
    .sort((a, b) => a - b);
  const saturation = (depth: number, at: number): number | null => {
    const firstAt =
      changes.find((change) => ownerOf(depth, change) !== undefined) ?? Number.POSITIVE_INFINITY;
    const owner = ownerOf(depth, Math.max(at, Math.min(firstAt, Number.MAX_SAFE_INTEGER)));
    return SOIL_HORIZONS.find(({ id }) => id === owner?.soilHorizonId)?.saturation ?? null;
  };

  const startOf = (at: number): number => (intervalMs === null ? at : at - (at % intervalMs));
  const starts = [...new Set(raw.map(({ at }) => startOf(at)))].sort((a, b) => a - b);
  return starts.map((start) => {
    const values = depths.map((_, sensor) => {
      const mine = raw.filter((each) => each.sensor === sensor && startOf(each.at) === start);
      return mine.length === 0
        ? null
        : mine.reduce((sum, { value }) => sum + value, 0) / mine.length;
    });
    const mean = (of: (number | null)[], by: number[]): number | null => {
      const known = of.flatMap((value, index) =>
        value === null || by[index] === 0 ? [] : [{ value, by: by[index]! }],
      );
      const weight = known.reduce((sum, each) => sum + each.by, 0);
      return weight === 0
        ? null
        : known.reduce((sum, each) => sum + each.value * each.by, 0) / weight;
    };
    const shares = values.map((value, sensor) => {
      const saturated = saturation(depths[sensor]!, start);
      return value === null || saturated === null ? null : value / saturated;
    });
    const thickness = tenths.map((list) => list.length);
    const others = mean(values, thickness);
    const stock = values.reduce<number>(
      (sum, value, index) => sum + ((value ?? others ?? 0) / 100) * thickness[index]!,
      0,
    );
    return {
      at: start,
      vwc: mean(values, weights),
      vwcMax: mean(shares, weights),
      mm: others === null ? null : stock,
    };
  });
}

describe('the statistics of a series', () => {
  it('are min, max, mean, first and last of the served values, with their times', () => {
    const points = [21.3, 20, null, 20, 21.3, 20.9].map((value, index) => ({ at: index, value }));
    expect(
      seriesStatistics('humidity', [{ at: -1, value: null }, ...points, { at: 9, value: null }]),
    ).toEqual({
      min: { at: 1, value: 20 },
      max: { at: 0, value: 21.3 },
      mean: 20.7, // (21.3 + 20 + 20 + 21.3 + 20.9) / 5
      first: { at: 0, value: 21.3 },
      last: { at: 5, value: 20.9 },
    });
  });

  it('are null without values', () => {
    expect(seriesStatistics('humidity', [])).toBeNull();
    expect(seriesStatistics('humidity', [{ at: 1, value: null }])).toBeNull();
  });
});

describe('the details of the depths', () => {
  it('have slice, weight, soil and values of every sensor', () => {
    const curve = buildSummaryCurve([10, 20, 30], {
      rootDepthCm: 20,
      depthWeights: null,
      emitterDepthCm: null,
    });
    const [first, second, third] = depthDetails(
      curve,
      rows([20, null], [20.1 + 0.2, 31], [40, 41]),
      [layer(0, 30, LOAM)],
      5,
    );
    const { fieldCapacity, wiltingPoint, saturation } = soilHorizonById(LOAM)!;
    const soil = { fieldCapacity, wiltingPoint, saturation };
    // Quarters of 5 cm: 40 + 30 + 20, and 10.
    expect(first).toEqual({ weight: 0.9, topCm: 0, bottomCm: 15, ...soil, values: [20, null] });
    expect(second).toEqual({ weight: 0.1, topCm: 15, bottomCm: 20, ...soil, values: [20.3, 31] });
    // Below the root zone it represents no soil, but the soil around it is still reported.
    expect(third).toEqual({ weight: 0, topCm: null, bottomCm: null, ...soil, values: [40, 41] });
  });

  it('have no soil without a layer, nor for a sensor without a depth', () => {
    const none = { fieldCapacity: null, wiltingPoint: null, saturation: null };
    const [shallow, deep] = depthDetails(
      buildSummaryCurve([10, 90], NONE),
      rows([20], [30]),
      [layer(0, 30, LOAM)],
      5,
    );
    expect(shallow).toMatchObject({
      topCm: 0,
      bottomCm: 50,
      wiltingPoint: soilHorizonById(LOAM)!.wiltingPoint,
    });
    expect(deep).toMatchObject({ topCm: 50, bottomCm: 130, ...none });
    expect(
      depthDetails(buildSummaryCurve([null], NONE), rows([20]), [layer(0, 30, LOAM)], 5),
    ).toMatchObject([{ weight: 1, topCm: null, ...none }]);
  });
});
