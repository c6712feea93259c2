import type { TopLevelSpec } from 'vega-lite';
import { barLayers, barsOf } from './bars.ts';
import { captionLayers } from './caption.ts';
import { FONT } from './font.ts';
import { FRAME, type Plot, plotOf, TEXT } from './frame.ts';
import { headingLayers } from './heading.ts';
import { type Line, linesOf } from './lines.ts';
import { lines as drawnLines, type Layer, lineHeight, rects, rules, texts } from './marks.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { widthOf } from './text.ts';
import { COLOURS, type Colours } from './theme.ts';
import { comfortOf, sideLabels, type Threshold, thresholdsOf } from './thresholds.ts';
import { timeTicks } from './time-ticks.ts';
import { type ValueScale, valueScale } from './value-scale.ts';
import { sayNumber, WORDS } from './words.ts';

/** What every part of a picture is drawn with. */
interface Drawing {
  readonly chart: MoistureChart;
  readonly plot: Plot;
  readonly colours: Colours;
  /** Px from the left of the plot, of an instant. */
  across(at: number): number;
  /** Px from the top of the plot, of a value. */
  up(value: number): number;
}

/** The chart in Vega-Lite: its parts in the order in which they are drawn. */
export function describe(chart: MoistureChart): TopLevelSpec {
  const colours = COLOURS[chart.theme];
  const lines = linesOf(chart);
  const thresholds = thresholdsOf(chart);
  const labels = [...thresholds.flatMap(({ label }) => label), ...lines.flatMap(({ label }) => label ?? [])];
  const plot = plotOf({
    labelWidth: Math.max(0, ...labels.map((label) => widthOf(label, TEXT.label))),
    hasBars: chart.waterings.some(({ at }) => at >= chart.start && at < chart.end),
  });
  const values = lines.flatMap(({ segments }) => segments.flat().map(({ value }) => value));
  const scale = valueScale(
    [...values, ...thresholds.map(({ value }) => value)],
    chart.measure === 'temperature' ? Number.NEGATIVE_INFINITY : 0,
  );
  const bars = barsOf(chart, plot.width);
  const drawing: Drawing = {
    chart,
    plot,
    colours,
    across: (at) => ((at - chart.start) / (chart.end - chart.start)) * plot.width,
    up: (value) => plot.curveBottom * (1 - (value - scale.low) / (scale.high - scale.low)),
  };
  const layer = [
    ...comfortBand(drawing),
    ...valueAxis(drawing, scale),
    ...timeAxis(drawing),
    ...thresholdLines(drawing, thresholds),
    ...barLayers(bars, plot, colours),
    ...curves(drawing, lines),
    ...(values.length === 0 ? withoutData(drawing) : []),
    ...beside(drawing, thresholds, lines),
    ...nowLine(drawing),
    ...headingLayers(chart, lines, plot),
    ...captionLayers(chart, bars, plot),
  ];
  return framed(layer, plot, colours);
}

/** The picture's size is the frame's, whatever is drawn. */
const framed = (layer: readonly Layer[], plot: Plot, { background }: Colours): TopLevelSpec =>
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

function comfortBand({ chart, plot, colours, up }: Drawing): Layer[] {
  const comfort = comfortOf(chart);
  if (comfort === null) return [];
  return rects([{ x: 0, x2: plot.width, y: up(comfort.to), y2: up(comfort.from) }], { color: colours.comfort });
}

function valueAxis({ chart, plot, colours, up }: Drawing, { ticks }: ValueScale): Layer[] {
  const words = WORDS[chart.lang];
  return [
    ...rules(
      ticks.map((tick) => ({ x: 0, x2: plot.width, y: up(tick), y2: up(tick) })),
      colours.grid,
    ),
    ...texts(
      ticks.map((tick) => ({ text: sayNumber(tick, words), x: -10, y: up(tick) })),
      { colour: colours.muted, size: TEXT.label, align: 'right' },
    ),
    ...texts([{ text: words.measure[chart.measure], x: FRAME.margin - plot.left, y: -20 }], {
      colour: colours.muted,
      size: TEXT.small,
    }),
  ];
}

