import { itemAt } from '../domain/items.ts';
import { MINUTE_MS } from '../domain/periods.ts';
import { formatChartNumber } from '../language/advice/chart-labels.ts';
import { languageOf } from '../language/index.ts';
import {
  barPeriodBounds,
  type LabelledBar,
  MIN_BAR_DISTANCE,
  middleOf,
  withRoomForLabels,
} from './bars.ts';
import { type ChartLayout, clampedTimeScale, type Plot, plotWidth, TEXT_SIZES } from './layout.ts';
import type { ChartedWatering, MoistureChart } from './moisture-chart.ts';
import type { Mark, RectStyle } from './scene.ts';

const SHORT_PERIODS = ['each', 'day', 'week'] as const;
type BarPeriod = (typeof SHORT_PERIODS)[number] | 'month';

/** `done` and `planned` are in mm over the whole area. */
interface WateringSum {
  readonly from: number;
  readonly to: number;
  readonly done: number;
  readonly planned: number;
  readonly isUnknown: boolean;
}

type WateringChart = Pick<MoistureChart, 'start' | 'end' | 'zone' | 'waterings'>;

/** Sums waterings over the shortest period that keeps bars apart on an axis of that width. */
export function wateringSums(
  chart: WateringChart,
  width: number,
): { period: BarPeriod; sums: WateringSum[] } {
  const pxPerMs = width / (chart.end - chart.start);

  const sumsAreApart = (sums: readonly WateringSum[]): boolean =>
    sums.every(
      ({ from }, index) =>
        index === 0 || (from - itemAt(sums, index - 1).from) * pxPerMs >= MIN_BAR_DISTANCE,
    );

  for (const period of SHORT_PERIODS) {
    const sums = sumWaterings(chart, period);
    if (sumsAreApart(sums)) return { period, sums };
  }

  return { period: 'month', sums: sumWaterings(chart, 'month') };
}

function sumWaterings(chart: WateringChart, period: BarPeriod): WateringSum[] {
  /** By the watering, or by the start of the period. */
  const sums = new Map<ChartedWatering | number, WateringSum>();
  const within = chart.waterings
    .filter(({ at }) => at >= chart.start && at < chart.end)
    .sort((a, b) => a.at - b.at);
  for (const watering of within) {
    const { at, mm, durationMin, isPlanned } = watering;
    const [from, to] =
      period === 'each'
        ? [at, at + (durationMin ?? 0) * MINUTE_MS]
        : barPeriodBounds(at, period, chart.zone);
    const key = period === 'each' ? watering : from;
    const sum = sums.get(key) ?? { from, to, done: 0, planned: 0, isUnknown: false };

    sums.set(key, {
      ...sum,
      done: sum.done + (isPlanned ? 0 : (mm ?? 0)),
      planned: sum.planned + (isPlanned ? (mm ?? 0) : 0),
      isUnknown: sum.isUnknown || mm === null,
    });
  }

  return [...sums.values()];
}

export interface Bar extends LabelledBar {
  readonly done: number;
  readonly planned: number;
  readonly unknown: number;
}

export interface WateringBars {
  readonly period: BarPeriod;
  readonly bars: readonly Bar[];
}

const MIN_BAR_WIDTH = 7;
const MAX_BAR_HEIGHT = 48;
const MIN_BAR_HEIGHT = 4;
const UNKNOWN_DOSE_HEIGHT = 24;
const UNKNOWN_DOSE_TOP_HEIGHT = 8;
export const UNKNOWN_DOSE_STROKE_WIDTH = 2;
export const PLANNED_OPACITY = 0.45;

export function wateringBars(
  chart: WateringChart & Pick<MoistureChart, 'lang'>,
  plot: Pick<Plot, 'left' | 'right'>,
): WateringBars {
  const { period, sums } = wateringSums(chart, plotWidth(plot));
  const largest = Math.max(0, ...sums.map(({ done, planned }) => done + planned));
  const xOf = clampedTimeScale(chart, plot);
  const heightOf = (mm: number) =>
    mm === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, (mm / largest) * MAX_BAR_HEIGHT);

  // A watering is as wide as it is long; the bars of periods end where the next one begins.
  const minWidth = period === 'each' ? MIN_BAR_WIDTH : 1;
  const gap = period === 'each' ? 0 : 2;
  const bars = sums.map((sum) => {
    const left = Math.min(xOf(sum.from), plot.right - MIN_BAR_WIDTH);
    return {
      left,
      right: Math.max(left + minWidth, xOf(sum.to) - gap),
      done: heightOf(sum.done),
      planned: heightOf(sum.planned),
      unknown: unknownDoseHeight(sum),
      label: doseLabel(sum, chart),
    };
  });

  return { period, bars: withRoomForLabels(bars, barHeight, barRank) };
}

function unknownDoseHeight({ done, planned, isUnknown }: WateringSum): number {
  if (!isUnknown) return 0;
  return done + planned === 0 ? UNKNOWN_DOSE_HEIGHT : UNKNOWN_DOSE_TOP_HEIGHT;
}

/** "3.2 + ?" if one of several doses is unknown. */
function doseLabel(
  { done, planned, isUnknown }: WateringSum,
  { lang }: Pick<MoistureChart, 'lang'>,
): string {
  const mm = formatChartNumber(done + planned, languageOf(lang).chartLabels);
  if (!isUnknown) return mm;
  return done + planned === 0 ? '?' : `${mm} + ?`;
}

export const barHeight = ({ done, planned, unknown }: Bar): number => done + planned + unknown;

/** Unknown doses first, then the tallest. */
const barRank = (bar: Bar): number => barHeight(bar) + (bar.unknown > 0 ? 2 * MAX_BAR_HEIGHT : 0);

type BarPart = 'done' | 'planned' | 'unknown';

export function wateringBarMarks({ plot, colours }: ChartLayout, { bars }: WateringBars): Mark[] {
  const stacked = (part: BarPart, below: readonly BarPart[], style: RectStyle): Mark[] =>
    bars
      .filter((bar) => bar[part] > 0)
      .map((bar) => {
        const bottom = below.reduce((y, lower) => y - bar[lower], plot.bottom);
        const { left: x, right } = bar;
        return {
          kind: 'rect',
          x,
          y: bottom - bar[part],
          width: right - x,
          height: bar[part],
          ...style,
        };
      });

  const labelStyle = { fill: colours.text, size: TEXT_SIZES.small, align: 'center' } as const;
  const doses = bars
    .filter(({ label }) => label !== '')
    .map((bar): Mark => {
      const y = plot.bottom - barHeight(bar) - 11;
      return { kind: 'text', lines: [bar.label], x: middleOf(bar), y, ...labelStyle };
    });

  return [
    ...stacked('done', [], { fill: colours.water }),
    ...stacked('planned', ['done'], { fill: colours.water, opacity: PLANNED_OPACITY }),
    ...stacked('unknown', ['done', 'planned'], {
      stroke: colours.water,
      strokeWidth: UNKNOWN_DOSE_STROKE_WIDTH,
    }),
    ...doses,
  ];
}
