import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAmount } from '../../../src/language/words/amount.ts';
import { propertyRuns } from '../../property-runs.ts';
import { DEPTH_PHRASES, DURATION_PHRASES, VOLUME_PHRASES } from './amount-phrases.ts';

describe.each([
  ['time', DURATION_PHRASES],
  ['depth', DEPTH_PHRASES],
  ['volume', VOLUME_PHRASES],
] as const)('an amount that is a %s', (quantity, rows) => {
  it.each(rows)('%j is %s', (phrase, expected) => {
    const read = parseAmount(phrase, quantity);
    if (typeof expected === 'number') expect(read).toEqual({ amount: expected });
    else expect(read).toEqual({ error: expect.stringMatching(expected) });
  });
});

describe('any amount', () => {
  it('is a number from 0 up, or a readable reason', () => {
    const words = [...DURATION_PHRASES, ...DEPTH_PHRASES, ...VOLUME_PHRASES].flatMap(([phrase]) =>
      phrase.split(' '),
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((each) => each.join(' ')),
    );
    const quantity = fc.constantFrom('time' as const, 'depth' as const, 'volume' as const);
    fc.assert(
      fc.property(text, quantity, (phrase, wanted) => {
        const read = parseAmount(phrase, wanted);
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
            expect(parseAmount(text, 'time')).toEqual({ amount: hours * 60 + minutes });
        },
      ),
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
          expect([text, parseAmount(text, 'depth')]).toEqual([text, { amount: tenths / 10 }]);
      }),
    );
  });
});
