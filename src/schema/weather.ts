import { z } from 'zod/v3';
import { dateOutput, field, namedSchema } from './field.ts';

/** Bounds beyond which a figure has another unit or is a fault. */
export const weatherValues = {
  temperatureMin: z.number().min(-60).max(60).nullish().describe('Degrees Celsius.'),
  temperatureMax: z.number().min(-60).max(60).nullish().describe('Degrees Celsius.'),
  humidityMin: z.number().min(0).max(100).nullish().describe('Relative humidity, %.'),
  humidityMax: z.number().min(0).max(100).nullish().describe('Relative humidity, %.'),
  dewPoint: z.number().min(-60).max(60).nullish().describe('Mean, degrees Celsius.'),
  windMs: z.number().min(0).max(60).nullish().describe('Mean at a height of 2 m, m/s.'),
  radiationMj: z.number().min(0).max(50).nullish().describe('Solar radiation, MJ/m2 a day.'),
};

export type WeatherValueName = keyof typeof weatherValues;
export const WEATHER_VALUES = Object.keys(weatherValues) as WeatherValueName[];

const MAX_DAYS = 400;

export const dayField = () =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .describe('Local day.');

export const weatherDays = {
  days: field(
    z
      .array(z.strictObject({ day: dayField(), ...weatherValues }))
      .min(1)
      .max(MAX_DAYS)
      .describe('What a day leaves out stays as it is; null clears it.'),
    { hint: `Send 1 to ${MAX_DAYS} days, each once.` },
  ),
};
export type WeatherDayEntry = z.output<(typeof weatherDays)['days']>[number];

export const EVAPOTRANSPIRATION_METHODS = ['penman_monteith', 'hargreaves'] as const;
export const WEATHER_INPUTS = ['temperature', 'humidity', 'wind', 'radiation'] as const;

export const weatherDay = namedSchema(
  'WeatherDay',
  z.strictObject({
    day: dateOutput(),
    temperatureMin: z.number().nullable(),
    temperatureMax: z.number().nullable(),
    humidityMin: z.number().nullable(),
    humidityMax: z.number().nullable(),
    dewPoint: z.number().nullable(),
    windMs: z.number().nullable(),
    radiationMj: z.number().nullable(),
    rainMm: z.number().nullable().describe('On the whole farm; null where none is recorded.'),
    et0Mm: z.number().nullable().describe('Reference evapotranspiration; null without temperatures or a position.'),
    method: z.enum(EVAPOTRANSPIRATION_METHODS).nullable(),
    missing: z.array(z.enum(WEATHER_INPUTS)).describe('What Penman-Monteith lacks.'),
  }),
);
export type WeatherDayBody = z.output<typeof weatherDay>;

export const weatherPage = z.strictObject({
  latitude: z.number().nullable().describe('Of the farm; null where nothing of it has a position.'),
  elevationM: z.number(),
  data: z.array(weatherDay),
});
