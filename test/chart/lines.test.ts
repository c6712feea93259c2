import { describe, expect, it } from 'vitest';
import { splitAtGaps, usualStepMs } from '../../src/chart/lines.ts';
import type { CurvePoint } from '../../src/chart/moisture-chart.ts';
import { MINUTE } from '../time.ts';

const points = (...pairs: [minute: number, value: number | null][]): CurvePoint[] =>
  pairs.map(([minute, value]) => ({ at: minute * MINUTE, value }));
const segmentsOf = (curve: CurvePoint[], stepMinutes: number | null = 15) =>
  splitAtGaps(curve, stepMinutes === null ? null : stepMinutes * MINUTE).map((segment) =>
    segment.map(({ at }) => at / MINUTE),
  );

describe('segments of a curve', () => {
  it('continue over up to two and a half steps', () => {
    expect(segmentsOf(points([0, 1], [15, 1], [52, 1]))).toEqual([[0, 15, 52]]);
    expect(segmentsOf(points([0, 1], [15, 1], [53, 1]))).toEqual([[0, 15], [53]]);
  });

  it('break at an instant without a value', () => {
    expect(segmentsOf(points([0, 1], [15, null], [30, 1]))).toEqual([[0], [30]]);
  });

  it('do not break at instants of another sensor that sends seconds later', () => {
    expect(segmentsOf(points([0, 1], [0.1, null], [15, 1], [15.1, null], [30, 1]))).toEqual([
      [0, 15, 30],
    ]);
  });

  it('start and end with a value', () => {
    expect(segmentsOf(points([0, null], [15, 1], [30, 1], [45, null]))).toEqual([[15, 30]]);
    expect(segmentsOf(points([0, null]))).toEqual([]);
  });

  it('do not break if the step is unknown', () => {
    expect(segmentsOf(points([0, 1], [600, 1]), null)).toEqual([[0, 600]]);
  });
});

it('derives the usual step from instants with a value', () => {
  expect(usualStepMs(points([0, 1], [5, null], [15, 1], [20, null], [30, 1]))).toBe(15 * MINUTE);
  expect(usualStepMs(points([0, 1], [5, null]))).toBeNull();
});
