import { z } from 'zod/v3';
import { summarizeShownMoisture } from '../../src/language/advice/chart-summary.ts';
import { shownMoisture } from '../../src/schema/advice/moisture-chart.ts';
import { moduleRef, periodQuery, restDetailField } from '../../src/schema/shared-fields.ts';
import { conciseShownMoisture, showMoisture } from '../../src/service/advice/moisture-chart.ts';
import { factOperation } from '../../src/service/advice/source/fact-operation.ts';
import {
  ofProbeAndParcel,
  plannedWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { isLongPeriod } from '../../src/service/requested-period.ts';
import getMoistureSeries from '../monitoring/get-moisture-series.ts';

export default factOperation({
  name: 'show_moisture',
  title: 'Show a probe’s chart',
  description:
    'Show the person the chart of a probe in the chat: moisture, waterings, rain and thresholds, to zoom, drag and change. ' +
    'The answer says how wet the soil is and was; for the values use get_moisture_series, for a picture chart_moisture.',
  toolset: 'advice',
  endpoint: getMoistureSeries.endpoint,
  scope: getMoistureSeries.scope,
  effect: 'read',
  tool: {
    inDailyToolset: true,
    defaults: { detail: 'concise' },
  },
  page: {
    audience: 'app-entry',
  },
  load: {
    isLong: isLongPeriod,
  },
  input: z.strictObject({
    moduleId: moduleRef({ code: 'invalid_id' }),
    ...periodQuery(7),
    detail: restDetailField(),
  }),
  output: shownMoisture,
  pendingWork: ({ moduleId }) => plannedWaterings(ofProbeAndParcel(moduleId)),
  facts: {
    reads: ['moistureSeries', 'agronomicState'],
    answer: (_, { moduleId, start, end }, facts) => showMoisture(facts, moduleId, { start, end }),
  },
  concise: conciseShownMoisture,
  summary: summarizeShownMoisture,
});
