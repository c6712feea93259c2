import { longestStep, splitAtGaps, usualStepMs } from '../../../chart/lines.ts';
import { summaryValues, toDrawnValue } from '../../../chart/series-values.ts';
import { ISO_DATE } from '../../../domain/calendar.ts';
import { LocalDay } from '../../../domain/local-day.ts';
import type { MeasurementType } from '../../../domain/moisture/measurement.ts';
import type { Period } from '../../../domain/periods.ts';
import type { MoistureSeriesBody } from '../../../schema/moisture/series.ts';
import { RESOLUTIONS, type Resolution, type Tile, tilesOf } from './tiles.ts';

/** `depths` is in the order of `sensors`. */
export interface DepthsPoint {
  readonly at: number;
  readonly value: number | null;
  readonly depths: readonly (number | null)[];
}

interface SensorDepth {
  readonly id: number;
  readonly depth: number | null;
}

export interface SeriesTile {
  readonly type: MeasurementType;
  readonly intervalMs: number;
  readonly sensors: readonly SensorDepth[];
  readonly points: readonly DepthsPoint[];
}

/** The answer of get_moisture_series with `detail` concise, `depths` and an interval. */
export type ConciseSeries = Pick<
  MoistureSeriesBody,
  'type' | 'interval_seconds' | 'data' | 'sensors'
>;

export function toSeriesTile(body: ConciseSeries, tile: Tile, zone: string): SeriesTile {
  const { type, sensors = [] } = body;
  const values = summaryValues(body);
  return {
    type,
    intervalMs: RESOLUTIONS[tile.resolution].intervalMs,
    sensors: sensors.map(({ id, depth }) => ({ id, depth })),
    points: body.data.map(({ time }, row) => ({
      // A point of a day is named by its date.
      at: ISO_DATE.test(time) ? LocalDay.parse(time).startIn(zone) : Date.parse(time),
      value: toDrawnValue(values[row] ?? null, type),
      depths: sensors.map((sensor) => toDrawnValue(sensor.values[row] ?? null, type)),
    })),
  };
}

export interface Curve {
  readonly type: MeasurementType | null;
  /** The longest interval among its points. */
  readonly intervalMs: number;
  readonly sensors: readonly SensorDepth[];
  readonly points: readonly DepthsPoint[];
}

/**
 * Where a tile is not loaded yet, points of its period in another resolution are used, the nearest
 * resolution first.
 */
export function curveWithin(
  period: Period,
  resolution: Resolution,
  zone: string,
  loaded: readonly { readonly tile: Tile; readonly value: SeriesTile }[],
): Curve {
  const parts = tilesOf(period, resolution, zone).flatMap((tile) => partsFor(tile, loaded));
  const sensors = new Map(
    parts.flatMap(({ value }) => value.sensors.map((sensor) => [sensor.id, sensor] as const)),
  );
  const ordered = [...sensors.values()].sort((a, b) => (a.depth ?? 0) - (b.depth ?? 0));

  return {
    type: parts.at(-1)?.value.type ?? null,
    intervalMs: Math.max(
      RESOLUTIONS[resolution].intervalMs,
      ...parts.map(({ value }) => value.intervalMs),
    ),
    sensors: ordered,
    points: parts.flatMap((part) => pointsOf(part, ordered)),
  };
}

/** The part of a tile that lies in a period. */
interface TilePart {
  readonly within: Period;
  readonly value: SeriesTile;
}

/** With the depths in the order of `sensors`, of which a tile may lack some. */
function pointsOf({ within, value }: TilePart, sensors: readonly SensorDepth[]): DepthsPoint[] {
  const columns = sensors.map(({ id }) => value.sensors.findIndex((sensor) => sensor.id === id));
  return value.points
    .filter(({ at }) => at >= within.start && at < within.end)
    .map((point) => ({
      ...point,
      depths: columns.map((column) => point.depths[column] ?? null),
    }));
}

function partsFor(wanted: Tile, loaded: readonly { tile: Tile; value: SeriesTile }[]): TilePart[] {
  const exact = loaded.find(
    ({ tile }) => tile.resolution === wanted.resolution && tile.start === wanted.start,
  );
  if (exact) return [{ within: wanted, value: exact.value }];

  const distanceOf = ({ resolution }: Tile): number => Math.abs(resolution - wanted.resolution);
  const others = loaded
    .filter(
      ({ tile }) =>
        tile.start < wanted.end && tile.end > wanted.start && tile.resolution !== wanted.resolution,
    )
    .sort((a, b) => distanceOf(a.tile) - distanceOf(b.tile) || a.tile.start - b.tile.start);

  let missing: Period[] = [wanted];
  const parts: TilePart[] = [];

  for (const { tile, value } of others) {
    const covered = missing.flatMap((period) => intersection(period, tile) ?? []);
    parts.push(...covered.map((within) => ({ within, value })));
    missing = missing.flatMap((period) => subtract(period, tile));
  }

  return parts.sort((a, b) => a.within.start - b.within.start);
}

function intersection(a: Period, b: Period): Period | null {
  const [start, end] = [Math.max(a.start, b.start), Math.min(a.end, b.end)];
  return start < end ? { start, end } : null;
}

const subtract = (period: Period, cut: Period): Period[] =>
  [
    { start: period.start, end: Math.min(period.end, cut.start) },
    { start: Math.max(period.start, cut.end), end: period.end },
  ].filter(({ start, end }) => start < end);

export interface LinePoint {
  readonly at: number;
  readonly value: number;
}

/** The line of the values that `pick` finds, cut at gaps. */
export function lineSegments(
  curve: Curve,
  now: number,
  pick: (point: DepthsPoint) => number | null,
): LinePoint[][] {
  const points = curve.points.map((point) => ({ at: point.at, value: pick(point) }));
  const interval = isOfReadings(curve) ? null : curve.intervalMs;
  const step = longestStep(usualStepMs(points), interval);
  return splitAtGaps(points, step).map((segment) =>
    segment.map(({ at, value }) => ({ at: drawnAt(at, curve, now), value })),
  );
}

/** In the finest resolution a point is a reading. */
export const isOfReadings = ({ intervalMs }: Curve): boolean =>
  intervalMs === RESOLUTIONS[0].intervalMs;

/** A reading at its time, a mean in the middle of the part of its interval that is over. */
export function drawnAt(at: number, curve: Curve, now: number): number {
  if (isOfReadings(curve)) return at;
  const end = Math.max(at, Math.min(at + curve.intervalMs, now));
  return (at + end) / 2;
}

/** The nearest point with a value; null if none is within the distance. */
export function nearestPoint(
  points: readonly DepthsPoint[],
  at: number,
  maxDistance: number,
  positionOf: (at: number) => number = (time) => time,
): DepthsPoint | null {
  let nearest: DepthsPoint | null = null;
  let least = maxDistance;

  for (const point of points) {
    const distance = Math.abs(positionOf(point.at) - at);
    // Of two that are equally near, the later one: keys put the cursor where the interval of a mean
    // begins.
    if (point.value === null || distance > least) continue;
    nearest = point;
    least = distance;
  }

  return nearest;
}

/** The next point with a value in a direction, for the keyboard. */
export function nextPoint(
  points: readonly DepthsPoint[],
  at: number,
  direction: 1 | -1,
): DepthsPoint | null {
  const isAhead = (point: DepthsPoint): boolean =>
    point.value !== null && (point.at - at) * direction > 0;
  const next = direction > 0 ? points.find(isAhead) : points.findLast(isAhead);
  return next ?? null;
}
