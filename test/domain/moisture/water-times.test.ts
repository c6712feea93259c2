import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  NO_WATER_TIMES,
  nextOpenings,
  type WaterTimes,
} from '../../../src/domain/moisture/water-times.ts';
import { localMsAt } from '../../../src/domain/time-zone.ts';
import { propertyRuns } from '../../property-runs.ts';
import { DAY, HOUR, iso } from '../../time.ts';

const ZONE = 'Europe/Madrid';
const timesOf = (changes: Partial<WaterTimes>): WaterTimes => ({ ...NO_WATER_TIMES, ...changes });

/** As clocks show them: "2026-06-06T06:00 to 2026-06-06T18:00". */
const openings = (changes: Partial<WaterTimes>, now: string, count = 2): string[] =>
  nextOpenings(timesOf(changes), { now: Date.parse(now), zone: ZONE, count }).map(
    ({ start, end }) => `${local(start)} to ${local(end)}`,
  );
const local = (at: number): string => new Date(localMsAt(at, ZONE)).toISOString().slice(0, 16);

const everyEighthDay = { everyHours: 192, turnAt: '2026-06-06T06:00+02:00' };

describe('the next times at which water can be had', () => {
  it('are none where water comes at any time', () => {
    expect(openings({ leastMm: 30, flowLPerH: 900 }, '2026-06-01T10:00+02:00')).toEqual([]);
  });

  it.each<[string, Partial<WaterTimes>, string, string[]]>([
    [
      'a turn of eight days, ahead of the one that was named',
      everyEighthDay,
      '2026-05-27T10:00+02:00',
      ['2026-05-29T06:00 to 2026-05-30T06:00', '2026-06-06T06:00 to 2026-06-07T06:00'],
    ],
    [
      'one that runs now',
      { ...everyEighthDay, untilTime: '18:00' },
      '2026-06-14T09:00+02:00',
      ['2026-06-14T06:00 to 2026-06-14T18:00', '2026-06-22T06:00 to 2026-06-22T18:00'],
    ],
    [
      'one that it is too late to order',
      { ...everyEighthDay, noticeHours: 48 },
      '2026-06-04T06:01+02:00',
      ['2026-06-14T06:00 to 2026-06-15T06:00', '2026-06-22T06:00 to 2026-06-23T06:00'],
    ],
    [
      'whole days keep the clock time when clocks change',
      { everyHours: 72, turnAt: '2026-03-27T06:00+01:00', untilTime: '08:00' },
      '2026-03-28T06:00+01:00',
      ['2026-03-30T06:00 to 2026-03-30T08:00', '2026-04-02T06:00 to 2026-04-02T08:00'],
    ],
    [
      'a clock time that is left out on one day, and comes twice on another',
      { everyHours: 24 * 42, turnAt: '2026-02-15T02:30+01:00', untilTime: '03:00' },
      '2026-03-20T06:00+01:00',
      ['2026-03-29T03:30 to 2026-03-30T03:00', '2026-05-10T02:30 to 2026-05-10T03:00'],
    ],
    [
      'weekdays whose hours cross the end of summer time',
      { weekdays: [6, 7], fromTime: '22:00', untilTime: '02:30' },
      '2026-10-24T12:00+02:00',
      ['2026-10-24T22:00 to 2026-10-25T02:30', '2026-10-25T22:00 to 2026-10-26T02:30'],
    ],
    [
      'other hours elapse',
      { everyHours: 60, turnAt: '2026-03-27T18:00+01:00', untilTime: '21:00' },
      '2026-03-28T06:00+01:00',
      ['2026-03-30T07:00 to 2026-03-30T21:00', '2026-04-01T19:00 to 2026-04-01T21:00'],
    ],
    [
      'nights of two weekdays, of which one has begun',
      { weekdays: [2, 5], fromTime: '22:00', untilTime: '06:00' },
      '2026-06-03T03:00+02:00',
      ['2026-06-02T22:00 to 2026-06-03T06:00', '2026-06-05T22:00 to 2026-06-06T06:00'],
    ],
    [
      'days within the season alone',
      { weekdays: [1], seasonFrom: '04-15', seasonUntil: '09-30' },
      '2026-09-22T12:00+02:00',
      ['2026-09-28T00:00 to 2026-09-29T00:00', '2027-04-19T00:00 to 2027-04-20T00:00'],
    ],
    [
      'a turn that was moved, and none that was dropped',
      {
        ...everyEighthDay,
        moved: [
          { from: '2026-06-14T00:00+02:00', to: '2026-06-16T08:00+02:00' },
          { from: '2026-06-22T06:00+02:00', to: null },
        ],
      },
      '2026-06-08T10:00+02:00',
      ['2026-06-16T08:00 to 2026-06-17T08:00', '2026-06-30T06:00 to 2026-07-01T06:00'],
    ],
  ])('are those of %s', (_, times, now, expected) => {
    expect(openings(times, now)).toEqual(expected);
  });

  it('end after now, ascend, and leave time to order', () => {
    const clock = fc.constantFrom('00:00', '02:30', '06:00', '22:00');
    const anyTimes = fc.record({
      everyHours: fc.option(fc.integer({ min: 24, max: 1440 })),
      turnAt: fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2027, 0) }).map(iso),
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      fromTime: fc.option(clock),
      untilTime: fc.option(clock),
      noticeHours: fc.option(fc.integer({ min: 1, max: 240 })),
    });
    const anyNow = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 11) });
    fc.assert(
      fc.property(anyTimes, anyNow, (changes, now) => {
        const times = timesOf(changes);
        const found = nextOpenings(times, { now, zone: ZONE, count: 5 });
        expect(found).toHaveLength(5);
        for (const [index, { start, end }] of found.entries()) {
          expect(end).toBeGreaterThan(start);
          expect(end).toBeGreaterThan(now);
          if (times.noticeHours !== null)
            expect(start).toBeGreaterThanOrEqual(now + times.noticeHours * HOUR);
          if (index > 0) expect(start).toBeGreaterThan(found[index - 1]!.start);
        }
        // No turn is missed: two follow each other as they are said to.
        const [first, second] = found;
        if (times.everyHours !== null)
          expect(
            Math.abs(second!.start - first!.start - times.everyHours * HOUR),
          ).toBeLessThanOrEqual(times.everyHours % 24 === 0 ? HOUR : 0);
        else expect(second!.start - first!.start).toBeLessThanOrEqual(7 * DAY + HOUR);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
