import { firstOf, itemAt, withoutNulls } from '../domain/items.ts';
import { usualIntervalMs } from '../domain/moisture/coverage.ts';
import { depthLabel } from '../language/american-quantities.ts';
import type { ChartLayout } from './layout.ts';
import type { CurvePoint, MoistureChart } from './moisture-chart.ts';
import type { Mark } from './scene.ts';
import { depthColours, THEME_COLOURS } from './theme.ts';

interface ValuedPoint extends CurvePoint {
  readonly value: number;
}

/** The longest distance that a line spans: one missing reading (2 steps, and some jitter). */
const MAX_CONNECTED_STEPS = 2.5;

const hasValue = (point: CurvePoint): point is ValuedPoint => point.value !== null;

export const usualStepMs = (points: readonly CurvePoint[]): number | null =>
  usualIntervalMs(points.filter(hasValue).map(({ at }) => at));

/**
 * Splits where values lie too far apart, and at instants without a value. Such an instant is no gap
 * if a value lies within half a step, because sensors may send seconds apart. Where the step is
 * unknown (null), nothing is a gap.
 */
export function splitAtGaps(points: readonly CurvePoint[], stepMs: number | null): ValuedPoint[][] {
  const step = stepMs ?? Number.POSITIVE_INFINITY;
  const segments: ValuedPoint[][] = [];
  let instantsWithoutValue: number[] = [];

  for (const point of points) {
    if (!hasValue(point)) {
      instantsWithoutValue.push(point.at);
      continue;
    }

    const segment = segments.at(-1);
    const last = segment?.at(-1);
    const isConnected =
      last !== undefined &&
      point.at - last.at <= MAX_CONNECTED_STEPS * step &&
      instantsWithoutValue.every((at) => Math.min(at - last.at, point.at - at) <= step / 2);

    if (isConnected) segment?.push(point);
    else segments.push([point]);
    instantsWithoutValue = [];
  }

  return segments;
}

export interface ChartLine {
  readonly colour: string;
  readonly label: string | null;
  readonly segments: readonly (readonly ValuedPoint[])[];
}

export function chartLines(chart: MoistureChart): ChartLine[] {
  const depthSteps = chart.depths.flatMap(({ points }) => usualStepMs(points) ?? []);
  const shortestStep = depthSteps.length === 0 ? null : Math.min(...depthSteps);
  return chart.view === 'summary'
    ? [summaryLine(chart, shortestStep)]
    : depthLines(chart, shortestStep);
}

function summaryLine(chart: MoistureChart, shortestDepthStep: number | null): ChartLine {
  // Where sensors send seconds apart, the mean curve has an instant for each of them.
  const step = longestStep(usualStepMs(chart.curve), shortestDepthStep, chart.intervalMs);
  return {
    colour: THEME_COLOURS[chart.theme].curve,
    label: null,
    segments: lineSegments(chart, chart.curve, step),
  };
}

function depthLines(chart: MoistureChart, shortestStep: number | null): ChartLine[] {
  const ordered = [...chart.depths].sort((a, b) => (a.depth ?? 0) - (b.depth ?? 0));
  const colours = depthColours(ordered.length, chart.theme);

  return ordered.map(({ depth, points }, index) => {
    const step = longestStep(usualStepMs(points) ?? shortestStep, chart.intervalMs);
    return {
      colour: itemAt(colours, index),
      label: depth === null ? null : depthLabel(depth, chart),
      segments: lineSegments(chart, points, step),
    };
  });
}

/** Null if no step is known. */
export function longestStep(...steps: (number | null)[]): number | null {
  const knownSteps = withoutNulls(steps);
  return knownSteps.length === 0 ? null : Math.max(...knownSteps);
}

/**
 * Puts the mean of a bucket in the middle of the part of the bucket that lies in the period of the
 * chart and before now.
 */
function lineSegments(
  chart: MoistureChart,
  points: readonly CurvePoint[],
  step: number | null,
): ValuedPoint[][] {
  const { intervalMs, start, end, now } = chart;
  const segments = splitAtGaps(points, step);
  if (intervalMs === null) return segments;

  const middleOfBucket = (bucketStart: number) => {
    const from = Math.max(bucketStart, start);
    const to = Math.max(bucketStart, Math.min(bucketStart + intervalMs, end, now));
    return (from + to) / 2;
  };

  return segments.map((segment) =>
    segment.map(({ at, value }) => ({ at: middleOfBucket(at), value })),
  );
}

const LINE_WIDTH = 3;
const DOT_RADIUS = 2.9;

/** A single point between two gaps becomes a dot. */
export const lineMarks = ({ xOf, yOf }: ChartLayout, lines: readonly ChartLine[]): Mark[] =>
  lines.flatMap(({ segments, colour }) =>
    segments.map((segment): Mark => {
      const points = segment.map(({ at, value }) => ({ x: xOf(at), y: yOf(value) }));
      return points.length === 1
        ? { kind: 'dot', ...firstOf(points), radius: DOT_RADIUS, fill: colour }
        : { kind: 'line', points, stroke: colour, strokeWidth: LINE_WIDTH };
    }),
  );
