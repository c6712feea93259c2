import { z } from 'zod/v3';
import { summarizeSeries } from '../../src/language/moisture/moisture-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { moistureSeries, seriesQuery } from '../../src/schema/moisture/series.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { getMoistureSeries } from '../../src/service/monitoring/moisture-series.ts';
import { conciseSeries } from '../../src/service/monitoring/series-bodies.ts';
import { isLongPeriod } from '../../src/service/requested-period.ts';

export default operation({
  name: 'get_moisture_series',
  title: 'See moisture over time',
  description:
    'Show the soil moisture of a probe over time, weighted over its depths, or its temperature or tension. ' +
    'For whether that is enough use get_agronomic_state, for a picture chart_moisture.',
  toolset: 'monitoring',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/measurements/weighted', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
    defaults: {
      maxPoints: 48,
      refuseAbovePoints: 500,
      align: 'local',
      dailyBeyondDays: 14,
      detail: 'concise',
    },
    resource: {
      uri: 'acequia://modules/{module}/moisture',
      name: 'module-moisture',
      title: 'The moisture of a probe',
      description:
        'Soil moisture of the last 7 days in at most 48 points. The same as get_moisture_series.',
    },
  },
  load: {
    isLong: isLongPeriod,
  },
  input: z.strictObject({ moduleId: moduleRef({ code: 'invalid_id' }), ...seriesQuery }),
  output: moistureSeries,
  run: (call, { moduleId, ...query }) => getMoistureSeries(call, moduleId, query),
  concise: conciseSeries,
  summary: summarizeSeries,
});
