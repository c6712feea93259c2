import {
  MEASUREMENT_TYPES,
  MEASUREMENTS,
  type MeasurementType,
} from '../../domain/moisture/measurement.ts';
import { acceptedRange } from '../../domain/text/figures.ts';
import { code, description } from '../../domain/text/program-names.ts';
import { list, say } from '../../domain/text/say.ts';
import { MAX_DEPTH_CM } from '../moisture/setting-fields.ts';
import { failTransform, type Issues, textList } from '../text-list.ts';
import { type FarmSensor, farmSensor } from './farm-file.ts';

const typeOf = (word: string): MeasurementType | undefined =>
  MEASUREMENT_TYPES.find((type) => word === type || word === MEASUREMENTS[type].word);

/** A type, a depth and a label, such as "humidity 20 cm: top". */
const SENSOR_PATTERN = /^([a-z]+)(?:\s+(\d+(?:\.\d+)?)(?:\s*cm)?)?(?:\s*:\s*(\S.*))?$/i;
const EXPECTED_DEPTH = description(
  say`its depth, from ${acceptedRange([0, MAX_DEPTH_CM], 'cm')}, such as "humidity 20 cm"`,
  `its depth in cm, from 0 to ${MAX_DEPTH_CM}, such as "humidity 20"`,
);
const EXPECTED_SENSOR = say`${list(MEASUREMENT_TYPES.map(code), 'or')}, and ${EXPECTED_DEPTH}`;

export const sensorTexts = () => textList('sensor').transform(parseSensors);

function parseSensors(texts: readonly string[], issues: Issues): FarmSensor[] {
  const sensors: FarmSensor[] = [];
  for (const [index, text] of texts.entries()) {
    const sensor = parseSensor(text);
    if (sensor === null) return failTransform(issues, EXPECTED_SENSOR, index);
    if (sensors.some((other) => other.type === sensor.type && other.depth === sensor.depth))
      return failTransform(issues, say`named once`, index);

    sensors.push(sensor);
  }

  return sensors;
}

function parseSensor(text: string): FarmSensor | null {
  const [, type = '', depth, label = null] = SENSOR_PATTERN.exec(text.trim()) ?? [];
  const depthCm = depth === undefined ? null : Number(depth);
  if (depthCm !== null && depthCm > MAX_DEPTH_CM) return null;

  const sensor = { type: typeOf(type.toLowerCase()), depth: depthCm, label };
  return farmSensor.safeParse(sensor).data ?? null;
}

/** The text that `sensorTexts` reads as this sensor. */
export function formatSensor({ type, depth, label }: FarmSensor): string {
  const depthText = depth == null ? '' : ` ${depth}`;
  const labelText = label == null ? '' : `: ${label}`;
  return `${type}${depthText}${labelText}`;
}
