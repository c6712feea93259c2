import { DRYING_RATE_DAYS, type SuspectReading } from '../../domain/facts/probe-facts.ts';
import { timedValues } from '../../domain/facts/probe-series.ts';
import type { WateringFacts } from '../../domain/facts/watering-facts.ts';
import { entryOf, firstOf, itemAt } from '../../domain/items.ts';
import type { CalibratedSensor } from '../../domain/moisture/calibration.ts';
import { readingAge, usualIntervalMs } from '../../domain/moisture/coverage.ts';
import {
  implausibleValue,
  isStuck,
  MOVING_STRETCHES,
  STUCK_WHILE_OTHERS_MOVE_MS,
  undercutsWiltingPoint,
} from '../../domain/moisture/quality-flags.ts';
import {
  type AppliedWater,
  driftingSince,
  MAX_NOISE_POINTS,
  maxDailyFall,
  noisePoints,
  type SensorChange,
  type SensorHours,
  sinceReaching,
  suddenFall,
} from '../../domain/moisture/sensor-faults.ts';
import { moistureWithoutDropouts } from '../../domain/moisture/sensor-readings.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import { DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import type { SoilConstants } from '../../domain/soil/soil-catalog.ts';
import { soilAt } from '../../domain/soil/soil-profile.ts';
import type { Call } from '../../operation/call.ts';
import type { ModuleName } from '../../store/company/modules.ts';
import { sensorsOf } from '../../store/company/sensors.ts';
import { wateringFacts } from '../../store/irrigation/watering-facts.ts';
import { lastReadings } from '../../store/moisture/reading-lookup.ts';
import {
  lastOtherValueAt,
  valueDurations,
  valueDurationsOfSensor,
} from '../../store/moisture/value-durations.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { CLOCK_SKEW_MS } from './curve-cycles.ts';
import { hoursOfSource, isSoilThermometer, loadHours, withoutSteps } from './sensor-hours.ts';
import { meansOfSensors } from './sensor-means.ts';
import { equipmentOfModules, waterOfSource } from './wetted-fractions.ts';

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

interface RecentReadings extends CalibratedSensor {
  readonly depth: number | null;
  readonly newest: TimedValue;
  readonly readings: readonly TimedValue[];
  /** 0 without a slice. */
  readonly thicknessMm: number;
  readonly maxFallPerDay: number;
  readonly hours: SensorHours;
  readonly soil: SoilConstants | null;
}

/** The inputs by which the sensors of a source are judged, each list in their order. */
interface JudgedSensors {
  /** The last readings of each sensor, at most `JUDGED_READINGS`, oldest first. */
  readonly last: readonly (readonly TimedValue[])[];
  readonly hours: readonly SensorHours[];
  /** The share of the soil that the equipment wets, 0 to 1. */
  readonly fractionWetted: number;
  /** The most that a crop lost on a day of the last two weeks; null if unknown. */
  readonly largestEtcMm: number | null;
  /** The waterings of the same time that were done. */
  readonly waterings: readonly AppliedWater[];
}

/** The readings in doubt of one module, with the inputs by which they are judged. */
export async function loadSuspectReadings(
  { db, now }: Pick<Call, 'db' | 'now'>,
  module: Pick<ModuleName, 'id' | 'parcelId'>,
  source: SummarySource,
  largestEtcMm: number | null,
): Promise<SuspectReading[]> {
  const thermometers = (await sensorsOf(db, [module.id])).filter(isSoilThermometer);
  const hours = await loadHours(db, [...source.sensors, ...thermometers], now);
  const equipment = entryOf(await equipmentOfModules({ db, now }, [module]), module.id);
  const recent = await recentlyDone({ db, now }, module.id);
  const { fractionWetted, done } = waterOfSource(source, { equipment, done: recent }, now);
  const judged = {
    last: await lastReadings(db, source.sensors, now + CLOCK_SKEW_MS + 1, JUDGED_READINGS),
    hours: hoursOfSource(source, thermometers, withoutSteps(hours)),
    fractionWetted,
    largestEtcMm,
    waterings: done,
  };
  return suspectReadings(db, source, judged, now);
}

/** The waterings of the time that the hourly means cover. */
export const recentlyDone = (
  { db, now }: Pick<Call, 'db' | 'now'>,
  moduleId: number,
): Promise<WateringFacts[]> =>
  wateringFacts(
    db,
    [moduleId],
    { from: now - DRYING_RATE_DAYS * DAY_MS, to: now + 1, status: 'done' },
    now,
  );

