import { curveOf, type Measure } from '../domain/moisture/measurement.ts';
import { formatChartNumber } from '../language/advice/chart-labels.ts';
import { type AxisRange, type ChartLayout, FRAME, TEXT_SIZES } from './layout.ts';
import type { Mark } from './scene.ts';

export interface ValueScale extends AxisRange {
  readonly ticks: readonly number[];
}

const TICK_STEPS = [0.5, 1, 2, 5, 10, 20, 25, 50, 100, 200, 500];
const MAX_STEPS = 6;

/** A smaller range would magnify the noise of a flat curve. */
const MIN_VALUE_RANGE = 5;
const DEFAULT_RANGE = { low: 10, high: 40 };
/** As a share of the range. */
const RANGE_MARGIN = 0.06;

export function valueScale(values: readonly number[], measure: Measure): ValueScale {
  const range = widened(values.length === 0 ? DEFAULT_RANGE : minAndMax(values));
  const margin = (range.high - range.low) * RANGE_MARGIN;
  const lowest = range.low - margin;
  const low = curveOf(measure).isSigned ? lowest : Math.max(0, lowest);
  const high = range.high + margin;

  const step =
    TICK_STEPS.find((size) => (high - low) / size <= MAX_STEPS) ?? (high - low) / MAX_STEPS;
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);

  return { low, high, ticks };
}

function widened(range: AxisRange): AxisRange {
  if (range.high - range.low >= MIN_VALUE_RANGE) return range;
  const middle = (range.low + range.high) / 2;
  return { low: middle - MIN_VALUE_RANGE / 2, high: middle + MIN_VALUE_RANGE / 2 };
}

/** Not Math.min(...values): a year of values exceeds the maximum number of arguments. */
const minAndMax = (values: readonly number[]): AxisRange =>
  values.reduce(
    ({ low, high }, value) => ({ low: Math.min(low, value), high: Math.max(high, value) }),
    {
      low: Number.POSITIVE_INFINITY,
      high: Number.NEGATIVE_INFINITY,
    },
  );

export function valueAxisMarks(
  { chart, plot, colours, labels, yOf }: ChartLayout,
  { ticks }: ValueScale,
): Mark[] {
  const { left, right, top } = plot;
  const labelStyle = { fill: colours.muted, size: TEXT_SIZES.label, align: 'right' } as const;
  const title = {
    fill: colours.muted,
    size: TEXT_SIZES.small,
    lines: [labels.measure[chart.measure]],
  };

  return [
    ...ticks.map((tick): Mark => {
      const y = yOf(tick);
      return { kind: 'rule', from: { x: left, y }, to: { x: right, y }, stroke: colours.grid };
    }),
    ...ticks.map((tick): Mark => {
      const lines = [formatChartNumber(tick, labels)];
      return { kind: 'text', lines, x: left - 10, y: yOf(tick), ...labelStyle };
    }),
    { kind: 'text', x: FRAME.margin, y: top - 20, ...title },
  ];
}
