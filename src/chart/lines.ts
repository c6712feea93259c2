import { usualIntervalMs } from '../domain/moisture/coverage.ts';
import type { MeasurementType } from '../domain/moisture/series.ts';
import { weightedMeans } from '../domain/moisture/summary-curve.ts';
import { languageOf } from '../language/index.ts';
import type { MoistureSeriesBody, SeriesPointBody } from '../schema/moisture/series.ts';
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
  let last: ValuedPoint | undefined;
  let instantsWithoutValue: number[] = [];

  for (const point of points) {
    if (!hasValue(point)) {
      instantsWithoutValue.push(point.at);
      continue;
    }

    const isBroken =
      last === undefined ||
      point.at - last.at > MAX_CONNECTED_STEPS * step ||
      instantsWithoutValue.some((at) => Math.min(at - last!.at, point.at - at) > step / 2);
    if (isBroken) segments.push([point]);
    else segments.at(-1)!.push(point);
    last = point;
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
  if (chart.view === 'summary') {
    // Sensors that send seconds apart add instants, so the step is at least that of a single
    // sensor.
    const step = stepOrNull(chart, Math.max(usualStepMs(chart.curve) ?? 0, shortest));
    return [
      {
        colour: THEME_COLOURS[chart.theme].curve,
        label: null,
        segments: lineSegments(chart, chart.curve, step),
      },
    ];
  }

  const { depthUnit } = languageOf(chart.lang).chartLabels;
  const ordered = [...chart.depths].sort((a, b) => (a.depth ?? 0) - (b.depth ?? 0));
  const colours = depthColours(ordered.length, chart.theme);

  return ordered.map(({ depth, points }, index) => ({
    colour: colours[index]!,
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
        ? { kind: 'dot', ...points[0]!, radius: DOT_RADIUS, fill: colour }
        : { kind: 'line', points, stroke: colour, strokeWidth: LINE_WIDTH };
    }),
  );

/** Some loggers send the water potential, which is the negative tension. */
export const toDrawnValue = (value: number | null, type: MeasurementType): number | null =>
  type === 'tensio' ? value && Math.abs(value) : value;

/**
 * Recomputes the values from the sensors, because those in the response have one decimal and a slow
 * curve would show steps.
 */
export function summaryValues({
  data,
  sensors = [],
}: Pick<MoistureSeriesBody, 'sensors'> & {
  readonly data: readonly Omit<SeriesPointBody, 'time'>[];
}): (number | null)[] {
  if (sensors.length === 0) return data.map(pointValue);
  const means = sensors.map(({ values }) => values.map((value) => value ?? Number.NaN));
  const weights = sensors.map(({ weight }) => weight);
  const unrounded = weightedMeans({ weights }, means, { from: 0, to: data.length });
  return Array.from(unrounded, (value) => (Number.isNaN(value) ? null : value));
}

const pointValue = (point: Omit<SeriesPointBody, 'time'>): number | null =>
  point.value_vwc ?? point.value_temp ?? point.value_tensio ?? null;