/** The sensors whose newest values cannot be the moisture of the soil, from the surface down. */
export async function suspectReadings(
  db: CompanyDb,
  { sensors, curve, layers }: SummarySource,
  { last, hours, waterings, ...waterUse }: JudgedSensors,
  now: number,
): Promise<SuspectReading[]> {
  const recent = sensors.flatMap((sensor, index): RecentReadings[] => {
    const [weight, thicknessMm] = [curve.weights, curve.thicknessMm].map((of) => itemAt(of, index));
    if (weight === 0 && curve.slices[index] === null) return [];
    const readings = itemAt(last, index);
    const newest = moistureWithoutDropouts(readings).at(-1);
    if (newest === undefined || !readingAge(newest.at, now).isFresh) return [];
    const maxFallPerDay = maxDailyFall(weight!, thicknessMm!, waterUse);
    const { id, depth, calibration } = sensor;
    const soil = depth === null ? null : soilAt(layers, depth, now);
    return [
      {
        id,
        depth,
        calibration,
        newest,
        readings,
        thicknessMm: thicknessMm!,
        maxFallPerDay,
        hours: itemAt(hours, index),
        soil,
      },
    ];
  });

  const stuckSince = await stuckSensors(db, recent);
  const drifts = driftingSince(
    recent.map(({ depth: depthCm, soil, ...sensor }) => ({
      ...sensor,
      depthCm,
      fieldCapacity: soil && 100 * soil.fieldCapacity,
    })),
    waterings,
  );
  const doubts: SuspectReading[] = [];
  for (const [index, sensor] of recent.entries()) {
    const doubt =
      (await implausibleReading(db, sensor)) ??
      stuckReading(stuckSince.get(sensor.id)) ??
      faultOf(sensor, itemAt(drifts, index));
    if (doubt !== null)
      doubts.push({ depthCm: sensor.depth, value: sensor.newest.value, ...doubt });
  }
  return doubts.sort((a, b) => (a.depthCm ?? 0) - (b.depthCm ?? 0));
}

type Doubt = Pick<SuspectReading, 'reason' | 'limit' | 'since'>;

async function implausibleReading(db: CompanyDb, sensor: RecentReadings): Promise<Doubt | null> {
  const { newest, soil } = sensor;
  const implausible = soil && implausibleValue(newest.value, soil);
  if (implausible === null) return null;
  if (implausible.reason === 'TOO_DRY_FOR_SOIL') {
    // A sensor that was pulled out of the soil: when it fell tells more than that it is too dry.
    const fall = fallOf(sensor);
    if (fall !== null) return fall;
    if (await hasDriedSlowly(db, sensor)) return null;
  }
  return { ...implausible, since: null };
}

function fallOf({ newest, hours, maxFallPerDay }: RecentReadings): Doubt | null {
  const fall = suddenFall(hours, newest.value, maxFallPerDay);
  return fall && { reason: 'SENSOR_FELL', limit: fall.from, since: fall.since };
}

/**
 * A shallow sensor may read less than its soil can keep, where its calibration is off or the
 * texture was estimated, and be sound: it came there from the wilting point without a sudden fall.
 * One that reads another unit, or hangs in air since it was installed, never was as wet.
 */
async function hasDriedSlowly(
  db: CompanyDb,
  { newest, maxFallPerDay, hours: { soilTemperature }, soil, ...sensor }: RecentReadings,
): Promise<boolean> {
  const past = { start: newest.at - HISTORY_MS, end: newest.at + 1 };
  const means = (await meansOfSensors(db, [sensor], past, HOUR_MS))(sensor.id);
  const points = sinceReaching(
    timedValues(means.at, means.values),
    100 * (soil?.wiltingPoint ?? 0),
  );
  if (points === null) return false;
  const hours = { points, soilTemperature };
  return suddenFall(hours, newest.value, maxFallPerDay, firstOf(points).at) === null;
}

function faultOf(sensor: RecentReadings, drift: SensorChange | null): Doubt | null {
  const { newest, depth, soil, hours } = sensor;
  const fall = fallOf(sensor);
  if (fall !== null) return fall;
  const noise = noisePoints(hours.points);
  if (noise !== null && noise >= MAX_NOISE_POINTS)
    return { reason: 'SENSOR_NOISY', limit: noise, since: null };
  if (drift !== null) return { reason: 'SENSOR_DRIFTS', limit: drift.from, since: drift.since };
  return soil !== null && undercutsWiltingPoint(newest.value, depth ?? 0, soil)
    ? { reason: 'TOO_DRY_FOR_SOIL', limit: 100 * soil.wiltingPoint, since: null }
    : null;
}

const stuckReading = (since: number | undefined): Doubt | null =>
  since === undefined ? null : { reason: 'SENSOR_STUCK', limit: null, since };

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
    const { unchangedSince, longestEarlierMs, smallestStep } = await valueDurationsOf(
      db,
      id,
      newest,
    );
    const durations = {
      presentMs: newest.at - unchangedSince,
      earlierRanges: await rangesBefore(db, id, unchangedSince),
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

/** In each of the stretches before that instant, in points; 0 without readings. */
async function rangesBefore(db: CompanyDb, sensorId: number, end: number): Promise<number[]> {
  const ranges: number[] = [];
  for (let stretch = 0; stretch < MOVING_STRETCHES; stretch++) {
    const to = end - stretch * STUCK_WHILE_OTHERS_MOVE_MS;
    const [row] = await valueDurations(db, [sensorId], to - STUCK_WHILE_OTHERS_MOVE_MS, to);
    ranges.push(row === undefined ? 0 : row.highest - row.lowest);
  }
  return ranges;
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
