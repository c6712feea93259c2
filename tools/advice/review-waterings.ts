import { z } from 'zod';
import { summarizeReview } from '../../src/language/advice/review-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { review, reviewQuery } from '../../src/schema/advice.ts';
import { moduleRef } from '../../src/schema/field.ts';
import { REVIEW_OPERATIONS, reviewWaterings } from '../../src/service/advice/review.ts';

export default operation({
  name: 'review_waterings',
  title: 'Review what waterings did',
  description:
    'Compare the waterings done at a probe with its moisture: which depths rose, when and by how much, which had no response or went below the roots, and rises that nobody logged. ' +
    'For the book alone use list_waterings.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/irrigation/review', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  performs: REVIEW_OPERATIONS,
  toolDefaults: { limit: 10 },
  input: z.strictObject({ moduleId: moduleRef(), ...reviewQuery }),
  output: review,
  run: (call, { moduleId, ...query }) => reviewWaterings(call, moduleId, query),
  summary: summarizeReview,
});
