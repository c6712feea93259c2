import { z } from 'zod/v3';
import { say } from '../../src/domain/text/say.ts';
import { summarizeModuleEntry } from '../../src/language/company/farm-entry-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { moduleAnswer, moduleEntry } from '../../src/schema/farm/farm-entry.ts';
import { setModule } from '../../src/service/farm/module-entry.ts';
import { assignNamedDevice } from '../../src/service/ingest/devices/device-assignment.ts';
import { unreturnedReadings } from '../../src/service/ingest/devices/periods/returned-readings.ts';
import {
  ofCompany,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default operation({
  name: 'set_module',
  title: 'Add or change a probe',
  description:
    'Change the probe or weather station of that name, else add it; the rest stays. Never ' +
    'guess sensor depths: ask. Equipment: set_module_installation; roots: set_probe_settings.',
  toolset: 'farm',
  endpoint: { method: 'PUT', path: '/modules', status: 200 },
  scope: 'company:write',
  effect: 'update',
  tool: {
    namedEntry: {
      kind: 'module',
      missingOfNew: ({ sensors, category, newName }) =>
        sensors !== undefined || category === 'WEATHER_STATION' || newName !== undefined
          ? null
          : say`A new probe needs the depths of its sensors.`,
    },
  },
  rest: {
    errorCodes: { 400: ['AMBIGUOUS_NAME'], 404: ['not_found'] },
  },
  input: z.strictObject(moduleEntry),
  storesReadings: true,
  output: moduleAnswer,
  pendingWork: ({ device }) => {
    const ofEntry = [pendingWaterings(ofCompany), pendingChangeParts];
    return device === undefined ? ofEntry : [...ofEntry, unreturnedReadings];
  },
  async run(call, { device, ...entry }) {
    const answer = await setModule(call, entry);
    if (device !== undefined) await assignNamedDevice(call, answer.module.id, device);
    return answer;
  },
  summary: summarizeModuleEntry,
});
