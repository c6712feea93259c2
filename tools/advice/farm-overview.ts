import { z } from 'zod/v3';
import { summarizeOverview } from '../../src/language/advice/overview-summary.ts';
import { overview, overviewQuery } from '../../src/schema/advice/overview.ts';
import { conciseOverview, farmOverview } from '../../src/service/advice/farm/farm-overview.ts';
import { factOperation } from '../../src/service/advice/source/fact-operation.ts';
import {
  ofCompany,
  plannedWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default factOperation({
  name: 'farm_overview',
  title: 'Overview of all probes',
  description:
    'Compare all probes, the most in need first: moisture, state, days to stress, age of data, last watering, alert. ' +
    'For what to do today use morning_brief.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/overview', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
    isAlwaysLoaded: true,
    defaults: { limit: 20, detail: 'concise' },
  },
  load: {
    isLong: () => true,
    isShared: true,
  },
  input: z.strictObject(overviewQuery),
  output: overview,
  pendingWork: () => [...plannedWaterings(ofCompany), pendingChangeParts],
  facts: {
    reads: [
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
    answer: (call, query, facts) => farmOverview(call, facts, query),
  },
  concise: conciseOverview,
  summary: summarizeOverview,
});
