import type { Period } from '../domain/periods.ts';
import type { ChartLabels } from '../language/advice/chart-labels.ts';
import { languageOf } from '../language/index.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { THEME_COLOURS, type ThemeColours } from './theme.ts';

/** In CSS px. Chats show pictures about 400 px wide, at half size, so the text is large. */
export const FRAME = { width: 800, height: 450, margin: 16 } as const;

/** The width of headings and of the legend. */
export const CONTENT_WIDTH = FRAME.width - 2 * FRAME.margin;

export const PIXEL_RATIO = 2;

/** Covers Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic. */
export const FONT_FAMILY = 'DejaVu Sans Condensed';

export const TEXT_SIZES = { title: 27, subtitle: 20, label: 18, small: 16 } as const;

export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Below the rain bars, which hang from `top`. */
  readonly curveTop: number;
  /** Above the watering bars, which stand on `bottom`. */
  readonly curveBottom: number;
}

const PLOT_LEFT = 56;
const PLOT_TOP = 104;
const PLOT_BOTTOM = FRAME.height - 74;
const WATERING_HEIGHT = 82;
export const RAIN_HEIGHT = 54;
const MIN_RIGHT_MARGIN = 28;
const SIDE_LABEL_MARGIN = 22;

export const plotWidth = (plot: Pick<Plot, 'left' | 'right'>): number => plot.right - plot.left;

const timeScale =
  ({ start, end }: Period, plot: Pick<Plot, 'left' | 'right'>) =>
  (at: number): number =>
    plot.left + ((at - start) / (end - start)) * plotWidth(plot);

/** Instants outside the chart are at its edges. */
export function clampedTimeScale(
  period: Period,
  plot: Pick<Plot, 'left' | 'right'>,
): (at: number) => number {
  const xOf = timeScale(period, plot);
  return (at) => Math.max(plot.left, Math.min(plot.right, xOf(at)));
}

/** The values at `curveBottom` and `curveTop`. */
export interface AxisRange {
  readonly low: number;
  readonly high: number;
}

/** In px from the top. */
export const valueY = (
  value: number,
  { low, high }: AxisRange,
  { curveTop, curveBottom }: Pick<Plot, 'curveTop' | 'curveBottom'>,
): number => curveBottom - ((value - low) / (high - low)) * (curveBottom - curveTop);

interface PlotContents {
  readonly labelWidth: number;
  readonly hasWaterings: boolean;
  readonly hasRain?: boolean;
}

export const plotFor = ({ labelWidth, hasWaterings, hasRain = false }: PlotContents): Plot => ({
  left: PLOT_LEFT,
  right: FRAME.width - Math.max(MIN_RIGHT_MARGIN, labelWidth + SIDE_LABEL_MARGIN),
  top: PLOT_TOP,
  bottom: PLOT_BOTTOM,
  curveTop: hasRain ? PLOT_TOP + RAIN_HEIGHT : PLOT_TOP,
  curveBottom: hasWaterings ? PLOT_BOTTOM - WATERING_HEIGHT : PLOT_BOTTOM,
});

export interface ChartLayout {
  readonly chart: MoistureChart;
  readonly plot: Plot;
  readonly colours: ThemeColours;
  readonly labels: ChartLabels;
  xOf(at: number): number;
  yOf(value: number): number;
}

export function chartLayout(chart: MoistureChart, plot: Plot, range: AxisRange): ChartLayout {
  const { theme, lang } = chart;
  return {
    chart,
    plot,
    colours: THEME_COLOURS[theme],
    labels: languageOf(lang).chartLabels,
    xOf: timeScale(chart, plot),
    yOf: (value) => valueY(value, range, plot),
  };
}
