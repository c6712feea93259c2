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
  readonly labelLines: readonly string[];
}

/**
 * An alert whose label would show the same number as the stress or wilting point gets no line of
 * its own: that line is dashed, and its label names both.
 */
export function thresholdLevels(chart: MoistureChart): ThresholdLevel[] {
  const { view, measure, wetLevel, dryLevel, wiltingPoint } = chart;
  if (view !== 'summary') return [];

  const labels = languageOf(chart.lang).chartLabels;
  const colours = THEME_COLOURS[chart.theme];
  const isTension = measure === 'tensio';
  const wetName = isTension ? labels.wetLevel : labels.fieldCapacity;
  const dryName = isTension ? labels.dryLevel : labels.stress;
  const alertLevels = [...new Set(chart.alertLevels)];
  const levels: ThresholdLevel[] = [];

  const format = (value: number): string => formatChartNumber(value, labels);
  const looksEqual = (level: number | null, alertLevel: number): boolean =>
    level !== null && format(level) === format(alertLevel);
  const hasAlert = (level: number): boolean =>
    alertLevels.some((alertLevel) => looksEqual(level, alertLevel));

  const addLevel = (value: number, name: readonly string[], colour: string, isDashed: boolean) =>
    levels.push({
      value,
      colour,
      isDashed,
      labelLines: [...name.slice(0, -1), `${name.at(-1)} ${format(value)}`],
    });

  if (wetLevel !== null) addLevel(wetLevel, wetName, colours.fieldCapacity, false);

  if (dryLevel !== null) {
    const isAlert = hasAlert(dryLevel);
    addLevel(dryLevel, isAlert ? labels.stressAndAlert : dryName, colours.stress, isAlert);
  }

  if (wiltingPoint !== null) {
    const isAlert = hasAlert(wiltingPoint);
    const name = isAlert ? labels.wiltingAndAlert : labels.wilting;
    addLevel(wiltingPoint, name, colours.alert, isAlert);
  }

  for (const alertLevel of alertLevels)
    if (!looksEqual(dryLevel, alertLevel) && !looksEqual(wiltingPoint, alertLevel))
      addLevel(alertLevel, labels.alert, colours.alert, true);

  return levels;
}

/** Null if a level is unknown, or the dry one is on the wrong side of the wet one. */
export function comfortRange({
  view,
  measure,
  wetLevel,
  dryLevel,
}: MoistureChart): { from: number; to: number } | null {
  if (view !== 'summary' || wetLevel === null || dryLevel === null) return null;
  const [from, to] = measure === 'tensio' ? [wetLevel, dryLevel] : [dryLevel, wetLevel];
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
    dashes: isDashed ? [9, 6] : undefined,
  }));
