import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDecimals, compareWithDecimal, roundTo } from '../../src/domain/decimal.ts';
import { propertyRuns } from '../property-runs.ts';

describe('rounding to decimal places', () => {
  it('rounds a half up, by its decimal digits', () => {
    expect(roundTo(0.25, 1)).toBe(0.3);
    expect(roundTo(1.45, 1)).toBe(1.5);
    // 1.005 is stored as 1.00499999999999989…
    expect(roundTo(1.005, 2)).toBe(1.01);
    expect(roundTo(0.13654, 4)).toBe(0.1365);
  });

  it('rounds a negative half down, and has no minus zero', () => {
    expect(roundTo(-0.25, 1)).toBe(-0.3);
    expect(Object.is(roundTo(-0.04, 1), 0)).toBe(true);
  });

  it('keeps NaN', () => {
    expect(roundTo(Number.NaN, 1)).toBeNaN();
  });

  it('rounds a mean as integer arithmetic does', () => {
    const hundredths = fc.integer({ min: -10_000, max: 10_000 });
    fc.assert(
      fc.property(fc.array(hundredths, { minLength: 1, maxLength: 100 }), (readings) => {
        const sum = readings.reduce((total, each) => total + each, 0);
        // |sum| / count hundredths in tenths, half up: floor((|sum| / (10 count)) + 1/2), all in
        // whole numbers.
        const count = readings.length;
        const tenths = (2n * BigInt(Math.abs(sum)) + 10n * BigInt(count)) / (20n * BigInt(count));
        const mean = readings.reduce((total, each) => total + each / 100, 0) / count;
        expect(roundTo(mean, 1)).toBe(tenths === 0n ? 0 : (Math.sign(sum) * Number(tenths)) / 10);
      }),
    );
  });
});

describe('a number against a decimal text', () => {
  it('is compared by its decimal digits', () => {
    expect([0.2, 0.3, 0.4].map((value) => Math.sign(compareWithDecimal('0.3')(value)))).toEqual([
      -1, 0, 1,
    ]);
  });

  it('differs in a digit beyond binary precision', () => {
    expect(compareWithDecimal('20.00000000000000000001')(20)).toBeLessThan(0);
    expect(compareWithDecimal('19.99999999999999999999')(20)).toBeGreaterThan(0);
  });

  it('is compared as big decimals are', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 25 });
    const whole = fc.integer({ min: 0, max: 100 });
    const pair = fc.tuple(whole, digits, fc.integer({ min: -2, max: 2 }), fc.boolean());
    fc.assert(
      fc.property(pair, ([units, places, tenths, isNear]) => {
        const text = places === '' ? `${units}` : `${units}.${places}`;
        const value = isNear ? Number(text) : Math.round(units * 10 + tenths) / 10;
        expect(Math.sign(compareWithDecimal(text)(value))).toBe(
          new Big(String(value)).cmp(new Big(text)),
        );
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});

describe('the sum of two decimal texts', () => {
  it('is exact and has no exponent', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(addDecimals('20', '0.00000000000000000001')).toBe('20.00000000000000000001');
    expect(addDecimals('0.00000001', '0')).toBe('0.00000001');
  });
});
