import { itemAt } from './items.ts';

/** NaN without a value. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** NaN without a value. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;

  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? itemAt(sorted, half)
    : (itemAt(sorted, half - 1) + itemAt(sorted, half)) / 2;
}
