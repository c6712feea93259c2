import { formatChartNumber } from '../language/advice/chart-labels.ts';
import { languageOf } from '../language/index.ts';
import { TEXT_SIZES } from './frame.ts';
import { lineHeight } from './marks.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { THEME_COLOURS } from './theme.ts';

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

/** A level drawn across the picture, with its label of two lines. */
export interface ThresholdLevel {
  readonly value: number;
  readonly colour: string;
  readonly isDashed: boolean;
  readonly label: readonly string[];
}

/** The levels of a summary curve. An alert at the very stress point is that line, dashed. */
export function thresholdLevels(chart: MoistureChart): ThresholdLevel[] {
  if (chart.view !== 'summary') return [];
  const words = languageOf(chart.lang).chartLabels;
  const colours = THEME_COLOURS[chart.theme];
  const level = (value: number, [first, second]: readonly [string, string], colour: string, isDashed: boolean) => ({
    value,
    colour,
    isDashed,
    label: [first, `${second} ${formatChartNumber(value, words)}`],
  });
  const { fieldCapacity, stressPoint } = chart;
  const alerts = [...new Set(chart.alerts)];
  return [
    ...(fieldCapacity === null ? [] : [level(fieldCapacity, words.fieldCapacity, colours.fieldCapacity, false)]),
    ...(stressPoint === null ? [] : [level(stressPoint, words.stress, colours.stress, alerts.includes(stressPoint))]),
    ...alerts.filter((value) => value !== stressPoint).map((value) => level(value, words.alert, colours.alert, true)),
  ];
}

/** Comfort lies between stress point and field capacity, where both are known and not crossed. */
export function comfortRange({ view, fieldCapacity, stressPoint }: MoistureChart): { from: number; to: number } | null {
  if (view !== 'summary' || fieldCapacity === null || stressPoint === null || stressPoint >= fieldCapacity) return null;
  return { from: stressPoint, to: fieldCapacity };
}

/** A label beside the plot, and the height on the plot that it belongs to, in px. */
export interface SideLabel {
  readonly text: readonly string[];
  readonly colour: string;
  readonly y: number;
  readonly labelY: number;
}

/** Labels beside a plot of that height, moved apart where they would cover each other. */
export function placeSideLabels(labels: readonly Omit<SideLabel, 'labelY'>[], height: number): SideLabel[] {
  const places = placeLabels(
    labels.map(({ y, text }) => ({ at: y, height: text.length * lineHeight(TEXT_SIZES.label) + 3 })),
    height,
  );
  return labels.map((label, place) => ({ ...label, labelY: places[place]! }));
}
