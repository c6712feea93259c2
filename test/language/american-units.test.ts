import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import {
  acceptedRange,
  amount,
  area,
  asLimit,
  emitters,
  exact,
  rate,
  rough,
} from '../../src/domain/text/figures.ts';
import { say } from '../../src/domain/text/say.ts';
import type { Figures } from '../../src/domain/text/text.ts';
import type { EnteredUnit } from '../../src/domain/units.ts';
import { formatUsFigure, formatUsLimit } from '../../src/language/american-quantities.ts';
import { US_UNITS } from '../../src/language/american-units.ts';
import { parseAmount } from '../../src/language/words/amounts/amount.ts';
import { renderText, renderTextIn } from './render-text.ts';

describe('figures for a farm with US units', () => {
  // 25.4 mm in an inch, 3.785 L in a gallon, 102.79 m3 in an acre-inch, 4,046.86 m2 in an acre.
  it.each([
    [exact(6.7, 'm'), '22 ft (6.7 m)'],
    [exact(1200, 'L/h'), '317 gph (1200 L/h)'],
    [amount(410.3, 'mm'), '16.2 in (410 mm)'],
    [amount(1.5, 'mm'), '0.059 in (1.5 mm)'],
    [rough(rate(8, 'mm/h')), '0.3 in/h (8 mm/h)'],
    [emitters(0.5), 'one emitter per 21.5 sq ft (0.5 per m2)'],
    [exact(-4.5, '°C'), '23.9 °F (-4.5 °C)'],
    [area(4046.86), '1 acre (0.4 ha)'],
    [asLimit(exact(1000, 'mm'), 'max'), '39.37 in (1000 mm)'],
    [asLimit(exact(500, 'mm'), 'max'), '19.68 in (500 mm)'],
    [asLimit(exact(254, 'mm'), 'max'), '10 in (254 mm)'],
    [asLimit(exact(1_000_000, 'm3'), 'max'), '9,728 acre-inches (1000000 m3)'],
    [asLimit(exact(10_000, 'L/h'), 'max'), '2,641 gph (10000 L/h)'],
    [asLimit(exact(0.001, 'L/h'), 'min'), '0.000265 gph (0.001 L/h)'],
    [asLimit(area(1_000_000_000), 'max'), '247,105 acres (100000 ha)'],
    [acceptedRange([0, 500], 'cm'), '0 to 197 in (0 to 500 cm)'],
    [acceptedRange([5, 500], 'cm'), '1.78 to 197 in (5 to 500 cm)'],
  ])('%j is %j', (figures, us) => expect(renderText(say`${figures}`, 'us')).toBe(us));

  it.each<[Lang, Figures, string]>([
    ['es', exact([12, 14], 'mm', 'to'), '0,47 a 0,55 pulg. (12 a 14 mm)'],
    ['es', amount(374, 'm3'), '98\u202f800 gal (374 m3)'],
    ['es', exact([10, 20, 30], 'cm'), '4, 8 y 12 pulg. (10, 20 y 30 cm)'],
    ['fr', amount(18.5, 'mm'), '0,73 po (18,5 mm)'],
  ])('in %s: %j is %j', (lang, figures, us) =>
    expect(renderTextIn(lang, say`${figures}`, 'us')).toBe(us),
  );
});

describe('a quantity in US units', () => {
  const METRIC_UNITS: Record<keyof typeof US_UNITS, { unit: EnteredUnit; size: number }> = {
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
  const units = fc.constantFrom(...(Object.keys(METRIC_UNITS) as (keyof typeof US_UNITS)[]));

  // The coarsest figures are those of lengths: whole inches from 3.5 inches on.
  it.each(LANGS)('is understood as what it stands for, in %s', (lang) => {
    fc.assert(
      fc.property(units, fc.double({ min: 0.5, max: 900, noNaN: true }), (metricUnit, value) => {
        const { unit, size } = METRIC_UNITS[metricUnit];
        const usUnit = US_UNITS[metricUnit](value);
        const text = `${formatUsFigure(value, usUnit, lang)} ${usUnit.symbol(lang)}`;
        const read = parseAmount(text, unit, { usGallons: true });
        const amount = read.ok ? read.value.amount : Number.NaN;
        expect([text, Math.abs(amount / (value * size) - 1) < 0.15]).toEqual([text, true]);
      }),
    );
  });

  // The next figure with as many digits has to be beyond the limit, or the limit is said too low.
  it('is accepted as a limit is said, and not one step beyond', () => {
    const limits = fc
      .integer({ min: -3, max: 8 })
      .chain((exponent) =>
        fc.integer({ min: 1, max: 99 }).map((figure) => Number(`${figure}e${exponent}`)),
      );
    fc.assert(
      fc.property(units, limits, fc.constantFrom('min', 'max'), (metricUnit, figure, limit) => {
        const { unit, size } = METRIC_UNITS[metricUnit];
        const value = unit === 'cm' ? Math.ceil(figure) : figure;
        const usUnit = US_UNITS[metricUnit](value);
        const said = formatUsLimit(value, usUnit, 'en', limit).replaceAll(',', '');
        const digits = said.split('.')[1]?.length ?? 0;
        const step = (limit === 'max' ? 1 : -1) * 10 ** -digits;
        const beyond = (Number(said) + step).toFixed(digits);
        const isAccepted = (us: string): boolean => {
          const read = parseAmount(`${us} ${usUnit.symbol('en')}`, unit, { usGallons: true });
          const entered = read.ok ? read.value.amount : Number.NaN;
          const amount = unit === 'cm' ? Math.round(entered) : entered;
          const bound = Number((value * size).toPrecision(12));
          return limit === 'max' ? amount <= bound : amount >= bound;
        };
        expect([said, isAccepted(said), isAccepted(beyond)]).toEqual([said, true, false]);
      }),
    );
  });
});
