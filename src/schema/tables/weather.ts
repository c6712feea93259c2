import { RAIN_SOURCES } from '../weather/rain.ts';
import { weatherFields } from '../weather/weather-days.ts';
import {
  flag,
  instant,
  integer,
  json,
  oneOf,
  real,
  referenceTo,
  sequence,
  text,
} from './column.ts';
import { columnsOf } from './resource-columns.ts';
import { table } from './table.ts';

export const weatherTables = {
  /** The rain of a day or of a time, on a parcel or (if `parcel_id` is null) on the whole farm. */
  rain: table(
    {
      id: sequence,
      parcel_id: referenceTo('parcels').orNull,
      /** The station whose gauge measured it. */
      module_id: referenceTo('modules').orNull,
      /** The local day on which it began. */
      local_day: text,
      started_at: instant,
      ended_at: instant.orNull,
      is_whole_day: flag,
      /** 0 for a record that was withdrawn. */
      mm: real,
      source: oneOf(RAIN_SOURCES),
      /**
       * Set if a person moved a measured or imported record: its start before that (ms), or the
       * local day of a total.
       */
      gauge_time: text.orNull,
      note: text.orNull,
      created_by: integer.orNull,
      created_at: instant,
    },
    { changes: { kind: 'rain', readScope: 'readings:read', about: 'farm' } },
  ),
  /** The weather of the farm on a local day; null where unknown. */
  weather_days: table(
    { local_day: text, ...columnsOf(weatherFields), set_at: instant },
    {
      key: ['local_day'],
      changes: { kind: 'weather', readScope: 'readings:read', about: 'farm' },
    },
  ),
  /** Measures of weather stations without a sensor: wind at 2 m in m/s, solar radiation in W/m2. */
  station_readings: table(
    {
      module_id: referenceTo('modules'),
      type: oneOf(['wind', 'radiation']),
      at: instant,
      value: real,
    },
    { key: ['module_id', 'type', 'at'], changes: null },
  ),
  /** The newest forecast of each provider. */
  forecasts: table(
    {
      provider: text,
      attempted_at: instant,
      /** When `body` was fetched; null before the first forecast. */
      fetched_at: instant.orNull,
      /** Array of days. */
      body: json.orNull,
      /** The failure of the last attempt; null if it succeeded. */
      failure: text.orNull,
    },
    { key: ['provider'], changes: null },
  ),
};
