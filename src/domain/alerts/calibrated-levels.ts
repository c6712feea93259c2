import { roundTo } from '../decimal.ts';
import { IDENTITY, type Line } from '../moisture/calibration.ts';
import { ALERT_KINDS } from './alert-kinds.ts';

// Levels of a curve, at which lines are drawn and alerts fire, in % of volume.

const LEVEL_DECIMALS = 2;

/**
 * The line by which a curve shows one reading of all its sensors: the mean of their lines by
 * weight.
 */
export function lineOfCurve(
  sensors: readonly { readonly weight: number; readonly line: Line }[],
): Line {
  const whole = sensors.reduce((sum, { weight }) => sum + weight, 0);
  if (whole === 0) return IDENTITY;

  const mean = (name: keyof Line): number =>
    sensors.reduce((sum, { weight, line }) => sum + weight * line[name], 0) / whole;
  return { slope: mean('slope'), offset: mean('offset') };
}

export interface MovedLevel {
  readonly to: number;
  /** Where it would be without any calibration, unrounded. */
  readonly uncalibrated: number;
}

/**
 * Where a level is once the curve is calibrated anew. Each calibration moves it from where it was
 * without any, so that roundings do not add up and it comes back to where it was. `stored` is
 * `uncalibrated` of the last move, if any: a level that was moved by hand since is where it was put.
 */
export function moveLevel(
  level: number,
  stored: number | null,
  { before, after }: { readonly before: Line; readonly after: Line },
): MovedLevel {
  const isStored = stored !== null && levelShown(before, stored) === level;
  const uncalibrated = isStored ? stored : (level - before.offset) / before.slope;
  const isSameLine = before.slope === after.slope && before.offset === after.offset;
  return { to: isSameLine ? level : levelShown(after, uncalibrated), uncalibrated };
}

function levelShown({ slope, offset }: Line, uncalibrated: number): number {
  const level = roundTo(slope * uncalibrated + offset, LEVEL_DECIMALS);
  return Math.max(0, Math.min(ALERT_KINDS.moisture.max, level));
}
