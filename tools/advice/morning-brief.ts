import { z } from 'zod/v3';
import { summarizeBrief } from '../../src/language/advice/brief-summary.ts';
import { composedOperation } from '../../src/operation/operation.ts';
import { brief } from '../../src/schema/advice/brief.ts';
import { restDetailField } from '../../src/schema/shared-fields.ts';
import { conciseBrief, morningBrief } from '../../src/service/advice/morning-brief.ts';
import listAlerts from '../alerts/list-alerts.ts';
import listDevices from '../ingest/list-devices.ts';
import getIrrigationSetup from '../irrigation/get-irrigation-setup.ts';
import listSchedules from '../irrigation/list-schedules.ts';
import listWaterings from '../irrigation/list-waterings.ts';
import getAgronomicState from '../monitoring/get-agronomic-state.ts';
import getMoistureSeries from '../monitoring/get-moisture-series.ts';
import listGateways from '../monitoring/list-gateways.ts';
import listModules from '../monitoring/list-modules.ts';
import getWeather from '../weather/get-weather.ts';
import listRain from '../weather/list-rain.ts';
import adviseWatering from './advise-watering.ts';

export default composedOperation({
  name: 'morning_brief',
  title: 'Morning brief',
  description:
    'List what needs attention this morning, the most urgent first: probes to water, firing alerts, silent probes, waterings to confirm, missing doses, what is planned in 48 hours.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/brief', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
    defaults: { detail: 'concise' },
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
    getMoistureSeries,
    getAgronomicState,
    listDevices,
    listGateways,
    listModules,
    adviseWatering,
    listRain,
    getWeather,
  },
  input: z.strictObject({ detail: restDetailField() }),
  output: brief,
  run: (call, _, operations) => morningBrief(call, operations),
  concise: conciseBrief,
  summary: summarizeBrief,
});
