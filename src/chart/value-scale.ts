/** The part of the values that an axis shows, and its marks. */
export interface ValueScale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

const TICK_STEPS = [0.5, 1, 2, 5, 10, 20, 25, 50, 100, 200, 500];
const MAX_VALUE_TICKS = 6;

/** An axis is at least this long: a flat curve shall look flat. */
const MIN_VALUE_RANGE = 5;

/** An axis that holds all these values with a little room, at round marks; never below `least`. */
export function valueScale(values: readonly number[], least: number): ValueScale {
  let low = values.length === 0 ? 10 : Math.min(...minAndMax(values));
  let high = values.length === 0 ? 40 : Math.max(...minAndMax(values));
  const middle = (low + high) / 2;
  if (high - low < MIN_VALUE_RANGE) [low, high] = [middle - MIN_VALUE_RANGE / 2, middle + MIN_VALUE_RANGE / 2];
  const margin = (high - low) * 0.06;
  [low, high] = [Math.max(least, low - margin), high + margin];
  const step = TICK_STEPS.find((each) => (high - low) / each <= MAX_VALUE_TICKS) ?? (high - low) / MAX_VALUE_TICKS;
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);
  return { low, high, ticks };
}

/** Lowest and highest, without handing a year of values to one call. */
const minAndMax = (values: readonly number[]): [number, number] =>
  values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
