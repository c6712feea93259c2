import {
  type Calibration,
  type CalibrationFault,
  calibrationFault,
  calibrationsByDepth,
  type DatedPoint,
  MAX_OFFSET,
  MAX_SLOPE,
  MAX_TRUE_PERCENT,
  MIN_POINT_DISTANCE,
  MIN_SLOPE,
  pointsOf,
  UNCALIBRATED,
} from '../../domain/moisture/calibration.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import { sensorDepthsMeant } from '../../domain/soil/sensor-depth.ts';
import { exact } from '../../domain/text/figures.ts';
import { argument } from '../../domain/text/program-names.ts';
import { quotedName, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeOf } from '../../domain/text/times.ts';
import { parseStart } from '../../language/words/instant.ts';
import type { Call, WriteContext } from '../../operation/call.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import { type CalibrationEntry, formatCalibration } from '../../schema/moisture/calibration.ts';
import { toIsoOrNull } from '../../schema/wire-format.ts';
import type { Module } from '../../store/company/modules.ts';
import { type Sensor, sensorsOf, setCalibration } from '../../store/company/sensors.ts';

const invalidCalibration = (message: Text, hint: Text): AcequiaError =>
  invalidInputError('invalid_body', message, { hint, field: 'calibration' });

/** The points that are in force, as texts. */
export const calibrationTextsOf = (sensors: readonly Sensor[]): string[] =>
  formatCalibration(
    pointsOf(sensors).map((point) => ({ ...point, from: toIsoOrNull(point.from) })),
  );

/** The points become all that the probe has. Returns the sensors before and after. */
export async function replaceCalibration(
  { db, now }: WriteContext,
  module: Module,
  entered: readonly DatedPoint[],
): Promise<{ readonly before: readonly Sensor[]; readonly after: readonly Sensor[] }> {
  const before = await sensorsOf(db, [module.id]);
  const points = pointsAtSensors(entered, before);
  const byDepth = calibrationsByDepth(points);
  assertMoistureSensors(module, before, points);
  for (const { from } of points) assertNotAhead(from, now);
  for (const [depthCm, calibrations] of byDepth)
    for (const calibration of calibrations) assertSound(depthCm, calibration);

  const after = before.map((sensor) => ({
    ...sensor,
    calibration:
      sensor.type === 'humidity' && sensor.depth !== null
        ? (byDepth.get(sensor.depth) ?? UNCALIBRATED)
        : sensor.calibration,
  }));
  for (const [index, { id, calibration }] of after.entries())
    if (JSON.stringify(calibration) !== JSON.stringify(before[index]?.calibration))
      await setCalibration(db, id, calibration);

  return { before, after };
}

/** A person who counts in inches names the depth of a sensor nearly. */
function pointsAtSensors(
  points: readonly DatedPoint[],
  sensors: readonly Sensor[],
): readonly DatedPoint[] {
  const meant = sensorDepthsMeant(
    points.map(({ depthCm }) => depthCm),
    sensors.flatMap(({ type, depth }) => (type === 'humidity' && depth !== null ? depth : [])),
  );
  return points.map((point) => ({ ...point, depthCm: meant.get(point.depthCm) ?? point.depthCm }));
}

/** `defaultFrom` (ms) holds where an entry says no date. */
export const datedPoints = (
  call: Pick<Call, 'zone' | 'now'>,
  entries: readonly CalibrationEntry[],
  defaultFrom: number | null,
): DatedPoint[] => entries.map((entry) => ({ ...entry, from: startOf(call, entry, defaultFrom) }));

function startOf(
  { zone, now }: Pick<Call, 'zone' | 'now'>,
  { from: text }: CalibrationEntry,
  defaultFrom: number | null,
): number | null {
  if (text === null) return defaultFrom;

  const parsed = parseStart(text, zone, now, 'past');
  if (!parsed.ok)
    throw invalidCalibration(
      say`The date ${quotedName(text)} cannot be read: ${parsed.failure}.`,
      say`Give a day, such as "from 2026-07-01" or "from 1 July".`,
    );
  return parsed.value.at;
}

function assertNotAhead(from: number | null, now: number): void {
  if (from !== null && from > now)
    throw invalidCalibration(
      say`The calibration from ${timeOf(from)} is in the future.`,
      say`Enter it when it begins to apply.`,
    );
}

function assertMoistureSensors(
  module: Module,
  sensors: readonly Sensor[],
  points: readonly DatedPoint[],
): void {
  if (points.length === 0) return;
  const moisture = sensors.filter(({ type }) => type === 'humidity');
  if (!isSoilMoisture({ type: 'humidity', sensors: moisture }, module))
    throw invalidCalibration(
      say`It measures no soil moisture, and nothing else is calibrated.`,
      say`Name the probe whose moisture was compared with a sample.`,
    );

  const depths = moisture.flatMap(({ depth }) => depth ?? []);
  const unknown = points.find(({ depthCm }) => !depths.includes(depthCm));
  if (unknown !== undefined)
    throw invalidCalibration(
      say`${argument('calibration')} has ${exact(unknown.depthCm, 'cm')}, where the probe has no moisture sensor.`,
      say`Its moisture sensors are at ${exact(depths, 'cm')}.`,
    );
}

const MORE_POINTS = say`Give one point, which shifts all values alike, or a second one from drier or wetter soil.`;

const FAULTS: Readonly<Record<CalibrationFault, { readonly says: Text; readonly hint: Text }>> = {
  too_many_points: { says: say`takes one or two points`, hint: MORE_POINTS },
  in_fractions: {
    says: say`has values below 1, as fractions of the volume are`,
    hint: say`Give percentages: 20 instead of 0.20.`,
  },
  true_value_too_high: {
    says: say`has a true value above ${exact(MAX_TRUE_PERCENT, '%')}, more than soil holds`,
    hint: say`Check the sample and its bulk density; a weighed value is by weight, not by volume.`,
  },
  points_too_close: {
    says: say`needs points that read at least ${exact(MIN_POINT_DISTANCE, '%')} apart`,
    hint: MORE_POINTS,
  },
  slope_out_of_range: {
    says: say`would rise by less than ${MIN_SLOPE} or more than ${MAX_SLOPE} for each percent read`,
    hint: say`Check that read and true value are not exchanged, and their unit.`,
  },
  offset_too_large: {
    says: say`would shift the readings by more than ${MAX_OFFSET} points`,
    hint: say`Check the sample and its unit, and whether the sensor touches the soil; such a sensor is to be repaired, not calibrated.`,
  },
};

function assertSound(depthCm: number, calibration: Calibration): void {
  const fault = calibrationFault(calibration);
  if (fault === null) return;

  const { says, hint } = FAULTS[fault];
  throw invalidCalibration(say`The calibration of ${exact(depthCm, 'cm')} ${says}.`, hint);
}
