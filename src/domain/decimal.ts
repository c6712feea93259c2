import { Big } from 'big.js';

/**
 * Tolerated floating-point error, in units of the last place; summing a year of readings stays far
 * below it.
 */
const ROUNDING_TOLERANCE = 1e-9;

/**
 * Rounds decimal halves away from zero: 1.005 gives 1.01 although the nearest binary fraction is
 * below it.
 */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const units = Math.floor(Math.abs(value) * scale + 0.5 + ROUNDING_TOLERANCE);
  return units === 0 ? 0 : (Math.sign(value) * units) / scale;
}

/** The parts of a rounded total, rounded so that they add up to it. They share it in proportion. */
export function roundedParts(parts: readonly number[], total: number, decimals: number): number[] {
  const sum = parts.reduce((all, part) => all + part, 0);
  const scale = 10 ** decimals;
  const exact = parts.map((part) => (sum === 0 ? 0 : ((part * total) / sum) * scale));
  const units = exact.map((part) => Math.floor(part + ROUNDING_TOLERANCE));
  const left = Math.round(total * scale) - units.reduce((all, part) => all + part, 0);
  const byRemainder = exact
    .map((part, index) => ({ index, remainder: part - units[index]! }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
    .slice(0, Math.max(0, left))
    .map(({ index }) => index);

  return units.map((part, index) => (part + (byRemainder.includes(index) ? 1 : 0)) / scale);
}

/** Answers give amounts with 3 decimals. */
export const roundAmount = (value: number): number => Math.round(value * 1000) / 1000;

export const roundAmountOrNull = (value: number | null): number | null =>
  value === null ? null : roundAmount(value);

/** Removes floating-point rounding errors: 3 x 0.1 is 0.3, not 0.30000000000000004. */
export const roundRate = (rate: number): number => Number(rate.toPrecision(12));

export const roundRateOrNull = (rate: number | null): number | null =>
  rate === null ? null : roundRate(rate);

/**
 * An exact comparison: 0.1 equals "0.1". Negative if the value is below the decimal text, positive
 * if above.
 */
export function compareWithDecimal(text: string): (value: number) => number {
  const exact = new Big(text);
  const nearest = Number(text);
  // Rounding to binary keeps order, so digits matter only where both round to the same number.
  return (value) => (value === nearest ? new Big(value).cmp(exact) : value - nearest);
}

export const addDecimals = (a: string, b: string): string => new Big(a).plus(b).toFixed();

export const formatPlainDecimal = (value: number): string => new Big(String(value)).toFixed();
