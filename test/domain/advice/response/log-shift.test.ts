import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areHoursWrong, judgedFrom } from '../../../../src/domain/advice/response/early-rises.ts';
import { NO_RESPONSE_FACTS } from '../../../../src/domain/facts/response-facts.ts';
import { DAY, HOUR, MINUTE } from '../../../time.ts';
import { curve, HOURS, judge, watered } from './jumping-soil.ts';

/** The log of these waterings, later by some hours, as far as it lies in the readings. */
const loggedLater = (hours: readonly number[], lateHours: number) =>
  watered(hours.map((hour) => hour + lateHours).filter((hour) => hour >= 2 && hour < HOURS));

/** The starts of waterings at the same distance. */
const everyHours = (first: number, cycleHours: number): number[] =>
  Array.from({ length: 6 }, (_, row) => first + row * cycleHours).filter(
    (hour) => hour < HOURS - 8,
  );

const cycles = fc.record({
  first: fc.integer({ min: 2, max: 60 }),
  cycleHours: fc.integer({ min: 60, max: 150 }),
  // The soil is too wet for a doubt, or dry enough for it.
  from: fc.constantFrom(2, 22),
});

describe('hours of the log', () => {
  const starts = [60, 140, 220];
  const seenEarlyBy = (hours: readonly number[]) => {
    const rises = starts.map((start, index) => start - (hours[index] ?? 0));
    const { early } = judge([curve(10, rises, 5)], watered(starts));
    return early !== undefined && areHoursWrong(early) ? early : null;
  };

  it('are wrong where three waterings were seen by like hours before their start', () => {
    expect(seenEarlyBy([9, 10, 9])).toMatchObject({
      hours: 9,
      startedAt: starts.map((start) => start * HOUR).reverse(),
    });
    expect(seenEarlyBy([17, 17, 17])).toMatchObject({ hours: 17 });
  });

  it('are not where these differ, where one was seen after it, or of two waterings', () => {
    expect(seenEarlyBy([4, 9, 9])).toBeNull();
    expect(seenEarlyBy([9, 9, -3])).toBeNull();
    const ofTwo = judge([curve(10, [51, 131], 5)], watered([60, 140])).early;
    expect(ofTwo && areHoursWrong(ofTwo)).toBe(false);
  });

  it('are right where a clock differs by an hour', () => {
    expect(seenEarlyBy([1, 1, 1])).toBeNull();
    expect(judge([curve(10, [59, 139, 219], 5)], watered(starts))).toEqual(NO_RESPONSE_FACTS);
  });

  it('are wrong rather than its days, and no water is missing, whatever the cycle', () => {
    const property = fc.property(
      cycles,
      fc.integer({ min: 24, max: 59 }),
      fc.boolean(),
      fc.integer({ min: -46, max: 35 }),
      ({ first, cycleHours: seldom, from }, often, isFrequent, lateHalfHours) => {
        const cycleHours = isFrequent ? often : seldom;
        const hours = everyHours(first, cycleHours);
        const done = loggedLater(hours, lateHalfHours / 2);
        const { logShift, unseen, early } = judge([curve(10, hours, from)], done);
        expect({ logShift, unseen }).toEqual({ logShift: null, unseen: null });
        // The mean of an hour stands at its beginning, up to half an hour before.
        if (early) expect(Math.abs(early.hours - lateHalfHours / 2)).toBeLessThanOrEqual(1);
        if (lateHalfHours > 4 && done.length > 2 && !isFrequent)
          expect(early?.startedAt.length).toBe(done.length);
        if (lateHalfHours < 0) expect(early).toBeUndefined();
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('are wrong although the water reaches a deeper sensor after the logged start', () => {
    const below = curve(
      30,
      starts.map((hour) => hour + 2),
    );
    const rises = (hours: number) =>
      curve(
        10,
        starts.map((hour) => hour + hours),
        5,
      );
    expect(judge([rises(-4), below], watered(starts)).early).toMatchObject({ hours: 4 });
    expect(judge([rises(1), below], watered(starts)).early).toBeUndefined();
  });

  it('are judged from the third newest of the waterings that are large enough to show', () => {
    const hours = [10, 200, 400, 600];
    expect(judgedFrom(watered(hours), 'UTC')).toBe(200 * HOUR);
    expect(judgedFrom([...watered(hours), ...watered([700], 2)], 'UTC')).toBe(200 * HOUR);
    expect(judgedFrom(watered(hours.slice(2)), 'UTC')).toBeNull();
  });

  it('are wrong although the newest watering did not arrive', () => {
    const hours = [20, 116, 212, 308];
    const { logShift, early } = judge([curve(10, hours.slice(0, 3), 5)], loggedLater(hours, 3.5));
    expect(logShift).toBeNull();
    expect(early?.startedAt).toHaveLength(3);
  });

  it('explain none of the waterings that the soil does not show after them', () => {
    const hours = [12, 84, 156, 228, 300];
    const { logShift, unseen } = judge([curve(10, hours.slice(0, 2), 5)], loggedLater(hours, 9));
    expect(logShift).toBeNull();
    expect(unseen?.startedAt).toEqual([309 * HOUR, 237 * HOUR, 165 * HOUR]);
  });
});

describe('water that arrives in the hour of its start', () => {
  it('is seen whatever the minute of the start', () => {
    const property = fc.property(cycles, fc.integer({ min: 0, max: 59 }), (cycle, minute) => {
      const hours = everyHours(cycle.first, cycle.cycleHours);
      const done = watered(hours.map((hour) => hour + minute / 60));
      expect(judge([curve(10, hours, cycle.from)], done)).toEqual(NO_RESPONSE_FACTS);
    });
    fc.assert(property, { numRuns: 100 });
  });
});

describe('a shift of the log', () => {
  const rises = [30, 110, 175, 260];

  it('is found where each watering has a rise so many days before or after', () => {
    const property = fc.property(
      fc.constantFrom(-2, -1, 2),
      fc.integer({ min: -3, max: 3 }),
      (days, minutes) => {
        const logged = rises
          .map((hour) => hour - 24 * days)
          .filter((hour) => hour > 12 && hour < HOURS - 30);
        const done = watered(logged).map((watering) => ({
          ...watering,
          startedAt: watering.startedAt + minutes * 30 * MINUTE,
        }));
        expect(judge([curve(10, rises, 5)], done).logShift?.days).toBe(days);
      },
    );
    fc.assert(property, { numRuns: 40 });
  });

  it('is of days from 18 hours on, in a regular cycle too', () => {
    const property = fc.property(
      cycles,
      fc.integer({ min: 19, max: 30 }),
      ({ first, cycleHours, from }, lateHours) => {
        const hours = everyHours(first, cycleHours);
        const done = loggedLater(hours, lateHours);
        const { logShift, early } = judge([curve(10, hours, from)], done);
        if (done.length > 2) expect(logShift?.days).toBe(-1);
        expect(early).toBeUndefined();
      },
    );
    fc.assert(property, { numRuns: 100 });
  });

  it('is none where waterings are seen when they were logged, or by chance at one of them', () => {
    expect(judge([curve(10, rises, 5)], watered(rises)).logShift).toBeNull();
    expect(judge([curve(10, [30])]).logShift).toBeNull();
    expect(judge([curve(10, [30, 190])]).logShift).toBeNull();
  });

  it('is none where water comes every day or every second day', () => {
    for (const everyHours of [24, 48]) {
      const starts = Array.from({ length: 264 / everyHours }, (_, row) => 13 + row * everyHours);
      // Its rises, each 36 hours later.
      const soil = curve(
        10,
        starts.map((start) => start + 36),
        -30,
      );
      expect(judge([soil], watered(starts)).logShift).toBeNull();
    }
  });

  it('is none while a valve that worked before does not open', () => {
    const { logShift, unseen } = judge([curve(10, [25, 97], 10)], watered([24, 96, 168, 240]));
    expect(logShift).toBeNull();
    expect(unseen?.startedAt).toEqual([10 * DAY, 7 * DAY]);
  });
});
