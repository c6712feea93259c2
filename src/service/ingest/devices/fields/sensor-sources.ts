import { fieldNameOf } from '../../../../domain/ingest/field-choices.ts';
import type { MeasurementType } from '../../../../domain/moisture/measurement.ts';
import { exact } from '../../../../domain/text/figures.ts';
import { programText, uniqueTexts } from '../../../../domain/text/program-text.ts';
import { capitalized, list, quotedName, say } from '../../../../domain/text/say.ts';
import type { Text } from '../../../../domain/text/text.ts';
import { measurementAt } from '../../../../language/ingest/field-texts.ts';
import { invalidInputError } from '../../../../schema/error.ts';
import type { UnassignedReading } from '../../../../store/ingest/unassigned-readings.ts';
import { type DeviceAssignment, depthOnDevice, toSensorReading } from '../device-readings.ts';

/** Throws if two values of one message would be those of one sensor: the last would count, unsaid. */
export function assertOneSourceEach(
  assignment: DeviceAssignment,
  readings: readonly UnassignedReading[],
): void {
  assertDepthsDiffer(assignment.depths);

  const sources = new Map<string, { readonly sensor: Text; readonly names: Text[] }>();
  const add = (type: MeasurementType, depth: number | null, source: Text): void => {
    const sensor = measurementAt(type, depth);
    const key = programText(sensor);
    const known = sources.get(key) ?? { sensor, names: [] };
    known.names.push(source);
    sources.set(key, known);
  };

  for (const { name, type, position } of assignment.fields) {
    const depth = position === null ? null : depthOnDevice(assignment, { position });
    add(type, depth, say`the field ${quotedName(name)}`);
  }
  for (const stored of readings) {
    const reading = fieldNameOf(stored.type) === null ? toSensorReading(stored, assignment) : null;
    if (reading === null) continue;
    const depth = depthOnDevice(assignment, reading);
    add(reading.type, depth, sourceText(stored));
  }

  for (const { sensor, names } of sources.values()) {
    const [first, ...others] = uniqueTexts(names);
    if (first === undefined || others.length === 0) continue;
    throw invalidInputError(
      'invalid_body',
      say`${list([capitalized(first), ...others])} would be one sensor: ${sensor}.`,
      {
        hint: say`Ask which is which. Give each its own measurement or depth, and end what is not read with "NAME = ignore".`,
        field: 'fields',
      },
    );
  }
}

const sourceText = ({ position, depthCm }: UnassignedReading): Text =>
  position === null
    ? say`its sensor ${depthCm === null ? say`without a depth` : say`at ${exact(depthCm, 'cm')}`}`
    : say`its sensor number ${position + 1}`;

function assertDepthsDiffer(depths: readonly number[]): void {
  const repeated = depths.find((depth, index) => depths.indexOf(depth) !== index);
  if (repeated === undefined) return;
  throw invalidInputError(
    'invalid_body',
    say`${exact(repeated, 'cm')} is given for two sensors of the device.`,
    {
      hint: say`Give the depth of each of its sensors once, from the top, as they are installed.`,
      field: 'depths',
    },
  );
}
