import { Big } from 'big.js';

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
