import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suspectTensions, type TensionHours } from '../../../src/domain/facts/suspect-tension.ts';
import { DAY_MS, HOUR_MS } from '../../../src/domain/periods.ts';

const HOURS = 14 * 24;
const at = (index: number): number => index * HOUR_MS;

const sensor = (
  depthCm: number,
  valueAt: (hour: number) => number,
  celsiusAt?: (hour: number) => number,
): TensionHours => {
  const points = (value: (hour: number) => number) =>
    Array.from({ length: HOURS }, (_, hour) => ({ at: at(hour), value: value(hour) }));
  return {
    depthCm,
    points: points(valueAt),
    soilTemperature: celsiusAt === undefined ? [] : points(celsiusAt),
  };
};

const WATERED_AT = HOURS - 40;
const falling = (hour: number): number => (hour < WATERED_AT ? 70 : 5);
const reasonsOf = (...sensors: TensionHours[]): string[] =>
  suspectTensions(sensors).map(({ reason, depthCm }) => `${reason} at ${depthCm}`);

describe('the values of a tension sensor', () => {
  it('are in doubt once they have stood at 0 kPa for five days, not at 2 kPa', () => {
    const since = (days: number, value: number) =>
      sensor(30, (hour) => (hour < HOURS - 24 * days - 1 ? 12 : value));
    expect(reasonsOf(since(5, 0))).toEqual(['TENSION_AT_ZERO at 30']);
    expect(reasonsOf(since(4, 0))).toEqual([]);
    expect(reasonsOf(since(13, 2))).toEqual([]);
    expect(suspectTensions([since(6, 0)])).toEqual([
      { reason: 'TENSION_AT_ZERO', depthCm: 30, value: 0, from: null, since: at(HOURS - 145) },
    ]);
  });

  it.each([199, 239])('are in doubt while they stand at %d kPa, their highest', (limit) => {
    const clipped = sensor(30, (hour) => Math.min(limit, 20 + hour));
    expect(reasonsOf(clipped)).toEqual(['TENSION_AT_LIMIT at 30']);
    // A potential is the negative tension.
    expect(reasonsOf(sensor(30, (hour) => -Math.min(limit, 20 + hour)))).toEqual([
      'TENSION_AT_LIMIT at 30',
    ]);
  });

  it('are not in doubt where soil dries, below the limits of sensors or beyond', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 2, max: 60, noNaN: true }),
        fc.double({ min: 0.02, max: 1, noNaN: true }),
        (start, perHour) => {
          expect(reasonsOf(sensor(30, (hour) => start + perHour * hour))).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
    expect(reasonsOf(sensor(30, () => 180))).toEqual([]);
  });

  it('are in doubt after a fall from above 60 to below 10 kPa, while they stay there', () => {
    expect(suspectTensions([sensor(30, falling)])).toEqual([
      { reason: 'TENSION_FELL', depthCm: 30, value: 5, from: 70, since: at(WATERED_AT) },
    ]);
    const dryingAgain = (hour: number): number => falling(hour) + (hour < HOURS - 3 ? 0 : 6);
    expect(reasonsOf(sensor(30, dryingAgain))).toEqual([]);
    expect(reasonsOf(sensor(30, (hour) => (hour < WATERED_AT ? 58 : 5)))).toEqual([]);
    expect(reasonsOf(sensor(30, (hour) => (hour < WATERED_AT ? 70 : 12)))).toEqual([]);
  });

  it('are not in doubt after a fall of another depth by a fifth, or a thaw', () => {
    const other = (share: number) =>
      sensor(60, (hour) => 50 * (hour < WATERED_AT + 5 ? 1 : 1 - share));
    expect(reasonsOf(sensor(30, falling), other(0.2))).toEqual([]);
    expect(reasonsOf(sensor(30, falling), other(0.19))).toEqual(['TENSION_FELL at 30']);
    const thawing = (hour: number): number => (hour < WATERED_AT - 10 ? 0 : 3);
    expect(reasonsOf(sensor(30, falling, thawing))).toEqual([]);
  });

  it('are judged by their own course, whenever the readings begin', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), (days) => {
        const later = [sensor(30, falling)].map((hours) => ({
          ...hours,
          points: hours.points.map((point) => ({ ...point, at: point.at + days * DAY_MS })),
        }));
        expect(suspectTensions(later)).toMatchObject([{ since: at(WATERED_AT) + days * DAY_MS }]);
      }),
      { numRuns: 10 },
    );
  });

  it('are not in doubt without readings', () => {
    expect(suspectTensions([{ depthCm: 30, points: [], soilTemperature: [] }])).toEqual([]);
  });
});
