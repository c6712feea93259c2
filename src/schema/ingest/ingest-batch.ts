import { z } from 'zod/v3';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { gatewayNumber } from '../company/company.ts';
import { acceptTensionAlias, field, instantOutput } from '../field.ts';
import { MAX_RAIN_MM } from '../weather/rain.ts';
import { csvFields } from './csv-import.ts';
import { MAX_DEVICE_NAME } from './device.ts';

// The description of a field completes the message "… is not …".

/** Limited because a batch is held in memory. */
export const MAX_INGEST_READINGS = 200_000;

const MAX_INGEST_GATEWAYS = 10_000;
const MAX_INGEST_DEVICES = 10_000;
const MAX_INGEST_RAIN = 50_000;

export const MAX_DEVICE_PAYLOAD = 2_000;

export const MAX_REPORTED_COLUMNS = 100;
/** In characters. */
export const MAX_REPORTED_NAME_LENGTH = 200;

const source = {
  module: z
    .union([z.string().min(1).max(200), z.number().int().positive()])
    .optional()
    .describe('the uid or the name of a module, or its id as a number; or a device in its place'),
  device: z
    .string()
    .min(1)
    .max(MAX_DEVICE_NAME)
    .optional()
    .describe('the EUI or name of a device that is assigned to a module'),
};

export const readingItem = z.strictObject({
  ...source,
  position: z
    .number()
    .int()
    .min(0)
    .max(99)
    .optional()
    .describe('which of the depths of the device it is, from 0'),
  type: acceptTensionAlias(z.enum(MEASUREMENT_TYPES)).describe(
    `one of ${MEASUREMENT_TYPES.join(', ')}`,
  ),
  depth: z.number().nullish().describe('a depth in cm, or null for a sensor without one'),
  time: z.string().max(100).describe('ISO 8601 (local time of the company without an offset)'),
  value: z.number().describe('a number of %, deg C or kPa'),
});
export type ReadingItem = z.output<typeof readingItem>;

export const MAX_RAIN_MINUTES = 24 * 60;

export const rainItem = z.strictObject({
  ...source,
  time: z
    .string()
    .max(100)
    .describe('ISO 8601 (local time of the company without an offset), or a day for its total'),
  mm: z.number().min(0).max(MAX_RAIN_MM).describe(`a number of mm from 0 to ${MAX_RAIN_MM}`),
  minutes: z
    .number()
    .int()
    .min(1)
    .max(MAX_RAIN_MINUTES)
    .optional()
    .describe(`the minutes until then in which it fell, from 1 to ${MAX_RAIN_MINUTES}`),
  isDayTotal: z.boolean().optional().describe('true for the total of its local day until then'),
});
export type RainItem = z.output<typeof rainItem>;

/** Temperature and humidity of the air are readings instead. */
export const STATION_MEASURES = ['wind', 'radiation'] as const;

const MAX_INGEST_WEATHER = 200_000;

export const weatherItem = z.strictObject({
  ...source,
  type: z.enum(STATION_MEASURES).describe(`one of ${STATION_MEASURES.join(', ')}`),
  time: z.string().max(100).describe('ISO 8601 (local time of the company without an offset)'),
  // A pyranometer reads a little below 0 at night.
  value: z.number().min(-20).max(2_000).describe('a number of m/s or W/m2'),
});
export type WeatherItem = z.output<typeof weatherItem>;

export const gatewayItem = z.strictObject({
  imei: gatewayNumber(),
  lastSeen: z
    .string()
    .max(100)
    .optional()
    .describe('ISO 8601 (the instant of the status; now by default)'),
  batteryMv: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .nullish()
    .describe('a battery voltage in whole mV'),
  level: z.number().int().min(0).max(4).nullish().describe('signal bars from 0 to 4'),
  lat: z.number().min(-90).max(90).nullish().describe('a latitude from -90 to 90, in degrees'),
  lon: z.number().min(-180).max(180).nullish().describe('a longitude from -180 to 180, in degrees'),
});
export type GatewayItem = z.output<typeof gatewayItem>;

