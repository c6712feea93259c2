import type { MoistureChart } from './moisture-chart.ts';
import { type CurvePoint, splitAtGaps, usualStepMs, type ValuedPoint } from './segments.ts';
import { depthColours, THEME_COLOURS } from './theme.ts';
import { CHART_LABELS } from './words.ts';

/** One line of a picture, broken where there is no data. */
export interface ChartLine {
  readonly colour: string;
  /** What stands at its end; null for the one line of a summary. */
  readonly label: string | null;
  readonly segments: readonly (readonly ValuedPoint[])[];
}

/** The lines of a picture: the weighted curve, or one for each depth, the shallowest first. */
export function chartLines(chart: MoistureChart): ChartLine[] {
  const steps = chart.depths.flatMap(({ points }) => usualStepMs(points) ?? []);
  const shortest = steps.length === 0 ? 0 : Math.min(...steps);
  if (chart.view === 'summary') {
    // Sensors that send seconds apart make an instant each: the step is that of a sensor.
    const step = stepOrNull(chart, Math.max(usualStepMs(chart.curve) ?? 0, shortest));
    return [
      { colour: THEME_COLOURS[chart.theme].curve, label: null, segments: lineSegments(chart, chart.curve, step) },
    ];
  }
  const { depth: unit } = CHART_LABELS[chart.lang];
  const ordered = [...chart.depths].sort((a, b) => (a.depth ?? 0) - (b.depth ?? 0));
  const colours = depthColours(ordered.length, chart.theme);
  return ordered.map(({ depth, points }, place) => ({
    colour: colours[place]!,
    label: depth === null ? null : `${depth} ${unit}`,
    segments: lineSegments(chart, points, stepOrNull(chart, usualStepMs(points) ?? shortest)),
  }));
}

/** The step that is usual in a chart of buckets is at least a bucket; null where nothing tells it. */
const stepOrNull = ({ intervalMs }: MoistureChart, step: number): number | null =>
  Math.max(step, intervalMs ?? 0) || null;

/** Segments with buckets at their middle, cut as the period and now cut them. */
function lineSegments(chart: MoistureChart, points: readonly CurvePoint[], step: number | null): ValuedPoint[][] {
  const { intervalMs, start, end, now } = chart;
  const segments = splitAtGaps(points, step);
  if (intervalMs === null) return segments;
  const middle = (at: number) => (Math.max(at, start) + Math.max(at, Math.min(at + intervalMs, end, now))) / 2;
  return segments.map((segment) => segment.map(({ at, value }) => ({ at: middle(at), value })));
}
