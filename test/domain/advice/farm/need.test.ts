import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareSortKeys,
  needOf,
  needSortKey,
  type ProbeCondition,
} from '../../../../src/domain/advice/farm/need.ts';

const WELL: ProbeCondition = {
  id: 1,
  state: 'comfort',
  isAboveDryLevel: false,
  needsWater: false,
  daysToStress: 9,
  moisture: 25,
  tension: null,
  hasFiringAlert: false,
  check: null,
  isSilent: false,
};
const sortKeyOf = (probe: ProbeCondition): number[] => needSortKey(needOf(probe), probe);

const TENSIOMETER = { state: null, daysToStress: null, moisture: null };

describe('the need of a probe', () => {
  it.each<[string, Partial<ProbeCondition>, string]>([
    ['below the stress point', { state: 'stress', daysToStress: 0 }, 'stress'],
    ['at the stress point', { state: 'comfort', daysToStress: 0 }, 'stress'],
    ['above its dry level', { ...TENSIOMETER, tension: 80, isAboveDryLevel: true }, 'stress'],
    ['needing water today', { daysToStress: 1, needsWater: true, hasFiringAlert: true }, 'water'],
    ['with a firing alert', { hasFiringAlert: true }, 'firing'],
    [
      'silent with a firing alert',
      { ...TENSIOMETER, hasFiringAlert: true, isSilent: true },
      'firing',
    ],
    ['close to stress', { daysToStress: 3 }, 'soon'],
    ['with a sensor in doubt', { check: 'SENSOR_STUCK' }, 'doubt'],
    [
      'in doubt although it reads stress and an alert fires',
      { state: 'stress', daysToStress: 0, check: 'TOO_DRY_FOR_SOIL', hasFiringAlert: true },
      'doubt',
    ],
    ['in need, and just watered', { daysToStress: 0, check: 'RECENT_WATERING' }, 'recheck'],
    ['silent', { ...TENSIOMETER, isSilent: true }, 'silent'],
    ['not drying', { daysToStress: null }, 'comfort'],
    ['without a stress point', { state: null, daysToStress: null }, 'unjudged'],
    ['without a dry level', { ...TENSIOMETER, tension: 80 }, 'unjudged'],
    ['saturated', { state: 'saturated' }, 'saturated'],
  ])('%s', (_, condition, expected) => {
    expect(needOf({ ...WELL, ...condition })).toBe(expected);
  });
});

describe('the order of need', () => {
  const condition = fc.record({
    id: fc.nat({ max: 1_000 }),
    state: fc.constantFrom('stress', 'comfort', 'saturated', null),
    isAboveDryLevel: fc.boolean(),
    needsWater: fc.boolean(),
    daysToStress: fc.option(fc.integer({ min: 0, max: 900 }).map((tenths) => tenths / 10)),
    moisture: fc.option(fc.integer({ min: 0, max: 600 }).map((tenths) => tenths / 10)),
    tension: fc.option(fc.integer({ min: 0, max: 200 })),
    hasFiringAlert: fc.boolean(),
    check: fc.constantFrom('SENSOR_STUCK', 'RECENT_WATERING', null),
    isSilent: fc.boolean(),
  });

  it('is total, and its figures are whole, so that a cursor can hold them', () => {
    fc.assert(
      fc.property(condition, condition, (a, b) => {
        const [first, second] = [sortKeyOf(a), sortKeyOf(b)];
        expect(first.every(Number.isSafeInteger)).toBe(true);
        expect(Math.sign(compareSortKeys(first, second))).toBe(
          -Math.sign(compareSortKeys(second, first)) + 0,
        );
        if (a.id !== b.id) expect(compareSortKeys(first, second)).not.toBe(0);
      }),
    );
  });

  it('puts the drier of two alike first: less moisture, or more tension', () => {
    const drier = (a: Partial<ProbeCondition>, b: Partial<ProbeCondition>): number =>
      compareSortKeys(sortKeyOf({ ...WELL, ...a }), sortKeyOf({ ...WELL, ...b }));
    expect(drier({ moisture: 12.1 }, { moisture: 12.2 })).toBeLessThan(0);
    expect(drier({ ...TENSIOMETER, tension: 60 }, { ...TENSIOMETER, tension: 40 })).toBeLessThan(0);
    expect(drier({ daysToStress: 4 }, { daysToStress: 5, moisture: 10 })).toBeLessThan(0);
    expect(drier({ state: 'stress', daysToStress: 0 }, { isSilent: true })).toBeLessThan(0);
  });
});
