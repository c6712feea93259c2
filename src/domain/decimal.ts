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
