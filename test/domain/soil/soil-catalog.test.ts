import { describe, expect, it } from 'vitest';
import {
  SOIL_CLASSES,
  SOIL_HORIZONS,
  soilClassByName,
  soilConstants,
  soilHorizonById,
} from '../../../src/domain/soil/soil-catalog.ts';

/**
 * Wilting point, field capacity and saturation in whole %. Source: Saxton & Rawls (2006), Table 3.
 */
const TABLE_3: Record<string, [number, number, number]> = {
  Sand: [5, 10, 46],
  'Loamy sand': [5, 12, 46],
  'Sandy loam': [8, 18, 45],
  'Sandy clay loam': [17, 27, 43],
  'Sandy clay': [25, 36, 44],
  Loam: [14, 28, 46],
  'Clay loam': [22, 36, 48],
  Clay: [30, 42, 50],
  'Silt loam': [11, 31, 48],
  Silt: [6, 30, 48],
  'Silty clay loam': [22, 38, 51],
  'Silty clay': [27, 41, 52],
};

describe('the soil catalog', () => {
  it('has the 36 figures of the paper, rounded to whole percent', () => {
    const percent = (share: number): number => Math.round(100 * share);
    const shown = SOIL_HORIZONS.map(({ usdaClass, wiltingPoint, fieldCapacity, saturation }) => [
      usdaClass,
      [percent(wiltingPoint), percent(fieldCapacity), percent(saturation)],
    ]);
    expect(Object.fromEntries(shown)).toEqual(TABLE_3);
  });

  it('keeps four decimals of each constant', () => {
    // Loam has S 0.4, C 0.2, OM 2.5. Equation 1, term by term, gives 0.13774; 0.13774 + 0.14 x
    // 0.13774 - 0.02 = 0.1370236.
    expect(soilHorizonById(6)).toMatchObject({ usdaClass: 'Loam', wiltingPoint: 0.137 });
    for (const { wiltingPoint, fieldCapacity, saturation } of SOIL_HORIZONS)
      for (const constant of [wiltingPoint, fieldCapacity, saturation])
        expect(String(constant)).toMatch(/^0\.\d{1,4}$/);
  });

  it('has sand, silt and clay that add up to 100 %', () => {
    for (const { sandPct, siltPct, clayPct } of SOIL_HORIZONS)
      expect(sandPct + siltPct + clayPct).toBe(100);
    expect(soilHorizonById(9)).toMatchObject({ sandPct: 20, siltPct: 65, clayPct: 15 });
  });

  it('has twelve horizons only', () => {
    expect(SOIL_HORIZONS.length).toBe(12);
    expect([soilHorizonById(0), soilHorizonById(13), soilHorizonById(1.5)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

it('estimates a texture between the classes: sand 20 %, clay 20 %, 2.5 % organic matter', () => {
  const { wiltingPoint, fieldCapacity, saturation } = soilConstants(0.2, 0.2, 2.5);
  expect(wiltingPoint).toBeCloseTo(0.1365448, 7);
  expect(fieldCapacity).toBeCloseTo(0.3208775, 7);
  expect(saturation).toBeCloseTo(0.482125, 7);
});

it('lists twelve classes by decreasing sand, then increasing clay', () => {
  const sorted = SOIL_CLASSES.toSorted((a, b) => b.sandPct - a.sandPct || a.clayPct - b.clayPct);
  expect(SOIL_CLASSES.map(({ usdaClass }) => usdaClass)).toEqual(
    sorted.map(({ usdaClass }) => usdaClass),
  );
  expect(SOIL_CLASSES.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

// The sides of the texture triangle's classes: Soil Survey Manual (USDA), chapter 3.
it('puts every class point inside its class of the USDA texture triangle', () => {
  const triangle = (sand: number, clay: number): string => {
    const silt = 100 - sand - clay;
    if (silt + 1.5 * clay < 15) return 'Sand';
    if (silt + 2 * clay < 30) return 'Loamy sand';
    if (clay >= 40 && silt >= 40) return 'Silty clay';
    if (clay >= 35 && sand > 45) return 'Sandy clay';
    if (clay >= 40) return 'Clay';
    if (clay >= 27 && sand <= 20) return 'Silty clay loam';
    if (clay >= 27) return sand <= 45 ? 'Clay loam' : 'Sandy clay loam';
    if (clay >= 20 && silt < 28 && sand > 45) return 'Sandy clay loam';
    if (silt >= 80 && clay < 12) return 'Silt';
    if (silt >= 50) return 'Silt loam';
    return clay >= 7 && silt >= 28 && sand <= 52 ? 'Loam' : 'Sandy loam';
  };
  for (const { usdaClass, sandPct, clayPct } of SOIL_CLASSES)
    expect(triangle(sandPct, clayPct)).toBe(usdaClass);
});

it('finds a class by its name', () => {
  expect(soilClassByName('Silt loam')).toMatchObject({ id: 9, sandPct: 20, clayPct: 15 });
});
