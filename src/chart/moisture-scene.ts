import { readingAge } from '../domain/moisture/coverage.ts';
import { singleLine } from '../domain/strings.ts';
import {
  formatBucketLength,
  formatChartAge,
  formatChartPeriod,
  formatChartValue,
} from '../language/advice/chart-labels.ts';
import { languageOf } from '../language/index.ts';
import {
  type ChartLayout,
  CONTENT_WIDTH,
  chartLayout,
  FONT_FAMILY,
  FRAME,
  plotFor,
  TEXT_SIZES,
} from './layout.ts';
import { legendMarks } from './legend.ts';
import { type ChartLine, chartLines, lineMarks } from './lines.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { rainBarMarks, rainBars } from './rain-bars.ts';
import { type Mark, type Scene, textWidth, truncateText } from './scene.ts';
import { sideLabelMarks } from './side-labels.ts';
import { comfortMarks, thresholdLevels, thresholdMarks } from './thresholds.ts';
import { timeAxisMarks } from './time-axis.ts';
import { valueAxisMarks, valueScale } from './value-axis.ts';
import { wateringBarMarks, wateringBars } from './watering-bars.ts';

export function moistureScene(chart: MoistureChart): Scene {
  const lines = chartLines(chart);
  const levels = thresholdLevels(chart);
  const sideLabels = [
    ...levels.flatMap(({ labelLines }) => labelLines),
    ...lines.flatMap(({ label }) => label ?? []),
  ];
  const plot = plotFor({
    labelWidth: Math.max(0, ...sideLabels.map((label) => textWidth(label, TEXT_SIZES.label))),
    hasWaterings: chart.waterings.some(({ at }) => at >= chart.start && at < chart.end),
    hasRain: chart.rain.length > 0,
  });

  const values = lines.flatMap(({ segments }) => segments.flat().map(({ value }) => value));
  const scale = valueScale([...values, ...levels.map(({ value }) => value)], chart.measure);
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

  // The name of the measure is above the left end of the plot.
  const measureEnd = FRAME.margin + textWidth(labels.measure[chart.measure], TEXT_SIZES.small);
  const hasRoom = x - textWidth(labels.now, TEXT_SIZES.small) / 2 > measureEnd;
  if (!hasRoom) return [rule];

  const style = { fill: colours.text, size: TEXT_SIZES.small, align: 'center' } as const;
  return [rule, { kind: 'text', lines: [labels.now], x, y: plot.top - 10, ...style }];
}

/** The share of the heading that the name of the probe may fill beside that of its parcel. */
const MAX_NAME_SHARE = 0.62;
const TITLE_Y = 28;
const SUBTITLE_Y = 58;

export function chartTitle({ name, parcel }: MoistureChart): string {
  if (parcel === null) return truncateText(singleLine(name), TEXT_SIZES.title, CONTENT_WIDTH);
  const shortName = truncateText(
    singleLine(name),
    TEXT_SIZES.title,
    CONTENT_WIDTH * MAX_NAME_SHARE,
  );
  return truncateText(`${shortName} · ${singleLine(parcel)}`, TEXT_SIZES.title, CONTENT_WIDTH);
}

export function chartSubtitle(chart: MoistureChart, lines: readonly ChartLine[]): string {
  const labels = languageOf(chart.lang).chartLabels;
  const period = formatChartPeriod(chart.start, chart.end, chart.zone, labels);
  return truncateText(
    [period, ...lastValueParts(chart, lines)].join('  ·  '),
    TEXT_SIZES.subtitle,
    CONTENT_WIDTH,
  );
}

function headingMarks({ chart, colours }: ChartLayout, lines: readonly ChartLine[]): Mark[] {
  const { margin: x } = FRAME;
  return [
    {
      kind: 'text',
      lines: [chartTitle(chart)],
      x,
      y: TITLE_Y,
      fill: colours.text,
      size: TEXT_SIZES.title,
    },
    {
      kind: 'text',
      lines: [chartSubtitle(chart, lines)],
      x,
      y: SUBTITLE_Y,
      fill: colours.muted,
      size: TEXT_SIZES.subtitle,
    },
  ];
}

/** None, or one part with the newest value or its age. */
function lastValueParts(chart: MoistureChart, [line]: readonly ChartLine[]): string[] {
  const { chartLabels: labels, pictureLabels } = languageOf(chart.lang);
  const { newestAt, newestValue, intervalMs, measure } = chart;
  if (newestAt === null) return [labels.neverSent];

  const { ageMs, isFresh } = readingAge(newestAt, chart.now);
  const staleAge = isFresh ? null : pictureLabels.withAge(formatChartAge(ageMs, labels));

  const lastPoint = chart.view === 'summary' ? line?.segments.at(-1)?.at(-1) : undefined;
  if (lastPoint === undefined) {
    const isBeforeEnd = newestAt < chart.end;
    return isBeforeEnd && staleAge !== null ? [`${pictureLabels.newestReading} ${staleAge}`] : [];
  }

  if (newestValue !== null) {
    const newest = `${labels.newest} ${formatChartValue(newestValue, measure, labels)}`;
    return [staleAge === null ? newest : `${newest}, ${staleAge}`];
  }

  const meanOver =
    intervalMs === null ? '' : ` (${labels.meanOver(formatBucketLength(intervalMs, labels))})`;
  return [`${pictureLabels.last} ${formatChartValue(lastPoint.value, measure, labels)}${meanOver}`];
}
