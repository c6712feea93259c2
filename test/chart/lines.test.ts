import { describe, expect, it } from 'vitest';
import { splitAtGaps, usualStepMs } from '../../src/chart/lines.ts';
import type { CurvePoint } from '../../src/chart/moisture-chart.ts';

const MINUTE = 60_000;
const points = (...pairs: [minute: number, value: number | null][]): CurvePoint[] =>
  pairs.map(([minute, value]) => ({ at: minute * MINUTE, value }));
const drawn = (given: CurvePoint[], stepMinutes: number | null = 15) =>
  splitAtGaps(given, stepMinutes === null ? null : stepMinutes * MINUTE).map((segment) =>
    segment.map(({ at }) => at / MINUTE),
  );

describe('the runs of a curve', () => {
  it('are one while no more than two and a half steps are missing', () => {
    expect(drawn(points([0, 1], [15, 1], [52, 1]))).toEqual([[0, 15, 52]]);
    expect(drawn(points([0, 1], [15, 1], [53, 1]))).toEqual([[0, 15], [53]]);
  });

  it('break where an instant has no value', () => {
    expect(drawn(points([0, 1], [15, null], [30, 1]))).toEqual([[0], [30]]);
  });

  it('do not break at the instants of another sensor that sends seconds later', () => {
    expect(drawn(points([0, 1], [0.1, null], [15, 1], [15.1, null], [30, 1]))).toEqual([[0, 15, 30]]);
  });

  it('begin and end with a value', () => {
    expect(drawn(points([0, null], [15, 1], [30, 1], [45, null]))).toEqual([[15, 30]]);
    expect(drawn(points([0, null]))).toEqual([]);
  });

  it('are one where nothing tells the step', () => {
    expect(drawn(points([0, 1], [600, 1]), null)).toEqual([[0, 600]]);
  });
});

it('takes the step of the values alone', () => {
  expect(usualStepMs(points([0, 1], [5, null], [15, 1], [20, null], [30, 1]))).toBe(15 * MINUTE);
  expect(usualStepMs(points([0, 1], [5, null]))).toBeNull();
});
