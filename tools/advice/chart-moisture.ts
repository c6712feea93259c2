import { z } from 'zod/v3';
import { canDraw } from '../../src/chart/font.ts';
import { moistureScene } from '../../src/chart/moisture-scene.ts';
import { renderPng } from '../../src/chart/picture.ts';
import { summarizeChart } from '../../src/language/advice/chart-summary.ts';
import { chartQuery, moistureChart } from '../../src/schema/advice/moisture-chart.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { toMoistureChart } from '../../src/service/advice/drawn-chart.ts';
import { chartMoisture } from '../../src/service/advice/moisture-chart.ts';
import { factOperation } from '../../src/service/advice/source/fact-operation.ts';
import {
  confirmedWaterings,
  ofProbeAndParcel,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default factOperation({
  name: 'chart_moisture',
  title: 'Draw moisture and waterings',
  description:
    'Draw a picture of the moisture or tension of a probe with its levels, waterings and rain. ' +
    'For numbers use get_moisture_series.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/measurements/chart', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
  },
  load: {
    isLong: () => true,
  },
  input: z.strictObject({ moduleId: moduleRef({ code: 'invalid_id' }), ...chartQuery }),
  output: moistureChart,
  pendingWork: ({ moduleId }) => [
    ...confirmedWaterings(ofProbeAndParcel(moduleId)),
    pendingChangeParts,
  ],
  facts: {
    reads: [
      'module',
      'modules',
      'moistureSeries',
      'agronomicState',
      'wateringBodies',
      'waterings',
      'waterHours',
      'rain',
      'alerts',
    ],
    answer: (call, { moduleId, ...query }, facts) => chartMoisture(call, facts, moduleId, query),
  },
  summary: (chart, context) => summarizeChart(chart, context, canDraw),
  render: async (chart, call) => ({
    mimeType: 'image/png',
    data: await renderPng(moistureScene(await toMoistureChart(chart, call))),
  }),
});
