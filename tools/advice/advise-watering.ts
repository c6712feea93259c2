import { z } from 'zod/v3';
import { summarizeAdvice } from '../../src/language/advice/advice-summary.ts';
import { composedOperation } from '../../src/operation/operation.ts';
import { advice, adviceQuery } from '../../src/schema/advice/advice.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { adviseWatering } from '../../src/service/advice/watering-advice.ts';
import getIrrigationSetup from '../irrigation/get-irrigation-setup.ts';
import listWaterings from '../irrigation/list-waterings.ts';
import getAgronomicState from '../monitoring/get-agronomic-state.ts';
import getModule from '../monitoring/get-module.ts';
import getMoistureSeries from '../monitoring/get-moisture-series.ts';
import getWeather from '../weather/get-weather.ts';
import listRain from '../weather/list-rain.ts';

export default composedOperation({
  name: 'advise_watering',
  title: 'Advise whether and how long to water',
  description:
    'Advise whether and how long to water at a probe now: minutes and m3, days until stress, what is planned, and how certain that is. ' +
    'For the whole farm use morning_brief.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/irrigation/advice', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
  },
  parts: {
    getIrrigationSetup,
    listRain,
    listWaterings,
    getAgronomicState,
    getModule,
    getMoistureSeries,
    getWeather,
  },
  input: z.strictObject({ moduleId: moduleRef(), ...adviceQuery }),
  output: advice,
  run: (call, { moduleId, ...request }, operations) =>
    adviseWatering(call, operations, moduleId, request),
  summary: summarizeAdvice,
  advisoriesInSummary: ['recent_rain'],
});
