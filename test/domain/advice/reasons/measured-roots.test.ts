import { describe, expect, it } from 'vitest';
import { areRootsUnmeasured } from '../../../../src/domain/advice/reasons/probe-reasons.ts';
import { slicesOf } from '../../../../src/domain/soil/slices.ts';

const areUnmeasured = (rootDepthCm: number | null, ...depthsCm: number[]): boolean => {
  const slices = slicesOf(depthsCm, rootDepthCm);
  const depths = depthsCm.map((depthCm, index) => ({ depthCm, slice: slices[index] ?? null }));
  return areRootsUnmeasured({ depths, rootDepthCm });
};

describe('roots that no sensor measures', () => {
  it('end more than 10 cm above the uppermost sensor', () => {
    expect([areUnmeasured(30, 40, 60), areUnmeasured(30, 41, 60)]).toEqual([false, true]);
  });

  it('reach more than three times as deep as a sensor in the uppermost 10 cm', () => {
    expect([areUnmeasured(30, 5, 10), areUnmeasured(31, 5, 10)]).toEqual([false, true]);
    expect(areUnmeasured(100, 5, 11)).toBe(false);
  });

  it('are not known to be so without a root depth', () => {
    expect(areUnmeasured(null, 5, 8)).toBe(false);
  });
});
