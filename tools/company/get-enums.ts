import { z } from 'zod';
import { operation } from '../../src/operation/operation.ts';
import { lang } from '../../src/schema/field.ts';
import { enums } from '../../src/schema/place.ts';
import { enumsIn } from '../../src/service/enums.ts';
import { sayEnums } from '../../src/service/say-place.ts';

export default operation({
  name: 'get_enums',
  title: 'See codes and their labels',
  description:
    'List every code of arguments and answers with its label in English or French, to name a code in the person’s language.',
  toolset: 'company',
  endpoint: { method: 'GET', path: '/reference/enums', status: 200 },
  scope: 'catalog:read',
  effect: 'read',
  input: z.strictObject({ lang: lang().optional() }),
  output: enums,
  run: async (_, { lang: asked = 'en' }) => enumsIn(asked),
  summary: sayEnums,
});
