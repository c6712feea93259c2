import { headingMarks } from './heading.ts';
import { type ChartLayout, chartLayout, FONT_FAMILY, FRAME, plotFor, TEXT_SIZES } from './layout.ts';
import { legendMarks } from './legend.ts';
import { type ChartLine, chartLines, lineMarks } from './lines.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { rainBarMarks, rainBars } from './rain-bars.ts';
import type { Mark, Scene } from './scene.ts';
import { sideLabelMarks } from './side-labels.ts';
import { textWidth } from './text.ts';
import { comfortMarks, thresholdLevels, thresholdMarks } from './thresholds.ts';
import { timeAxisMarks } from './time-axis.ts';
import { valueAxisMarks, valueScale } from './value-axis.ts';
import { wateringBarMarks, wateringBars } from './watering-bars.ts';

export function moistureScene(chart: MoistureChart): Scene {
  const lines = chartLines(chart);
  const levels = thresholdLevels(chart);
  const sideLabels = [...levels.flatMap(({ label }) => label), ...lines.flatMap(({ label }) => label ?? [])];
  const plot = plotFor({
    labelWidth: Math.max(0, ...sideLabels.map((label) => textWidth(label, TEXT_SIZES.label))),
    hasBars: chart.waterings.some(({ at }) => at >= chart.start && at < chart.end),
    hasRain: chart.rain.length > 0,
  });
  const values = lines.flatMap(({ segments }) => segments.flat().map(({ value }) => value));
  const scale = valueScale(
    [...values, ...levels.map(({ value }) => value)],
    chart.measure === 'temperature' ? Number.NEGATIVE_INFINITY : 0,
  );
  const layout = chartLayout(chart, plot, scale);
  const bars = wateringBars(chart, plot);
  const rain = rainBars(chart, plot);
  return {
    width: FRAME.width,
    height: FRAME.height,
    background: layout.colours.background,
    fontFamily: FONT_FAMILY,
    marks: [
      ...comfortMarks(layout),
      ...valueAxisMarks(layout, scale),
      ...timeAxisMarks(layout),
      ...thresholdMarks(layout, levels),
      ...rainBarMarks(layout, rain),
      ...wateringBarMarks(layout, bars),
      ...lineMarks(layout, lines),
      ...noDataMarks(layout, lines),
      ...sideLabelMarks(layout, levels, lines),
      ...nowMarks(layout),
      ...headingMarks(layout, lines),
      ...legendMarks(layout, bars, rain),
    ],
  };
}

function noDataMarks({ plot, colours, labels }: ChartLayout, lines: readonly ChartLine[]): Mark[] {
  if (lines.some(({ segments }) => segments.length > 0)) return [];
  const middle = { x: (plot.left + plot.right) / 2, y: (plot.curveTop + plot.curveBottom) / 2 };
  const style = { fill: colours.text, size: TEXT_SIZES.subtitle, align: 'center' } as const;
  return [{ kind: 'text', lines: [labels.noData], ...middle, ...style }];
}

function nowMarks({ chart, plot, colours, labels, xOf }: ChartLayout): Mark[] {
  if (chart.now <= chart.start || chart.now >= chart.end) return [];
  const x = xOf(chart.now);
  const line = { stroke: colours.text, strokeWidth: 1.5, dashes: [2, 4] };
  const rule: Mark = { kind: 'rule', from: { x, y: plot.top }, to: { x, y: plot.bottom }, ...line };
  const measureEnd = FRAME.margin + textWidth(labels.measure[chart.measure], TEXT_SIZES.small);
  const hasRoom = x - textWidth(labels.now, TEXT_SIZES.small) / 2 > measureEnd;
  if (!hasRoom) return [rule];
  const style = { fill: colours.text, size: TEXT_SIZES.small, align: 'center' } as const;
  return [rule, { kind: 'text', lines: [labels.now], x, y: plot.top - 10, ...style }];
}
