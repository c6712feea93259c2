import type { TopLevelSpec } from 'vega-lite';
import { formatChartNumber } from '../language/advice/chart-labels.ts';
import { languageOf } from '../language/index.ts';
import { timeTicks, type ValueScale, valueScale } from './axes.ts';
import { FONT } from './font.ts';
import { FRAME, type Plot, plotFor, TEXT_SIZES } from './frame.ts';
import { headingLayers } from './heading.ts';
import { legendLayers } from './legend.ts';
import { type ChartLine, chartLines } from './lines.ts';
import { lineMarks as drawnLines, lineHeight, rectMarks, ruleMarks, textMarks, type VegaLayer } from './marks.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { textWidth } from './text.ts';
import { THEME_COLOURS, type ThemeColours } from './theme.ts';
import { comfortRange, placeSideLabels, type ThresholdLevel, thresholdLevels } from './thresholds.ts';
import { barLayers, wateringBars } from './watering-bars.ts';

/** What every part of a picture is drawn with. */
interface DrawingContext {
  readonly chart: MoistureChart;
  readonly plot: Plot;
  readonly colours: ThemeColours;
  /** Px from the left of the plot, of an instant. */
  xOf(at: number): number;
  /** Px from the top of the plot, of a value. */
  yOf(value: number): number;
}

/** The chart in Vega-Lite: its parts in the order in which they are drawn. */
export function moistureChartSpec(chart: MoistureChart): TopLevelSpec {
  const colours = THEME_COLOURS[chart.theme];
  const lines = chartLines(chart);
  const thresholds = thresholdLevels(chart);
  const labels = [...thresholds.flatMap(({ label }) => label), ...lines.flatMap(({ label }) => label ?? [])];
  const plot = plotFor({
    labelWidth: Math.max(0, ...labels.map((label) => textWidth(label, TEXT_SIZES.label))),
    hasBars: chart.waterings.some(({ at }) => at >= chart.start && at < chart.end),
  });
  const values = lines.flatMap(({ segments }) => segments.flat().map(({ value }) => value));
  const scale = valueScale(
    [...values, ...thresholds.map(({ value }) => value)],
    chart.measure === 'temperature' ? Number.NEGATIVE_INFINITY : 0,
  );
  const bars = wateringBars(chart, plot.width);
  const drawing: DrawingContext = {
    chart,
    plot,
    colours,
    xOf: (at) => ((at - chart.start) / (chart.end - chart.start)) * plot.width,
    yOf: (value) => plot.curveBottom * (1 - (value - scale.low) / (scale.high - scale.low)),
  };
  const layer = [
    ...comfortLayers(drawing),
    ...valueAxisLayers(drawing, scale),
    ...timeAxisLayers(drawing),
    ...thresholdLayers(drawing, thresholds),
    ...barLayers(bars, plot, colours),
    ...curveLayers(drawing, lines),
    ...(values.length === 0 ? noDataLayers(drawing) : []),
    ...sideLabelLayers(drawing, thresholds, lines),
    ...nowLayers(drawing),
    ...headingLayers(chart, lines, plot),
    ...legendLayers(chart, bars, plot),
  ];
  return toVegaLiteSpec(layer, plot, colours);
}

/** The picture's size is the frame's, whatever is drawn. */
const toVegaLiteSpec = (layer: readonly VegaLayer[], plot: Plot, { background }: ThemeColours): TopLevelSpec =>
  ({
    width: plot.width,
    height: plot.height,
    padding: {
      left: plot.left,
      top: plot.top,
      right: FRAME.width - plot.left - plot.width,
      bottom: FRAME.height - plot.top - plot.height,
    },
    autosize: { type: 'none' },
    background,
    config: { font: FONT, view: { stroke: null } },
    layer: [...layer],
  }) as unknown as TopLevelSpec;

function comfortLayers({ chart, plot, colours, yOf }: DrawingContext): VegaLayer[] {
  const comfort = comfortRange(chart);
  if (comfort === null) return [];
  return rectMarks([{ x: 0, x2: plot.width, y: yOf(comfort.to), y2: yOf(comfort.from) }], { color: colours.comfort });
}

function valueAxisLayers({ chart, plot, colours, yOf }: DrawingContext, { ticks }: ValueScale): VegaLayer[] {
  const words = languageOf(chart.lang).chartLabels;
  return [
    ...ruleMarks(
      ticks.map((tick) => ({ x: 0, x2: plot.width, y: yOf(tick), y2: yOf(tick) })),
      colours.grid,
    ),
    ...textMarks(
      ticks.map((tick) => ({ text: formatChartNumber(tick, words), x: -10, y: yOf(tick) })),
      { colour: colours.muted, size: TEXT_SIZES.label, align: 'right' },
    ),
    ...textMarks([{ text: words.measure[chart.measure], x: FRAME.margin - plot.left, y: -20 }], {
      colour: colours.muted,
      size: TEXT_SIZES.small,
    }),
  ];
}

