import { DAY_MS } from '../domain/periods.ts';
import { formatWaterFigure, type QuantityWording } from '../language/american-quantities.ts';
import {
  barPeriodBounds,
  type LabelledBar,
  MIN_BAR_DISTANCE,
  middleOf,
  withRoomForLabels,
} from './bars.ts';
import {
  type ChartLayout,
  clampedTimeScale,
  type Plot,
  plotWidth,
  RAIN_HEIGHT,
  TEXT_SIZES,
} from './layout.ts';
import type { MoistureChart } from './moisture-chart.ts';
import type { Mark } from './scene.ts';

type RainBarPeriod = 'day' | 'week' | 'month';

interface RainBarSum {
  readonly from: number;
  readonly to: number;
  readonly mm: number;
}

function shortestRainPeriod(pxPerMs: number): RainBarPeriod {
  if (DAY_MS * pxPerMs >= MIN_BAR_DISTANCE) return 'day';
  return 7 * DAY_MS * pxPerMs >= MIN_BAR_DISTANCE ? 'week' : 'month';
}

/** Sums rain over the shortest period that keeps bars apart on an axis of that width in px. */
export function rainSums(
  { start, end, zone, rain }: Pick<MoistureChart, 'start' | 'end' | 'zone' | 'rain'>,
  width: number,
): { period: RainBarPeriod; sums: RainBarSum[] } {
  const period = shortestRainPeriod(width / (end - start));
  const sums = new Map<number, RainBarSum>();

  for (const { at, mm } of rain) {
    const [from, to] = barPeriodBounds(at, period, zone);
    sums.set(from, { from, to, mm: (sums.get(from)?.mm ?? 0) + mm });
  }

  const within = [...sums.values()].filter(({ from, to }) => from < end && to > start);
  return { period, sums: within.sort((a, b) => a.from - b.from) };
}

interface RainBar extends LabelledBar {
  readonly height: number;
}

export interface RainBars {
  readonly period: RainBarPeriod;
  readonly bars: readonly RainBar[];
}

const LABEL_HEIGHT = 18;
const MIN_BAR_HEIGHT = 3;
const MIN_BAR_WIDTH = 3;
/** Shows where one day, week or month ends. */
const BAR_GAP = 2;

export function rainBars(
  chart: Pick<MoistureChart, 'start' | 'end' | 'zone' | 'rain'> & QuantityWording,
  plot: Pick<Plot, 'left' | 'right'>,
): RainBars {
  const { period, sums } = rainSums(chart, plotWidth(plot));
  const largestMm = Math.max(0, ...sums.map(({ mm }) => mm));
  const xOf = clampedTimeScale(chart, plot);
  const bars = sums.map(({ from, to, mm }) => {
    const left = Math.min(xOf(from), plot.right - MIN_BAR_WIDTH);
    return {
      left,
      right: Math.max(left + MIN_BAR_WIDTH, xOf(to) - BAR_GAP),
      height: Math.max(MIN_BAR_HEIGHT, (mm / largestMm) * (RAIN_HEIGHT - LABEL_HEIGHT)),
      label: formatWaterFigure(mm, chart),
    };
  });

  return { period, bars: withRoomForLabels(bars, ({ height }) => height) };
}

export function rainBarMarks({ plot, colours }: ChartLayout, { bars }: RainBars): Mark[] {
  const style = { fill: colours.text, size: TEXT_SIZES.small, align: 'center' } as const;
  return bars.flatMap((bar): Mark[] => {
    const { left: x, right, height, label } = bar;
    const rect: Mark = {
      kind: 'rect',
      x,
      y: plot.top,
      width: right - x,
      height,
      fill: colours.rain,
    };

    const y = plot.top + height + LABEL_HEIGHT / 2;
    return label === ''
      ? [rect]
      : [rect, { kind: 'text', lines: [label], x: middleOf(bar), y, ...style }];
  });
}
