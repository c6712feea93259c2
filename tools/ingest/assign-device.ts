import { z } from 'zod/v3';
import { summarizeAssignedDevice } from '../../src/language/ingest/device-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { assignedDevice, deviceAssignment } from '../../src/schema/ingest/device.ts';
import { assignDevice } from '../../src/service/ingest/devices/device-assignment.ts';
import { unreturnedReadings } from '../../src/service/ingest/devices/periods/returned-readings.ts';
import { pendingDosesOfAll } from '../../src/service/irrigation/doses/pending-doses.ts';

export default operation({
  name: 'assign_device',
  title: 'Assign a device',
  description: 'Assign a sender of list_devices to a probe. Never guess probe, depths or fields.',
  toolset: 'ingest',
  endpoint: { method: 'PUT', path: '/devices', status: 200 },
  scope: 'company:write',
  effect: 'update',
  rest: {
    errorCodes: { 404: ['not_found'] },
  },
  storesReadings: true,
  input: z.strictObject(deviceAssignment),
  output: assignedDevice,
  pendingWork: () => [unreturnedReadings, pendingDosesOfAll],
  run: assignDevice,
  summary: summarizeAssignedDevice,
});
