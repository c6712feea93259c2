import { itemAt } from './items.ts';

/** NaN without a value. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** NaN without a value. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;

  return middleOf(Float64Array.from(values).sort());
}

/** The median distance from the median; NaN without a value. */
export function medianDeviation(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;

  const sorted = Float64Array.from(values).sort();
  const middle = middleOf(sorted);
  let above = sorted.findIndex((value) => value >= middle);
  let below = above - 1;
  // Distances grow from the middle to either side, so merging the two sides gives them in order.
  const nearest = sorted.map(() => {
    const down = middle - (sorted[below] ?? Number.NEGATIVE_INFINITY);
    const up = (sorted[above] ?? Number.POSITIVE_INFINITY) - middle;
    if (down <= up) below--;
    else above++;
    return Math.min(down, up);
  });
  return middleOf(nearest);
}

function middleOf(sorted: Float64Array): number {
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? itemAt(sorted, half)
    : (itemAt(sorted, half - 1) + itemAt(sorted, half)) / 2;
}
