import { expect, it } from 'vitest';
import { SOIL_CLASSES, soilClassByName } from '../../src/domain/soil-classes.ts';

it('lists twelve classes by decreasing sand, then increasing clay', () => {
  const sorted = SOIL_CLASSES.toSorted((a, b) => b.sandPct - a.sandPct || a.clayPct - b.clayPct);
  expect(SOIL_CLASSES.map(({ usdaClass }) => usdaClass)).toEqual(sorted.map(({ usdaClass }) => usdaClass));
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
    if (clay >= 27) return sand <= 20 ? 'Silty clay loam' : sand <= 45 ? 'Clay loam' : 'Sandy clay loam';
    if (clay >= 20 && silt < 28 && sand > 45) return 'Sandy clay loam';
    if (silt >= 80 && clay < 12) return 'Silt';
    if (silt >= 50) return 'Silt loam';
    return clay >= 7 && silt >= 28 && sand <= 52 ? 'Loam' : 'Sandy loam';
  };
  for (const { usdaClass, sandPct, clayPct } of SOIL_CLASSES) expect(triangle(sandPct, clayPct)).toBe(usdaClass);
});

it('finds a class by its name', () => {
  expect(soilClassByName('Silt loam')).toMatchObject({ id: 9, sandPct: 20, clayPct: 15 });
});
