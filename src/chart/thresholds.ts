import { TEXT_SIZES } from './frame.ts';
import { placeLabels } from './label-places.ts';
import { lineHeight } from './marks.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { THEME_COLOURS } from './theme.ts';
import { CHART_LABELS, formatChartNumber } from './words.ts';

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
  const words = CHART_LABELS[chart.lang];
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
