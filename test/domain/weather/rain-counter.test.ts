import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RainCounter, rainSince } from '../../../src/domain/weather/rain-counter.ts';
import { propertyRuns } from '../../property-runs.ts';

/** What is counted of totals that come an instant apart. */
function countedOf(totals: readonly number[]): number[] {
  let last: RainCounter | null = null;
  return totals.map((mm, at) => {
    const counted = rainSince(last, { at, mm })!;
    last = counted.counter;
    return counted.mm;
  });
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** In mm, as gauges measure it: 0.2 each. */
const rainfalls = fc.array(
  fc.nat({ max: 50 }).map((tips) => tips * 0.2),
  { minLength: 1, maxLength: 20 },
);
const totalsFrom = (start: number, falls: readonly number[]): number[] =>
  falls.map((_, index) => start + sum(falls.slice(0, index + 1)));

describe('a running total of rain', () => {
  it.each([
    ['counts nothing before the first one', [123], [0]],
    ['counts what it rose by', [123, 123, 124.2, 130], [0, 0, 1.2, 5.8]],
    ['counts what fell since the gauge started again', [123, 0.4, 1], [0, 0.4, 0.6]],
    ['that is 0 in one message by mistake counts nothing twice', [123, 0, 124], [0, 0, 1]],
    ['that is too low in one message by mistake counts it once', [123, 3, 130], [0, 3, 4]],
    [
      'that is somewhat lower counts nothing, nor what it rose by to be back',
      [123, 122, 124],
      [0, 0, 1],
    ],
  ])('%s', (_, totals, counted) => {
    expect(countedOf(totals)).toEqual(counted);
  });

  it('counts all that fell, also where the gauge starts again once', () => {
    fc.assert(
      fc.property(rainfalls, rainfalls, fc.nat({ max: 900 }), (before, after, start) => {
        const first = totalsFrom(start, before);
        const highest = first.at(-1)!;
        // At the start the gauge shows little, and less than before in the message after it.
        const second = totalsFrom(0, after);
        fc.pre(second[0]! <= highest / 2 && second.slice(0, 2).every((mm) => mm < highest));
        expect(sum(countedOf([start, ...first, ...second]))).toBeCloseTo(sum(before) + sum(after));
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it('that is not newer counts nothing, since a later one has it', () => {
    const counter = { at: 10, mm: 5, mmBeforeFall: null };
    expect(rainSince(counter, { at: 10, mm: 7 })).toBeNull();
    expect(rainSince(counter, { at: 9, mm: 4 })).toBeNull();
  });
});
