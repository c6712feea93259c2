import { Big } from 'big.js';

/** Error of binary arithmetic that rounding tolerates, in units of the last place: far more than a sum of a year of readings has. */
const FLOAT_NOISE = 1e-9;

/**
 * Rounds as a person does: halves away from zero, in decimals, so that 0.25 gives 0.3 and 1.005 gives 1.01 although the
 * nearest binary fraction lies below. NaN stays NaN.
 */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const units = Math.floor(Math.abs(value) * scale + 0.5 + FLOAT_NOISE);
  return units === 0 ? 0 : (Math.sign(value) * units) / scale;
}

/**
 * Compares numbers with a decimal text, digit by digit: negative below it, 0 equal, positive above. A number stands for
 * the decimal that it is written as, so that 0.1 equals "0.1".
 */
export function compareWithDecimal(text: string): (value: number) => number {
  const exact = new Big(text);
  const nearest = Number(text);
  // Rounding to the nearest number keeps order, so digits matter only where both round to the same one.
  return (value) => (value === nearest ? new Big(value).cmp(exact) : value - nearest);
}

/** The exact sum of two decimal texts. */
export const addDecimals = (a: string, b: string): string => new Big(a).plus(b).toFixed();

/** A number as decimal text without exponent, every digit kept. */
export const formatPlainDecimal = (value: number): string => new Big(String(value)).toFixed();
