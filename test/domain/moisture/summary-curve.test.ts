import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildSummaryCurve,
  type CurveSettings,
  depthWeights,
  type SummaryCurve,
  saturationShares,
  soilWaterMm,
  weightedMeans,
} from '../../../src/domain/moisture/summary-curve.ts';
import { slicesOf } from '../../../src/domain/soil/slices.ts';

const NONE = { rootDepthCm: null, depthWeights: null, emitterDepthCm: null };
const row = (...values: (number | null)[]): number[][] =>
  values.map((value) => [value ?? Number.NaN]);
const ONLY = { from: 0, to: 1 };
const weightedMean = (curve: SummaryCurve, means: number[][]): number =>
  weightedMeans(curve, means, ONLY)[0]!;
const storageMm = (curve: SummaryCurve, means: number[][]): number =>
  soilWaterMm(curve, means, ONLY)[0]!;

describe('the weighted mean', () => {
  // 40, 35 and 25 %.
  const curve = buildSummaryCurve([10, 30, 60], {
    rootDepthCm: 80,
    depthWeights: null,
    emitterDepthCm: null,
  });

  it('follows the weights', () => {
    expect(weightedMean(curve, row(20, 30, 40))).toBeCloseTo(0.4 * 20 + 0.35 * 30 + 0.25 * 40, 12);
  });
});

describe('a range of rows', () => {
  it('gives each row its own values', () => {
    const curve = buildSummaryCurve([10, 20], NONE);
    const means = [
      [20, 21, 22, Number.NaN],
      [30, Number.NaN, 33, 34],
    ];
    expect([...weightedMeans(curve, means, { from: 1, to: 4 })]).toEqual([21, 27.5, 34]);
    expect([...saturationShares(curve, means, { from: 2, to: 3 }, [0.5, 0.5])]).toEqual([55]);
    // Slices of 15 and 10 cm: 250 mm at 22 x 0.6 + 33 x 0.4 = 26.4 %.
    expect([...soilWaterMm(curve, means, { from: 2, to: 3 })]).toEqual([expect.closeTo(66, 9)]);
    expect([...weightedMeans(curve, means, { from: 2, to: 2 })]).toEqual([]);
  });
});

describe('the stock of water', () => {
  const INCH_CM = 2.54;

  it('is 27.432 mm short of a field capacity of 0.28 with readings of 0.23, 0.25 and 0.27 there', () => {
    // (0.05 + 0.03 + 0.01) x 304.8 mm.
    const curve = buildSummaryCurve([6 * INCH_CM, 18 * INCH_CM, 30 * INCH_CM], NONE);
    const short = storageMm(curve, row(28, 28, 28)) - storageMm(curve, row(23, 25, 27));
    expect(short).toBeCloseTo(27.432, 9);
  });

  it('of sensors at 10 to 60 cm is that of a first slice of 150 mm and five of 100 mm', () => {
    const curve = buildSummaryCurve([10, 20, 30, 40, 50, 60], NONE);
    expect(curve.thicknessMm).toEqual([150, 100, 100, 100, 100, 100]);
    // 7.34 % of 150 mm, and 3.49 + 2.22 + 2.15 + 1.46 + 1.25 = 10.57 % of 100 mm: 11.01 + 10.57.
    expect(storageMm(curve, row(7.34, 3.49, 2.22, 2.15, 1.46, 1.25))).toBeCloseTo(21.58, 9);
  });

  it('follows the thickness of slices alone, not the weights of the curve', () => {
    const curve = buildSummaryCurve([10, 30], {
      rootDepthCm: null,
      depthWeights: { '10': 1 },
      emitterDepthCm: null,
    });
    expect(weightedMean(curve, row(null, 30))).toBeNaN();
    expect(storageMm(curve, row(null, 30))).toBeCloseTo(0.3 * 400, 9);
  });

  it('is null with a single sensor, unless a root zone is declared', () => {
    expect(storageMm(buildSummaryCurve([30], NONE), row(25))).toBeNaN();
    expect(
      storageMm(
        buildSummaryCurve([30], { rootDepthCm: 60, depthWeights: null, emitterDepthCm: null }),
        row(25),
      ),
    ).toBeCloseTo(150, 9);
  });

  it('counts the slice of two sensors at one depth once', () => {
    const curve = buildSummaryCurve([10, 10, 30], NONE);
    expect(storageMm(curve, row(20, 30, 40))).toBeCloseTo(200 * 0.25 + 200 * 0.4, 9);
  });
});

const of = (depths: (number | null)[], settings: CurveSettings) =>
  depthWeights(depths, slicesOf(depths, settings.rootDepthCm), settings);

