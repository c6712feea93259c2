import { z } from 'zod/v3';
import { say } from '../../src/domain/text/say.ts';
import { operation } from '../../src/operation/operation.ts';
import { field } from '../../src/schema/field.ts';
import { dayField, elevation, weatherPage } from '../../src/schema/weather/weather-days.ts';
import { listWeather } from '../../src/service/weather/weather-days.ts';

export default operation({
  name: 'get_weather',
  title: 'Show the weather of days',
  description:
    'Show weather, rain and reference evapotranspiration (FAO-56) of local days: by Penman-Monteith where humidity, wind ' +
    'and radiation are known, else by Hargreaves, with what is missing.',
  toolset: 'weather',
  endpoint: { method: 'GET', path: '/weather', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  rest: {
    isRestOnly: true,
  },
  input: z.strictObject({
    from: field(dayField().describe('First day. Default 13 days before to.'), {
      words: 'start of the period',
    }).optional(),
    to: field(dayField().describe('Last day. Default today.'), {
      words: 'end of the period',
    }).optional(),
    elevationM: field(
      elevation.describe('Of the farm above the sea. Default that of the forecast, else 0.'),
      {
        hint: say`Give metres from -430 to 6000.`,
      },
    ).optional(),
  }),
  output: weatherPage,
  run: listWeather,
});
