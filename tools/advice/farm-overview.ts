import { z } from 'zod/v3';
import { summarizeOverview } from '../../src/language/advice/overview-summary.ts';
import { composedOperation } from '../../src/operation/operation.ts';
import { overview, overviewQuery } from '../../src/schema/advice/overview.ts';
import { conciseOverview, farmOverview } from '../../src/service/advice/overview/farm-overview.ts';
import listAlerts from '../alerts/list-alerts.ts';
import getIrrigationSetup from '../irrigation/get-irrigation-setup.ts';
import listSchedules from '../irrigation/list-schedules.ts';
import listWaterings from '../irrigation/list-waterings.ts';
import getAgronomicState from '../monitoring/get-agronomic-state.ts';
import getMoistureSeries from '../monitoring/get-moisture-series.ts';
import listModules from '../monitoring/list-modules.ts';
import getWeather from '../weather/get-weather.ts';
import listRain from '../weather/list-rain.ts';
import adviseWatering from './advise-watering.ts';

export default composedOperation({
  name: 'farm_overview',
  title: 'Overview of all probes',
  description:
    'Compare all probes, the most in need first: moisture, state, days to stress, age of data, last watering, alert.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/overview', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
    defaults: { limit: 20, detail: 'concise' },
  },
  load: {
    isLong: () => true,
    isShared: true,
  },
  parts: {
    listAlerts,
    getIrrigationSetup,
    listSchedules,
    listWaterings,
    getAgronomicState,
    getMoistureSeries,
    listModules,
    listRain,
    adviseWatering,
    getWeather,
  },
  input: z.strictObject(overviewQuery),
  output: overview,
  run: (call, query, operations) => farmOverview(call, operations, query),
  concise: conciseOverview,
  summary: summarizeOverview,
});
