import { z } from 'zod/v3';
import { summarizeThresholdSuggestion } from '../../src/language/advice/threshold-suggestion-summary.ts';
import { thresholdSuggestion } from '../../src/schema/advice/threshold-suggestion.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { factOperation } from '../../src/service/advice/source/fact-operation.ts';
import { suggestThresholds } from '../../src/service/advice/threshold-suggestion.ts';
import {
  ofProbeAndParcel,
  plannedWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';

export default factOperation({
  name: 'suggest_thresholds',
  title: 'Find a probe’s field capacity',
  description:
    'Compute the field capacity of a probe from its wettings in the last year; nothing is written. ' +
    'To keep it use create_annotation; for the threshold of an alert backtest_alert.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/thresholds/suggestion', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  load: {
    isLong: () => true,
  },
  input: z.strictObject({ moduleId: moduleRef() }),
  output: thresholdSuggestion,
  pendingWork: ({ moduleId }) => plannedWaterings(ofProbeAndParcel(moduleId)),
  facts: {
    reads: ['module', 'series', 'readings', 'waterings', 'setup', 'state'],
    answer: (call, { moduleId }, facts) => suggestThresholds(call, facts, moduleId),
  },
  summary: summarizeThresholdSuggestion,
});
