import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonJump } from '../../../../src/domain/advice/response/response-of-history.ts';
import type { DepthCurve } from '../../../../src/domain/advice/watering-response.ts';
import type { Period } from '../../../../src/domain/periods.ts';
import { HOUR } from '../../../time.ts';

const HOURS = 72;

/** In % at each hour: 20 before it rises, with less than half a point of noise. */
const curve = (
  depthCm: number,
  riseAtHour: number,
  points: number,
  frozen: readonly Period[] = [],
): DepthCurve => ({
  depthCm,
  slice: null,
  fieldCapacity: null,
  minRise: 1,
  frozen,
  points: Array.from({ length: HOURS }, (_, hour) => ({
    at: hour * HOUR,
    value: 20 + (hour >= riseAtHour ? points : 0) + 0.2 * Math.sin(hour * depthCm),
  })),
});

describe('a rise of all depths at once', () => {
  const hour = fc.integer({ min: 2, max: HOURS - 3 });

  it('is found at its hour, whatever the depths, by the points of the least', () => {
    fc.assert(
      fc.property(hour, fc.integer({ min: 6, max: 20 }), (at, points) => {
        const jump = commonJump([
          curve(10, at, points + 3),
          curve(30, at, points),
          curve(60, at, 30),
        ]);
        expect(jump?.at).toBe(at * HOUR);
        expect(Math.abs(jump!.points - points)).toBeLessThan(0.5);
      }),
    );
  });

  it('is none where the water comes down from depth to depth', () => {
    fc.assert(
      fc.property(hour, fc.integer({ min: 3, max: 12 }), (at, delay) => {
        expect(commonJump([curve(10, at, 12), curve(50, at + delay, 12)])).toBeNull();
      }),
    );
  });

  it('is none where a depth stays as it was, or all have fallen back', () => {
    expect(commonJump([curve(10, 40, 12), curve(30, 40, 12), curve(60, 40, 3)])).toBeNull();
    const fellBack = [10, 60].map((depthCm) => {
      const { points, ...rest } = curve(depthCm, 40, 12);
      return {
        ...rest,
        points: points.map(({ at, value }) => ({ at, value: at > 50 * HOUR ? 20 : value })),
      };
    });
    expect(commonJump(fellBack)).toBeNull();
  });

  it('is none between depths that lie together, of one depth, or in thawing soil', () => {
    expect(commonJump([curve(10, 40, 12), curve(30, 40, 12)])).toBeNull();
    expect(commonJump([curve(10, 40, 12)])).toBeNull();
    expect(commonJump([])).toBeNull();
    const thaw = [{ start: 30 * HOUR, end: 45 * HOUR }];
    expect(commonJump([curve(10, 40, 12, thaw), curve(60, 40, 12)])).toBeNull();
  });
});
