/** A label that belongs somewhere, in px; `at` is its middle. */
export interface LabelPosition {
  readonly at: number;
  readonly height: number;
}

/**
 * Where the middles of labels stand so that none covers another: together as near as can be to where they belong
 * (isotonic regression), all between 0 and `room` as far as that holds them. In the order given.
 */
export function placeLabels(labels: readonly LabelPosition[], height: number): number[] {
  const order = labels.map((_, place) => place).sort((a, b) => labels[a]!.at - labels[b]!.at);
  let filled = 0;
  /** Of each label in order: its middle when all stand pushed together at the top. */
  const packed = order.map((place) => {
    const middle = filled + labels[place]!.height / 2;
    filled += labels[place]!.height;
    return middle;
  });
  const shifts = isotonicRegression(order.map((place, rank) => labels[place]!.at - packed[rank]!));
  const places = labels.map(({ at }) => at);
  order.forEach((place, rank) => {
    places[place] = packed[rank]! + Math.max(0, Math.min(shifts[rank]!, height - filled));
  });
  return places;
}

/** The nearest values (least squares) that never fall. */
function isotonicRegression(values: readonly number[]): number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const value of values) {
    let pool = { sum: value, count: 1 };
    for (let last = pools.at(-1); last && last.sum / last.count > pool.sum / pool.count; last = pools.at(-1)) {
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
}
