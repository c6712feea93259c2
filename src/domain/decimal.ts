import { Big } from 'big.js';

/** What binary arithmetic may leave below a half, in units of the last place kept: far more than sums of a year of readings do. */
const FLOAT_NOISE = 1e-9;

/**
 * A number to so many decimal places as a person rounds it: halves away from zero, in decimals, so that 0.25 gives 0.3
 * and 1.005 gives 1.01, however the nearest binary fraction or a sum on the way there falls short of it. NaN stays NaN.
 */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const units = Math.floor(Math.abs(value) * scale + 0.5 + FLOAT_NOISE);
  return units === 0 ? 0 : (Math.sign(value) * units) / scale;
}

/**
 * How a number compares with a decimal text, digit by digit: negative below it, 0 equal, positive above. A number stands
 * for the decimal that it is written as, so that 0.1 equals "0.1".
 */
export function compareWithDecimal(text: string): (value: number) => number {
  const exact = new Big(text);
  const nearest = Number(text);
  // Rounding to the nearest number keeps order, so digits are asked only where both round to the same one.
  return (value) => (value === nearest ? new Big(value).cmp(exact) : value - nearest);
}

/** The sum of two decimal texts, without exponent and without loss. */
export const addDecimals = (a: string, b: string): string => new Big(a).plus(b).toFixed();
