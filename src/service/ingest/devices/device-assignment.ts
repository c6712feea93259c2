import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import { entryOf } from '../../../domain/items.ts';
import { sensorDepthsMeant } from '../../../domain/soil/sensor-depth.ts';
import { moduleDisplayName } from '../../../language/default-names.ts';
import type { Call } from '../../../operation/call.ts';
import { invalidInputError } from '../../../schema/error.ts';
import type { AssignedDevice } from '../../../schema/ingest/device.ts';
import {
  allDevices,
  deviceNamed,
  forgetSourceOfDevice,
  insertDevice,
  markDevicesListed,
  updateDeviceAssignment,
} from '../../../store/ingest/devices.ts';
import { unassignedReadings } from '../../../store/ingest/unassigned-readings.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { requireOwnModule } from '../../ownership.ts';
import { ingestBatch } from '../batch/batch-ingest.ts';
import { loadSensorIndex } from '../sensor-index-cache.ts';
import {
  assertNoSoilOnStation,
  assertSensorsExist,
  isWritableReading,
  onlyDepth,
  sensorDepthsOf,
} from './assignment-checks.ts';
import type { DeviceAssignment } from './device-readings.ts';
import { parseDeviceText } from './device-text.ts';
import { assertNoSecondDevice, deviceToReplace } from './second-device.ts';

export interface DeviceAssignmentEntry {
  readonly device: string;
  readonly moduleId: number;
  readonly depths: readonly number[];
  readonly replaces?: string | undefined;
}

/** Assigns a device, which may not have sent yet. */
export async function assignDevice(
  call: Call,
  { device: text, moduleId, depths: namedDepths, replaces }: DeviceAssignmentEntry,
  depthsField = 'depths',
): Promise<AssignedDevice> {
  const { db, now, lang } = call;
  const device = normalizeDeviceId(text);
  assertNamed(device);
  await requireOwnModule(call, moduleId);

  const index = await loadSensorIndex(db);
  const meant = sensorDepthsMeant(namedDepths, sensorDepthsOf(index, moduleId));
  const depths =
    namedDepths.length > 0
      ? namedDepths.map((depth) => meant.get(depth) ?? depth)
      : onlyDepth(index, moduleId);
  const assignment: DeviceAssignment = { moduleId, depths };
  const readings = await unassignedReadings(db, [device]);
  const devices = await allDevices(db);

  assertNoSoilOnStation(index, assignment, readings);
  const writable = readings.filter((reading) => isWritableReading(index, assignment, reading));
  const counts = { sent: readings.length, writable: writable.length };
  assertSensorsExist(index, assignment, counts, depthsField);

  const replaced =
    replaces === undefined ? null : deviceToReplace(devices, { device, moduleId, replaces });
  await assertNoSecondDevice(db, index, { device, assignment, readings, devices, replaced });

  if (replaced !== null)
    await updateDeviceAssignment(db, { ...replaced, module_id: null, depths: null });

  const row = {
    name: device,
    module_id: moduleId,
    depths: JSON.stringify(depths),
    first_seen_at: now,
  };
  const stored = await deviceNamed(db, device);
  await (stored === undefined ? insertDevice(db, row) : updateDeviceAssignment(db, row));
  // Whoever assigns a device again lets another preset read it.
  if ((stored?.module_id ?? null) !== null) await forgetSourceOfDevice(db, device);

  // Listed devices are not deleted for newer ones, even once the assignment is undone.
  await markDevicesListed(db, replaced === null ? [device] : [device, replaced.name], now);

  if (readings.length > 0) await writeUnassignedReadings(call);

  const module = entryOf(index.byId, moduleId);
  return {
    device,
    moduleId,
    module: moduleDisplayName(module, lang) ?? module.uid,
    depths: [...depths],
    earlierReadings: writable.length,
  };
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
  throw invalidInputError('invalid_body', 'The device has no name.', {
    hint: 'Give its EUI or name; GET /devices and "acequia ingest devices" list those that send.',
    field: 'device',
  });
}

/**
 * Writes what assigned devices sent before, in the transaction of the call, so that its change
 * records these readings.
 */
export async function writeUnassignedReadings({
  db,
  now,
  zone,
  caller,
  existsAnywhere,
}: Call): Promise<void> {
  const inTransaction = <T>(body: (db: CompanyDb) => Promise<T>): Promise<T> => body(db);
  const { id: sender } = caller;
  const call = { sender, now, zone, existsAnywhere, read: inTransaction, write: inTransaction };
  const writeLastStage = await ingestBatch(call, { readings: [] }, null);
  await writeLastStage(db);
}