export const deviceItem = z.strictObject({
  device: z.string().min(1).max(MAX_DEVICE_NAME).describe('the EUI or name of a device'),
  module: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('the module that the sender assigns it to'),
  depths: z.array(z.number()).max(100).optional().describe('its depths in cm there'),
  payload: z
    .string()
    .max(MAX_DEVICE_PAYLOAD)
    .optional()
    .describe('its last payload, at most 2,000 characters of it'),
  time: z
    .string()
    .max(100)
    .optional()
    .describe('ISO 8601 (the instant of the status; now by default)'),
  batteryPercent: z.number().min(0).max(100).optional().describe('a charge from 0 to 100 %'),
  batteryV: z.number().min(0).max(100).optional().describe('a battery voltage in V'),
  gateway: z
    .string()
    .max(MAX_DEVICE_NAME)
    .optional()
    .describe('the EUI-64 of the gateway that received it best'),
  rssi: z.number().min(-200).max(50).optional().describe('a signal strength in dBm'),
  snr: z.number().min(-50).max(50).optional().describe('a signal-to-noise ratio in dB'),
});
export type DeviceItem = z.output<typeof deviceItem>;

/** Items are validated one by one, so that a bad one does not reject the others. */
const itemList = (item: z.ZodTypeAny, maxItems: number, description: string) =>
  field(z.array(z.unknown()).max(maxItems).describe(description), {
    row: item,
    hint: 'Send the batch in parts.',
  }).optional();

/** A row far larger than any valid one, rejected without being parsed. */
export class OversizedRow {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

export const ingestBody = {
  readings: itemList(
    readingItem,
    MAX_INGEST_READINGS,
    'Readings, in any order; of one sensor and instant the last counts.',
  ),
  rain: itemList(
    rainItem,
    MAX_INGEST_RAIN,
    'Rain of gauges, of modules of category WEATHER_STATION: mm in the minutes until time, or with isDayTotal since midnight.',
  ),
  weather: itemList(
    weatherItem,
    MAX_INGEST_WEATHER,
    'Wind (m/s, at 2 m) and solar radiation (W/m2) of modules of category WEATHER_STATION; temperature and humidity of their air are readings without a depth.',
  ),
  gateways: itemList(
    gatewayItem,
    MAX_INGEST_GATEWAYS,
    'Statuses of gateways; one older than the stored status is ignored.',
  ),
  devices: itemList(
    deviceItem,
    MAX_INGEST_DEVICES,
    'What devices report about themselves: battery, signal, and their last payload, shown for those that are not assigned.',
  ),
  csv: z
    .string()
    .optional()
    .describe(
      'Readings as CSV with a header: module,type,depth,time,value, or time,humidity_10,… of one module, or as spreadsheets and loggers name them.',
    ),
  module: z
    .string()
    .max(200)
    .optional()
    .describe('The module that a CSV of the form time,humidity_10,… is about: uid, name or id.'),
  ...csvFields,
};

const count = (description: string) => z.number().int().describe(description);

export const ingestResult = z.strictObject({
  readings: z.strictObject({
    written: count('Number of new readings.'),
    changed: count('Readings that replaced another value.'),
    unchanged: count('Readings that are already stored.'),
    repeated: count('Readings that a later one of the same batch replaces.'),
    refused: count('Rows of which at least a part was refused.'),
    storedUnassigned: count(
      'Readings and rain of devices that are not assigned, stored until they are.',
    ),
  }),
  rain: z.strictObject({
    written: count('Number of new records.'),
    changed: count('Records with another amount than before.'),
    unchanged: count(
      'Rows that are stored already, are dry or older than the stored total, or are of a corrected record.',
    ),
    staleTotals: count(
      'Totals of a day below an earlier one, which stays: the counter of the gauge started again.',
    ),
    refused: count('Rows that were refused.'),
  }),
  weather: z.strictObject({
    written: count('Number of new values, such as wind and radiation.'),
    refused: count('Rows that were refused.'),
  }),
  gateways: z.strictObject({
    changed: count('Gateways with a new status.'),
    unchanged: count('Statuses without a change, or older than the stored one.'),
    refused: count('Rows that were refused.'),
  }),
  modules: z.array(
    z.strictObject({
      id: z.number().int(),
      uid: z.string(),
      newest: instantOutput().describe('Instant of the newest reading of the batch.'),
    }),
  ),
  reasons: z
    .array(z.strictObject({ reason: z.string(), count: z.number().int() }))
    .describe('Why rows were refused, the most frequent first.'),
  refused: z
    .array(
      z.strictObject({
        location: z
          .string()
          .describe('Where in the batch: readings[3], rain[0], weather[0], gateways[0], line 5.'),
        reason: z.string(),
        row: z.string().describe('As it was sent, truncated.'),
      }),
    )
    .describe('The first hundred refused rows.'),
  skippedColumns: z
    .array(
      z.strictObject({
        name: z.string(),
        why: z.string(),
        nearest: z.string().nullable().describe('The most similar column that would be read.'),
      }),
    )
    .describe('The first hundred columns of a CSV that were not read.'),
});
export type IngestResult = z.output<typeof ingestResult>;
