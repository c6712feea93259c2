import { describe, expect, it } from 'vitest';
import {
  buildSummaryCurve,
  type SummaryCurve,
  saturationShares,
  soilWaterMm,
  weightedMeans,
} from '../../../src/domain/moisture/summary-curve.ts';

const NONE = { rootDepthCm: null, depthWeights: null };
const row = (...values: (number | null)[]): number[][] => values.map((value) => [value ?? Number.NaN]);
const ONLY = { from: 0, to: 1 };
const weightedMean = (curve: SummaryCurve, means: number[][]): number => weightedMeans(curve, means, ONLY)[0]!;
const storageMm = (curve: SummaryCurve, means: number[][]): number => soilWaterMm(curve, means, ONLY)[0]!;

describe('the weighted mean', () => {
  // 40, 35 and 25 %.
  const curve = buildSummaryCurve([10, 30, 60], { rootDepthCm: 80, depthWeights: null });

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
    const curve = buildSummaryCurve([10, 30], { rootDepthCm: null, depthWeights: { '10': 1 } });
    expect(weightedMean(curve, row(null, 30))).toBeNaN();
    expect(storageMm(curve, row(null, 30))).toBeCloseTo(0.3 * 400, 9);
  });

  it('is null with a single sensor, unless a root zone is declared', () => {
    expect(storageMm(buildSummaryCurve([30], NONE), row(25))).toBeNaN();
    expect(storageMm(buildSummaryCurve([30], { rootDepthCm: 60, depthWeights: null }), row(25))).toBeCloseTo(150, 9);
  });

  it('counts the slice of two sensors at one depth once', () => {
    const curve = buildSummaryCurve([10, 10, 30], NONE);
    expect(storageMm(curve, row(20, 30, 40))).toBeCloseTo(200 * 0.25 + 200 * 0.4, 9);
  });
});
