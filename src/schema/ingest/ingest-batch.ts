import { z } from 'zod/v3';
import { say } from '../../domain/text/say.ts';
import { field, withExample } from '../field.ts';
import { instantOutput } from '../shared-fields.ts';
import { clockStop, csvFields } from './csv-import.ts';
import {
  deviceItem,
  gatewayItem,
  MAX_SOURCE,
  rainItem,
  readingItem,
  unreadItem,
  weatherItem,
} from './ingest-items.ts';

/** Limited because a batch is held in memory. */
export const MAX_INGEST_READINGS = 200_000;
/** A batch of up to this size is stored in one transaction, which stays short. */
export const MAX_SMALL_BATCH_BYTES = 16_384;

const MAX_INGEST_GATEWAYS = 10_000;
export const MAX_INGEST_DEVICES = 10_000;
export const MAX_INGEST_UNREAD = 1_000;
const MAX_INGEST_RAIN = 50_000;
const MAX_INGEST_WEATHER = 200_000;

export const MAX_REPORTED_COLUMNS = 100;
/** In characters. */
export const MAX_REPORTED_NAME_LENGTH = 200;

/** The largest that --max-batch allows. */
const MAX_BATCH_TEXT = 268_435_456;

/** Items are validated one by one, so that a bad one does not reject the others. */
const itemList = (item: z.ZodTypeAny, maxItems: number, description: string) =>
  field(z.array(z.unknown()).max(maxItems).describe(description), {
    row: item,
    hint: say`Send the batch in parts.`,
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
    'Rain from gauges, which are modules of category WEATHER_STATION: mm in the minutes up to time, with isDayTotal since midnight, or with isRunningTotal since the gauge started.',
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
  unread: itemList(
    unreadItem,
    MAX_INGEST_UNREAD,
    'Messages that gave nothing, with the reason; the newest three of each sender are listed with the devices.',
  ),
  source: z
    .string()
    .max(MAX_SOURCE)
    .optional()
    .describe(
      'The network or preset whose names the devices have, such as ttn/dragino-lse01: one name on two networks is two devices.',
    ),
  csv: z
    .string()
    .max(MAX_BATCH_TEXT)
    .optional()
    .describe(
      'Readings as CSV with a header: module,type,depth,time,value; or time,humidity_10,… for one module; or the column names of a spreadsheet or logger.',
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
    stopped: clockStop(),
  }),
  rain: z.strictObject({
    written: count('Number of new records.'),
    changed: count('Records with another amount than before.'),
    unchanged: count(
      'Rows that are already stored, have no rain, are older than the stored total, or belong to a record that a person corrected.',
    ),
    staleTotals: count(
      'Totals of a day below an earlier one, which stays, and running totals that came late: what fell until then is in a later one.',
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
      id: withExample(z.number().int(), 1),
      uid: withExample(z.string(), 'A1B2C3'),
      newest: withExample(
        instantOutput().describe('Instant of the newest reading of the batch.'),
        '2026-07-01T06:00:00.000Z',
      ),
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
        reason: withExample(z.string(), 'Soil moisture 10 cm (%): value is not a number'),
        row: withExample(
          z.string().describe('As it was sent, truncated.'),
          '29/06/2026;06:15;wet;0',
        ),
      }),
    )
    .describe('The first hundred refused rows.'),
  skippedColumns: z
    .array(
      z.strictObject({
        name: withExample(z.string(), 'Date'),
        why: withExample(z.string(), 'names no sensor'),
        nearest: withExample(
          z.string().nullable().describe('The most similar column that would be read.'),
          'humidity_10',
        ),
      }),
    )
    .describe('The first hundred columns of a CSV that were not read.'),
});
export type IngestResult = z.output<typeof ingestResult>;
