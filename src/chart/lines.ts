import { firstOf, itemAt } from '../domain/items.ts';
import { usualIntervalMs } from '../domain/moisture/coverage.ts';
import { languageOf } from '../language/index.ts';
import type { ChartLayout } from './layout.ts';
import type { CurvePoint, MoistureChart } from './moisture-chart.ts';
import type { Mark } from './scene.ts';
import { depthColours, THEME_COLOURS } from './theme.ts';

interface ValuedPoint extends CurvePoint {
  readonly value: number;
}

/** In usual steps: so that one missing reading does not break the line. */
const MAX_CONNECTED_STEPS = 2.5;

const hasValue = (point: CurvePoint): point is ValuedPoint => point.value !== null;

export const usualStepMs = (points: readonly CurvePoint[]): number | null =>
  usualIntervalMs(points.filter(hasValue).map(({ at }) => at));

/**
 * An instant without a value is a gap too, unless a value is within half a step: sensors may send
 * seconds apart.
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
  const steps = chart.depths.flatMap(({ points }) => usualStepMs(points) ?? []);
  const shortest = steps.length === 0 ? 0 : Math.min(...steps);
  return chart.view === 'summary' ? [summaryLine(chart, shortest)] : depthLines(chart, shortest);
}

function summaryLine(chart: MoistureChart, shortest: number): ChartLine {
  // Sensors that send seconds apart add instants, so the step is at least that of a single sensor.
  const step = stepOrNull(chart, Math.max(usualStepMs(chart.curve) ?? 0, shortest));
  return {
    colour: THEME_COLOURS[chart.theme].curve,
    label: null,
    segments: lineSegments(chart, chart.curve, step),
  };
}

function depthLines(chart: MoistureChart, shortest: number): ChartLine[] {
  const { depthUnit } = languageOf(chart.lang).chartLabels;
  const ordered = [...chart.depths].sort((a, b) => (a.depth ?? 0) - (b.depth ?? 0));
  const colours = depthColours(ordered.length, chart.theme);

  return ordered.map(({ depth, points }, index) => ({
    colour: itemAt(colours, index),
    label: depth === null ? null : `${depth} ${depthUnit}`,
    segments: lineSegments(chart, points, stepOrNull(chart, usualStepMs(points) ?? shortest)),
  }));
}

const stepOrNull = ({ intervalMs }: MoistureChart, step: number): number | null =>
  Math.max(step, intervalMs ?? 0) || null;

/** Draws the value of a bucket at the middle of its part within the period and before now. */
function lineSegments(
  chart: MoistureChart,
  points: readonly CurvePoint[],
  step: number | null,
): ValuedPoint[][] {
  const { intervalMs, start, end, now } = chart;
  const segments = splitAtGaps(points, step);
  if (intervalMs === null) return segments;
  const middle = (at: number) =>
    (Math.max(at, start) + Math.max(at, Math.min(at + intervalMs, end, now))) / 2;
  return segments.map((segment) => segment.map(({ at, value }) => ({ at: middle(at), value })));
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