/** Weights in % to four decimals, by root uptake. */
function uptakePct(depths: (number | null)[], rootDepthCm: number): number[] {
  const { basis, weights } = of(depths, { rootDepthCm, depthWeights: null, emitterDepthCm: null });
  expect(basis).toBe('root_uptake');
  return weights.map((weight) => Number((100 * weight).toFixed(4)));
}

const TO_60 = [10, 20, 30, 40, 50, 60];

describe('weights by root uptake, 40/30/20/10 per quarter of the root zone', () => {
  it.each([
    // Slices of 15, 10, 10, 10, 10 and 5 cm, quarters of 15 cm: 40 | 30 x 2/3 | 30/3 + 20/3 | 20 x
    // 2/3 | 10 x 2/3 | 10/3.
    ['of six sensors', TO_60, 60, [40, 20, 16.6667, 13.3333, 6.6667, 3.3333]],
    ['of sensors partly below the roots', TO_60, 40, [55, 25, 15, 5, 0, 0]],
    ['of three sensors', [10, 30, 60], 80, [40, 35, 25]],
    ['of a sensor below all roots', [10, 20], 5, [100, 0]],
    ['of a single sensor', [30], 60, [100]],
    ['shared at one depth, and 0 without a depth', [10, 10, 30, 60, null], 80, [20, 20, 35, 25, 0]],
  ])('are, %s at %j cm with roots to %d cm, %j %%', (_, depths, rootDepthCm, percent) => {
    expect(uptakePct(depths, rootDepthCm)).toEqual(percent);
  });

  it('equal the uptake of each centimetre, assigned to its nearest sensor', () => {
    const probe = fc.record({
      depths: fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 8 }),
      quarterCm: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(probe, ({ depths, quarterCm }) => {
        const cm = depths.map((depth) => 2 * depth);
        const uptakes = cm.map(() => 0);
        for (let depth = 0; depth < 4 * quarterCm; depth++) {
          const distances = cm.map((each) => Math.abs(each - (depth + 0.5)));
          uptakes[distances.indexOf(Math.min(...distances))]! +=
            [40, 30, 20, 10][Math.floor(depth / quarterCm)]! / quarterCm;
        }
        const { weights } = of(cm, {
          rootDepthCm: 4 * quarterCm,
          depthWeights: null,
          emitterDepthCm: null,
        });
        for (const [index, share] of uptakes.entries())
          expect(100 * weights[index]!).toBeCloseTo(share, 8);
      }),
    );
  });
});

describe('own depth weights', () => {
  it('win over root uptake, as shares of those at sensors', () => {
    expect(
      of([10, 20, 30], {
        rootDepthCm: 60,
        depthWeights: { '10': 3, '20': 1 },
        emitterDepthCm: null,
      }),
    ).toEqual({
      basis: 'depth_weights',
      weights: [0.75, 0.25, 0],
    });
  });

  it('do not count where there is no sensor', () => {
    const { weights } = of([10, 15.5], {
      rootDepthCm: null,
      depthWeights: { '10': 1, '15.5': 1, '90': 8 },
      emitterDepthCm: null,
    });
    expect(weights).toEqual([0.5, 0.5]);
  });

  it('leave out the soil above buried emitters, once roots are deeper', () => {
    const buried = { depthWeights: null, emitterDepthCm: 30 };
    const deep = buildSummaryCurve([10, 30, 60], { ...buried, rootDepthCm: 90 });
    expect(deep.slices[0]).toBeNull();
    expect(deep.slices[1]).toEqual({ topCm: 30, bottomCm: 45 });
    expect(deep.weights[0]).toBe(0);

    const seedlings = buildSummaryCurve([10, 30, 60], { ...buried, rootDepthCm: 25 });
    expect(seedlings.slices[0]).toEqual({ topCm: 0, bottomCm: 20 });
  });

  it('are ignored at depths without any sensor, for root uptake or equal weights', () => {
    expect(
      of([10, 20], { rootDepthCm: 15, depthWeights: { '90': 1 }, emitterDepthCm: null }),
    ).toMatchObject({
      basis: 'root_uptake',
    });
    expect(
      of([10, 20], { rootDepthCm: null, depthWeights: { '90': 1 }, emitterDepthCm: null }),
    ).toEqual({
      basis: 'equal',
      weights: [0.5, 0.5],
    });
  });
});

describe('equal weights', () => {
  it('apply without own weights and roots, also to sensors without a depth', () => {
    expect(of([10, 20, 30, null], NONE)).toEqual({
      basis: 'equal',
      weights: [0.25, 0.25, 0.25, 0.25],
    });
  });

  it('apply to sensors without any depth, with a root depth too', () => {
    expect(of([null], { rootDepthCm: 60, depthWeights: null, emitterDepthCm: null })).toEqual({
      basis: 'equal',
      weights: [1],
    });
  });

  it('are empty without sensors', () => {
    expect(of([], NONE)).toEqual({ basis: 'equal', weights: [] });
  });
});
