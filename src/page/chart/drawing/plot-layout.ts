import { type AxisRange, type Plot, RAIN_HEIGHT } from '../../../chart/layout.ts';
import type { Period } from '../../../domain/periods.ts';
import { drawnPeriod, isDrawn, lengthOf } from '../control/view.ts';

/** CSS px, from the top left corner of the chart. */
export interface PlotLayout extends Plot {
  readonly width: number;
  readonly height: number;
  /** Font size. */
  readonly text: number;
}

const AXIS_HEIGHT = 26;
const WATERING_HEIGHT = 66;
const NARROW_PX = 520;

interface LayoutNeeds {
  readonly width: number;
  readonly height: number;
  readonly hasRain: boolean;
  readonly hasWaterings: boolean;
}

export function plotLayout({ width, height, hasRain, hasWaterings }: LayoutNeeds): PlotLayout {
  const isNarrow = width < NARROW_PX;
  const top = 20;
  const bottom = height - AXIS_HEIGHT;

  return {
    width,
    height,
    top,
    bottom,
    left: isNarrow ? 30 : 40,
    right: width - (isNarrow ? 98 : 136),
    curveTop: top + (hasRain ? RAIN_HEIGHT : 4),
    curveBottom: bottom - (hasWaterings ? WATERING_HEIGHT : 2),
    text: isNarrow ? 13 : 14,
  };
}

export const plotWidthOf = ({ left, right }: PlotLayout): number => Math.max(1, right - left);

/** The change in value of a line that is pulled up by some px. */
export const valueOfPx = (
  px: number,
  { low, high }: AxisRange,
  { curveTop, curveBottom }: PlotLayout,
): number => (px * (high - low)) / (curveBottom - curveTop);

const MAX_SCALE_ERROR_PX = 0.01;

/** The drawing reaches beyond the view. Its x is counted from its own start. */
export interface DrawnRange {
  readonly period: Period;
  readonly pxPerMs: number;
  readonly width: number;
}

/** The last drawing stays as long as it serves the view. */
export function drawnRangeFor(
  view: Period,
  plotWidth: number,
  last: DrawnRange | null = null,
): DrawnRange {
  const isSameScale =
    last !== null && Math.abs(last.pxPerMs * lengthOf(view) - plotWidth) < MAX_SCALE_ERROR_PX;
  if (isSameScale && isDrawn(view, last.period)) return last;

  const period = drawnPeriod(view);
  const pxPerMs = plotWidth / lengthOf(view);
  return { period, pxPerMs, width: lengthOf(period) * pxPerMs };
}

export const drawnX = (at: number, { period, pxPerMs }: DrawnRange): number =>
  (at - period.start) * pxPerMs;

/** About the width of a digit, as a share of the font size. */
const DIGIT_WIDTH = 0.6;

interface CentredLabel {
  readonly label: string;
  readonly x: number;
  /** Font size in px. */
  readonly size: number;
}

/**
 * Where a label centred on `x` fits the view, because "17 Nov" cut by the edge of the plot reads "7
 * Nov"; null where `x` is not in view.
 */
export function labelX(
  { label, x, size }: CentredLabel,
  drawn: DrawnRange,
  view: Period,
): number | null {
  const [left, right] = [drawnX(view.start, drawn), drawnX(view.end, drawn)];
  const half = (label.length * size * DIGIT_WIDTH) / 2;
  return x < left || x > right ? null : Math.min(Math.max(x, left + half), right - half);
}

const rounded = (px: number): number => Math.round(px * 10) / 10;

export const pathOf = (points: readonly { readonly x: number; readonly y: number }[]): string =>
  `M${points.map(({ x, y }) => `${rounded(x)} ${rounded(y)}`).join('L')}`;

/** CSS lengths: Preact adds no unit to numbers. */
export const inPx = <Name extends string>(
  lengths: Readonly<Record<Name, number>>,
): Record<Name, string> =>
  Object.fromEntries(
    Object.entries<number>(lengths).map(([name, length]) => [name, `${length}px`]),
  ) as Record<Name, string>;
