import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecastErrorDays, surelyLastsUntil } from '../../../src/domain/advice/forecast-error.ts';
import { propertyRuns } from '../../property-runs.ts';

describe('a crop', () => {
  it('surely lasts only until the error of the forecast is over before its stress', () => {
    const anyDays = fc.option(fc.double({ min: 0, max: 20, noNaN: true }));
    fc.assert(
      fc.property(anyDays, fc.double({ min: 0, max: 30, noNaN: true }), (daysToStress, ahead) => {
        const isKnown = daysToStress !== null && daysToStress < 14;
        expect(surelyLastsUntil(daysToStress, ahead)).toBe(
          isKnown && ahead + forecastErrorDays(ahead) < daysToStress,
        );
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  // Almonds with a turn each eighth day, 28 mm of rain two days ago: stress in 5.6 days.
  it('does not last until a turn after its day of stress', () => {
    expect(surelyLastsUntil(5.6, 8)).toBe(false);
    // A turn in 4.1 days, whose forecast may be wrong by 2.8.
    expect(surelyLastsUntil(7.5, 4.125)).toBe(true);
    expect(surelyLastsUntil(6.5, 4.125)).toBe(false);
  });

  it('is forecast with an error that grows with the days ahead', () => {
    expect([0, 1, 3, 7, 11].map(forecastErrorDays).map((days) => Number(days.toFixed(1)))).toEqual([
      0.9, 1.6, 2.3, 4.1, 5.9,
    ]);
    expect(surelyLastsUntil(13.9, 8)).toBe(true);
    expect(surelyLastsUntil(14, 1)).toBe(false);
  });
});
