import { itemAt } from '../domain/items.ts';
import { MINUTE_MS } from '../domain/periods.ts';
import { formatWaterFigure, type QuantityWording } from '../language/american-quantities.ts';
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

/** The period of one bar. */
type BarsPer = 'watering' | 'day' | 'week' | 'month';

/** The water of one watering, or of a local day, week or month. Depths are over the whole area. */
interface WateringSum {
  readonly from: number;
  readonly to: number;
  readonly doneMm: number;
  readonly unseenMm: number;
  readonly hasUnknownDose: boolean;
}

type WateringChart = Pick<MoistureChart, 'start' | 'end' | 'zone' | 'waterings'>;

/**
 * Leaves waterings apart, or else sums them over the shortest period that keeps bars apart on an
 * axis of that width in px.
 */
export function wateringSums(
  chart: WateringChart,
  width: number,
): { barsPer: BarsPer; sums: WateringSum[] } {
  const pxPerMs = width / (chart.end - chart.start);

  const sumsAreApart = (sums: readonly WateringSum[]): boolean =>
    sums.every(
      ({ from }, index) =>
        index === 0 || (from - itemAt(sums, index - 1).from) * pxPerMs >= MIN_BAR_DISTANCE,
    );

  for (const barsPer of ['watering', 'day', 'week'] as const) {
    const sums = sumWaterings(chart, barsPer);
    if (sumsAreApart(sums)) return { barsPer, sums };
  }

  return { barsPer: 'month', sums: sumWaterings(chart, 'month') };
}

function sumWaterings(chart: WateringChart, barsPer: BarsPer): WateringSum[] {
  /** By the watering, or by the start of the period. */
  const sums = new Map<ChartedWatering | number, WateringSum>();
  const within = chart.waterings
    .filter(({ at }) => at >= chart.start && at < chart.end)
    .sort((a, b) => a.at - b.at);

  for (const watering of within) {
    const { at, mm, durationMin, isPlanned, isAssumed } = watering;
    // Nobody saw it yet, or at all.
    const isUnseen = isPlanned || isAssumed;
    const [from, to] =
      barsPer === 'watering'
        ? [at, at + (durationMin ?? 0) * MINUTE_MS]
        : barPeriodBounds(at, barsPer, chart.zone);
    const key = barsPer === 'watering' ? watering : from;
    const sum = sums.get(key) ?? { from, to, doneMm: 0, unseenMm: 0, hasUnknownDose: false };

    sums.set(key, {
      ...sum,
      doneMm: sum.doneMm + (isUnseen ? 0 : (mm ?? 0)),
      unseenMm: sum.unseenMm + (isUnseen ? (mm ?? 0) : 0),
      hasUnknownDose: sum.hasUnknownDose || mm === null,
    });
  }

  return [...sums.values()];
}

/** In px: the parts of a bar from the bottom up. */
export interface BarHeights {
  readonly done: number;
  readonly unseen: number;
  readonly unknown: number;
}

export interface Bar extends LabelledBar {
  readonly heights: BarHeights;
}

export interface WateringBars {
  readonly barsPer: BarsPer;
  readonly bars: readonly Bar[];
}

/** In px. */
const MIN_WATERING_WIDTH = 7;
const MIN_PERIOD_WIDTH = 1;
/** Between the bars of two periods. */
const PERIOD_GAP = 2;
const LABEL_DISTANCE = 11;
const MAX_BAR_HEIGHT = 48;
const MIN_BAR_HEIGHT = 4;
const UNKNOWN_DOSE_HEIGHT = 24;
const UNKNOWN_DOSE_TOP_HEIGHT = 8;
export const UNKNOWN_DOSE_STROKE_WIDTH = 2;
export const UNSEEN_OPACITY = 0.45;

export function wateringBars(
  chart: WateringChart & QuantityWording,
  plot: Pick<Plot, 'left' | 'right'>,
): WateringBars {
  const { barsPer, sums } = wateringSums(chart, plotWidth(plot));
  const largestMm = Math.max(0, ...sums.map(knownMm));
  const xOf = clampedTimeScale(chart, plot);
  const heightOf = (mm: number) =>
    mm === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, (mm / largestMm) * MAX_BAR_HEIGHT);

  // The bar of a watering ends with it; that of a period ends where the next period begins.
  const minWidth = barsPer === 'watering' ? MIN_WATERING_WIDTH : MIN_PERIOD_WIDTH;
  const gap = barsPer === 'watering' ? 0 : PERIOD_GAP;
  const bars = sums.map((sum) => {
    const left = Math.min(xOf(sum.from), plot.right - MIN_WATERING_WIDTH);
    return {
      left,
      right: Math.max(left + minWidth, xOf(sum.to) - gap),
      heights: {
        done: heightOf(sum.doneMm),
        unseen: heightOf(sum.unseenMm),
        unknown: unknownDoseHeight(sum),
      },
      label: doseLabel(sum, chart),
    };
  });

  return { barsPer, bars: withRoomForLabels(bars, barHeight, labelRank) };
}

const knownMm = ({ doneMm, unseenMm }: WateringSum): number => doneMm + unseenMm;

function unknownDoseHeight(sum: WateringSum): number {
  if (!sum.hasUnknownDose) return 0;
  return knownMm(sum) === 0 ? UNKNOWN_DOSE_HEIGHT : UNKNOWN_DOSE_TOP_HEIGHT;
}

/** "3.2 + ?" if one of several doses is unknown. */
function doseLabel(sum: WateringSum, wording: QuantityWording): string {
  const dose = formatWaterFigure(knownMm(sum), wording);
  if (!sum.hasUnknownDose) return dose;
  return knownMm(sum) === 0 ? '?' : `${dose} + ?`;
}

export const barHeight = ({ heights: { done, unseen, unknown } }: Bar): number =>
  done + unseen + unknown;

/** Unknown doses are above every known one, then the tallest bars. */
const labelRank = (bar: Bar): number =>
  barHeight(bar) + (bar.heights.unknown > 0 ? 2 * MAX_BAR_HEIGHT : 0);

type BarPart = keyof BarHeights;

export function wateringBarMarks({ plot, colours }: ChartLayout, { bars }: WateringBars): Mark[] {
  const partMarks = (part: BarPart, below: readonly BarPart[], style: RectStyle): Mark[] =>
    bars
      .filter(({ heights }) => heights[part] > 0)
      .map(({ left, right, heights }) => {
        const height = heights[part];
        const bottom = below.reduce((y, lower) => y - heights[lower], plot.bottom);
        return { kind: 'rect', x: left, y: bottom - height, width: right - left, height, ...style };
      });

  const labelStyle = { fill: colours.text, size: TEXT_SIZES.small, align: 'center' } as const;
  const doseLabels = bars
    .filter(({ label }) => label !== '')
    .map((bar): Mark => {
      const y = plot.bottom - barHeight(bar) - LABEL_DISTANCE;
      return { kind: 'text', lines: [bar.label], x: middleOf(bar), y, ...labelStyle };
    });

  return [
    ...partMarks('done', [], { fill: colours.water }),
    ...partMarks('unseen', ['done'], { fill: colours.water, opacity: UNSEEN_OPACITY }),
    ...partMarks('unknown', ['done', 'unseen'], {
      stroke: colours.water,
      strokeWidth: UNKNOWN_DOSE_STROKE_WIDTH,
    }),
    ...doseLabels,
  ];
}
