import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classifyAgronomicState,
  curveSoilConstants,
  resolveThresholds,
} from '../../../src/domain/moisture/agronomic-state.ts';
import { buildSummaryCurve } from '../../../src/domain/moisture/summary-curve.ts';
import {
  classifyTension,
  isAboveDryLevel,
  type TensionLevels,
  typicalTension,
} from '../../../src/domain/moisture/tension/tension-state.ts';
import { soilHorizonById, USDA_CLASSES } from '../../../src/domain/soil/soil-catalog.ts';
import type { DatedLayer } from '../../../src/domain/soil/soil-profile.ts';
import { DAY, HOUR } from '../../time.ts';

const NOW = Date.UTC(2026, 6, 1);

describe('the agronomic state', () => {
  const thresholds = { fieldCapacity: 28, stressPoint: 20.8 };
  const of = (value: number | null, ageMs = 0) =>
    classifyAgronomicState({ at: NOW - ageMs, value }, thresholds, NOW);

  it('is saturated above field capacity, stress below the stress point, comfort between and on either', () => {
    expect([28.1, 28, 24, 20.8, 20.7].map((value) => of(value))).toEqual([
      'saturated',
      'comfort',
      'comfort',
      'comfort',
      'stress',
    ]);
  });

  it('is null without fresh data', () => {
    expect([of(24, 25 * HOUR), of(24, 25 * HOUR + 1), of(null)]).toEqual(['comfort', null, null]);
    expect(classifyAgronomicState(null, thresholds, NOW)).toBeNull();
  });

  it('is null unless both thresholds are known', () => {
    const newest = { at: NOW, value: 50 };
    expect(
      classifyAgronomicState(newest, { fieldCapacity: 28, stressPoint: null }, NOW),
    ).toBeNull();
    expect(
      classifyAgronomicState(newest, { fieldCapacity: null, stressPoint: 20 }, NOW),
    ).toBeNull();
  });
});

describe('the thresholds', () => {
  const soil = { fieldCapacity: 0.28, wiltingPoint: 0.14 };
  const NO_LINES = { fieldCapacity: null, wiltingPoint: null };
  const HALF = { share: 0.5, basis: 'default' } as const;

  it('are the lines of the humidity curve, each with its basis, and the stress point that follows from them', () => {
    // 30 - 0.65 x (30 - 16).
    expect(
      resolveThresholds({ fieldCapacity: 30, wiltingPoint: 16 }, soil, {
        share: 0.65,
        basis: 'crop',
      }),
    ).toEqual({
      fieldCapacity: 30,
      wiltingPoint: 16,
      stressPoint: 20.9,
      allowedDepletion: 0.65,
      basis: {
        fieldCapacity: 'annotation',
        wiltingPoint: 'annotation',
        stressPoint: 'annotation',
        allowedDepletion: 'crop',
      },
    });
  });

  it('otherwise come from the profile, in %', () => {
    // 28 - 0.5 x (28 - 14).
    expect(resolveThresholds(NO_LINES, soil, HALF)).toEqual({
      fieldCapacity: 28,
      wiltingPoint: 14,
      stressPoint: 21,
      allowedDepletion: 0.5,
      basis: {
        fieldCapacity: 'soil_profile',
        wiltingPoint: 'soil_profile',
        stressPoint: 'soil_profile',
        allowedDepletion: 'default',
      },
    });
    // Of the figures that are shown: 0.65 x 28.34 + 0.35 x 13.35; of the exact ones it would be
    // 23.1.
    const exact = { fieldCapacity: 0.283449, wiltingPoint: 0.133549 };
    expect(resolveThresholds(NO_LINES, exact, { share: 0.35, basis: 'crop' }).stressPoint).toBe(
      23.09,
    );
  });

  it('mix a line with the profile, on which the stress point then rests', () => {
    // 30 - 0.5 x (30 - 14).
    expect(resolveThresholds({ fieldCapacity: 30, wiltingPoint: null }, soil, HALF)).toMatchObject({
      fieldCapacity: 30,
      wiltingPoint: 14,
      stressPoint: 22,
      basis: {
        fieldCapacity: 'annotation',
        wiltingPoint: 'soil_profile',
        stressPoint: 'soil_profile',
      },
    });
  });

  it('have no stress point unless the wilting point is below field capacity', () => {
    const crossed = resolveThresholds({ fieldCapacity: 12, wiltingPoint: null }, soil, HALF);
    expect([crossed.stressPoint, crossed.basis.stressPoint]).toEqual([null, null]);
    expect(
      resolveThresholds({ fieldCapacity: 14, wiltingPoint: 14 }, null, HALF).stressPoint,
    ).toBeNull();
    expect(
      resolveThresholds({ fieldCapacity: null, wiltingPoint: 14 }, null, HALF).stressPoint,
    ).toBeNull();
  });

  it('are null, basis too, with neither line nor profile', () => {
    expect(resolveThresholds(NO_LINES, null, HALF)).toMatchObject({
      ...NO_LINES,
      stressPoint: null,
      basis: { fieldCapacity: null, wiltingPoint: null, stressPoint: null },
    });
  });
});

