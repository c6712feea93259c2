import { roundTo } from '../../domain/decimal.ts';
import type { SuspectReading } from '../../domain/facts/probe-facts.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { readingAge, usualIntervalMs } from '../../domain/moisture/coverage.ts';
import { moistureWithoutDropouts } from '../../domain/moisture/sensor-readings.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import {
  implausibleValue,
  isStuck,
  STUCK_WHILE_OTHERS_MOVE_MS,
} from '../../domain/moisture/suspect-readings.ts';
import { DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import { soilAt } from '../../domain/soil/soil-profile.ts';
import type { SuspectReadingBody } from '../../schema/moisture/series.ts';
import { lastReadings } from '../../store/moisture/reading-lookup.ts';
import {
  lastOtherValueAt,
  valueDurations,
  valueDurationsOfSensor,
} from '../../store/moisture/value-durations.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { toIsoOrNull } from '../wire-format.ts';
import { CLOCK_SKEW_MS } from './curve-cycles.ts';

/**
 * How many readings of each sensor are read at first. Most sensors change their value within them,
 * so that their past need not be read.
 */
export const JUDGED_READINGS = 24;
/** A sensor that reports less often may repeat a value without being stuck. */
const MAX_INTERVAL_MS = 6 * HOUR_MS;
/** No older reading is read. */
const HISTORY_MS = 150 * DAY_MS;
/**
 * How much of the past before the present value is read: this long, or this many times as long as
 * the value has lasted, whichever is longer.
 */
const MIN_PAST_MS = 30 * DAY_MS;
const PAST_PER_UNCHANGED_TIME = 3;
const VALUE_DECIMALS = 6;

interface RecentReadings {
  readonly id: number;
  readonly depth: number | null;
  readonly newest: TimedValue;
  readonly readings: readonly TimedValue[];
}

/** The sensors of a probe whose newest value cannot be the moisture of the soil. */
export async function suspectReadings(
  db: CompanyDb,
  source: SummarySource,
  now: number,
): Promise<SuspectReading[]> {
  const last = await lastReadings(db, source.sensors, now + CLOCK_SKEW_MS + 1, JUDGED_READINGS);
  return suspectAmong(db, source, last, now);
}

/**
 * From the surface down. `lastReadings` has the last readings of each sensor of the source, at most
 * `JUDGED_READINGS`, oldest first.
 */
export async function suspectAmong(
  db: CompanyDb,
  { sensors, curve, layers }: SummarySource,
  lastReadings: readonly (readonly TimedValue[])[],
  now: number,
): Promise<SuspectReading[]> {
  const recent = sensors.flatMap((sensor, index) => {
    if (itemAt(curve.weights, index) === 0 && curve.slices[index] === null) return [];
    const readings = itemAt(lastReadings, index);
    const newest = moistureWithoutDropouts(readings).at(-1);
    return newest !== undefined && readingAge(newest.at, now).isFresh
      ? [{ ...sensor, newest, readings }]
      : [];
  });

  const stuckSince = await stuckSensors(db, recent);
  return recent
    .flatMap(({ id, depth: depthCm, newest: { value } }): SuspectReading[] => {
      const soil = depthCm === null ? null : soilAt(layers, depthCm, now);
      const implausible = soil && implausibleValue(value, soil);
      const since = stuckSince.get(id);
      // An impossible value is reported as such, even if the sensor is also stuck.
      if (implausible !== null) return [{ depthCm, value, ...implausible, since: null }];
      return since === undefined
        ? []
        : [{ depthCm, value, reason: 'SENSOR_STUCK', limit: null, since }];
    })
    .sort((a, b) => (a.depthCm ?? 0) - (b.depthCm ?? 0));
}

export const toSuspectReadingBody = ({
  reason,
  depthCm,
  value,
  limit,
  since,
}: SuspectReading): SuspectReadingBody => ({
  reason,
  depth: depthCm,
  value_vwc: roundTo(value, VALUE_DECIMALS),
  limit_vwc: limit === null ? null : roundTo(limit, VALUE_DECIMALS),
  since: toIsoOrNull(since),
});

/** The instant (ms) since which each stuck sensor has shown its value, by sensor id. */
async function stuckSensors(
  db: CompanyDb,
  recent: readonly RecentReadings[],
): Promise<Map<number, number>> {
  const stuck = new Map<number, number>();
  if (!recent.some(mayBeStuck)) return stuck;

  const end = Math.max(...recent.map(({ newest }) => newest.at)) + 1;
  const ids = recent.map(({ id }) => id);
  const durationsOfSensors = await valueDurations(db, ids, end - STUCK_WHILE_OTHERS_MOVE_MS, end);
  const movements = new Map(durationsOfSensors.map((movement) => [movement.sensorId, movement]));
  // A sensor without a step has not moved in this time.
  const suspects = recent.filter(
    (sensor) => mayBeStuck(sensor) && movements.get(sensor.id)?.smallestStep === null,
  );
  if (suspects.length === 0) return stuck;

  for (const { id, newest } of suspects) {
    const { firstAt, unchangedSince, longestEarlierMs, smallestStep } = await valueDurationsOf(
      db,
      id,
      newest,
    );
    const durations = {
      presentMs: newest.at - unchangedSince,
      earlierMs: unchangedSince - firstAt,
      longestEarlierMs: longestEarlierMs ?? 0,
      smallestStep,
    };

    const others = [...movements.values()].flatMap(({ sensorId, lowest, highest, ...movement }) =>
      sensorId === id ? [] : [{ range: highest - lowest, smallestStep: movement.smallestStep }],
    );
    if (isStuck(durations, others)) stuck.set(id, unchangedSince);
  }

  return stuck;
}

/** Reads only as much of the past as is compared with the present value. */
async function valueDurationsOf(db: CompanyDb, sensorId: number, newest: TimedValue) {
  const end = newest.at + 1;
  const earliest = end - HISTORY_MS;
  const changedAt = (await lastOtherValueAt(db, sensorId, newest.at, earliest, end)) ?? earliest;
  const pastMs = Math.max(MIN_PAST_MS, PAST_PER_UNCHANGED_TIME * (newest.at - changedAt));
  const start = Math.max(earliest, changedAt - pastMs);

  // The newest reading is within the period.
  return (await valueDurationsOfSensor(db, sensorId, start, end))!;
}

function mayBeStuck({ readings }: RecentReadings): boolean {
  const intervalMs = usualIntervalMs(readings.map(({ at }) => at));
  return (
    readings.length === JUDGED_READINGS &&
    intervalMs !== null &&
    intervalMs <= MAX_INTERVAL_MS &&
    readings.every(({ value }) => value === firstOf(readings).value)
  );
}
