import { z } from 'zod/v3';
import { summarizeCompany } from '../../src/language/company/place-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { company } from '../../src/schema/company/company.ts';
import { getCompany } from '../../src/service/company/company.ts';

export default operation({
  name: 'get_company',
  title: 'See the company',
  description: 'Show the company: name, place, currency, time zone.',
  toolset: 'company',
  endpoint: { method: 'GET', path: '/company', status: 200 },
  scope: 'company:read',
  effect: 'read',
  tool: {
    resource: {
      uri: 'acequia://company',
      name: 'company',
      title: 'The company',
      description: 'Name, place and time zone of the company. The same as get_company.',
    },
  },
  input: z.strictObject({}),
  output: company,
  run: async (call) => getCompany(call),
  summary: summarizeCompany,
});
