import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import type { EnteredUnit } from '../../src/domain/units.ts';
import {
  formatUsQuantity,
  type MetricUnit,
  shieldQuantities,
  withUsUnits,
  withUsUnitsOutsideQuotes,
} from '../../src/language/american-units.ts';
import { parseAmount } from '../../src/language/words/amounts/amount.ts';

describe('a sentence for a farm with US units', () => {
  // 25.4 mm in an inch, 3.785 L in a gallon, 102.79 m3 in an acre-inch, 4,046.86 m2 in an acre.
  it.each([
    ['It lacks 18 mm.', 'It lacks 0.71 in (18 mm).'],
    ['Give 5 h, 30 mm, 374 m3.', 'Give 5 h, 1.18 in (30 mm), 98,800 gal (374 m3).'],
    ['Give 4000 m3.', 'Give 38.9 acre-inches (4000 m3).'],
    ['(30 mm, 8 h)', '(1.18 in [30 mm], 8 h)'],
    ['drip of 3.2 mm/h', 'drip of 0.13 in/h (3.2 mm/h)'],
    ['emitters of 2 L/h', 'emitters of 0.53 gph (2 L/h)'],
    ['at 10, 20 and 30 cm', 'at 4, 8 and 12 in (10, 20 and 30 cm)'],
    ['at 10, 20, 30 and 40 cm', 'at 4, 8, 12 and 16 in (10, 20, 30 and 40 cm)'],
    ['on Almond 1, 12 mm', 'on Almond 1, 0.47 in (12 mm)'],
    ['wetted fraction 0.35, 10000 m2', 'wetted fraction 0.35, 2.47 acres (10000 m2)'],
    ['gained 6.9 of 7.6 mm', 'gained 0.27 of 0.3 in (6.9 of 7.6 mm)'],
    ['lines 6.7 m apart', 'lines 22 ft (6.7 m) apart'],
    ['on 12000 m2', 'on 2.97 acres (12000 m2)'],
    ['3 ha of olives', '7.41 acres (3 ha) of olives'],
    ['today 06:00, 12 mm', 'today 06:00, 0.47 in (12 mm)'],
    ['1.6 ha (16187 m2)', '3.95 acres (1.6 ha)'],
    ['a bed of 50 m2', 'a bed of 538 sq ft (50 m2)'],
    ['1200 L/h', '317 gph (1200 L/h)'],
    ['1.89271 L/h', '0.5 gph (1.89 L/h)'],
    ['410.3 mm in all', '16.2 in (410.3 mm) in all'],
    ['0.5 mm of rain', '0.02 in (0.5 mm) of rain'],
    ['1.5 mm a day', '0.059 in (1.5 mm) a day'],
    ['off by some 15 mm', 'off by some 0.6 in (15 mm)'],
    ['takes in some 8 mm/h', 'takes in some 0.3 in/h (8 mm/h)'],
    ['about 40 mm over the whole area', 'about 1.6 in (40 mm) over the whole area'],
    // 1 m2 is 10.76 sq ft.
    [
      'drip, 2 emitters per m2, 3.2 mm/h',
      'drip, one emitter per 5.38 sq ft (2 per m2), 0.13 in/h (3.2 mm/h)',
    ],
    ['0.5 emitters per m2', 'one emitter per 21.5 sq ft (0.5 per m2)'],
    ['Soil temperature at 10 cm: 23 °C', 'Soil temperature at 4 in (10 cm): 73.4 °F (23 °C)'],
    ['Up 2.5 °C from 20 °C', 'Up 4.5 °F (2.5 °C) from 68 °F (20 °C)'],
    ['(12 to 20 °C)', '(53.6 to 68 °F [12 to 20 °C])'],
    ['-4.5 °C in the air', '23.9 °F (-4.5 °C) in the air'],
  ])('%j is %j', (metric, us) => expect(withUsUnits(metric)).toBe(us));

  it.each([
    '24.7 % by volume, under stress',
    '45 min at 06:00, at 35 to 50 kPa',
    '20 m3/ha, 4.5 m3/m3',
    'Sonde A30 cm-2, id 7mmX',
    'in about 3 days, 40 metres off',
  ])('%j has nothing to convert', (text) => expect(withUsUnits(text)).toBe(text));

  it.each<[Lang, string, string]>([
    ['es', 'Riegue 5 h, 18,5 mm.', 'Riegue 5 h, 0,73 pulg. (18,5 mm).'],
    ['es', 'de 12 a 14 mm, 374 m³', 'de 0,47 a 0,55 pulg. (12 a 14 mm), 98\u202f800 gal (374 m³)'],
    ['es', 'a 10, 20 y 30 cm', 'a 4, 8 y 12 pulg. (10, 20 y 30 cm)'],
    ['es', '12 mm (3,2 mm/h)', '0,47 pulg. (12 mm) (0,13 pulg./h [3,2 mm/h])'],
    ['fr', 'Donnez 18,5 mm.', 'Donnez 0,73 po (18,5 mm).'],
    ['fr', '6,9 sur 7,6 mm, 374 m³', '0,27 sur 0,3 po (6,9 sur 7,6 mm), 98\u202f800 gal (374 m³)'],
  ])('in %s: %j is %j', (lang, metric, us) => expect(withUsUnits(metric, lang)).toBe(us));

  it('leaves what is quoted as it is', () =>
    expect(withUsUnitsOutsideQuotes('No probe is called "North 30 cm"; those are at 10 cm.')).toBe(
      'No probe is called "North 30 cm"; those are at 4 in (10 cm).',
    ));

  it('leaves the words of people as they are', () => {
    const name = shieldQuantities('North 30 cm');
    expect(withUsUnits(`${name} lacks 18 mm.`)).toBe('North 30 cm lacks 0.71 in (18 mm).');
  });
});

describe('a quantity in US units', () => {
  const METRIC_UNITS: Record<MetricUnit, { unit: EnteredUnit; size: number }> = {
    mm: { unit: 'mm', size: 1 },
    'mm/h': { unit: 'mm/h', size: 1 },
    cm: { unit: 'cm', size: 1 },
    m: { unit: 'm', size: 1 },
    L: { unit: 'm3', size: 0.001 },
    m3: { unit: 'm3', size: 1 },
    'L/h': { unit: 'L/h', size: 1 },
    m2: { unit: 'm2', size: 1 },
    ha: { unit: 'm2', size: 10_000 },
  };
  const units = fc.constantFrom(...(Object.keys(METRIC_UNITS) as MetricUnit[]));

  // The coarsest figures are those of lengths: whole inches from 3.5 inches on.
  it.each(LANGS)('is understood as what it stands for, in %s', (lang) => {
    fc.assert(
      fc.property(units, fc.double({ min: 0.5, max: 900, noNaN: true }), (metricUnit, value) => {
        const { unit, size } = METRIC_UNITS[metricUnit];
        const text = formatUsQuantity(value, metricUnit, lang);
        const read = parseAmount(text, unit, { usGallons: true });
        const amount = 'amount' in read ? read.amount : Number.NaN;
        expect([text, Math.abs(amount / (value * size) - 1) < 0.15]).toEqual([text, true]);
      }),
    );
  });
});
