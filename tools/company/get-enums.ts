import { z } from 'zod';
import { operation } from '../../src/operation/operation.ts';
import { langField } from '../../src/schema/field.ts';
import { enums } from '../../src/schema/place.ts';
import { listEnums } from '../../src/service/enums.ts';
import { summarizeEnums } from '../../src/service/say-place.ts';

export default operation({
  name: 'get_enums',
  title: 'See codes and their labels',
  description:
    'List every code of arguments and answers with its label in English or French, to name a code in the person’s language.',
  toolset: 'company',
  endpoint: { method: 'GET', path: '/reference/enums', status: 200 },
  scope: 'catalog:read',
  effect: 'read',
  input: z.strictObject({ lang: langField().optional() }),
  output: enums,
  run: async (_, { lang: labelLang = 'en' }) => listEnums(labelLang),
  summary: summarizeEnums,
});
