import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classifyTension,
  isAboveDryLevel,
  type TensionLevels,
  typicalTension,
} from '../../../src/domain/moisture/tension.ts';
import { USDA_CLASSES } from '../../../src/domain/soil/soil-catalog.ts';
import { DAY, HOUR } from '../../time.ts';

const NOW = Date.UTC(2026, 6, 1, 10);
const at = (value: number, age = HOUR) => ({ at: NOW - age, value });
const stateAt = (value: number, wetLevel: number | null, dryLevel: number | null) =>
  classifyTension(at(value), { wetLevel, dryLevel }, NOW);

describe('the state by tension', () => {
  it.each([
    [9.9, 'saturated'],
    [10, 'comfort'],
    [60, 'comfort'],
    [60.1, 'stress'],
    [77, 'stress'],
  ])('between 10 and 60 kPa, %d kPa is %s', (value, state) => {
    expect(stateAt(value, 10, 60)).toBe(state);
  });

  it('needs one level alone for what is beyond it, and both for comfort', () => {
    expect([stateAt(77, null, 60), stateAt(40, null, 60)]).toEqual(['stress', null]);
    expect([stateAt(5, 10, null), stateAt(40, 10, null)]).toEqual(['saturated', null]);
    expect(stateAt(77, null, null)).toBeNull();
  });

  it('is unknown without fresh data, or if the levels are crossed', () => {
    const levels: TensionLevels = { wetLevel: 10, dryLevel: 60 };
    expect(classifyTension(at(77, 2 * DAY), levels, NOW)).toBeNull();
    expect(isAboveDryLevel(at(77, 2 * DAY), levels, NOW)).toBeNull();
    expect(classifyTension(null, levels, NOW)).toBeNull();
    expect([stateAt(77, 60, 10), isAboveDryLevel(at(77), { wetLevel: 60, dryLevel: 10 }, NOW)]).toEqual([null, null]);
  });

  it('never gets wetter as tension rises', () => {
    const order = ['saturated', 'comfort', 'stress'];
    const tension = fc.double({ min: 0, max: 200, noNaN: true });
    fc.assert(
      fc.property(tension, tension, tension, tension, (wet, range, one, other) => {
        const states = [Math.min(one, other), Math.max(one, other)].map((value) =>
          order.indexOf(stateAt(value, wet, wet + range + 1)!),
        );
        expect(states[0]!).toBeLessThanOrEqual(states[1]!);
      }),
    );
  });

  it('is stress exactly where the tension is above the dry level', () => {
    const tension = fc.double({ min: 0, max: 200, noNaN: true });
    fc.assert(
      fc.property(tension, tension, (value, dryLevel) => {
        const levels = { wetLevel: null, dryLevel };
        expect(classifyTension(at(value), levels, NOW) === 'stress').toBe(isAboveDryLevel(at(value), levels, NOW));
      }),
    );
  });
});

describe('the usual levels of a texture', () => {
  // Irrometer, Soil Water Basics: 30 to 60 cbar in most soils, 60 to 100 in heavy clay; at 10 to 30 coarse sands dry.
  it.each([
    ['Sand', 10, 30],
    ['Sandy loam', 30, 60],
    ['Clay loam', 30, 60],
    ['Clay', 60, 100],
  ] as const)('%s is watered between %d and %d kPa', (usdaClass, dryFrom, dryTo) => {
    expect(typicalTension(usdaClass)).toEqual({ wetLevel: 10, dryFrom, dryTo });
  });

  it('are in order for every texture', () => {
    for (const { wetLevel, dryFrom, dryTo } of USDA_CLASSES.map(typicalTension)) {
      expect(wetLevel).toBeLessThanOrEqual(dryFrom);
      expect(dryFrom).toBeLessThan(dryTo);
    }
  });
});
