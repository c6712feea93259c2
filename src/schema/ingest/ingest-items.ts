import { z } from 'zod/v3';
import { isFieldType } from '../../domain/ingest/field-choices.ts';
import type { UnreadReason } from '../../domain/ingest/unread-reason.ts';
import { MEASUREMENT_TYPES, MEASUREMENTS } from '../../domain/moisture/measurement.ts';
import { alternatives } from '../../domain/strings.ts';
import { gatewayNumber } from '../company/company.ts';
import { acceptTensionAlias } from '../shared-fields.ts';
import { MAX_RAIN_MM } from '../weather/rain.ts';
import { MAX_DEVICE_NAME } from './device.ts';

/** The lists of a batch, whose items are stored. */
export const ITEM_LISTS = ['readings', 'rain', 'weather', 'gateways'] as const;
export type ItemList = (typeof ITEM_LISTS)[number];

// The description of a field completes the message "… is not …".

export const MAX_DEVICE_PAYLOAD = 2_000;
/** The greatest length of the name of a preset or network. */
export const MAX_SOURCE = 100;

/** The greatest length of the name of a field of a message, or of the model of a device. */
export const MAX_FIELD_NAME = 100;

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
  type: acceptTensionAlias(
    z.union([
      z.enum(MEASUREMENT_TYPES),
      z
        .string()
        .max('field:'.length + MAX_FIELD_NAME)
        .refine(isFieldType),
    ]),
  ).describe(`one of ${MEASUREMENT_TYPES.join(', ')}, or field:NAME`),
  depth: z.number().nullish().describe('a depth in cm, or null for a sensor without one'),
  time: z.string().max(100).describe('ISO 8601 (local time of the company without an offset)'),
  value: z
    .number()
    .describe(
      `a number of ${alternatives(MEASUREMENT_TYPES.map((type) => MEASUREMENTS[type].unit))}`,
    ),
});
export type ReadingItem = z.output<typeof readingItem>;

export const MAX_RAIN_MINUTES = 24 * 60;
/** More than falls anywhere in a year. */
const MAX_COUNTED_MM = 50_000;

export const rainItem = z.strictObject({
  ...source,
  time: z
    .string()
    .max(100)
    .describe('ISO 8601 (local time of the company without an offset), or a day for its total'),
  mm: z
    .number()
    .min(0)
    .max(MAX_COUNTED_MM)
    .describe(
      `a number of mm from 0 to ${MAX_RAIN_MM}, or to ${MAX_COUNTED_MM} of a running total`,
    ),
  minutes: z
    .number()
    .int()
    .min(1)
    .max(MAX_RAIN_MINUTES)
    .optional()
    .describe(`the minutes until then in which it fell, from 1 to ${MAX_RAIN_MINUTES}`),
  isDayTotal: z.boolean().optional().describe('true for the total of its local day until then'),
  isRunningTotal: z
    .boolean()
    .optional()
    .describe('true for a total of its device that rises until the gauge starts again from 0'),
});
export type RainItem = z.output<typeof rainItem>;

/** Temperature and humidity of the air are readings instead. */
export const STATION_MEASURES = ['wind', 'radiation'] as const;

export const isStationMeasure = (type: string): type is (typeof STATION_MEASURES)[number] =>
  STATION_MEASURES.some((measure) => measure === type);

/** The list that a measurement belongs to, by its type. */
export function listOfType(type: string): 'rain' | 'weather' | 'readings' {
  if (type === 'rain') return 'rain';
  return isStationMeasure(type) ? 'weather' : 'readings';
}

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
  source: z
    .string()
    .max(MAX_SOURCE)
    .optional()
    .describe('the preset that reads it; the source of the batch by default'),
  payload: z
    .string()
    .max(MAX_DEVICE_PAYLOAD)
    .optional()
    .describe('its last payload, at most 2,000 characters of it'),
  model: z
    .string()
    .min(1)
    .max(MAX_FIELD_NAME)
    .optional()
    .describe('its make and model, whose devices have the same fields'),
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

export const MAX_UNREAD_REASON = 1_000;
const MAX_UNREAD_CODE = 100;

const unreadText = () => z.string().min(1).max(MAX_UNREAD_REASON);

export const unreadItem = z.strictObject({
  sender: z
    .string()
    .min(1)
    .max(MAX_DEVICE_NAME)
    .describe('the device, or else the preset, map or topic that the message came by'),
  via: z
    .string()
    .max(MAX_DEVICE_NAME)
    .optional()
    .describe('the preset, map or topic that the message came by'),
  reason: z
    .union([
      unreadText(),
      z.strictObject({ code: z.string().min(1).max(MAX_UNREAD_CODE), text: unreadText() }),
    ])
    .describe('why nothing was read, as a text, or as a text with its code'),
  payload: z
    .string()
    .max(MAX_DEVICE_PAYLOAD)
    .optional()
    .describe('the message, at most 2,000 characters of it'),
});
export type UnreadItem = Omit<z.output<typeof unreadItem>, 'reason'> & {
  readonly reason: UnreadReason;
};
