import { roundTo } from '../../domain/decimal.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { readingAge, usualIntervalMs } from '../../domain/moisture/coverage.ts';
import { moistureWithoutDropouts } from '../../domain/moisture/sensor-readings.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
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
import { toIso } from '../wire-format.ts';
import { CLOCK_SKEW_MS } from './curve-cycles.ts';
import type { SummarySeriesSource } from './summary-series.ts';

/**
 * How many readings of each sensor are read at first. Most sensors change their value within them,
 * so that their past need not be read.
 */
const LAST_READINGS = 24;
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

/** The sensors whose newest value cannot be the moisture of the soil, from the surface down. */
export async function suspectReadings(
  db: CompanyDb,
  { sensors, curve, layers }: SummarySeriesSource,
  now: number,
): Promise<SuspectReadingBody[]> {
  const sensorsOfCurve = sensors.filter(
    (_, index) => itemAt(curve.weights, index) > 0 || curve.slices[index] !== null,
  );
  const ids = sensorsOfCurve.map(({ id }) => id);
  const recent = (await lastReadings(db, ids, now + CLOCK_SKEW_MS + 1, LAST_READINGS)).flatMap(
    (readings, index) => {
      const newest = moistureWithoutDropouts(readings).at(-1);
      return newest !== undefined && readingAge(newest.at, now).isFresh
        ? [{ ...itemAt(sensorsOfCurve, index), newest, readings }]
        : [];
    },
  );

  const stuckSince = await stuckSensors(db, recent);
  return recent
    .flatMap(({ id, depth, newest: { value } }): SuspectReadingBody[] => {
      const soil = depth === null ? null : soilAt(layers, depth, now);
      const implausible = soil && implausibleValue(value, soil);
      const since = stuckSince.get(id);
      // An impossible value is reported as such, even if the sensor is also stuck.
      const body = {
        depth,
        value_vwc: roundTo(value, VALUE_DECIMALS),
        limit_vwc: null,
        since: null,
      };
      if (implausible !== null)
        return [
          {
            ...body,
            reason: implausible.reason,
            limit_vwc: roundTo(implausible.limit, VALUE_DECIMALS),
          },
        ];

      return since === undefined ? [] : [{ ...body, reason: 'SENSOR_STUCK', since: toIso(since) }];
    })
    .sort((a, b) => (a.depth ?? 0) - (b.depth ?? 0));
}

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
  const changedAt = (await lastOtherValueAt(db, sensorId, newest.value, earliest, end)) ?? earliest;
  const pastMs = Math.max(MIN_PAST_MS, PAST_PER_UNCHANGED_TIME * (newest.at - changedAt));
  const start = Math.max(earliest, changedAt - pastMs);

  // The newest reading is within the period.
  return (await valueDurationsOfSensor(db, sensorId, start, end))!;
}

function mayBeStuck({ readings }: RecentReadings): boolean {
  const intervalMs = usualIntervalMs(readings.map(({ at }) => at));
  return (
    readings.length === LAST_READINGS &&
    intervalMs !== null &&
    intervalMs <= MAX_INTERVAL_MS &&
    readings.every(({ value }) => value === firstOf(readings).value)
  );
}
