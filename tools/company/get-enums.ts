import { z } from 'zod/v3';
import { summarizeEnums } from '../../src/language/company/place-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { enums } from '../../src/schema/company/company.ts';
import { langField } from '../../src/schema/shared-fields.ts';
import { listEnums } from '../../src/service/company/company.ts';

export default operation({
  name: 'get_enums',
  title: 'See codes and their labels',
  description: 'List the codes in arguments and answers with their labels; no call needs it first.',
  toolset: 'company',
  endpoint: { method: 'GET', path: '/reference/enums', status: 200 },
  scope: 'catalog:read',
  effect: 'read',
  tool: {
    resource: {
      uri: 'acequia://catalog/enums',
      name: 'enums',
      title: 'Codes and labels',
      description:
        'Every code with its label, in the language that ?lang= names. The same as get_enums.',
    },
  },
  worksWithoutCompany: true,
  input: z.strictObject({ lang: langField().default('en') }),
  output: enums,
  run: async (_, { lang }) => listEnums(lang),
  summary: summarizeEnums,
});
