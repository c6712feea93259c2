import { DAY_MS } from '../../../domain/periods.ts';
import { exact } from '../../../domain/text/figures.ts';
import { argument, operationName } from '../../../domain/text/program-names.ts';
import { quotedName, say, verbatim } from '../../../domain/text/say.ts';
import { invalidInputError } from '../../../schema/error.ts';
import type { Sensor } from '../../../store/company/sensors.ts';
import type { DeviceRow } from '../../../store/ingest/devices.ts';
import type { UnassignedReading } from '../../../store/ingest/unassigned-readings.ts';
import { newestReadings } from '../../../store/moisture/reading-lookup.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { type SensorIndex, sensorsOfModule } from '../sensor-index.ts';
import { isAssignedToStation, sensorOfReading } from './assignment-checks.ts';
import { assignmentOf, type DeviceAssignment } from './device-readings.ts';
import { matchDevice } from './device-text.ts';

/**
 * The device that `replaces` names. Null if it is not assigned any more, so that the same assignment can be sent
 * again.
 */
export function deviceToReplace(
  devices: readonly DeviceRow[],
  {
    device,
    moduleId,
    replaces,
  }: { readonly device: string; readonly moduleId: number; readonly replaces: string },
): DeviceRow | null {
  const replaced = matchDevice(devices, replaces);
  if (replaced !== undefined && replaced.module_id === null) return null;
  if (replaced?.module_id === moduleId && replaced.name !== device) return replaced;

  throw invalidInputError(
    'invalid_body',
    say`No other device called ${quotedName(replaces)} is assigned to this module.`,
    {
      hint: say`${operationName('list_devices')} and "acequia ingest devices" list the devices with their modules.`,
      field: 'device',
    },
  );
}

interface CheckedAssignment {
  readonly device: string;
  readonly assignment: DeviceAssignment;
  readonly readings: readonly UnassignedReading[];
  readonly devices: readonly DeviceRow[];
  readonly replaced: DeviceRow | null;
}

/** Throws if another device already measures a sensor that this one is to measure. */
export async function assertNoSecondDevice(
  db: CompanyDb,
  index: SensorIndex,
  { device, assignment, readings, devices, replaced }: CheckedAssignment,
): Promise<void> {
  // A weather station has several instruments.
  if (isAssignedToStation(index, assignment)) return;

  const newest = new Map((await newestReadings(db)).map(({ id, at }) => [id, at]));
  const sensorsToMeasure = new Set(
    readings.length === 0
      ? sensorsOfAssignment(index, assignment)
      : sensorsOfReadings(index, assignment, readings),
  );
  if (replaced !== null)
    for (const sensor of measuredSensors(index, replaced, newest)) sensorsToMeasure.delete(sensor);

  const other = devices.find(
    (candidate) =>
      candidate.module_id === assignment.moduleId &&
      candidate.name !== device &&
      candidate !== replaced &&
      measuresAny(index, candidate, newest, sensorsToMeasure),
  );
  if (other === undefined) return;

  const { depths } = assignmentOf(other)!;
  const atDepths = depths.length > 0 ? say` at ${exact(depths, 'cm')}` : null;
  const replacingText = [device, ...assignment.depths, 'replaces', other.name].join(' ');

  throw invalidInputError(
    'invalid_body',
    say`The device ${quotedName(other.name)} measures there already${atDepths}.`,
    {
      hint: say`Ask which of the two is right. If ${quotedName(device)} takes its place, say so: ${operationName('set_module')} with ${argument('device')} "${verbatim(replacingText)}", or ${argument('replaces')} in ${operationName('assign_device')} (acequia ingest assign --replaces). Otherwise assign one of them to its own module and depth.`,
      field: 'device',
    },
  );
}

/** All sensors of the module if the device has no depths, because its readings then name them. */
const sensorsOfAssignment = (
  index: SensorIndex,
  { moduleId, depths }: DeviceAssignment,
): Sensor[] =>
  sensorsOfModule(index, moduleId).filter(
    ({ depth }) => depths.length === 0 || (depth !== null && depths.includes(depth)),
  );

const sensorsOfReadings = (
  index: SensorIndex,
  assignment: DeviceAssignment,
  readings: readonly UnassignedReading[],
): Sensor[] => readings.flatMap((reading) => sensorOfReading(index, assignment, reading) ?? []);

/** The instant of the newest reading by sensor id; null for a sensor without readings. */
type NewestReadings = ReadonlyMap<number, number | null>;

/**
 * The sensors with a reading within the last day before the newest of the device; all of its
 * assignment if none has a reading.
 */
function measuredSensors(
  index: SensorIndex,
  device: DeviceRow,
  newest: NewestReadings,
): readonly Sensor[] {
  const sensors = sensorsOfAssignment(index, assignmentOf(device)!);
  const newestOf = ({ id }: Sensor): number => newest.get(id) ?? Number.NEGATIVE_INFINITY;
  const newestOfDevice = Math.max(...sensors.map(newestOf));
  const measured = sensors.filter((sensor) => newestOf(sensor) > newestOfDevice - DAY_MS);
  return measured.length > 0 ? measured : sensors;
}

/**
 * True if the device measures one of these sensors. It is not known which sensors of its depths a
 * device that has not sent yet measures, so all sensors of one depth must be among these.
 */
function measuresAny(
  index: SensorIndex,
  device: DeviceRow,
  newest: NewestReadings,
  sensors: ReadonlySet<Sensor>,
): boolean {
  const measured = measuredSensors(index, device, newest);
  if (measured.some(({ id }) => newest.get(id) != null))
    return measured.some((sensor) => sensors.has(sensor));
  return measured.some(({ depth }) =>
    measured.filter((sensor) => sensor.depth === depth).every((sensor) => sensors.has(sensor)),
  );
}