function timeAxis({ chart, plot, colours, across }: Drawing): Layer[] {
  const ticks = timeTicks(chart, { zone: chart.zone, words: WORDS[chart.lang], width: plot.width, size: TEXT.label });
  const marks = ticks.filter(({ at }) => at >= chart.start && at <= chart.end).map(({ at }) => across(at));
  return [
    ...rules(
      marks.map((x) => ({ x, x2: x, y: 0, y2: plot.height + 5 })),
      colours.grid,
    ),
    ...rules([{ x: 0, x2: plot.width, y: plot.height, y2: plot.height }], colours.muted),
    ...texts(
      ticks.map(({ label, labelAt }) => ({ text: label, x: across(labelAt), y: plot.height + 19 })),
      { colour: colours.muted, size: TEXT.label, align: 'center' },
    ),
  ];
}

const thresholdLines = ({ plot, up }: Drawing, thresholds: readonly Threshold[]): Layer[] =>
  thresholds.flatMap(({ value, colour, isDashed }) =>
    rules([{ x: 0, x2: plot.width, y: up(value), y2: up(value) }], colour, {
      strokeWidth: 2,
      ...(isDashed && { strokeDash: [9, 6] }),
    }),
  );

const curves = ({ across, up }: Drawing, lines: readonly Line[]): Layer[] =>
  lines.flatMap(({ segments, colour }) =>
    drawnLines(
      segments.map((segment) => segment.map(({ at, value }) => ({ x: across(at), y: up(value) }))),
      colour,
    ),
  );

const withoutData = ({ chart, plot, colours }: Drawing): Layer[] =>
  texts([{ text: WORDS[chart.lang].noData, x: plot.width / 2, y: plot.curveBottom / 2 }], {
    colour: colours.text,
    size: TEXT.subtitle,
    align: 'center',
  });

/** Labels of thresholds beside the plot, or of depths where their lines end, be it beside the plot or before. */
function beside({ plot, across, up }: Drawing, thresholds: readonly Threshold[], lines: readonly Line[]): Layer[] {
  const ends = lines.flatMap(({ segments, colour, label }) => {
    const last = segments.at(-1)?.at(-1);
    return label === null || last === undefined
      ? []
      : [{ text: [label], colour, y: up(last.value), x: across(last.at) }];
  });
  const levels = thresholds.map(({ value, colour, label }) => ({ text: label, colour, y: up(value), x: plot.width }));
  const labels = [...levels, ...ends];
  const x = Math.max(...labels.map((label) => label.x));
  // Beside the plot there are no bars to stand clear of.
  const isBeside = x > plot.width - widthOf('0', TEXT.label);
  return sideLabels(labels, isBeside ? plot.height : plot.curveBottom).flatMap(({ text, colour, y, labelY }) => [
    ...rules([{ x: x + 2, x2: x + 13, y, y2: labelY }], colour, { strokeWidth: 1.5 }),
    ...texts([{ text, x: x + 17, y: labelY - ((text.length - 1) * lineHeight(TEXT.label)) / 2 }], {
      colour,
      size: TEXT.label,
    }),
  ]);
}

/** Where a period reaches ahead, now is marked. */
function nowLine({ chart, plot, colours, across }: Drawing): Layer[] {
  if (chart.now <= chart.start || chart.now >= chart.end) return [];
  const words = WORDS[chart.lang];
  const x = across(chart.now);
  // The name of the measure stands at the left of that row.
  const free = FRAME.margin - plot.left + widthOf(words.measure[chart.measure], TEXT.small);
  const half = widthOf(words.now, TEXT.small) / 2;
  return [
    ...rules([{ x, x2: x, y: 0, y2: plot.height }], colours.text, { strokeWidth: 1.5, strokeDash: [2, 4] }),
    ...(x - half > free
      ? texts([{ text: words.now, x, y: -10 }], { colour: colours.text, size: TEXT.small, align: 'center' })
      : []),
  ];
}
