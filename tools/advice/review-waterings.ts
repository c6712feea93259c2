import { z } from 'zod/v3';
import { summarizeReview } from '../../src/language/advice/review-summary.ts';
import { composedOperation } from '../../src/operation/operation.ts';
import { review, reviewQuery } from '../../src/schema/advice/review.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { reviewWaterings } from '../../src/service/advice/review.ts';
import getIrrigationSetup from '../irrigation/get-irrigation-setup.ts';
import listWaterings from '../irrigation/list-waterings.ts';
import getAgronomicState from '../monitoring/get-agronomic-state.ts';
import getModule from '../monitoring/get-module.ts';
import getMoistureSeries from '../monitoring/get-moisture-series.ts';
import listModules from '../monitoring/list-modules.ts';
import listRain from '../weather/list-rain.ts';

export default composedOperation({
  name: 'review_waterings',
  title: 'Review what waterings did',
  description:
    'Compare the waterings done at a probe with its moisture: depths that rose, doses without response or below the roots, and rises without a logged watering.',
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
  parts: {
    getIrrigationSetup,
    listWaterings,
    getAgronomicState,
    getModule,
    getMoistureSeries,
    listModules,
    listRain,
  },
  input: z.strictObject({ moduleId: moduleRef(), ...reviewQuery }),
  output: review,
  run: (call, { moduleId, ...query }, operations) =>
    reviewWaterings(call, operations, moduleId, query),
  summary: summarizeReview,
});
