import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { programText } from '../../../src/domain/text/program-text.ts';
import { type EnteredUnit, UNIT_QUANTITIES } from '../../../src/domain/units.ts';
import { parseAmount } from '../../../src/language/words/amounts/amount.ts';
import { propertyRuns } from '../../property-runs.ts';
import {
  type AmountPhrase,
  AREA_PHRASES,
  DEPTH_PHRASES,
  DURATION_PHRASES,
  FLOW_PHRASES,
  LENGTH_PHRASES,
  PERCENT_PHRASES,
  RATE_PHRASES,
  SHARE_PHRASES,
  VOLUME_PHRASES,
} from './amount-phrases.ts';

const UNITS = Object.keys(UNIT_QUANTITIES) as EnteredUnit[];

const readAmount = (...args: Parameters<typeof parseAmount>) => {
  const read = parseAmount(...args);
  return read.ok ? read.value : { error: programText(read.failure) };
};

describe.each<[EnteredUnit, AmountPhrase[]]>([
  ['min', DURATION_PHRASES],
  ['mm', DEPTH_PHRASES],
  ['m3', VOLUME_PHRASES],
  ['cm', LENGTH_PHRASES],
  ['m2', AREA_PHRASES],
  ['L/h', FLOW_PHRASES],
  ['mm/h', RATE_PHRASES],
  ['share', SHARE_PHRASES],
  ['%', PERCENT_PHRASES],
])('an amount in %s', (unit, rows) => {
  it.each(rows)('%j is %s', (phrase, expected) => {
    const read = readAmount(phrase, unit, { usGallons: true });
    if (typeof expected === 'number') expect(read).toMatchObject({ amount: expected });
    else expect(read).toEqual({ error: expect.stringMatching(expected) });
  });
});

describe('a figure of a percentage that could be a share', () => {
  it.each([
    ['0.9', { min: 20, max: 100 }, { amount: 90 }],
    ['0.8', { min: 1, max: 100 }, { amount: 80 }],
    ['1', { min: 1, max: 100 }, { error: expect.stringMatching(/1 % or 100 %/) }],
    ['0.15', { min: 0, max: 60 }, { error: expect.stringMatching(/0.15 % or 15 %/) }],
    ['0.9', { min: 5, max: 60 }, { error: expect.stringMatching(/0.9 % or 90 %/) }],
    ['2', { min: 20, max: 100 }, { amount: 2 }],
  ])('%s, of a field from %o, is what alone is within it', (figure, range, expected) =>
    expect(readAmount(figure, '%', { range })).toMatchObject(expected),
  );
});

describe('a gallon', () => {
  it.each(['500 gallons', '500 gal', '500 galones', '2 gpm for an hour', '20,000 gallons'])(
    '%j is the one or the other where the farm is not in the United States',
    (phrase) =>
      expect(readAmount(phrase, 'm3')).toEqual({
        error: expect.stringMatching(/in the United States .* in Britain: ask which/),
      }),
  );

  it.each([
    ['500 US gallons', 1.892705892],
    ['500 U.S. gallons', 1.892705892],
    ['500 imperial gallons', 2.273045],
  ])('%j is %s m3 anywhere', (phrase, amount) =>
    expect(readAmount(phrase, 'm3')).toMatchObject({ amount }),
  );
});

describe('a figure without a unit, of a farm with US units', () => {
  it.each<[string, EnteredUnit, string]>([
    ['0.5', 'mm', '"0.5 in" or "0.5 mm"'],
    ['500', 'm3', '"500 gal" or "500 m3"'],
    ['24', 'cm', '"24 in" or "24 cm"'],
    ['2', 'm', '"2 ft" or "2 m"'],
    ['4', 'm2', '"4 acres" or "4 m2"'],
    ['1', 'L/h', '"1 gph" or "1 L/h"'],
    ['0.2', 'mm/h', '"0.2 in/h" or "0.2 mm/h"'],
    ['twelve', 'mm', '"12 in" or "12 mm"'],
  ])('%j is asked about, in %s', (phrase, unit, either) =>
    expect(readAmount(phrase, unit, { units: 'us' })).toEqual({
      error: `it has no unit: ask whether ${either} is meant`,
    }),
  );

  it('is minutes or hours where it is a time', () =>
    expect(readAmount('45', 'min', { units: 'us' })).toMatchObject({ amount: 45 }));
});

describe('any amount', () => {
  it('is a number from 0 up, or a readable reason', () => {
    const words = [
      ...DURATION_PHRASES,
      ...DEPTH_PHRASES,
      ...VOLUME_PHRASES,
      ...LENGTH_PHRASES,
    ].flatMap(([phrase]) => phrase.split(' '));
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((each) => each.join(' ')),
    );
    const quantity = fc.constantFrom(...UNITS);
    fc.assert(
      fc.property(text, quantity, (phrase, wanted) => {
        const read = readAmount(phrase, wanted);
        if ('error' in read) expect(read.error).toMatch(/^[^<>\n#]{4,120}$/);
        else expect(read.amount).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('of hours and minutes gives every whole number of minutes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 700 }),
        fc.integer({ min: 0, max: 59 }),
        (hours, minutes) => {
          for (const text of [
            `${hours} h ${minutes}`,
            `${hours} hours and ${minutes} minutes`,
            `${hours} horas y ${minutes} minutos`,
            `${hours * 60 + minutes} mn`,
          ])
            expect(readAmount(text, 'min')).toMatchObject({ amount: hours * 60 + minutes });
        },
      ),
    );
  });

  it('said digit by digit after the point is the figure', () => {
    const digits = {
      point: 'zero one two three four five six seven eight nine'.split(' '),
      virgule: 'zéro un deux trois quatre cinq six sept huit neuf'.split(' '),
      coma: 'cero uno dos tres cuatro cinco seis siete ocho nueve'.split(' '),
    };
    const digit = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(digit, fc.array(digit, { minLength: 1, maxLength: 3 }), (whole, decimals) => {
        for (const [point, words] of Object.entries(digits)) {
          const text = [words[whole], point, ...decimals.map((each) => words[each]), 'mm'].join(
            ' ',
          );
          const amount = Number(`${whole}.${decimals.join('')}`);
          expect([text, readAmount(text, 'mm')]).toMatchObject([text, { amount }]);
        }
      }),
    );
  });

  it('of depth is the same in every unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), (tenths) => {
        const mm = tenths / 10;
        const same = [
          `${mm} mm`,
          `${mm} l/m2`,
          `${tenths} m3/ha`,
          `${mm} litres par mètre carré`,
          `${mm} litros por metro cuadrado`,
        ];
        for (const text of same)
          expect([text, readAmount(text, 'mm')]).toMatchObject([text, { amount: tenths / 10 }]);
      }),
    );
  });
});
