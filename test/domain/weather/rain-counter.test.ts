import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countTotal,
  parseRainCounter,
  type RainCounter,
} from '../../../src/domain/weather/rain-counter.ts';
import { propertyRuns } from '../../property-runs.ts';

/** Returns the rain that is stored in the end of totals that come an instant apart. */
function countedOf(totals: readonly number[]): number[] {
  let counter: RainCounter | null = null;
  const standing = totals.map(() => 0);
  for (const [at, mm] of totals.entries()) {
    const counted: ReturnType<typeof countTotal> = countTotal(counter, { at, mm });
    counter = counted!.counter;
    for (const rain of counted!.rain) standing[rain.at] = rain.mm;
  }
  return standing;
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
    ['that is too low in one message by mistake counts it once', [123, 3, 130], [0, 0, 7]],
    [
      'that is somewhat lower counts nothing, nor what it rose by to be back',
      [123, 122, 124],
      [0, 0, 1],
    ],
    ['that falls to less than half and returns', [100, 115, 49, 115, 116], [0, 15, 0, 0, 1]],
    ['that falls in two messages and returns', [115, 49, 49.2, 115.4], [0, 0, 0, 0.4]],
    ['that rises by mistake and returns', [20, 60, 20, 20.2], [0, 0, 0, 0.2]],
    ['that rises by mistake while it rains', [20, 60, 20.4, 21], [0, 0, 0.4, 0.6]],
    ['that rises by mistake in two messages', [20, 60, 61, 20.2], [0, 0, 0, 0.2]],
    ['that rises somewhat by mistake', [20, 30, 20.2, 20.4], [0, 0, 0.2, 0.2]],
    ['that rises beyond what falls in a day', [20, 6000, 20.2], [0, 0, 0.2]],
    ['that starts again after a mistake', [100, 49, 100, 0.2, 0.8], [0, 0, 0, 0.2, 0.6]],
    ['that starts again twice', [100, 0, 3, 0.4, 1], [0, 0, 3, 0.4, 0.6]],
  ])('%s', (_, totals, counted) => {
    expect(countedOf(totals)).toEqual(counted);
  });

  it('counts all that fell, also where the gauge starts again once', () => {
    fc.assert(
      fc.property(rainfalls, rainfalls, fc.nat({ max: 900 }), (before, after, start) => {
        const first = totalsFrom(start, before);
        const highest = first.at(-1)!;
        // At the start the gauge shows little, and less than before in the messages after it.
        const second = totalsFrom(0, after);
        fc.pre(second[0]! <= highest / 2 && second.slice(0, 3).every((mm) => mm < highest));
        // Nor does it show just what it showed before the last rain.
        fc.pre([start, ...first].slice(-3).every((mm) => mm === highest || second[0]! < mm));
        expect(sum(countedOf([start, ...first, ...second]))).toBeCloseTo(sum(before) + sum(after));
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it('that is not newer counts nothing, since a later one has it', () => {
    const { counter } = countTotal(null, { at: 10, mm: 5 })!;
    expect(countTotal(counter, { at: 10, mm: 7 })).toBeNull();
    expect(countTotal(counter, { at: 9, mm: 4 })).toBeNull();
  });

  it('goes on from what an earlier version stored', () => {
    const counter = parseRainCounter('{"at":10,"mm":5,"mmBeforeFall":null}');
    expect(countTotal(counter, { at: 11, mm: 7 })!.rain).toEqual([{ at: 11, since: 10, mm: 2 }]);
    expect(parseRainCounter(JSON.stringify(counter))).toEqual(counter);
  });
});

type Fault = 'none' | 'low' | 'high' | 'restart';

interface Step {
  readonly tips: number;
  readonly fault: Fault;
  readonly messages: number;
  readonly share: number;
}

const steps = fc.array(
  fc.record({
    tips: fc.nat({ max: 10 }),
    fault: fc.constantFrom<Fault>('none', 'none', 'low', 'high', 'restart'),
    messages: fc.constantFrom(1, 2),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 15 },
);

/** A gauge in the rain whose messages are wrong at times; two right ones follow each fault. */
function simulatedGauge(start: number, rain: readonly Step[]) {
  const totals = [start, start];
  let [shown, fallen] = [start, 0];
  const rainFalls = (tips: number): void => {
    shown += tips * 0.2;
    fallen += tips * 0.2;
  };

  for (const { tips, fault, messages, share } of rain) {
    if (fault === 'restart') shown = 0;
    rainFalls(tips);
    if (fault === 'low')
      for (let message = 0; message < messages; message++) totals.push(shown * share * 0.9);
    if (fault === 'high')
      for (let message = 0; message < messages; message++) totals.push(shown * (1.2 + 9 * share));

    totals.push(shown);
    rainFalls(tips);
    totals.push(shown, shown);
  }
  return { totals, fallen };
}

describe('a simulated gauge', () => {
  it('has the right sum once two more totals have come', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 60, max: 900 }), (rain, start) => {
        // A gauge that has just started again shows too little to tell a mistake from rain.
        const restarted = rain.findIndex(({ fault }) => fault === 'restart');
        const told = restarted < 0 ? rain : rain.slice(0, restarted + 1);
        const { totals, fallen } = simulatedGauge(start, told);
        expect(sum(countedOf(totals))).toBeCloseTo(fallen);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});
