import { z } from 'zod';
import { operation } from '../../src/operation/operation.ts';
import { lang } from '../../src/schema/field.ts';
import { enums } from '../../src/schema/place.ts';
import { enumsIn } from '../../src/service/enums.ts';

export default operation({
  name: 'get_enums',
  title: 'See codes and their labels',
  description:
    'Show every code that arguments and answers use (systems, input modes, statuses, warnings and so on) with its label in English or French. ' +
    'Use it to name a code in the person’s language.',
  toolset: 'company',
  endpoint: { method: 'GET', path: '/reference/enums', status: 200 },
  scope: 'catalog:read',
  effect: 'read',
  input: z.strictObject({ lang: lang().optional() }),
  output: enums,
  run: async (call, { lang: asked }) => enumsIn(asked ?? call.lang),
  summary: (lists) => `Ten lists of codes with their labels, ${Object.values(lists).flat().length} codes in all.`,
});
