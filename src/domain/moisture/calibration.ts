import { groupBy } from '../groups.ts';
import { itemAt } from '../items.ts';
import type { Period } from '../periods.ts';

/** A moisture that a sensor read, and what the soil around it held, both in % by volume. */
export interface CalibrationPoint {
  readonly readPercent: number;
  readonly truePercent: number;
}

/** One point gives an offset, two a straight line; it holds until the next one of the sensor. */
export interface Calibration {
  /** In ms; null: all readings before the next one. */
  readonly from: number | null;
  readonly points: readonly CalibrationPoint[];
}

/** The calibrations of one sensor, oldest first; most have none. */
export type SensorCalibration = readonly Calibration[];

export const UNCALIBRATED: SensorCalibration = [];

export interface CalibratedSensor {
  readonly id: number;
  readonly calibration: SensorCalibration;
}

/** true = slope * read + offset. */
export interface Line {
  readonly slope: number;
  readonly offset: number;
}

export const IDENTITY: Line = { slope: 1, offset: 0 };

export function calibrationLine({ points }: Calibration): Line {
  const [first, second] = points;
  if (first === undefined) return IDENTITY;
  const slope =
    second === undefined
      ? 1
      : (second.truePercent - first.truePercent) / (second.readPercent - first.readPercent);
  return { slope, offset: first.truePercent - slope * first.readPercent };
}

/**
 * A point of a probe: the depth in cm, and from when on it holds (ms; null: from the beginning).
 */
export interface DatedPoint extends CalibrationPoint {
  readonly depthCm: number;
  readonly from: number | null;
}

/** The calibrations of the sensor at each depth; depths without a point are left out. */
export const calibrationsByDepth = (points: readonly DatedPoint[]): Map<number, Calibration[]> =>
  new Map(
    [...groupBy(points, ({ depthCm }) => depthCm)].map(([depthCm, ofDepth]) => [
      depthCm,
      [...groupBy(ofDepth, ({ from }) => from)]
        .map(([from, ofDate]) => ({
          from,
          points: ofDate.map(({ readPercent, truePercent }) => ({ readPercent, truePercent })),
        }))
        .sort((a, b) => (a.from ?? Number.MIN_SAFE_INTEGER) - (b.from ?? Number.MIN_SAFE_INTEGER)),
    ]),
  );

/** From the surface down, and oldest first. */
export const pointsOf = (
  sensors: readonly { readonly depth: number | null; readonly calibration: SensorCalibration }[],
): DatedPoint[] =>
  sensors.flatMap(({ depth, calibration }) =>
    depth === null
      ? []
      : calibration.flatMap(({ from, points }) =>
          points.map((point) => ({ depthCm: depth, from, ...point })),
        ),
  );

export const MIN_POINT_DISTANCE = 10;
export const MIN_SLOPE = 0.5;
export const MAX_SLOPE = 2;

/** In %. Few mineral soils have so much pore space, which bounds the water that they can hold. */
export const MAX_TRUE_PERCENT = 60;
/** In points; an assumption: a sensor further off is broken, or has lost contact with the soil. */
export const MAX_OFFSET = 15;

export type CalibrationFault =
  | 'too_many_points'
  | 'in_fractions'
  | 'true_value_too_high'
  | 'points_too_close'
  | 'slope_out_of_range'
  | 'offset_too_large';

/**
 * Two points less than 10 % of moisture apart would extend the error of each reading over the whole
 * range. A slope beyond 0.5 to 2 more likely means another unit or another soil than a calibration.
 */
export function calibrationFault(calibration: Calibration): CalibrationFault | null {
  const [first, second, ...others] = calibration.points;
  if (others.length > 0) return 'too_many_points';
  const { points } = calibration;
  if (points.some(isInFractions)) return 'in_fractions';
  if (points.some(({ truePercent }) => truePercent > MAX_TRUE_PERCENT))
    return 'true_value_too_high';
  if (first === undefined) return null;
  if (second === undefined)
    return Math.abs(first.truePercent - first.readPercent) > MAX_OFFSET ? 'offset_too_large' : null;
  if (Math.abs(second.readPercent - first.readPercent) < MIN_POINT_DISTANCE)
    return 'points_too_close';
  const { slope } = calibrationLine(calibration);
  return slope < MIN_SLOPE || slope > MAX_SLOPE ? 'slope_out_of_range' : null;
}

