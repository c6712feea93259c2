import { readingAge } from '../domain/moisture/coverage.ts';
import { singleLine } from '../domain/text.ts';
import {
  formatBucketLength,
  formatChartAge,
  formatChartPeriod,
  formatChartValue,
} from '../language/advice/chart-labels.ts';
import { languageOf } from '../language/index.ts';
import {
  type ChartLayout,
  chartLayout,
  FONT_FAMILY,
  FRAME,
  plotFor,
  TEXT_SIZES,
} from './layout.ts';
import { type ChartLine, chartLines, lineMarks } from './lines.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { type RainBars, rainBarMarks, rainBars } from './rain-bars.ts';
import { type Mark, type RectStyle, type Scene, textWidth, truncateText } from './scene.ts';
import { sideLabelMarks } from './side-labels.ts';
import { comfortMarks, comfortRange, thresholdLevels, thresholdMarks } from './thresholds.ts';
import { timeAxisMarks } from './time-axis.ts';
import { valueAxisMarks, valueScale } from './value-axis.ts';
import {
  PLANNED_OPACITY,
  UNKNOWN_DOSE_STROKE_WIDTH,
  type WateringBars,
  wateringBarMarks,
  wateringBars,
} from './watering-bars.ts';

export function moistureScene(chart: MoistureChart): Scene {
  const lines = chartLines(chart);
  const levels = thresholdLevels(chart);
  const sideLabels = [
    ...levels.flatMap(({ label }) => label),
    ...lines.flatMap(({ label }) => label ?? []),
  ];
  const plot = plotFor({
    labelWidth: Math.max(0, ...sideLabels.map((label) => textWidth(label, TEXT_SIZES.label))),
    hasWaterings: chart.waterings.some(({ at }) => at >= chart.start && at < chart.end),
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

const CONTENT_WIDTH = FRAME.width - 2 * FRAME.margin;

export function chartTitle({ name, parcel }: MoistureChart): string {
  if (parcel === null) return truncateText(singleLine(name), TEXT_SIZES.title, CONTENT_WIDTH);
  const short = truncateText(singleLine(name), TEXT_SIZES.title, CONTENT_WIDTH * 0.62);
  return truncateText(`${short} · ${singleLine(parcel)}`, TEXT_SIZES.title, CONTENT_WIDTH);
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
      y: 28,
      fill: colours.text,
      size: TEXT_SIZES.title,
    },
    {
      kind: 'text',
      lines: [chartSubtitle(chart, lines)],
      x,
      y: 58,
      fill: colours.muted,
      size: TEXT_SIZES.subtitle,
    },
  ];
}

function lastValueParts(chart: MoistureChart, [line]: readonly ChartLine[]): string[] {
  const { chartLabels: labels, pictureLabels } = languageOf(chart.lang);
  const { newestAt, newestValue, intervalMs, measure } = chart;
  if (newestAt === null) return [labels.neverSent];

  const { ageMs, isFresh } = readingAge(newestAt, chart.now);
  const ageParts = isFresh ? [] : [pictureLabels.withAge(formatChartAge(ageMs, labels))];
  const last = chart.view === 'summary' ? line?.segments.at(-1)?.at(-1) : undefined;
  if (last === undefined) {
    const isBeforeEnd = newestAt < chart.end;
    return isBeforeEnd && !isFresh ? [`${pictureLabels.newestReading} ${ageParts[0]}`] : [];
  }

  if (newestValue !== null)
    return [
      [`${labels.newest} ${formatChartValue(newestValue, measure, labels)}`, ...ageParts].join(
        ', ',
      ),
    ];

  const mean =
    intervalMs === null ? '' : ` (${labels.meanOver(formatBucketLength(intervalMs, labels))})`;
  return [`${pictureLabels.last} ${formatChartValue(last.value, measure, labels)}${mean}`];
}

interface LegendEntry {
  readonly text: string;
  readonly style: RectStyle;
}

const SWATCH = 14;
const LEGEND_GAP = 16;
const LEGEND_Y = FRAME.height - 20;
/** In px, between a swatch and its text. */
const SWATCH_TEXT_GAP = 6;

function legendMarks(layout: ChartLayout, bars: WateringBars, rain: RainBars): Mark[] {
  const { chart, colours, labels } = layout;
  const fullEntries = legendEntries(layout, bars, rain);
  const entries =
    legendWidth(fullEntries) <= CONTENT_WIDTH ? fullEntries : fullEntries.map(shortenEntry);
  const width = legendWidth(entries);
  const zone = singleLine(chart.zone).replaceAll('_', ' ');
  const zoneCaptions = [
    `${labels.localTime}, ${zone}`,
    zone,
    zone.slice(zone.lastIndexOf('/') + 1),
  ];

  const zoneCaption = zoneCaptions.find(
    (caption) => textWidth(caption, TEXT_SIZES.small) <= CONTENT_WIDTH - width,
  );
  const style = { fill: colours.muted, size: TEXT_SIZES.small };

  const text = (line: string, x: number): Mark => ({
    kind: 'text',
    lines: [line],
    x,
    y: LEGEND_Y,
    ...style,
  });

  const marks: Mark[] = zoneCaption === undefined ? [] : [text(zoneCaption, FRAME.margin)];
  let x = FRAME.margin + CONTENT_WIDTH - width + LEGEND_GAP;

  for (const entry of entries) {
    marks.push(
      { kind: 'rect', x, y: LEGEND_Y - SWATCH / 2, width: SWATCH, height: SWATCH, ...entry.style },
      text(entry.text, x + SWATCH + SWATCH_TEXT_GAP),
    );
    x += legendEntryWidth(entry);
  }

  return marks;
}

const legendEntryWidth = ({ text }: LegendEntry): number =>
  SWATCH + SWATCH_TEXT_GAP + textWidth(text, TEXT_SIZES.small) + LEGEND_GAP;

const legendWidth = (entries: readonly LegendEntry[]): number =>
  entries.reduce((sum, entry) => sum + legendEntryWidth(entry), 0);

/** "watering, mm" in place of "watering, mm a day over the whole area". */
const shortenEntry = ({ text, style }: LegendEntry): LegendEntry => ({
  text: text.replace(/(, mm).*/, '$1'),
  style,
});

function legendEntries(
  { chart, labels, colours }: ChartLayout,
  { period, bars }: WateringBars,
  rain: RainBars,
): LegendEntry[] {
  const { comfort, fieldCapacity, water } = colours;
  const hasPart = (part: 'done' | 'planned' | 'unknown') => bars.some((bar) => bar[part] > 0);

  const entries = [
    {
      isShown: comfortRange(chart) !== null,
      text: labels.comfort,
      style: { fill: comfort, stroke: fieldCapacity },
    },
    {
      isShown: rain.bars.length > 0,
      text: labels.rain[rain.period],
      style: { fill: colours.rain },
    },
    { isShown: hasPart('done'), text: labels.watering[period], style: { fill: water } },
    {
      isShown: hasPart('planned'),
      text: labels.planned,
      style: { fill: water, opacity: PLANNED_OPACITY },
    },
    {
      isShown: hasPart('unknown'),
      text: languageOf(chart.lang).pictureLabels.unknownDose,
      style: { stroke: water, strokeWidth: UNKNOWN_DOSE_STROKE_WIDTH },
    },
  ];

  return entries.filter(({ isShown }) => isShown);
}
