import { describe, expect, it } from 'vitest';
import { shieldQuantities, withUsUnits } from '../../src/language/american-units.ts';

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
  ])('%j is %j', (metric, us) => expect(withUsUnits(metric)).toBe(us));

  it.each([
    '24.7 % by volume, under stress',
    '45 min at 06:00, at 35 to 50 kPa',
    '20 m3/ha, 4.5 m3/m3',
    'Sonde A30 cm-2, id 7mmX',
    'in about 3 days, 40 metres off',
  ])('%j has nothing to convert', (text) => expect(withUsUnits(text)).toBe(text));

  it('leaves the words of people as they are', () => {
    const name = shieldQuantities('North 30 cm');
    expect(withUsUnits(`${name} lacks 18 mm.`)).toBe('North 30 cm lacks 0.71 in (18 mm).');
  });
});
