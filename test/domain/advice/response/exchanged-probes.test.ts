import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areExchanged,
  modulesWateredAt,
} from '../../../../src/domain/advice/response/exchanged-probes.ts';
import type { LogShift } from '../../../../src/domain/facts/response-facts.ts';
import { DAY, HOUR } from '../../../time.ts';
import { wateringOf } from '../farm/farm-probes.ts';

const RECORD = { start: 0, end: 14 * DAY };

/** What a probe shows three hours after each of the days of `shown`, with a log of other days. */
const shiftOf = (
  shown: readonly number[],
  logged: readonly number[],
  changes: Partial<LogShift> = {},
): LogShift => {
  const rises = shown.map((day) => day * DAY + 3 * HOUR);
  return {
    days: 1,
    startedAt: logged.map((day) => day * DAY).reverse(),
    roseAt: rises,
    rises,
    isEitherWay: false,
    record: RECORD,
    ...changes,
  };
};

const [odd, even] = [
  [1, 5, 9],
  [3, 7, 11],
] as const;

describe('two probes', () => {
  const west = shiftOf(even, odd, { days: 2 });
  const east = shiftOf(odd, even, { days: -2 });

  it('are exchanged where each shows the log of the other', () => {
    expect(areExchanged(west, east)).toBe(true);
    expect(areExchanged(east, west)).toBe(true);
  });

  it('are not where both logs are wrong the same way, unless that cannot be told', () => {
    const sameWay = { ...east, days: 2 };
    expect(areExchanged(west, sameWay)).toBe(false);
    expect(areExchanged(west, { ...sameWay, isEitherWay: true })).toBe(true);
  });

  it('are not where a watering of one remains unseen by the other, unless it is too recent', () => {
    const withMore = (day: number) => ({
      ...east,
      startedAt: [day * DAY, ...east.startedAt],
    });
    expect(areExchanged(west, withMore(12.9))).toBe(false);
    expect(areExchanged(west, withMore(13.1))).toBe(true);
  });

  it('are not where one rises when nothing is logged on the other', () => {
    const rises = [...west.rises, 8.5 * DAY];
    expect(areExchanged({ ...west, rises, roseAt: rises }, east)).toBe(false);
  });

  it('are not where a single watering fits', () => {
    expect(areExchanged(shiftOf([7], [5], { days: 2 }), shiftOf([5], [7], { days: -2 }))).toBe(
      false,
    );
  });

  it('are never exchanged where both logs are as late, whatever the days', () => {
    const gaps = fc.array(fc.integer({ min: 3, max: 5 }), { minLength: 2, maxLength: 4 });
    const property = fc.property(gaps, gaps, fc.constantFrom(1, 2), (a, b, late) => {
      const daysOf = (each: readonly number[]) =>
        each.map((_, index) => each.slice(0, index + 1).reduce((sum, gap) => sum + gap, -2));
      const [own, other] = [daysOf(a), daysOf(b)];
      const lateShift = (days: readonly number[]) =>
        shiftOf(
          days,
          days.map((day) => day + late),
          { days: -late },
        );
      expect(areExchanged(lateShift(own), lateShift(other))).toBe(false);
    });
    fc.assert(property);
  });
});

describe('the modules whose log fits rises', () => {
  const logOf = (moduleId: number, days: readonly number[], fields = {}) =>
    days.map((day) => wateringOf({ moduleId, startedAt: day * DAY, status: 'done', ...fields }));

  it('are those that were watered before each of them, and not the own one', () => {
    const rises = even.map((day) => day * DAY + 3 * HOUR);
    const log = [
      ...logOf(1, even),
      ...logOf(2, even),
      ...logOf(3, odd),
      ...logOf(4, [3, 7]),
      ...logOf(5, even, { status: 'planned' }),
    ];
    expect(modulesWateredAt(rises, log, 1)).toEqual([2]);
  });
});
