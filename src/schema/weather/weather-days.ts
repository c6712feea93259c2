import { z } from 'zod/v3';
import { ISO_DATE } from '../../domain/calendar.ts';
import { keysOf } from '../../domain/records.ts';
import { say } from '../../domain/text/say.ts';
import { field, withExample } from '../field.ts';
import { shortText } from '../length-limits.ts';
import { namedSchema } from '../named-schema.ts';
import { answerShape, entered, entryShape } from '../resource.ts';
import { dateOutput, instantOutput } from '../shared-fields.ts';

const measured = <const Column extends string>(
  column: Column,
  min: number,
  max: number,
  description: string,
) => entered(column, z.number().min(min).max(max).describe(description).nullable());

/** A value outside these bounds is in another unit or wrong. */
export const weatherFields = {
  temperatureMin: measured('temperature_min', -60, 60, 'Lowest temperature in degrees Celsius.'),
  temperatureMax: measured('temperature_max', -60, 60, 'Highest temperature in degrees Celsius.'),
  humidityMin: measured('humidity_min', 0, 100, 'Lowest relative humidity in %.'),
  humidityMax: measured('humidity_max', 0, 100, 'Highest relative humidity in %.'),
  dewPoint: measured('dew_point', -60, 60, 'Mean dew point in degrees Celsius.'),
  windMs: measured('wind_ms', 0, 60, 'Mean at a height of 2 m, m/s.'),
  radiationMj: measured('radiation_mj', 0, 50, 'Solar radiation, MJ/m2 a day.'),
};

export const weatherValues = entryShape(weatherFields);

/** Height of land above sea level, in m. */
export const elevation = z.number().min(-430).max(6000);

export type WeatherValueName = keyof typeof weatherValues;
export const WEATHER_VALUES = keysOf(weatherValues);

const MAX_DAYS = 400;

export const dayField = () =>
  shortText().regex(ISO_DATE, 'a local day such as 2026-07-01').describe('Local day, YYYY-MM-DD.');

export const weatherDays = {
  days: field(
    z
      .array(z.strictObject({ day: dayField(), ...weatherValues }))
      .min(1)
      .max(MAX_DAYS)
      .describe('What a day leaves out stays as it is; null clears it.'),
    { hint: say`Send 1 to ${MAX_DAYS} days, each once.` },
  ),
};
export type WeatherDayEntry = z.output<(typeof weatherDays)['days']>[number];

export const EVAPOTRANSPIRATION_METHODS = ['penman_monteith', 'hargreaves'] as const;
export const WEATHER_INPUTS = ['temperature', 'humidity', 'wind', 'radiation'] as const;

const weatherDay = namedSchema(
  'WeatherDay',
  z.strictObject({
    day: withExample(dateOutput(), '2026-06-30'),
    ...answerShape(weatherFields),
    rainMm: withExample(
      z.number().nullable().describe('On the whole farm; null where none is recorded.'),
      12,
    ),
    et0Mm: z
      .number()
      .nullable()
      .describe('Reference evapotranspiration; null without temperatures or a position.'),
    method: z.enum(EVAPOTRANSPIRATION_METHODS).nullable(),
    missing: z
      .array(z.enum(WEATHER_INPUTS))
      .describe('Values that Penman-Monteith needs and lacks.'),
  }),
);
export type WeatherDayBody = z.output<typeof weatherDay>;

/** `recent`: the coming days are taken to be like the newest three. */
export const DEMAND_RATIO_BASES = ['forecast', 'recent'] as const;

const demandRatio = z.strictObject({
  percent: withExample(
    z.number().int().describe('Mean of the coming days, in % of that of the last ones.'),
    118,
  ),
  basis: z
    .enum(DEMAND_RATIO_BASES)
    .describe('recent: the coming days are taken to be like the newest three.'),
  comingMm: withExample(
    z.number().describe('Reference evapotranspiration expected, in mm a day.'),
    5.9,
  ),
  comingDays: withExample(z.number().int(), 7),
  lastMm: withExample(
    z.number().describe('Reference evapotranspiration of the last days, in mm a day.'),
    5,
  ),
  lastDays: withExample(z.number().int(), 14),
  method: z.enum(EVAPOTRANSPIRATION_METHODS),
  missing: z.array(z.enum(WEATHER_INPUTS)),
});
export type DemandRatioBody = z.output<typeof demandRatio>;

const temperatures = {
  temperatureMin: withExample(z.number().nullable().describe('In degrees Celsius.'), 17.4),
  temperatureMax: withExample(z.number().nullable(), 31.2),
};

const forecastDay = z.strictObject({
  day: withExample(dateOutput(), '2026-07-01'),
  rainMm: withExample(z.number().nullable(), 0),
  rainProbability: withExample(z.number().nullable().describe('Probability of rain in %.'), 3),
  et0Mm: withExample(z.number().nullable(), 5.4),
  ...temperatures,
});
export type ForecastDay = z.output<typeof forecastDay>;

export const weatherPage = z.strictObject({
  latitude: withExample(
    z.number().nullable().describe('Of the farm; null where nothing of it has a position.'),
    43.6,
  ),
  elevationM: withExample(z.number(), 60),
  data: z.array(weatherDay),
  pace: demandRatio
    .nullable()
    .describe('Of reference evapotranspiration; null where too little is known.'),
  forecast: z
    .strictObject({
      provider: withExample(z.string(), 'open-meteo'),
      fetchedAt: withExample(instantOutput(), '2026-07-01T09:10:00.000Z'),
      days: z.array(forecastDay).describe('Days from today on.'),
      lastDays: z
        .array(z.strictObject({ day: withExample(dateOutput(), '2026-06-30'), ...temperatures }))
        .describe('The air of the two weeks before today, by the model of the forecast.'),
    })
    .nullable()
    .describe('Null where none is configured, or the newest is older than a day.'),
});
export type WeatherPageBody = z.output<typeof weatherPage>;
