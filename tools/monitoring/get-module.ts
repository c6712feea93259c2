import { z } from 'zod/v3';
import { summarizeModule } from '../../src/language/company/place-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { module } from '../../src/schema/company/company.ts';
import { langField, moduleRef } from '../../src/schema/shared-fields.ts';
import { getModule } from '../../src/service/monitoring/modules.ts';

export default operation({
  name: 'get_module',
  title: 'See a probe or station',
  description:
    'Show one probe or weather station: its sensors with their depths, position, parcel and gateway. ' +
    'For its irrigation equipment use get_irrigation_setup.',
  toolset: 'monitoring',
  endpoint: { method: 'GET', path: '/modules/{moduleId}', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    resource: {
      uri: 'acequia://modules/{module}',
      name: 'module',
      title: 'A probe or station',
      description: 'One module with its sensors, position and gateway. The same as get_module.',
    },
  },
  input: z.strictObject({
    moduleId: moduleRef({ code: 'invalid_id' }),
    lang: langField().default('en'),
  }),
  output: module,
  run: (call, { moduleId, lang }) => getModule(call, moduleId, lang),
  summary: summarizeModule,
});
