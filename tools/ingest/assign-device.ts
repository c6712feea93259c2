import { z } from 'zod/v3';
import { operation } from '../../src/operation/operation.ts';
import { assignedDevice, deviceAssignment } from '../../src/schema/ingest/device.ts';
import { assignDevice } from '../../src/service/ingest/devices/device-assignment.ts';

export default operation({
  name: 'assign_device',
  title: 'Assign a device',
  description:
    'Assign a device to a module and depths. The readings that it has sent before are written too.',
  toolset: 'ingest',
  endpoint: { method: 'PUT', path: '/devices', status: 200 },
  scope: 'company:write',
  effect: 'update',
  rest: {
    errorCodes: { 404: ['not_found'] },
    isRestOnly: true,
  },
  storesReadings: true,
  input: z.strictObject(deviceAssignment),
  output: assignedDevice,
  run: assignDevice,
});
