import { z } from 'zod/v3';
import { parsePayloadPath, splitListPath } from '../../domain/ingest/payload-path.ts';
import { CURVES, MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { shortText } from '../length-limits.ts';
import { MAX_RAIN_MINUTES, STATION_MEASURES } from './ingest-items.ts';

/** Maps payloads to readings and gateway statuses. Descriptions complete error messages. */

const PATH_DESCRIPTION =
  'names separated by dots, numbers for items of a list ("data.soil.0"), "list[id=7]" for the item with that value ("list[id=*]" with any), "../" before the names for what encloses a sample, or "" for the payload itself';

const path = () =>
  z
    .string()
    .max(300)
    .refine((text) => parsePayloadPath(text) !== null)
    .describe(PATH_DESCRIPTION);

const topic = () =>
  z
    .string()
    .max(300)
    .refine(isTopic)
    .describe(
      'a topic with named levels, such as "farm/{module}/soil" or "home/{device}_moisture", or "home/{device}_moisture_{channel}" with a number; + is any level, # at the end all that follow',
    );

/**
 * As in MQTT, a wildcard is a whole level, and # is the last one. A name may have text after it in
 * its level ("{device}_moisture"), also a second name ("{device}_moisture_{channel}"), and occurs once.
 */
function isTopic(text: string): boolean {
  const levels = text.split('/');
  const isLevel = (level: string, index: number): boolean =>
    /^(\{[A-Za-z]\w*\}([^+#{}]+\{[A-Za-z]\w*\})?[^+#{}]*|\+|[^+#{}]*)$/.test(level) ||
    (level === '#' && index === levels.length - 1);

  const levelNames = levels.flatMap((level) => level.match(/\{\w+\}/g) ?? []);
  const areNamesDistinct = new Set(levelNames).size === levelNames.length;
  return text !== '' && levels.every(isLevel) && areNamesDistinct;
}

/** Units that differ from those of readings, wind and rain. cb is kPa. */
export const PAYLOAD_UNITS = ['°F', 'm3/m3', 'in', 'mph', 'km/h'] as const;

const READING_UNITS = MEASUREMENT_TYPES.map((type) => CURVES[type].symbol).join(', ');

/** A weather station measures these besides humidity and temperature. */
const WEATHER_TYPES = ['rain', ...STATION_MEASURES] as const;

const scaledPath = {
  path: path(),
  unit: z
    .enum(PAYLOAD_UNITS)
    .optional()
    .describe(`one of ${PAYLOAD_UNITS.join(', ')}; left out for ${READING_UNITS} or cb, mm, m/s`),
  scale: z.number().optional().describe('a number that the value is multiplied by (default 1)'),
  offset: z.number().optional().describe('a number that is then added (default 0)'),
};

const numberPath = () =>
  z
    .strictObject(scaledPath)
    .optional()
    .describe('{ "path": …, "scale": …, "offset": … }: the path of a number');

const time = () =>
  z
    .union([
      z.literal('arrival'),
      z
        .strictObject({
          path: path(),
          unit: z
            .enum(['iso', 'utc', 's', 'ms'])
            .describe('one of iso, utc (a text without an offset), s, ms'),
          utcOffset: z
            .string()
            .max(6)
            .regex(/^[+-](?:0\d|1[0-4]):(?:00|15|30|45)$/)
            .optional()
            .describe('an offset such as +01:00'),
          default: z.literal('arrival').optional(),
        })
        .refine(({ unit, utcOffset }) => utcOffset === undefined || unit === 'iso', {
          message: 'utcOffset is that of texts: it needs the unit iso',
        }),
    ])
    .describe(
      '{ "path": …, "unit": "iso", "utc", or "s" or "ms" since 1970 }, with "utcOffset": "+01:00" for a clock that stays at it, or "default": "arrival" where it may be missing, or "arrival"',
    );

const identifier = (level: string) =>
  z
    .union([z.string().min(1).max(200), z.strictObject({ path: path() })])
    .optional()
    .describe(`a text with named levels of the topic ("${level}" by default), or { "path": … }`);

const missing = () =>
  z
    .array(z.union([z.number(), shortText()]))
    .max(50)
    .optional()
    .describe('a list of values that stand for a failed measurement, such as [-5, "unavailable"]');

const scalar = () => z.union([shortText(), z.number(), z.boolean()]);

const CONDITION_FORMS =
  '{ "path": …, "value": … }, { "path": …, "otherThan": […] } or { "path": …, "exists": true or false }';

const conditions = (meaning: string) =>
  z
    .array(
      z.union([
        z.strictObject({ path: path(), value: scalar() }),
        z.strictObject({ path: path(), otherThan: z.array(scalar()).max(50) }),
        z.strictObject({ path: path(), exists: z.boolean() }),
      ]),
    )
    .max(20)
    .optional()
    .describe(`a list of ${CONDITION_FORMS}; ${meaning}`);

const defaultUnit = z.string().max(20).optional();
/** A unit that is read from the payload of the value, or from the last message of a topic. */
const unitElsewhere = z.union([
  z.strictObject({ path: path(), default: defaultUnit }),
  z.strictObject({ topic: topic(), default: defaultUnit }),
]);

const value = z.strictObject({
  ...scaledPath,
  unit: z
    .union([z.enum(PAYLOAD_UNITS), unitElsewhere])
    .optional()
    .describe(
      `one of ${PAYLOAD_UNITS.join(', ')}, left out for ${READING_UNITS} or cb, mm, m/s; or { "path": …, "default": … } or { "topic": …, "default": … } where the payload or another topic names it`,
    ),
  missing: missing(),
  ignore: conditions('where one is met, the value is ignored'),
  failed: conditions('where one is met, the value stands for a failed measurement'),
  type: z
    .union([z.enum([...MEASUREMENT_TYPES, ...WEATHER_TYPES]), z.literal('{type}')])
    .describe(
      `one of ${[...MEASUREMENT_TYPES, ...WEATHER_TYPES].join(', ')}, or "{type}" for that level of the topic`,
    ),
  minutes: z
    .union([
      z.number().int().min(1).max(MAX_RAIN_MINUTES),
      z.strictObject({ path: path(), scale: z.number().optional() }),
    ])
    .optional()
    .describe('of rain: the minutes until the time in which it fell, or { "path": …, "scale": … }'),
  isPotential: z
    .boolean()
    .optional()
    .describe('of tensio: true for a water potential, whose minus sign is left out'),
  isDayTotal: z.boolean().optional().describe('of rain: true for the total since midnight'),
  isRunningTotal: z
    .boolean()
    .optional()
    .describe('of rain: true for a total that rises until the gauge starts again from 0'),
  depth: z
    .union([
      z.number().min(0).max(10_000),
      z.literal('{depth}'),
      z.strictObject({ path: path() }),
      z.null(),
    ])
    .optional()
    .describe(
      'a depth in cm, "{depth}" for that level of the topic or for the number in the path "moisture_{depth}", { "path": … }, or null for a sensor without one',
    ),
  channel: z
    .union([z.string().min(1).max(50), z.strictObject({ path: path() })])
    .optional()
    .describe(
      'the input of a device with several sensors ("1", or "{channel}" for the number in the path "soilmoisture{channel}"), each of which is assigned by itself, or { "path": … }',
    ),
  position: z
    .number()
    .int()
    .min(0)
    .max(99)
    .optional()
    .describe('which of the depths of the device it is, from 0 (the default)'),
});

/** Battery of the device itself, shown by get_module_health and "acequia ingest devices". */
const battery = z.strictObject({
  path: path(),
  unit: z.enum(['%', 'V']).describe('one of %, V'),
  scale: z.number().optional().describe('a number that the value is multiplied by (default 1)'),
  channel: value.shape.channel,
});
const batteries = () =>
  z
    .array(battery)
    .max(100)
    .optional()
    .describe('a list of { "path": …, "unit": "%" or "V" }: the battery of the device');

const link = z
  .strictObject({
    each: path().describe('the path of the list of gateways that received the message'),
    gateway: path(),
    rssi: path().optional(),
    snr: path().optional(),
  })
  .describe(
    '{ "each": …, "gateway": …, "rssi": …, "snr": … }: which gateways received the message, and how well',
  );

const readings = z.strictObject({
  preset: z.string().max(100).optional().describe('the name of the preset that has the rule'),
  topic: topic().optional(),
  format: z
    .enum(['json', 'form', 'text'])
    .optional()
    .describe('one of json (the default), form, text'),
  secrets: z
    .array(z.string().max(100))
    .max(20)
    .optional()
    .describe('a list of names in the payload whose values are replaced by a short hash'),
  texts: z
    .record(z.string().max(100))
    .optional()
    .describe('names in the payload that hold JSON as text, each with the name of what it holds'),
  ignore: conditions('where one is met, the sample is ignored'),
  failed: conditions('where one is met, the sample stands for a failed measurement'),
  requires: z
    .array(path())
    .max(20)
    .optional()
    .describe('a list of paths; a sample in which all of them are missing or null is ignored'),
  module: identifier('{module}'),
  device: identifier('{device}'),
  each: z
    .string()
    .max(300)
    .refine((text) => splitListPath(text) !== null)
    .optional()
    .describe(
      'the path of a list of samples, from which their own paths start; "sensors[].data" is each item of data in each item of sensors',
    ),
  time: time(),
  missing: missing(),
  model: z
    .array(path())
    .max(4)
    .optional()
    .describe('a list of paths, of the texts that name the model of the device'),
  readsNamedFields: z
    .boolean()
    .optional()
    .describe('true to read also fields whose names say what they measure, such as "watermark_30"'),
  battery: batteries(),
  link: link.optional(),
  values: z.array(value).max(200).describe('a list of { "path": …, "type": …, "depth": … }'),
});
export type ReadingsRule = z.output<typeof readings>;

const gateways = z.strictObject({
  topic: topic(),
  imei: identifier('{imei}'),
  lastSeen: time().optional(),
  batteryMv: numberPath(),
  level: numberPath(),
  lat: numberPath(),
  lon: numberPath(),
});
export type GatewaysRule = z.output<typeof gateways>;

const depth = () => z.number().min(0).max(10_000);

const deviceTableEntry = z.strictObject({
  module: z.string().min(1).max(200).describe('the uid or the name of a module'),
  depth: depth().optional().describe('a depth in cm'),
  depths: z
    .array(depth())
    .min(1)
    .max(100)
    .optional()
    .describe('a list of depths in cm, of a device with several'),
});
export type DeviceTableEntry = z.output<typeof deviceTableEntry>;

export const deviceTable = z
  .record(deviceTableEntry)
  .describe('devices by their EUI or name: { "70B3D5…": { "module": "North 1", "depth": 30 } }');

/** The part of a rule that all devices of a network share. */
export const presetOfNetwork = z.strictObject({
  title: z.string(),
  broker: z.string().optional(),
  signIn: z.string().optional(),
  /** The path to the output of the decoder of a device. */
  decoded: path(),
  /** The list that has the normalized payload, in the schema of lorawan-devices. */
  normalized: path().optional(),
  /** The path to a field that every uplink has; a network reports more than uplinks. */
  uplink: path(),
  /** Where a person adds the decoder of a device. */
  decoder: z.string(),
  rule: readings.omit({ values: true }),
  /** Reads what the network itself sends about a device, without its measurements. */
  status: readings.optional(),
});
export const presetOfCodec = z.strictObject({
  reads: z.string(),
  battery: batteries(),
  values: z.array(value).min(1),
  /** Measurements that the device kept while it had no connection, each with its own time. */
  stored: z
    .strictObject({ each: z.string(), time: time(), values: z.array(value).min(1) })
    .optional(),
  /** The values of an item of the normalized payload. */
  normalized: z.array(value).optional(),
});

export type NetworkRule = z.output<typeof presetOfNetwork>['rule'];
export type StoredMeasurements = NonNullable<z.output<typeof presetOfCodec>['stored']>;

export const presetOfRules = z.strictObject({
  reads: z.string(),
  broker: z.string().optional(),
  signIn: z.string().optional(),
  rules: z.array(readings).min(1),
});

export const payloadMap = z.strictObject({
  devices: deviceTable.optional(),
  readings: z.array(readings).max(100).optional().describe('a list of topics that carry readings'),
  gateways: z
    .array(gateways)
    .max(100)
    .optional()
    .describe('a list of topics on which gateways report their status'),
});
export type PayloadMap = z.output<typeof payloadMap>;
export type ValueRule = z.output<typeof value>;
export type Condition = NonNullable<ValueRule['ignore']>[number];
/** Turns a number of a payload into the stored one. */
export type Scaling = Pick<ValueRule, 'unit' | 'scale' | 'offset'> &
  Partial<Pick<ValueRule, 'isPotential'>>;
export type TimeRule = z.output<ReturnType<typeof time>>;
