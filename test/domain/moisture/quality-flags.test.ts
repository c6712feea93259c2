import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  implausibleValue,
  isStuck,
  MOVING_STRETCHES,
  type RecentMovement,
  undercutsWiltingPoint,
} from '../../../src/domain/moisture/quality-flags.ts';
import { propertyRuns } from '../../property-runs.ts';
import { HOUR } from '../../time.ts';

/** Loam by Saxton & Rawls: wilting point 13.7 %, saturation 46 %. */
const LOAM = { wiltingPoint: 0.137, saturation: 0.46 };

describe('an implausible value', () => {
  it('is 2 points below half of the wilting point, or more than 5 above saturation', () => {
    expect(
      [4.8, 4.9, 46, 51, 51.1, 98].map((value) => implausibleValue(value, LOAM)?.reason ?? null),
    ).toEqual(['TOO_DRY_FOR_SOIL', null, null, null, 'TOO_WET_FOR_SOIL', 'TOO_WET_FOR_SOIL']);
  });
});

describe('roots', () => {
  const areUndercut = (moisture: number, depthCm: number, wiltingPoint: number) =>
    undercutsWiltingPoint(moisture, depthCm, { wiltingPoint });

  it('leave a quarter less than the wilting point at least, or 5 points where that is more', () => {
    expect([areUndercut(8.71, 30, 0.137), areUndercut(8.69, 30, 0.137)]).toEqual([false, true]);
    expect([areUndercut(22.6, 60, 0.3), areUndercut(22.4, 60, 0.3)]).toEqual([false, true]);
    expect(areUndercut(0.1, 90, 0.05)).toBe(false);
  });

  it('are not alone where evaporation dries the soil', () => {
    expect(areUndercut(2, 25, 0.137)).toBe(false);
  });
});

type Values = readonly number[];

/** The holds of hourly values, as the store finds them. */
function holdsOf(values: Values) {
  const starts = values.flatMap((value, hour) =>
    hour === 0 || value !== values[hour - 1] ? [hour] : [],
  );
  const steps = starts.slice(1).map((hour) => Math.abs(values[hour]! - values[hour - 1]!));
  const earlier = starts.slice(1).map((hour, index) => (hour - 1 - starts[index]!) * HOUR);
  return {
    presentMs: (values.length - 1 - starts.at(-1)!) * HOUR,
    earlierRanges: stretchesBefore(values, starts.at(-1)!).map(rangeOf),
    longestEarlierMs: Math.max(0, ...earlier),
    smallestStep: steps.length === 0 ? null : Math.min(...steps),
  };
}

const rangeOf = (values: Values): number =>
  values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);

/** Three days each. */
const stretchesBefore = (values: Values, end: number): Values[] =>
  Array.from({ length: MOVING_STRETCHES }, (_, stretch) =>
    values.slice(Math.max(0, end - 72 * (stretch + 1)), Math.max(0, end - 72 * stretch)),
  );

function movementOf(values: Values): RecentMovement {
  const recent = values.slice(-3 * 24 - 1);
  return { range: rangeOf(recent), smallestStep: holdsOf(recent).smallestStep };
}

const isStuckAt = (sensor: Values, ...others: Values[]): boolean =>
  isStuck(holdsOf(sensor), others.map(movementOf));

const hours = (days: number): number[] => Array.from({ length: days * 24 + 1 }, (_, hour) => hour);
const inSteps = (step: number, value: number): number =>
  Math.round(Math.round(value / step) * step * 1000) / 1000;
const drying = (days: number, perDay: number, step: number, start = 30): number[] =>
  hours(days).map((hour) => inSteps(step, start - (perDay * hour) / 24));
const thenConstant = (values: Values, days: number): number[] => [
  ...values,
  ...Array.from({ length: days * 24 }, () => values.at(-1)!),
];

describe('a stuck sensor', () => {
  it('shows one value for 5 days, or for 3 beside a depth that moves by a point', () => {
    const before = drying(20, 0.8, 0.1);
    expect([4, 6].map((days) => isStuckAt(thenConstant(before, days)))).toEqual([false, true]);
    const movingDepth = drying(30, 0.5, 0.1);
    expect([2, 4].map((days) => isStuckAt(thenConstant(before, days), movingDepth))).toEqual([
      false,
      true,
    ]);
    expect(isStuckAt(thenConstant(before, 4), drying(30, 0.2, 0.1))).toBe(false);
  });

  it('shows one value for 3 days beside a depth that moves by a third of a point, with steps of 0.01', () => {
    const stuck = thenConstant(drying(20, 0.1, 0.01), 4);
    expect([0.05, 0.25].map((perDay) => isStuckAt(stuck, drying(30, perDay, 0.01)))).toEqual([
      false,
      true,
    ]);
    expect(isStuckAt(drying(30, 0.04, 0.01), drying(30, 0.25, 0.01))).toBe(false);
  });

  it('may never have changed', () => {
    expect([4, 5].map((days) => isStuckAt(thenConstant([24], days)))).toEqual([false, true]);
    expect(isStuckAt(thenConstant([24], 4), drying(30, 0.5, 0.1))).toBe(true);
  });

  it('is found with coarse steps too, once the others move by three of them', () => {
    const irrigated = hours(14).map((hour) => inSteps(1, 30 - ((hour % 72) / 72) * 6));
    const stuck = thenConstant(irrigated.slice(0, 10 * 24), 5);
    expect(isStuckAt(stuck, irrigated)).toBe(true);
    expect(isStuckAt(stuck)).toBe(false);
  });
});

describe('a sensor that works', () => {
  const step = fc.constantFrom(0.01, 0.1, 0.5, 1);
  const perDay = fc.double({ min: 0.034, max: 2, noNaN: true });
  const start = fc.double({ min: 15, max: 45, noNaN: true });

  /** True from the second step on: before the first one nobody knows how coarse the sensor is. */
  const hasChanged = (values: Values): boolean => holdsOf(values).smallestStep !== null;

  // 3 days for a step of 0.1 are 0.033 points a day.
  it('is not stuck on a drying soil, whatever its steps, the rate and the depths beside it', () => {
    fc.assert(
      fc.property(
        step,
        perDay,
        perDay,
        start,
        fc.integer({ min: 1, max: 75 }),
        (size, rate, other, from, days) => {
          const values = drying(days, rate, size, from);
          fc.pre(hasChanged(values));
          return !isStuckAt(values, drying(days, other, size, from));
        },
      ),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('may rest for 50 days in winter with steps of 1 %', () => {
    const rested = [...drying(5, 0.5, 1), ...thenConstant([27], 49)];
    expect(isStuckAt(rested, rested)).toBe(false);
  });

  it('may rest deep down while the soil above is irrigated, as long as it has rested before', () => {
    const above = hours(40).map((hour) => inSteps(0.1, 30 - ((hour % 72) / 72) * 8));
    const below = [
      ...thenConstant([25], 12),
      ...thenConstant([24.9], 12),
      ...thenConstant([24.8], 15),
    ];
    expect(isStuckAt(below, above)).toBe(false);
  });

  it('may rest for weeks at a calm depth with steps of 1 %, after it flickered or drained', () => {
    const above = hours(40).map((hour) => inSteps(1, 30 - ((hour % 72) / 72) * 6));
    const flickering = hours(20).map((hour) => (hour % 24 < 12 ? 25 : 24));
    const draining = hours(20).map((hour) => inSteps(1, 24.2 + 6 * Math.exp(-hour / 48)));
    for (const below of [flickering, draining])
      for (const days of [4, 10, 20])
        expect(isStuckAt(thenConstant(below, days), above)).toBe(false);
  });
});
