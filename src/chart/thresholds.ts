import { formatChartNumber } from '../language/advice/chart-labels.ts';
import { languageOf } from '../language/index.ts';
import type { ChartLayout } from './layout.ts';
import type { MoistureChart } from './moisture-chart.ts';
import type { Mark } from './scene.ts';
import { THEME_COLOURS } from './theme.ts';

export interface ThresholdLevel {
  readonly value: number;
  readonly colour: string;
  readonly isDashed: boolean;
  readonly label: readonly string[];
}

/**
 * An alert at the stress or wilting point is drawn as that line, dashed, with one label for both.
 */
export function thresholdLevels(chart: MoistureChart): ThresholdLevel[] {
  if (chart.view !== 'summary') return [];

  const labels = languageOf(chart.lang).chartLabels;
  const colours = THEME_COLOURS[chart.theme];

  const level = (value: number, lines: readonly string[], colour: string, isDashed: boolean) => ({
    value,
    colour,
    isDashed,
    label: [...lines.slice(0, -1), `${lines.at(-1)} ${formatChartNumber(value, labels)}`],
  });

  const { wetLevel, dryLevel, wiltingPoint, measure } = chart;
  const [wet, dry] =
    measure === 'tension'
      ? [labels.wetLevel, labels.dryLevel]
      : [labels.fieldCapacity, labels.stress];
  const isSame = (a: number, b: number): boolean =>
    formatChartNumber(a, labels) === formatChartNumber(b, labels);

  const alerts = [...new Set(chart.alerts)];

  const levelOrAlert = (
    value: number,
    lines: readonly string[],
    both: readonly string[],
    colour: string,
  ) =>
    alerts.some((alert) => isSame(alert, value))
      ? level(value, both, colour, true)
      : level(value, lines, colour, false);

  const named = [
    ...(dryLevel === null
      ? []
      : [levelOrAlert(dryLevel, dry, labels.stressAndAlert, colours.stress)]),
    ...(wiltingPoint === null
      ? []
      : [levelOrAlert(wiltingPoint, labels.wilting, labels.wiltingAndAlert, colours.alert)]),
  ];

  return [
    ...(wetLevel === null ? [] : [level(wetLevel, wet, colours.fieldCapacity, false)]),
    ...named,
    ...alerts
      .filter((value) => !named.some((each) => isSame(each.value, value)))
      .map((value) => level(value, labels.alert, colours.alert, true)),
  ];
}

/** Null if a level is unknown or the two are crossed. */
export function comfortRange({
  view,
  measure,
  wetLevel,
  dryLevel,
}: MoistureChart): { from: number; to: number } | null {
  if (view !== 'summary' || wetLevel === null || dryLevel === null) return null;
  const [from, to] = measure === 'tension' ? [wetLevel, dryLevel] : [dryLevel, wetLevel];
  return from < to ? { from, to } : null;
}

export function comfortMarks({ chart, plot, colours, yOf }: ChartLayout): Mark[] {
  const comfort = comfortRange(chart);
  if (comfort === null) return [];
  const [top, bottom] = [yOf(comfort.to), yOf(comfort.from)];
  const { left: x, right } = plot;
  return [
    { kind: 'rect', x, y: top, width: right - x, height: bottom - top, fill: colours.comfort },
  ];
}

export const thresholdMarks = (
  { plot, yOf }: ChartLayout,
  levels: readonly ThresholdLevel[],
): Mark[] =>
  levels.map(({ value, colour, isDashed }) => ({
    kind: 'rule',
    from: { x: plot.left, y: yOf(value) },
    to: { x: plot.right, y: yOf(value) },
    stroke: colour,
    strokeWidth: 2,
    ...(isDashed && { dashes: [9, 6] }),
  }));
