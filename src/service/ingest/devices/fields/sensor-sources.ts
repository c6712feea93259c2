import { fieldNameOf } from '../../../../domain/ingest/field-choices.ts';
import { exact } from '../../../../domain/text/figures.ts';
import { say } from '../../../../domain/text/say.ts';
import { quote } from '../../../../domain/text.ts';
import { englishFormat } from '../../../../language/en/grammar.ts';
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

  const sources = new Map<string, Set<string>>();
  const add = (sensor: string, source: string): void => {
    sources.set(sensor, (sources.get(sensor) ?? new Set<string>()).add(source));
  };

  for (const { name, type, position } of assignment.fields) {
    const depth = position === null ? null : depthOnDevice(assignment, { position });
    add(measurementAt(type, depth), `the field ${quote(name)}`);
  }
  for (const stored of readings) {
    const reading = fieldNameOf(stored.type) === null ? toSensorReading(stored, assignment) : null;
    if (reading === null) continue;
    const depth = depthOnDevice(assignment, reading);
    add(measurementAt(reading.type, depth), sourceText(stored));
  }

  for (const [sensor, [...names]] of sources)
    if (names.length > 1)
      throw invalidInputError(
        'invalid_body',
        `${capitalized(englishFormat.list(names))} would be one sensor: ${sensor}.`,
        {
          hint: 'Ask which is which. Give each its own measurement or depth, and end what is not read with "NAME = ignore".',
          field: 'fields',
        },
      );
}

const sourceText = ({ position, depthCm }: UnassignedReading): string =>
  position === null
    ? `its sensor at ${depthCm ?? 'no depth'}`
    : `its sensor number ${position + 1}`;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

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
