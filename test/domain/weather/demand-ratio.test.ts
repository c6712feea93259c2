import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DailyDemand, demandRatio } from '../../../src/domain/weather/demand-ratio.ts';

const days = (count: number, mm: number | null): DailyDemand =>
  Array.from({ length: count }, () => mm);

describe('the pace of the coming days', () => {
  it('is the mean of the forecast days in % of that of the last two weeks', () => {
    expect(demandRatio(days(14, 4), [5, 6, 4])).toEqual({
      percent: 125,
      basis: 'forecast',
      comingMm: 5,
      comingDays: 3,
      lastMm: 4,
      lastDays: 14,
    });
  });

  it('counts seven forecast days at most, and none after a gap', () => {
    expect(demandRatio(days(14, 4), [...days(7, 4), 20])).toMatchObject({
      percent: 100,
      comingDays: 7,
    });
    expect(demandRatio(days(14, 4), [6, null, 20])).toMatchObject({ percent: 150, comingDays: 1 });
    expect(demandRatio(days(14, 4), [null, 6])).toBeNull();
  });

  it('is that of the newest three days without a forecast, if all of them are known', () => {
    // (11 x 4 + 3 x 6) / 14 = 4.43; 6 / 4.43 = 135 %.
    expect(demandRatio([...days(11, 4), ...days(3, 6)], null)).toMatchObject({
      percent: 135,
      basis: 'recent',
    });
    expect(demandRatio([...days(11, 4), 6, null, 6], null)).toBeNull();
  });

  it('needs seven known days, with more than frost can take', () => {
    expect(demandRatio([...days(8, null), ...days(6, 4)], [4])).toBeNull();
    expect(demandRatio([...days(7, null), ...days(7, 4)], [4])).toMatchObject({ lastDays: 7 });
    expect(demandRatio(days(14, 0.1), [4])).toBeNull();
  });

  it('does not depend on the unit, and stays within what a person may expect', () => {
    const mm = fc.double({ min: 0.5, max: 12, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(mm, { minLength: 14, maxLength: 14 }),
        fc.array(mm, { minLength: 1, maxLength: 9 }),
        fc.double({ min: 0.5, max: 3, noNaN: true }),
        (last, coming, factor) => {
          const { percent } = demandRatio(last, coming)!;
          const scaled = demandRatio(
            last.map((each) => each * factor),
            coming.map((each) => each * factor),
          );
          expect(Math.abs(scaled!.percent - percent)).toBeLessThanOrEqual(1);
          expect(percent).toBeGreaterThanOrEqual(10);
          expect(percent).toBeLessThanOrEqual(300);
        },
      ),
    );
  });
});
