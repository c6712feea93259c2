import { z } from 'zod/v3';
import { summarizeCalibratedSettings } from '../../src/language/moisture/calibration-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { calibrationField } from '../../src/schema/moisture/calibration.ts';
import {
  calibratedSettingsAnswer,
  probeSettingsEntry,
} from '../../src/schema/moisture/setting-fields.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { moveLevels } from '../../src/service/alerts/level-moves.ts';
import { setCalibratedSettings } from '../../src/service/moisture/calibrated-settings.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';
import setParcelSettings from './set-parcel-settings.ts';

export default operation({
  name: 'set_probe_settings',
  title: 'Set what advice assumes',
  description:
    'Set roots, depletion, losses and rest for advice at a probe, or on a parcel for probes ' +
    'without their own, or calibrate a probe. For one answer only use advise_watering; ' +
    'without probes set_parcel. The rest stays. Of “70 %” alone, ask: depletion or refill.',
  toolset: 'moisture',
  endpoint: { method: 'PATCH', path: '/modules/{moduleId}/settings', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  tool: {
    parcelVariant: setParcelSettings,
  },
  rest: {
    errorCodes: { 400: ['EFFECTIVE_FROM_IN_FUTURE'] },
  },
  input: z.strictObject({
    moduleId: moduleRef(),
    ...probeSettingsEntry,
    calibration: calibrationField().optional(),
  }),
  output: calibratedSettingsAnswer,
  pendingWork: () => [pendingChangeParts],
  run: (call, { moduleId, ...body }) => setCalibratedSettings(call, moduleId, body, moveLevels),
  summary: summarizeCalibratedSettings,
});
