import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cropTables } from '../../../src/domain/balance/crop-tables.ts';
import {
  type BalanceDay,
  type BalanceState,
  balanceOfDay,
  type CropOfDay,
} from '../../../src/domain/balance/daily-balance.ts';
import { coefficientOn } from '../../../src/domain/balance/growth-stages.ts';
import { evaporableMm, surfaceOf } from '../../../src/domain/balance/soil-evaporation.ts';
import { CROP_DEPLETIONS, CROPS } from '../../../src/domain/soil/allowed-depletion.ts';
import { propertyRuns } from '../../property-runs.ts';

const LOAM = surfaceOf('Loam', { fieldCapacity: 0.28, wiltingPoint: 0.14 });

const CROP: CropOfDay = {
  coefficient: 0.9,
  basis: 'dual',
  coefficientOfBareSoil: 0.15,
  heightM: 1,
  allowedDepletion: 0.5,
  availableMm: 140,
  availableBelowMm: 0,
};

const options = (zoneFraction: number) =>
  ({
    surface: LOAM,
    reference: 'grass',
    adjustsDepletion: false,
    zoneFraction,
    limitsEvaporation: true,
  }) as const;

/** Evenly, which doubles are not: most of those are next to 0. */
const upTo = (most: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 1000 }).map((share) => (share / 1000) * most);

const anyDay: fc.Arbitrary<BalanceDay> = fc.record({
  et0Mm: upTo(12),
  rainMm: fc.oneof(fc.constant(0), upTo(60)),
  irrigationMm: fc.oneof(fc.constant(0), upTo(40)),
  wettedFraction: fc.constantFrom(0.2, 0.35, 1),
  windMs: fc.constantFrom(null, 0, 2, 9),
  humidityMin: fc.constantFrom(null, 5, 45, 95),
});

const anyState: fc.Arbitrary<BalanceState> = fc.record({
  surfaceMm: upTo(LOAM.totalMm),
  wettedFraction: fc.constantFrom(0.35, 1),
  isWetByRain: fc.boolean(),
  rootZoneMm: upTo(140),
  belowMm: fc.constant(null),
  availableBelowMm: fc.constant(0),
});

const anyZone = fc.constantFrom(0.2, 0.35, 1);

