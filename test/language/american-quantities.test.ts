import { describe, expect, it } from 'vitest';
import type { UnitSystem } from '../../src/domain/units.ts';
import {
  depthLabel,
  formatQuantity,
  formatWaterFigure,
  waterUnitOf,
} from '../../src/language/american-quantities.ts';
import { languageOf } from '../../src/language/index.ts';

const wording = (lang: 'en' | 'es' | 'fr', units: UnitSystem = 'us') => ({ lang, units });

// 25.4 mm in an inch, 3.785 L in a gallon, 102.79 m3 in an acre-inch.
describe('a quantity on the page', () => {
  it('is in both units where the farm has US units', () => {
    expect(formatQuantity(12.7, 'mm', wording('en'))).toBe('0.5 in (12.7 mm)');
    expect(formatQuantity(12.7, 'mm', wording('es'))).toBe('0,5 pulg. (12,7 mm)');
    expect(formatQuantity(60, 'cm', wording('fr'))).toBe('24 po (60 cm)');
    expect(formatQuantity(374, 'm3', wording('en'))).toBe('98,800 gal (374 m³)');
    expect(formatQuantity(4000, 'm3', wording('es'))).toBe('38,9 acre-pulgadas (4000 m³)');
  });

  it('is metric elsewhere', () => {
    expect(formatQuantity(12.7, 'mm', wording('en', 'metric'))).toBe('12.7 mm');
    expect(formatQuantity(374, 'm3', wording('es', 'metric'))).toBe('374 m³');
  });
});

describe('a label of a chart', () => {
  it('is in US units alone, and says so', () => {
    expect(formatWaterFigure(12.7, wording('en'))).toBe('0.5');
    expect(depthLabel(30, wording('es'))).toBe('12 pulg.');
    expect(waterUnitOf(wording('es'))).toBe('pulg.');
    const { per, rain, watering } = languageOf('en').chartLabels;
    const unit = waterUnitOf(wording('en'));
    expect(rain(unit, per.day)).toBe('rain, inches a day');
    expect(watering(unit, per.week)).toBe('watering, inches a week over the whole area');
  });

  it('is metric elsewhere', () => {
    expect(formatWaterFigure(12.74, wording('en', 'metric'))).toBe('12.7');
    expect(depthLabel(30, wording('en', 'metric'))).toBe('30 cm');
    expect(waterUnitOf(wording('en', 'metric'))).toBe('mm');
  });
});
