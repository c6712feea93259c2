import { z } from 'zod/v3';
import { summarizeParcelSettings } from '../../src/language/moisture/settings-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  parcelSettingsAnswer,
  probeSettingsEntry,
} from '../../src/schema/moisture/setting-fields.ts';
import { parcelRef } from '../../src/schema/shared-fields.ts';
import { setParcelSettings } from '../../src/service/moisture/probe-settings.ts';

export default operation({
  name: 'set_parcel_settings',
  title: 'Set what advice assumes on a parcel',
  description:
    'Set what advice assumes at all probes of a parcel; where a probe has a setting of its own, that one holds. The rest stays.',
  toolset: 'moisture',
  endpoint: { method: 'PATCH', path: '/parcels/{parcelId}/settings', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  tool: {
    name: 'set_probe_settings',
  },
  input: z.strictObject({
    parcelId: parcelRef({ description: 'Or a parcel.' }),
    ...probeSettingsEntry,
  }),
  output: parcelSettingsAnswer,
  run: (call, { parcelId, ...body }) => setParcelSettings(call, parcelId, body),
  summary: summarizeParcelSettings,
});
