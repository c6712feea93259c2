import { z } from 'zod/v3';
import { summarizeOverview } from '../../src/language/advice/overview-summary.ts';
import { composedOperation } from '../../src/operation/operation.ts';
import { overview } from '../../src/schema/advice/overview.ts';
import { restDetailField } from '../../src/schema/shared-fields.ts';
import { conciseOverview } from '../../src/service/advice/farm/farm-overview.ts';
import farmOverview from './farm-overview.ts';

export default composedOperation({
  name: 'show_farm',
  title: 'Show the farm',
  description:
    'Show the farm to the person as a page in the chat: every probe, the most in need first, to open, water and set thresholds. ' +
    'The answer says what farm_overview says; without anything to look at, use that.',
  toolset: 'advice',
  endpoint: farmOverview.endpoint,
  scope: farmOverview.scope,
  effect: 'read',
  tool: {
    inDailyToolset: true,
    defaults: { detail: 'concise' },
  },
  page: {
    audience: 'app-entry',
  },
  load: {
    isLong: () => true,
  },
  parts: { farmOverview },
  input: z.strictObject({ detail: restDetailField() }),
  output: overview,
  run: async (_, __, operations) => ({
    ...(await operations.farmOverview({ limit: 20 })),
    next_cursor: null,
  }),
  concise: conciseOverview,
  summary: summarizeOverview,
});
