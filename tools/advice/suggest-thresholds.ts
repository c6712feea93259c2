import { z } from 'zod/v3';
import { summarizeThresholdSuggestion } from '../../src/language/advice/threshold-suggestion-summary.ts';
import { composedOperation } from '../../src/operation/operation.ts';
import { thresholdSuggestion } from '../../src/schema/advice/threshold-suggestion.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { suggestThresholds } from '../../src/service/advice/threshold-suggestion.ts';
import listWaterings from '../irrigation/list-waterings.ts';
import getAgronomicState from '../monitoring/get-agronomic-state.ts';
import getModule from '../monitoring/get-module.ts';
import getMoistureSeries from '../monitoring/get-moisture-series.ts';

export default composedOperation({
  name: 'suggest_thresholds',
  title: 'Find the field capacity of a probe',
  description:
    'Find the field capacity of a probe from its wettings in the last year. It is not drawn.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/thresholds/suggestion', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  load: {
    isLong: () => true,
  },
  parts: { listWaterings, getAgronomicState, getModule, getMoistureSeries },
  input: z.strictObject({ moduleId: moduleRef() }),
  output: thresholdSuggestion,
  run: (call, { moduleId }, operations) => suggestThresholds(call, operations, moduleId),
  summary: summarizeThresholdSuggestion,
});
