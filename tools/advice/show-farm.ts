import { z } from 'zod/v3';
import { summarizeOverview } from '../../src/language/advice/overview-summary.ts';
import { overview } from '../../src/schema/advice/overview.ts';
import { restDetailField } from '../../src/schema/shared-fields.ts';
import { conciseOverview, firstOfOverview } from '../../src/service/advice/farm/farm-overview.ts';
import { factOperation } from '../../src/service/advice/source/fact-operation.ts';
import {
  ofCompany,
  plannedWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';
import farmOverview from './farm-overview.ts';

export default factOperation({
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
  input: z.strictObject({ detail: restDetailField() }),
  output: overview,
  pendingWork: () => [...plannedWaterings(ofCompany), pendingChangeParts],
  facts: {
    reads: [
      'overview',
      'modules',
      'probes',
      'rain',
      'weather',
      'waterings',
      'schedules',
      'alerts',
      'newestWaterings',
      'farm',
    ],
    answer: (call, _, facts) => firstOfOverview(call, facts, 20),
  },
  concise: conciseOverview,
  summary: summarizeOverview,
});
