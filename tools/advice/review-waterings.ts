import { z } from 'zod/v3';
import { summarizeReview } from '../../src/language/advice/review-summary.ts';
import { review, reviewQuery } from '../../src/schema/advice/review.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { reviewWaterings } from '../../src/service/advice/review.ts';
import { factOperation } from '../../src/service/advice/source/fact-operation.ts';
import {
  ofProbeAndParcel,
  plannedWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';

export default factOperation({
  name: 'review_waterings',
  title: 'Review what waterings did',
  description:
    'Compare waterings at a probe with its moisture: depths that rose, doses without response ' +
    'or below the roots, rises not logged. For doses alone use list_waterings.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/irrigation/review', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
    defaults: { limit: 10 },
  },
  load: {
    isLong: () => true,
  },
  input: z.strictObject({ moduleId: moduleRef(), ...reviewQuery }),
  output: review,
  pendingWork: ({ moduleId }) => plannedWaterings(ofProbeAndParcel(moduleId)),
  facts: {
    reads: [
      'module',
      'modules',
      'series',
      'readings',
      'thermometers',
      'state',
      'setup',
      'waterings',
      'parcelWaterings',
      'waterHours',
      'rain',
      'weather',
    ],
    answer: (call, { moduleId, ...query }, facts) => reviewWaterings(call, facts, moduleId, query),
  },
  summary: summarizeReview,
});
