import { z } from 'zod/v3';
import { operation } from '../../src/operation/operation.ts';
import { deviceQuery, listedDevice } from '../../src/schema/ingest/device.ts';
import { listDevices } from '../../src/service/ingest/devices/devices.ts';

export default operation({
  name: 'list_devices',
  title: 'List devices',
  description:
    'List what sends readings under a name of its own, such as an EUI-64: first devices that are not assigned to a module, ' +
    'the last to send first, with their newest readings; then the assigned ones by name.',
  toolset: 'ingest',
  endpoint: { method: 'GET', path: '/devices', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  rest: {
    isRestOnly: true,
  },
  input: z.strictObject(deviceQuery),
  output: z.strictObject({ data: z.array(listedDevice) }),
  run: listDevices,
});