const isInFractions = ({ readPercent, truePercent }: CalibrationPoint): boolean =>
  readPercent < 1 && truePercent < 1;

const startOf = ({ from }: Calibration): number => from ?? Number.NEGATIVE_INFINITY;

export function lineAt(calibration: SensorCalibration, at: number): Line {
  const inForce = calibration.findLast((one) => startOf(one) <= at);
  return inForce === undefined ? IDENTITY : calibrationLine(inForce);
}

/** The instants within a period at which a calibration begins, ascending. */
export function calibrationStarts(
  sensors: readonly Pick<CalibratedSensor, 'calibration'>[],
  { start, end }: Period,
): number[] {
  const instants = sensors.flatMap(({ calibration }) =>
    calibration.flatMap(({ from }) => (from !== null && from > start && from < end ? [from] : [])),
  );
  return [...new Set(instants)].sort((a, b) => a - b);
}

/**
 * The calibrated sum of `count` readings. A 0 stays 0: it comes from a sensor that lost contact, and
 * counts as missing.
 */
export const calibrated = ({ slope, offset }: Line, sum: number, count = 1): number =>
  sum === 0 ? 0 : slope * sum + offset * count;

/** Values in the order of time; with `counts` they are sums, none of which contains a start. */
export function calibratedValues(
  calibration: SensorCalibration,
  at: readonly number[],
  values: readonly number[],
  counts?: readonly number[],
): readonly number[] {
  if (calibration.length === 0) return values;
  let next = 0;
  let line = IDENTITY;
  return values.map((value, row) => {
    while (next < calibration.length && startOf(itemAt(calibration, next)) <= itemAt(at, row))
      line = calibrationLine(itemAt(calibration, next++));
    return calibrated(line, value, counts?.[row]);
  });
}

/** Values of a sensor, oldest first. */
interface TimedColumns {
  readonly at: readonly number[];
  readonly values: readonly number[];
}

/**
 * Raises or lowers what is older than the start of a calibration, so that the value does not change
 * there: for rules that judge changes, which must take none of them for water or a fault. Each
 * value stands for the time `lengthMs` from its instant on.
 */
export function withoutCalibrationSteps(
  calibration: readonly Pick<Calibration, 'from'>[],
  columns: TimedColumns,
  lengthMs = 0,
): TimedColumns {
  const starts = calibration.flatMap(({ from }) => from ?? []);
  if (starts.length === 0) return columns;
  const { at, values } = columns;

  const isStep = (row: number): boolean => {
    const [before, after] = [itemAt(at, row - 1), itemAt(at, row)];
    return starts.some((start) => start > before && start < after + Math.max(1, lengthMs));
  };

  const level = [...values];
  let shift = 0;
  for (let row = values.length - 1; row > 0; row--) {
    if (isStep(row)) shift += itemAt(values, row) - itemAt(values, row - 1);
    level[row - 1] = itemAt(values, row - 1) + shift;
  }
  return { at, values: level };
}

/** Leaves out the means of `lengthMs` that hold values from before and after a new calibration. */
export function withoutCalibrationStarts(
  calibration: readonly Pick<Calibration, 'from'>[],
  columns: TimedColumns,
  lengthMs: number,
): TimedColumns {
  const starts = calibration.flatMap(({ from }) => from ?? []);
  if (starts.length === 0) return columns;

  const isMixed = (at: number): boolean =>
    starts.some((start) => start > at && start < at + lengthMs);
  const rows = columns.at.flatMap((at, row) => (isMixed(at) ? [] : [row]));
  return {
    at: rows.map((row) => itemAt(columns.at, row)),
    values: rows.map((row) => itemAt(columns.values, row)),
  };
}
