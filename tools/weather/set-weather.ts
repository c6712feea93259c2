import { z } from 'zod/v3';
import { operation } from '../../src/operation/operation.ts';
import { weatherDays } from '../../src/schema/weather/weather-days.ts';
import { setWeather } from '../../src/service/weather/weather-entry.ts';

export default operation({
  name: 'set_weather',
  title: 'Set the weather of days',
  description:
    'Store temperatures, humidity, wind and radiation of local days, from which reference evapotranspiration follows. ' +
    'Rain has its own records.',
  toolset: 'weather',
  endpoint: { method: 'PUT', path: '/weather', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  rest: {
    isRestOnly: true,
  },
  input: z.strictObject(weatherDays),
  output: z.strictObject({ changed: z.number().int(), unchanged: z.number().int() }),
  run: setWeather,
});
