import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../demo/farm/random.ts';
import { findUnloggedWettingEvents } from '../../../src/domain/advice/unlogged-wetting-events.ts';
import {
  type DepthCurve,
  depthRisePoints,
  isImplausibleGain,
  wateringResponse,
} from '../../../src/domain/advice/watering-response.ts';
import { minRiseHeight } from '../../../src/domain/moisture/wetting-events.ts';
import { DAY, HOUR, MINUTE } from '../../time.ts';

/**
 * Hourly curve of a slice of 20 cm, ten days long, that jumps by some points at some hours and
 * stays there.
 */
function curve(
  depthCm: number,
  jumps: readonly (readonly [hour: number, points: number])[] = [],
): DepthCurve {
  const points = Array.from({ length: 240 }, (_, hour) => ({
    at: hour * HOUR,
    value: jumps.reduce(
      (sum, [from, height]) => sum + (hour >= from ? height : 0),
      20 - hour / 1000,
    ),
  }));
  const slice = { topCm: depthCm - 10, bottomCm: depthCm + 10 };
  return { depthCm, slice, fieldCapacity: 0.3, points, frozen: [], minRise: minRiseHeight(points) };
}

const seen = { previousEnd: null, nextAt: null, now: 10 * DAY, rootDepthCm: null };
const WATERING = { start: 100 * HOUR, end: 102 * HOUR };

describe('the response to a watering', () => {
  it('counts the water at each depth once while it goes down', () => {
    // 4 points of 200 mm at the surface; a day later they are gone from there, and 3 points have
    // come to the next slice.
    const curves = [
      curve(10, [
        [101, 4],
        [125, -4],
      ]),
      curve(30, [[125, 3]]),
    ];
    expect(wateringResponse(curves, WATERING, seen)).toMatchObject({
      response: 'reached',
      deepestCm: 30,
    });
    expect(wateringResponse(curves, WATERING, seen).riseMm).toBeCloseTo(8, 1);
  });

  it('is absent when the first rise comes more than a day after its end', () => {
    expect(wateringResponse([curve(10, [[128, 4]])], WATERING, seen).response).toBe('no_response');
  });

  it('lasts until the next watering, whose rise is its own', () => {
    const answer = wateringResponse([curve(10, [[110, 4]])], WATERING, {
      ...seen,
      nextAt: 109 * HOUR,
    });
    expect(answer.response).toBe('no_response');
  });

  it('starts from the value just before it, also when the curve already rises', () => {
    const [depth] = wateringResponse(
      [
        curve(10, [
          [99, 2],
          [101, 3],
        ]),
      ],
      WATERING,
      seen,
    ).depths;
    expect(depthRisePoints(depth!)).toBeCloseTo(3, 1);
  });

  it('shows in the very hour of its start, whatever the minute', () => {
    const property = fc.property(fc.integer({ min: 0, max: 59 }), (minute) => {
      const watering = { start: WATERING.start + minute * MINUTE, end: WATERING.end };
      const answer = wateringResponse([curve(10, [[100, 4]])], watering, seen);
      expect(answer).toMatchObject({ response: 'reached', isSoilFull: false });
      expect(answer.riseMm).toBeCloseTo(8, 1);
    });
    fc.assert(property, { numRuns: 20 });
  });

  it('starts from a mean that ended before it, however long the means are', () => {
    const quarters = (rise: number): DepthCurve => {
      const points = Array.from({ length: 480 }, (_, quarter) => ({
        at: quarter * 15 * MINUTE,
        value: quarter < rise ? 20 : 24,
      }));
      return { ...curve(10), points, spanMs: 15 * MINUTE };
    };
    const responseFrom = (start: number) =>
      [399, 400].map(
        (rise) => wateringResponse([quarters(rise)], { ...WATERING, start }, seen).response,
      );
    expect(responseFrom(100 * HOUR)).toEqual(['no_response', 'reached']);
    expect(responseFrom(100 * HOUR - 1)).toEqual(['reached', 'reached']);
  });

  it.each([
    ['a deeper sensor rises alone', [], {}, true],
    ['the uppermost one rises two hours later', [[106, 4]], {}, true],
    ['it rises an hour later, at its next reading', [[105, 4]], {}, false],
    ['it rises first', [[102, 4]], {}, false],
    ['it was full', [[80, 8.5]], {}, false],
    ['it lies below the roots', [], { rootDepthCm: 5 }, false],
    ['water of the day before still arrives', [], { previousEnd: 77 * HOUR }, false],
    ['the watering before is a day ago', [], { previousEnd: 76 * HOUR }, true],
  ] as const)('runs past the uppermost sensor: %s', (_, jumps, context, expected) => {
    const curves = [curve(10, jumps), curve(30, [[104, 4]])];
    const { isDeeperFirst } = wateringResponse(curves, WATERING, { ...seen, ...context });
    expect(isDeeperFirst).toBe(expected);
  });

  it('is not below the roots while the deepest slice keeps the water', () => {
    const risen = (points: number) =>
      wateringResponse([curve(10, [[101, 5]]), curve(30, [[103, points]])], WATERING, seen);
    expect(risen(9).response).toBe('reached');
    expect(risen(11).response).toBe('below_roots');
  });

  // Soil drains only above field capacity: FAO-56, chapter 8, equation 88 (deep percolation).
  it('is below the roots at the root depth exactly if the moisture there exceeds field capacity', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.6, max: 25, noNaN: true }),
        fc.boolean(),
        (points, hasDeeperSensor) => {
          const curves = [
            curve(10, [[101, 5]]),
            curve(30, [[103, points]]),
            ...(hasDeeperSensor ? [curve(50)] : []),
          ];
          const { response } = wateringResponse(curves, WATERING, { ...seen, rootDepthCm: 30 });
          // 20 % less 0.1 until hour 103; field capacity is 30 %.
          expect(response).toBe(20 - 0.103 + points > 30 ? 'below_roots' : 'reached');
        },
      ),
    );
  });

  it('is not below the roots at the root depth where no field capacity is known', () => {
    const curves = [curve(10, [[101, 5]]), { ...curve(30, [[103, 20]]), fieldCapacity: null }];
    expect(wateringResponse(curves, WATERING, { ...seen, rootDepthCm: 30 }).response).toBe(
      'reached',
    );
  });

  it('is not below the roots by a sensor that tells nothing of their end', () => {
    const curves = [10, 20].map((depthCm) => curve(depthCm, [[101, 15]]));
    const at = (rootDepthCm: number) =>
      wateringResponse(
        curves.map((each, index) => ({
          ...each,
          slice: index === 0 ? { topCm: 0, bottomCm: 15 } : { topCm: 15, bottomCm: rootDepthCm },
        })),
        WATERING,
        { ...seen, rootDepthCm },
      ).response;
    expect(at(100)).toBe('reached');
    expect(at(26)).toBe('reached');
    expect(at(25)).toBe('below_roots');
  });

  it('is below the roots at any rise of a sensor below the root depth', () => {
    const curves = [curve(10, [[101, 5]]), curve(30, [[103, 1]])];
    expect(wateringResponse(curves, WATERING, { ...seen, rootDepthCm: 29 }).response).toBe(
      'below_roots',
    );
  });
});