describe('the soil of a curve', () => {
  const sand = soilHorizonById(1)!;
  const clay = soilHorizonById(8)!;
  const layer = (depthTopCm: number, depthBottomCm: number, soilHorizonId: number): DatedLayer => ({
    soilHorizonId,
    depthTopCm,
    depthBottomCm,
    startedAt: 0,
    endedAt: null,
  });
  const layers = [layer(0, 20, sand.id), layer(20, 80, clay.id)];
  // 40, 35 and 25 %.
  const curve = buildSummaryCurve([10, 30, 60], {
    rootDepthCm: 80,
    depthWeights: null,
    emitterDepthCm: null,
  });

  it('is that of the layers at its sensors, weighted as the curve', () => {
    const soil = curveSoilConstants(curve, layers, NOW, () => true)!;
    expect(soil.fieldCapacity).toBeCloseTo(0.4 * sand.fieldCapacity + 0.6 * clay.fieldCapacity, 12);
    expect(soil.wiltingPoint).toBeCloseTo(0.4 * sand.wiltingPoint + 0.6 * clay.wiltingPoint, 12);
  });

  it('covers the sensors with a value and a layer', () => {
    const without10 = curveSoilConstants(curve, layers, NOW, (sensor) => sensor !== 0)!;
    expect(without10.fieldCapacity).toBeCloseTo(clay.fieldCapacity, 12);
    const without60 = curveSoilConstants(curve, [layer(0, 40, sand.id)], NOW, () => true)!;
    expect(without60.fieldCapacity).toBeCloseTo(sand.fieldCapacity, 12);
  });

  it('is null without a layer at any sensor of weight', () => {
    expect(curveSoilConstants(curve, [], NOW, () => true)).toBeNull();
    const shallow = buildSummaryCurve([10, 30], {
      rootDepthCm: 15,
      depthWeights: null,
      emitterDepthCm: null,
    });
    expect(curveSoilConstants(shallow, [layer(20, 40, clay.id)], NOW, () => true)).toBeNull();
  });
});

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
    expect([
      stateAt(77, 60, 10),
      isAboveDryLevel(at(77), { wetLevel: 60, dryLevel: 10 }, NOW),
    ]).toEqual([null, null]);
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
        expect(classifyTension(at(value), levels, NOW) === 'stress').toBe(
          isAboveDryLevel(at(value), levels, NOW),
        );
      }),
    );
  });
});

describe('the usual levels of a texture', () => {
  // Irrometer, Soil Water Basics: 30 to 60 cbar in most soils, 60 to 100 in heavy clay; at 10 to 30
  // coarse sands dry.
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
