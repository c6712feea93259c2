import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  driftingSince,
  MAX_NOISE_POINTS,
  maxDailyFall,
  noisePoints,
  type SensorHours,
  sinceReaching,
  suddenFall,
} from '../../../src/domain/moisture/sensor-faults.ts';
import type { TimedValue } from '../../../src/domain/moisture/series.ts';
import { propertyRuns } from '../../property-runs.ts';
import { DAY, HOUR } from '../../time.ts';

const HOURS = 14 * 24;

const hourly = (valueAt: (hour: number) => number): TimedValue[] =>
  Array.from({ length: HOURS }, (_, hour) => ({ at: hour * HOUR, value: valueAt(hour) }));

const sensor = (valueAt: (hour: number) => number, temperature?: (hour: number) => number) => ({
  points: hourly(valueAt),
  soilTemperature: temperature === undefined ? [] : hourly(temperature),
});

/** Dries exponentially, with a daily swing. */
const drying = (hour: number): number =>
  14 + 12 * Math.exp(-hour / (12 * 24)) + 0.2 * Math.sin((2 * Math.PI * hour) / 24);

const MAX_PER_DAY = 4;
const fallOf = (hours: SensorHours, maxPerDay: number) =>
  suddenFall(hours, hours.points.at(-1)!.value, maxPerDay);
const steppingBy = (start: number, change: number) => (hour: number) =>
  drying(hour) + (hour >= start ? change : 0);

describe('a sudden fall', () => {
  it('is one by 5 points within two hours, from what the sensor read before', () => {
    expect(fallOf(sensor(steppingBy(200, -5.5)), MAX_PER_DAY)).toEqual({
      from: expect.closeTo(drying(199), 0),
      since: expect.closeTo(200 * HOUR, -7),
    });
  });

  it('is one by more points in a day than a crop can take', () => {
    const losing = sensor((hour) => 30 - (hour * 5) / 24 / 2);
    expect(fallOf(losing, MAX_PER_DAY)).toBeNull();
    expect(
      fallOf(
        sensor((hour) => 80 - (hour * 5) / 24),
        MAX_PER_DAY,
      ),
    ).not.toBeNull();
  });

  it('is none where the soil dries, or a shallow sensor drains after water', () => {
    expect(fallOf(sensor(drying), MAX_PER_DAY)).toBeNull();
    const drained = (hour: number) =>
      drying(hour) + (hour < 150 ? 0 : 14 * Math.exp(-(hour - 150) / 5));
    expect(fallOf(sensor(drained), MAX_PER_DAY)).toBeNull();
  });

  it('is none in the first two days, when it may drain from water before them', () => {
    const drained = (hour: number) => drying(hour) + 14 * Math.exp(-(hour + 12) / 12);
    expect(fallOf(sensor(drained), MAX_PER_DAY)).toBeNull();
    const { points } = sensor(drained);
    const hours = { points, soilTemperature: [] };
    expect(suddenFall(hours, points.at(-1)!.value, MAX_PER_DAY, 0)).not.toBeNull();
  });

  it('is one below what the sensor read before the water', () => {
    const fallen = (hour: number) =>
      drying(hour) + (hour < 150 ? 0 : 6 * Math.exp(-(hour - 150) / 30)) - (hour < 170 ? 0 : 12);
    expect(fallOf(sensor(fallen), MAX_PER_DAY)).not.toBeNull();
  });

  it('is none while the soil freezes', () => {
    const freezing = steppingBy(200, -8);
    expect(
      fallOf(
        sensor(freezing, () => 8),
        MAX_PER_DAY,
      ),
    ).not.toBeNull();
    const cold = (hour: number) => (hour >= 198 ? 0.5 : 3);
    expect(fallOf(sensor(freezing, cold), MAX_PER_DAY)).toBeNull();
  });

  it('is over once the sensor has regained half of it', () => {
    const regained = (hour: number) => drying(hour) - (hour >= 200 && hour < 230 ? 8 : 0);
    expect(fallOf(sensor(regained), MAX_PER_DAY)).toBeNull();
  });

  it('is found at any height and hour, and not where it is small', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 50, max: HOURS - 3 }),
        fc.double({ min: 5.5, max: 14, noNaN: true }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        (hour, large, small) => {
          expect(fallOf(sensor(steppingBy(hour, -large)), MAX_PER_DAY)).not.toBeNull();
          expect(fallOf(sensor(steppingBy(hour, -small)), MAX_PER_DAY)).toBeNull();
        },
      ),
      { numRuns: propertyRuns(30) },
    );
  });
});

