import { describe, expect, it } from 'vitest';
import {
  areRootsUnmeasured,
  unmeasuredRoots,
} from '../../../../src/domain/advice/reasons/probe-reasons.ts';
import { slicesOf } from '../../../../src/domain/soil/slices.ts';

const rootZone = (rootDepthCm: number | null, depthsCm: readonly number[]) => {
  const slices = slicesOf(depthsCm, rootDepthCm);
  const depths = depthsCm.map((depthCm, index) => ({ depthCm, slice: slices[index] ?? null }));
  return { depths, rootDepthCm };
};
const areUnmeasured = (rootDepthCm: number | null, ...depthsCm: number[]): boolean =>
  areRootsUnmeasured(rootZone(rootDepthCm, depthsCm));

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

describe('roots of which the sensors measure the upper part', () => {
  const measuredTo = (rootDepthCm: number | null, ...depthsCm: number[]): number | null =>
    unmeasuredRoots(rootZone(rootDepthCm, depthsCm))?.measuredToCm ?? null;

  // The upper quarter takes up 40 %, the next one 30 %: half of the uptake is above a third.
  it('take up more than half of their water from below the last slice', () => {
    expect([measuredTo(75, 10, 20), measuredTo(76, 10, 20), measuredTo(100, 10, 20)]).toEqual([
      null,
      25,
      25,
    ]);
    expect(measuredTo(100, 20, 40)).toBeNull();
  });

  it('are measured by a single sensor down to itself', () =>
    expect([measuredTo(60, 20), measuredTo(61, 20)]).toEqual([null, 20]));

  it('have no unmeasured part without a root depth', () =>
    expect(measuredTo(null, 5, 8)).toBeNull());
});
