import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDecimals, compareWithDecimal } from '../../src/domain/exact-decimal.ts';

describe('a number against a decimal text', () => {
  it('is compared as the decimal that it is written as', () => {
    expect([0.2, 0.3, 0.4].map((value) => Math.sign(compareWithDecimal('0.3')(value)))).toEqual([-1, 0, 1]);
  });

  it('differs in a digit that no binary number keeps', () => {
    expect(compareWithDecimal('20.00000000000000000001')(20)).toBeLessThan(0);
    expect(compareWithDecimal('19.99999999999999999999')(20)).toBeGreaterThan(0);
  });

  it('is compared as big decimals are, near and far', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 25 });
    const whole = fc.integer({ min: 0, max: 100 });
    const pair = fc.tuple(whole, digits, fc.integer({ min: -2, max: 2 }), fc.boolean());
    fc.assert(
      fc.property(pair, ([units, places, tenths, isNear]) => {
        const text = places === '' ? `${units}` : `${units}.${places}`;
        const value = isNear ? Number(text) : Math.round(units * 10 + tenths) / 10;
        expect(Math.sign(compareWithDecimal(text)(value))).toBe(new Big(String(value)).cmp(new Big(text)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the sum of two decimal texts', () => {
  it('loses no digit and has no exponent', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(addDecimals('20', '0.00000000000000000001')).toBe('20.00000000000000000001');
    expect(addDecimals('0.00000001', '0')).toBe('0.00000001');
  });
});