describe('what a slice may lose in a day', () => {
  const most = (share: number, thicknessMm: number, fractionWetted: number, etc: number | null) =>
    maxDailyFall(share, thicknessMm, { fractionWetted, largestEtcMm: etc });

  it('is twice what a crop takes from it, at 8 mm a day where that is unknown, and at least 4 points', () => {
    // 2 x 8 mm x 0.4 / 0.35 from 150 mm of soil.
    expect(most(0.4, 150, 0.35, null)).toBeCloseTo(12.19, 2);
    expect(most(0.4, 150, 0.35, 4)).toBeCloseTo(6.1, 2);
    expect(most(0.4, 150, 1, null)).toBeCloseTo(4.27, 2);
    expect(most(0.1, 200, 1, 12)).toBe(4);
    expect(most(0, 0, 0.35, null)).toBe(4);
  });
});

describe('the noise of a sensor', () => {
  it('is above the limit where values stray by 4 points', () => {
    const straying = hourly((hour) => drying(hour) + 4 * Math.sin(hour * hour));
    expect(noisePoints(straying)).toBeGreaterThan(MAX_NOISE_POINTS);
  });

  it('is below it for a healthy sensor, and for one that flickers between whole points', () => {
    expect(noisePoints(hourly(drying))).toBeLessThan(0.05);
    const flickering = hourly((hour) => Math.round(drying(hour) + 0.4 * Math.sin(hour * hour)));
    expect(noisePoints(flickering)).toBeLessThan(MAX_NOISE_POINTS);
  });

  it('is unknown of a sensor that reports once in six hours', () => {
    expect(noisePoints(hourly(drying).filter((_, hour) => hour % 6 === 0))).toBeNull();
  });
});

describe('a drift', () => {
  const THICKNESS_MM = 200;
  const profile = (...courses: ((hour: number) => number)[]) =>
    courses.map((course, place) => ({
      depthCm: 10 + 20 * place,
      thicknessMm: THICKNESS_MM,
      fieldCapacity: 28,
      hours: sensor(course),
    }));
  const rising = (hour: number): number => 20 + hour / 60;

  it('is a gain that drains from no other depth, since the profile settled', () => {
    const [top, middle, deepest] = driftingSince(profile(drying, rising, drying), []);
    expect([top, deepest]).toEqual([null, null]);
    expect(middle!.from).toBeCloseTo(20, 0);
    expect(middle!.since).toBe(0);
  });

  it('is none where the depth above drains into it, or the deepest is fed from below', () => {
    const draining = (hour: number): number => 34 - hour / 40;
    const still = (): number => 18;
    expect(driftingSince(profile(draining, rising, still), [])).toEqual([null, null, null]);
    expect(driftingSince(profile(still, still, rising), [])).toEqual([null, null, null]);
  });

  it('is none within a week of water or frost', () => {
    const watered = (hour: number): number => 18 + (hour >= 300 ? 6 : 0);
    const still = (): number => 18;
    expect(driftingSince(profile(watered, rising, still), [])).toEqual([null, null, null]);
  });

  it('is none where as much water was given, or an unknown amount', () => {
    const still = (): number => 18;
    const depths = profile(still, rising, still);
    const driftsAfter = (hour: number, wettedMm: number | null) =>
      driftingSince(depths, [{ startedAt: hour * HOUR, wettedMm }]).map((drift) => !!drift);
    // The middle depth gains some 5 points of 200 mm, which is 10 mm.
    expect(driftsAfter(100, 5)).toEqual([false, true, false]);
    expect(driftsAfter(100, 15)).toEqual([false, false, false]);
    expect(driftsAfter(100, null)).toEqual([false, false, false]);
    // Its water came to rest before.
    expect(driftsAfter(-60, 15)).toEqual([false, true, false]);
  });

  it('is none of soil that dries at every depth', () => {
    expect(driftingSince(profile(drying, drying, drying), [])).toEqual([null, null, null]);
  });
});

describe('the past since a sensor was so wet', () => {
  it('begins with the last value that was, and is unknown where none was', () => {
    const points = hourly((hour) => 30 - hour / 24);
    expect(sinceReaching(points, 25)![0]).toEqual({ at: 5 * DAY, value: 25 });
    expect(sinceReaching(points, 31)).toBeNull();
  });
});