describe('balanceOfDay', () => {
  it('loses no water: what comes in is stored, used or drained', () => {
    fc.assert(
      fc.property(anyState, anyDay, (before, day) => {
        const { state, evaporationMm, transpirationMm, percolationMm } = balanceOfDay(
          before,
          day,
          CROP,
          options(1),
        );
        // At the wilting point the root zone has nothing more to give.
        fc.pre(state.rootZoneMm < CROP.availableMm);
        const storedMm = before.rootZoneMm - state.rootZoneMm;
        expect(day.rainMm + day.irrigationMm).toBeCloseTo(
          storedMm + evaporationMm + transpirationMm + percolationMm,
          9,
        );
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('keeps the lack of water between nothing and what the soil can hold', () => {
    fc.assert(
      fc.property(anyState, anyDay, anyZone, (before, day, zoneFraction) => {
        const { state } = balanceOfDay(before, day, CROP, options(zoneFraction));
        expect(state.rootZoneMm).toBeGreaterThanOrEqual(0);
        expect(state.rootZoneMm).toBeLessThanOrEqual(CROP.availableMm);
        expect(state.surfaceMm).toBeGreaterThanOrEqual(0);
        expect(state.surfaceMm).toBeLessThanOrEqual(LOAM.totalMm);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('evaporates no more than the wetted surface loses', () => {
    fc.assert(
      fc.property(anyState, anyDay, anyZone, (before, day, zoneFraction) => {
        const young = { ...CROP, coefficient: 0.2, heightM: 0.1 };
        const { state, evaporationMm } = balanceOfDay(before, day, young, options(zoneFraction));
        const wettingMm = day.rainMm + day.irrigationMm / state.wettedFraction;
        const evaporatedMm = state.surfaceMm - Math.max(0, before.surfaceMm - wettingMm);
        expect(evaporationMm).toBeLessThanOrEqual(evaporatedMm * state.wettedFraction + 1e-9);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('concentrates watering and transpiration in the zone that is wetted, and not rain', () => {
    const dry = { surfaceMm: LOAM.totalMm, rootZoneMm: 50, belowMm: null, availableBelowMm: 0 };
    const before = { ...dry, wettedFraction: 0.4, isWetByRain: false };
    const quiet = { et0Mm: 0, wettedFraction: 0.4, windMs: null, humidityMin: null };

    const watered = balanceOfDay(
      before,
      { ...quiet, rainMm: 0, irrigationMm: 4 },
      CROP,
      options(0.4),
    );
    expect(watered.state.rootZoneMm).toBeCloseTo(50 - 4 / 0.4, 9);

    const rained = balanceOfDay(
      before,
      { ...quiet, rainMm: 4, irrigationMm: 0 },
      CROP,
      options(0.4),
    );
    expect(rained.state.rootZoneMm).toBeCloseTo(50 - 4, 9);

    const sunny = balanceOfDay(
      before,
      { ...quiet, et0Mm: 6, rainMm: 0, irrigationMm: 0 },
      CROP,
      options(0.4),
    );
    expect(sunny.transpirationMm).toBeCloseTo(0.9 * 6, 9);
    expect(sunny.state.rootZoneMm).toBeCloseTo(50 + (0.9 * 6) / 0.4, 9);
  });

  it('evaporates less under mulch, down to the share that the mulch leaves', () => {
    fc.assert(
      fc.property(anyState, anyDay, anyZone, (before, day, zoneFraction) => {
        const bare = options(zoneFraction);
        const covered = { ...bare, evaporationShare: 0.35 };
        const young = { ...CROP, coefficient: 0.2, heightM: 0.1 };
        const ofBare = balanceOfDay(before, day, young, bare).evaporationMm;
        const ofCovered = balanceOfDay(before, day, young, covered).evaporationMm;
        expect(ofCovered).toBeLessThanOrEqual(ofBare + 1e-9);
        expect(ofCovered).toBeGreaterThanOrEqual(0.35 * ofBare - 1e-9);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('slows transpiration down once the crop lacks more than it can use freely', () => {
    const before: BalanceState = {
      surfaceMm: LOAM.totalMm,
      wettedFraction: 1,
      isWetByRain: true,
      rootZoneMm: 105,
      belowMm: null,
      availableBelowMm: 0,
    };
    const day = { et0Mm: 5, rainMm: 0, irrigationMm: 0, wettedFraction: 1 };
    const result = balanceOfDay(
      before,
      { ...day, windMs: null, humidityMin: null },
      CROP,
      options(1),
    );
    // Equation 84: (140 - 105) / ((1 - 0.5) 140).
    expect(result.stressFactor).toBeCloseTo(0.5, 9);
  });
});

describe('evaporableMm', () => {
  it('gives the example of FAO-56: sandy loam of 0.23 and 0.10 loses 18 mm from 10 cm', () => {
    // Example 35: TEW = 1000 (0.23 - 0.5 (0.10)) 0.1.
    expect(evaporableMm(0.23, 0.1, 0.1)).toBeCloseTo(18, 9);
  });
});

describe('coefficientOn', () => {
  it('gives the crop coefficients of dry beans in FAO-56, example 28', () => {
    const lengths = { initial: 25, development: 25, mid: 30, late: 20 };
    const dryBeans = { initial: 0.15, mid: 1.19, end: 0.35 };
    expect(coefficientOn(20, lengths, dryBeans)).toBe(0.15);
    expect(coefficientOn(40, lengths, dryBeans)).toBeCloseTo(0.774, 3);
    expect(coefficientOn(70, lengths, dryBeans)).toBe(1.19);
    expect(coefficientOn(95, lengths, dryBeans)).toBeCloseTo(0.56, 2);
  });
});

describe('cropTables', () => {
  it.each(CROPS)('knows %s', (crop) => {
    const { single, basal, rootsM, lengths } = cropTables(crop);
    expect(rootsM[0]).toBeLessThan(rootsM[1]);
    expect(CROP_DEPLETIONS[crop]).toBeGreaterThan(0);
    // A crop alone uses no more than crop and soil together, within the rounding of the tables.
    if (basal !== null) expect(basal.mid).toBeLessThanOrEqual(single.mid + 0.001);
    if (lengths === null) return;
    for (const days of Object.values(lengths)) expect(days).toBeGreaterThan(0);
  });
});
