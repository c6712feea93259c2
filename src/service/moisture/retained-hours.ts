import { type CalibratedSensor, calibrationStarts } from '../../domain/moisture/calibration.ts';
import {
  hoursStandBefore,
  type ReadingRetention,
} from '../../domain/moisture/reading-retention.ts';
import { hasLocalDayPoints, pointStart } from '../../domain/moisture/series-points.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { offsetSpans } from '../../domain/time-zone.ts';
import type { Call } from '../../operation/call.ts';
import { readingRetention } from '../../store/moisture/reading-retention.ts';

/** Values of a period by interval (null: single readings) in the points of a zone (null: UTC). */
interface AskedValues {
  readonly period: Period;
  readonly intervalMs: number | null;
  readonly zone: string | null;
  readonly sensors: readonly Pick<CalibratedSensor, 'calibration'>[];
}

/**
 * The instant before which hours stand in place of single readings that these values need; null if
 * they are the same with and without them. `period` is one with readings.
 */
export function hoursInPlaceBefore(
  retention: ReadingRetention | null,
  { period, intervalMs, zone, sensors }: AskedValues,
): number | null {
  const before = retention && hoursStandBefore(retention);
  if (before === null || period.start >= Math.min(before, period.end)) return null;
  if (intervalMs === null || intervalMs % HOUR_MS !== 0) return before;

  const asked = { start: period.start, end: Math.min(period.end, before) };
  const isWhole = (at: number): boolean => at % HOUR_MS === 0;
  const starts = calibrationStarts(sensors, asked);
  if (zone === null || offsetSpans(asked, zone).every(({ offsetMs }) => isWhole(offsetMs)))
    return [...starts, asked.start, asked.end].every(isWhole) ? null : before;

  // A local day begins within an hour, and is exact only as it is stored.
  if (starts.length > 0) return before;
  const hasDays = hasLocalDayPoints(intervalMs, zone) && retention?.dayZone === zone;
  const beginsDay = (at: number): boolean => pointStart(at, DAY_MS, zone) === at;
  return hasDays && beginsDay(asked.start) && (asked.end === before || beginsDay(asked.end))
    ? null
    : before;
}

/** Says it if the values need single readings of a time of which only hours are left. */
export async function adviseOfHours(
  { db, advise }: Pick<Call, 'db' | 'advise'>,
  asked: AskedValues,
): Promise<number | null> {
  const before = hoursInPlaceBefore(await readingRetention(db), asked);
  if (before !== null) advise({ kind: 'hours_in_place_of_readings', before });
  return before;
}