it('is an implausible gain from 1.3 times the dose on', () => {
  const MM = fc.double({ min: 0.1, max: 200, noNaN: true });
  fc.assert(
    fc.property(MM, fc.double({ min: 0, max: 3, noNaN: true }), (doseMm, ratio) => {
      fc.pre(Math.abs(ratio - 1.3) > 1e-9);
      expect(isImplausibleGain(ratio * doseMm, doseMm)).toBe(ratio > 1.3);
      expect(isImplausibleGain(null, doseMm) || isImplausibleGain(ratio * doseMm, null)).toBe(
        false,
      );
    }),
  );
});

describe('an unlogged rise', () => {
  it('groups the depths that the same water reached within a day', () => {
    const curves = [
      curve(10, [
        [50, 4],
        [150, 4],
      ]),
      curve(30, [
        [60, 2],
        [155, 2],
      ]),
    ];
    expect(
      findUnloggedWettingEvents(curves, []).map(({ start, depthsCm }) => [start / HOUR, depthsCm]),
    ).toEqual([
      [50, [10, 30]],
      [150, [10, 30]],
    ]);
  });

  it('is not a rise of one deeper depth alone', () => {
    expect(findUnloggedWettingEvents([curve(10), curve(30), curve(50, [[60, 2]])], [])).toEqual([]);
    expect(findUnloggedWettingEvents([curve(50, [[60, 2]])], [])).toHaveLength(1);
  });

  it('are none of the extremes of noise, but each rise that stands out of it', () => {
    const random = seededRandom(7);
    const noisy = (rise: number): DepthCurve => {
      const points = curve(10).points.map(({ at }, hour) => ({
        at,
        value: 20 + 0.2 * random.normal() + (hour < 120 ? 0 : rise),
      }));
      return { ...curve(10), points, minRise: minRiseHeight(points) };
    };
    const countOf = (rise: number) =>
      Array.from({ length: 50 }).map(() => findUnloggedWettingEvents([noisy(rise)], []).length);
    expect(countOf(0).filter((count) => count > 0)).toEqual([]);
    expect(countOf(1.5).filter((count) => count !== 1)).toEqual([]);
  });

  it('is not one during a watering, or in response to it', () => {
    const curves = [curve(10, [[101, 4]]), curve(30, [[120, 2]])];
    const wettingEvents = wateringResponse(curves, WATERING, seen).depths.map(({ event }) => event);
    expect(findUnloggedWettingEvents(curves, [{ ...WATERING, wettingEvents }])).toEqual([]);
    expect(
      findUnloggedWettingEvents(curves, [
        { start: 10 * HOUR, end: 11 * HOUR, wettingEvents: [null, null] },
      ]),
    ).toHaveLength(1);
  });
});

it('is never negative, infinite or before the watering, for any curves', () => {
  const CURVE = fc
    .uniqueArray(
      fc.record({ hour: fc.nat({ max: 240 }), value: fc.double({ min: 0, max: 60, noNaN: true }) }),
      {
        selector: ({ hour }) => hour,
        maxLength: 60,
      },
    )
    .map((readings) =>
      readings.map(({ hour, value }) => ({ at: hour * HOUR, value })).sort((a, b) => a.at - b.at),
    );
  fc.assert(
    fc.property(
      fc.array(CURVE, { maxLength: 4 }),
      fc.nat({ max: 240 }),
      fc.nat({ max: 50 }),
      (lists, start, hours) => {
        const curves = lists.map((points, index) => ({
          ...curve(10 + 20 * index),
          points,
          least: minRiseHeight(points),
        }));
        const watering = { start: start * HOUR, end: (start + hours) * HOUR };
        const { depths, riseMm } = wateringResponse(curves, watering, seen);
        for (const { event } of depths)
          if (event) expect(event.startAt).toBeGreaterThan(watering.start);
        const explained = { ...watering, wettingEvents: depths.map(({ event }) => event) };
        for (const mm of [
          riseMm,
          ...findUnloggedWettingEvents(curves, [explained]).map((rise) => rise.riseMm),
        ]) {
          if (mm === null) continue;
          expect(mm).toBeGreaterThanOrEqual(0);
          expect(Number.isFinite(mm)).toBe(true);
        }
      },
    ),
  );
});
