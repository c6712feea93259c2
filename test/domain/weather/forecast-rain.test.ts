import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecastRain } from '../../../src/domain/weather/forecast-rain.ts';

const dayOf = (day: string, rainMm: number | null, rainProbability: number | null = null) => ({
  day,
  rainMm,
  rainProbability,
});
const TODAY = '2026-07-01';
const DAYS = [dayOf(TODAY, 12, 90), dayOf('2026-07-02', 4, 40), dayOf('2026-07-03', 0.5, 20)];

describe('the rain still to come', () => {
  it('is less what has been measured today, and ends on the last day with a millimetre', () => {
    const expected = (measuredMm: number) => forecastRain(DAYS, { day: TODAY, measuredMm });
    expect(expected(0)).toEqual({ mm: 16, until: '2026-07-02', probability: 90 });
    expect(expected(10)).toEqual({ mm: 6, until: '2026-07-02', probability: 90 });
    // All of today's has fallen, and more; its chance is no longer one.
    expect(expected(15)).toEqual({ mm: 4, until: '2026-07-02', probability: 40 });
    expect(forecastRain(DAYS.slice(0, 1), { day: TODAY, measuredMm: 11.5 })).toBeNull();
    expect(forecastRain([dayOf(TODAY, null)], { day: TODAY, measuredMm: 0 })).toBeNull();
  });

  it('never grows by what has been measured, and that of other days stays', () => {
    const mm = fc.double({ min: 0, max: 60, noNaN: true });
    fc.assert(
      fc.property(fc.array(mm, { maxLength: 5 }), mm, mm, (amounts, less, more) => {
        const days = amounts.map((rainMm, index) => dayOf(`2026-07-0${index + 1}`, rainMm));
        const mmAfter = (measuredMm: number) =>
          forecastRain(days, { day: TODAY, measuredMm })?.mm ?? 0;
        expect(mmAfter(less + more)).toBeLessThanOrEqual(mmAfter(less) + 1e-9);
        expect(mmAfter(1e6)).toBeGreaterThanOrEqual(
          Math.max(0, ...days.slice(1).map(({ rainMm }) => (rainMm! < 1 ? 0 : rainMm!))),
        );
      }),
      { numRuns: 50 },
    );
  });
});
