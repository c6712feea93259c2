import type { ChosenFields } from '../../../domain/ingest/field-choices.ts';
import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import { entryOf } from '../../../domain/items.ts';
import { sensorDepthsMeant } from '../../../domain/soil/sensor-depth.ts';
import { operationName } from '../../../domain/text/program-names.ts';
import { say } from '../../../domain/text/say.ts';
import { moduleDisplayName } from '../../../language/default-names.ts';
import { chosenFieldTexts } from '../../../language/ingest/field-texts.ts';
import type { Call } from '../../../operation/call.ts';
import { invalidInputError } from '../../../schema/error.ts';
import type { AssignedDevice } from '../../../schema/ingest/device.ts';
import {
  allDevices,
  forgetSourceOfDevice,
  insertDevice,
  markDevicesListed,
  saveDeviceModel,
  updateDeviceAssignment,
} from '../../../store/ingest/devices.ts';
import { deleteUnassignedReadings } from '../../../store/ingest/unassigned-readings.ts';
import { requireOwnModule } from '../../ownership.ts';
import type { SensorIndex } from '../sensor-index.ts';
import { loadSensorIndex } from '../sensor-index-cache.ts';
import {
  assertNoSoilOnStation,
  assertSensorsExist,
  isWritableReading,
  onlyDepth,
  sensorDepthsOf,
} from './assignment-checks.ts';
import { chosenColumns } from './device-readings.ts';
import { assertSpelledAsSent } from './device-spelling.ts';
import { parseDeviceText } from './device-text.ts';
import {
  assertFieldsChosen,
  assertSameDepths,
  chooseFields,
  fieldsAtDepths,
} from './fields/chosen-fields.ts';
import { assertOneSourceEach } from './fields/sensor-sources.ts';
import {
  type KnownDevice,
  loadKnownDevice,
  splitByStart,
  startOf,
  wasAssigned,
} from './known-device.ts';
import { writeWaitingReadings } from './periods/waiting-readings.ts';
import { endPeriods } from './periods/written-periods.ts';
import { assertNoSecondDevice, deviceToReplace } from './second-device.ts';

export interface DeviceAssignmentEntry {
  readonly device: string;
  readonly moduleId: number;
  readonly depths: readonly number[];
  /** Says what its fields measure: "soil_moist = moisture 20 cm %". */
  readonly fields?: readonly string[] | undefined;
  readonly replaces?: string | undefined;
  /** From when its readings count. Default: all that it sent, or from now if it was assigned before. */
  readonly since?: number | undefined;
}

/** Assigns a device, which may not have sent yet. */
export async function assignDevice(
  call: Call,
  entry: DeviceAssignmentEntry,
  depthsField = 'depths',
): Promise<AssignedDevice> {
  const { db, now, lang } = call;
  const { moduleId, replaces } = entry;
  const device = normalizeDeviceId(entry.device);
  assertNamed(device);
  await requireOwnModule(call, moduleId);

  const index = await loadSensorIndex(db);
  const known = await loadKnownDevice(db, device);
  const { readings, stored } = known;
  const assignment = { moduleId, ...chosenFor(entry, known, index) };
  const devices = await allDevices(db);

  await assertSpelledAsSent(db, devices, device);
  assertNoSoilOnStation(index, assignment, readings);
  assertOneSourceEach(assignment, readings);
  const withoutSensor = assertSensorsExist(index, assignment, readings, {
    depthsField,
    named: entry.fields ?? [],
  });
  const { counted, earlier } = splitByStart(readings, startOf(entry, stored, now));
  const writable = counted.filter((reading) => isWritableReading(index, assignment, reading));

  const replaced =
    replaces === undefined ? null : deviceToReplace(devices, { device, moduleId, replaces });
  await assertNoSecondDevice(db, index, { device, assignment, readings, devices, replaced });

  await endPeriods(db, device);
  if (replaced !== null) await endPeriods(db, replaced.name);
  // Its depths and fields stay, for its next assignment.
  if (replaced !== null) await updateDeviceAssignment(db, { ...replaced, module_id: null });
  await deleteUnassignedReadings(db, earlier);

  const { depths, fields } = chosenColumns(assignment);
  const row = {
    name: device,
    module_id: moduleId,
    depths,
    fields: assignment.fields.length > 0 ? fields : null,
    first_seen_at: now,
  };
  await (stored === undefined ? insertDevice(db, row) : updateDeviceAssignment(db, row));
  if (entry.fields !== undefined && known.model !== null)
    await saveDeviceModel(db, { model: known.model, depths, fields });
  // Whoever assigns a device again lets another preset read it.
  if ((stored?.module_id ?? null) !== null) await forgetSourceOfDevice(db, device);

  // Listed devices are not deleted for newer ones, even once the assignment is undone.
  await markDevicesListed(db, replaced === null ? [device] : [device, replaced.name], now);

  if (counted.length > 0) await writeWaitingReadings(call, new Set([device]));

  if (earlier.length + withoutSensor.length > 0)
    call.advise({ kind: 'device_readings_left_out', count: earlier.length, withoutSensor });

  const module = entryOf(index.byId, moduleId);
  return {
    device,
    moduleId,
    module: moduleDisplayName(module, lang) ?? module.uid,
    depths: [...assignment.depths],
    fields: chosenFieldTexts(assignment),
    earlierReadings: writable.length,
  };
}

/** The fields and depths that are meant. */
function chosenFor(
  { moduleId, depths: named, fields }: DeviceAssignmentEntry,
  known: KnownDevice,
  index: SensorIndex,
): ChosenFields {
  const sensorDepths = {
    onlyDepth: onlyDepth(index, moduleId),
    all: sensorDepthsOf(index, moduleId),
  };
  let chosen: ChosenFields;
  if (fields === undefined) {
    if (!wasAssigned(known.stored)) assertFieldsChosen(known);
    chosen = fieldsAtDepths(known.chosen, named, sensorDepths);
  } else {
    const [depth, ...others] = named.length > 0 ? named : sensorDepths.onlyDepth;
    chosen = chooseFields(fields, known, others.length === 0 ? depth : undefined);
    assertSameDepths(named, chosen);
  }

  const meant = sensorDepthsMeant(chosen.depths, sensorDepths.all);
  return { ...chosen, depths: chosen.depths.map((depth) => meant.get(depth) ?? depth) };
}

/** Assigns the device that a person names, such as "A84041FFFF181F0D 30". */
export async function assignNamedDevice(call: Call, moduleId: number, text: string): Promise<void> {
  const named = await parseDeviceText(call, text);
  const { device, depths, earlierReadings } = await assignDevice(
    call,
    { ...named, moduleId },
    'device',
  );
  call.advise({ kind: 'device_assigned', device, depths, earlierReadings });
}

function assertNamed(device: string): void {
  if (device !== '') return;
  throw invalidInputError('invalid_body', say`The device has no name.`, {
    hint: say`Give its EUI or name; ${operationName('list_devices')} and "acequia ingest devices" list those that send.`,
    field: 'device',
  });
}
