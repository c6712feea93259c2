import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOfReadings, spansInPeriods } from '../../../src/domain/weather/station-days.ts';
import { DAY, HOUR } from '../../time.ts';

const WHOLE = { start: 0, end: DAY };
const every = (step: number, valueAt: (at: number) => number, from = 0, to = DAY) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => {
    const at = from + index * step;
    return { at, min: valueAt(at) - 1, max: valueAt(at) + 1, mean: valueAt(at) };
  });

describe('a day of readings', () => {
  it('has its lowest, highest and mean value', () => {
    expect(
      dayOfReadings(
        every(HOUR, (at) => at / HOUR),
        WHOLE,
      ),
    ).toEqual({ min: -1, max: 24, mean: 11.5 });
  });

  it('weighs each by the time until the next', () => {
    const spans = [0, 1, 2, 3, 6, 9, 12, 15, 18, 21].map((hour) => ({
      at: hour * HOUR,
      min: 0,
      max: 0,
      mean: hour < 3 ? 8 : 0,
    }));
    expect(dayOfReadings(spans, WHOLE)!.mean).toBeCloseTo(1, 9);
  });

  it('is unknown with more than four hours without a reading, wherever they are', () => {
    const readings = every(HOUR, () => 20);
    for (const [from, to] of [
      [0, 5],
      [11, 15],
      [20, 24],
    ] as const)
      expect(
        dayOfReadings(
          readings.filter(({ at }) => at < from * HOUR || at >= to * HOUR),
          WHOLE,
        ),
      ).toBeNull();
    expect(
      dayOfReadings(
        readings.filter(({ at }) => at < 11 * HOUR || at >= 14 * HOUR),
        WHOLE,
      ),
    ).not.toBeNull();
    expect(dayOfReadings([], WHOLE)).toBeNull();
  });

  it('takes nothing from other days, and has its mean between its ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -20, max: 45, noNaN: true }), { minLength: 48, maxLength: 48 }),
        (values) => {
          const spans = every(HOUR, (at) => values[at / HOUR]!, 0, 2 * DAY);
          const { min, max, mean } = dayOfReadings(spans, { start: DAY, end: 2 * DAY })!;
          expect(min).toBe(Math.min(...values.slice(24)) - 1);
          expect(max).toBe(Math.max(...values.slice(24)) + 1);
          expect(mean).toBeGreaterThanOrEqual(min);
          expect(mean).toBeLessThanOrEqual(max);
        },
      ),
    );
  });
});

describe('the readings of many days', () => {
  const days = Array.from({ length: 300 }, (_, day) => ({
    start: day * DAY,
    end: (day + 1) * DAY,
  }));

  it('are those of each day alone', () => {
    const spans = every(HOUR, () => 20, -DAY, 301 * DAY).filter((_, index) => index % 7 > 2);
    expect(spansInPeriods(spans, days)).toEqual(
      days.map(({ start, end }) => spans.filter(({ at }) => at >= start && at < end)),
    );
  });

  it('are each looked at a few times, however many days there are', () => {
    let looks = 0;
    const spans = every(HOUR, () => 20, 0, 300 * DAY).map(({ at, ...span }) => ({
      ...span,
      get at() {
        looks++;
        return at;
      },
    }));
    for (const [index, inDay] of spansInPeriods(spans, days).entries())
      dayOfReadings(inDay, days[index]!);
    expect(looks).toBeLessThan(10 * spans.length);
  });
});