function timeAxisLayers({ chart, plot, colours, xOf }: DrawingContext): VegaLayer[] {
  const ticks = timeTicks(chart, {
    zone: chart.zone,
    words: languageOf(chart.lang).chartLabels,
    width: plot.width,
    size: TEXT_SIZES.label,
  });
  const marks = ticks.filter(({ at }) => at >= chart.start && at <= chart.end).map(({ at }) => xOf(at));
  return [
    ...ruleMarks(
      marks.map((x) => ({ x, x2: x, y: 0, y2: plot.height + 5 })),
      colours.grid,
    ),
    ...ruleMarks([{ x: 0, x2: plot.width, y: plot.height, y2: plot.height }], colours.muted),
    ...textMarks(
      ticks.map(({ label, labelAt }) => ({ text: label, x: xOf(labelAt), y: plot.height + 19 })),
      { colour: colours.muted, size: TEXT_SIZES.label, align: 'center' },
    ),
  ];
}

const thresholdLayers = ({ plot, yOf }: DrawingContext, thresholds: readonly ThresholdLevel[]): VegaLayer[] =>
  thresholds.flatMap(({ value, colour, isDashed }) =>
    ruleMarks([{ x: 0, x2: plot.width, y: yOf(value), y2: yOf(value) }], colour, {
      strokeWidth: 2,
      ...(isDashed && { strokeDash: [9, 6] }),
    }),
  );

const curveLayers = ({ xOf, yOf }: DrawingContext, lines: readonly ChartLine[]): VegaLayer[] =>
  lines.flatMap(({ segments, colour }) =>
    drawnLines(
      segments.map((segment) => segment.map(({ at, value }) => ({ x: xOf(at), y: yOf(value) }))),
      colour,
    ),
  );

const noDataLayers = ({ chart, plot, colours }: DrawingContext): VegaLayer[] =>
  textMarks([{ text: languageOf(chart.lang).chartLabels.noData, x: plot.width / 2, y: plot.curveBottom / 2 }], {
    colour: colours.text,
    size: TEXT_SIZES.subtitle,
    align: 'center',
  });

/** Labels of thresholds beside the plot, or of depths where their lines end, be it beside the plot or before. */
function sideLabelLayers(
  { plot, xOf, yOf }: DrawingContext,
  thresholds: readonly ThresholdLevel[],
  lines: readonly ChartLine[],
): VegaLayer[] {
  const ends = lines.flatMap(({ segments, colour, label }) => {
    const last = segments.at(-1)?.at(-1);
    return label === null || last === undefined ? [] : [{ text: [label], colour, y: yOf(last.value), x: xOf(last.at) }];
  });
  const levels = thresholds.map(({ value, colour, label }) => ({ text: label, colour, y: yOf(value), x: plot.width }));
  const labels = [...levels, ...ends];
  const x = Math.max(...labels.map((label) => label.x));
  // Beside the plot there are no bars to stand clear of.
  const isBeside = x > plot.width - textWidth('0', TEXT_SIZES.label);
  return placeSideLabels(labels, isBeside ? plot.height : plot.curveBottom).flatMap(({ text, colour, y, labelY }) => [
    ...ruleMarks([{ x: x + 2, x2: x + 13, y, y2: labelY }], colour, { strokeWidth: 1.5 }),
    ...textMarks([{ text, x: x + 17, y: labelY - ((text.length - 1) * lineHeight(TEXT_SIZES.label)) / 2 }], {
      colour,
      size: TEXT_SIZES.label,
    }),
  ]);
}

/** Where a period reaches ahead, now is marked. */
function nowLayers({ chart, plot, colours, xOf }: DrawingContext): VegaLayer[] {
  if (chart.now <= chart.start || chart.now >= chart.end) return [];
  const words = languageOf(chart.lang).chartLabels;
  const x = xOf(chart.now);
  // The name of the measure stands at the left of that row.
  const free = FRAME.margin - plot.left + textWidth(words.measure[chart.measure], TEXT_SIZES.small);
  const half = textWidth(words.now, TEXT_SIZES.small) / 2;
  return [
    ...ruleMarks([{ x, x2: x, y: 0, y2: plot.height }], colours.text, { strokeWidth: 1.5, strokeDash: [2, 4] }),
    ...(x - half > free
      ? textMarks([{ text: words.now, x, y: -10 }], { colour: colours.text, size: TEXT_SIZES.small, align: 'center' })
      : []),
  ];
}

/** Drawing takes a large library: it is loaded for the first picture. */
let renderer: Promise<typeof import('./png-renderer.ts')> | undefined;

/** The picture of a probe, as PNG. */
export async function drawMoistureChart(chart: MoistureChart): Promise<Uint8Array> {
  renderer ??= import('./png-renderer.ts');
  const { renderPng } = await renderer;
  return renderPng(moistureChartSpec(chart));
}
