import { z } from 'zod/v3';
import { MEASUREMENT_TYPES } from '../../domain/moisture/series.ts';

/** Maps broker messages to readings and gateway statuses. Descriptions complete error messages. */

const PATH_DESCRIPTION =
  'names separated by dots, numbers for items of a list ("data.soil.0"), or "" for the payload itself';

const path = () => z.string().max(300).describe(PATH_DESCRIPTION);

const topic = () =>
  z
    .string()
    .max(300)
    .refine(isTopic)
    .describe('a topic with named levels, such as "farm/{module}/soil"; + is any level, # at the end all that follow');

/** In MQTT a wildcard is one whole level; so is a name here. */
function isTopic(text: string): boolean {
  const levels = text.split('/');
  const named = levels.filter((level) => level.startsWith('{'));
  const isLevel = (level: string, at: number): boolean =>
    /^(\{[A-Za-z]\w*\}|\+|[^+#{}]*)$/.test(level) || (level === '#' && at === levels.length - 1);
  return text !== '' && levels.every(isLevel) && new Set(named).size === named.length;
}

const scaledPath = {
  path: path(),
  scale: z.number().optional().describe('a number that the value is multiplied by (default 1)'),
  offset: z.number().optional().describe('a number that is then added (default 0)'),
};

const numberPath = () =>
  z.strictObject(scaledPath).optional().describe('{ "path": …, "scale": …, "offset": … }: the path of a number');

const time = () =>
  z
    .union([
      z.literal('arrival'),
      z.strictObject({ path: path(), unit: z.enum(['iso', 's', 'ms']).describe('one of iso, s, ms') }),
    ])
    .describe('{ "path": …, "unit": "iso", "s" or "ms" since 1970 }, or "arrival"');

const identifier = (level: string) =>
  z
    .union([z.string().min(1).max(200), z.strictObject({ path: path() })])
    .optional()
    .describe(`a text with named levels of the topic ("${level}" by default), or { "path": … }`);

const value = z.strictObject({
  ...scaledPath,
  type: z
    .union([z.enum(MEASUREMENT_TYPES), z.literal('{type}')])
    .describe(`one of ${MEASUREMENT_TYPES.join(', ')}, or "{type}" for that level of the topic`),
  depth: z
    .union([z.number().min(0).max(10_000), z.literal('{depth}'), z.null()])
    .optional()
    .describe('a depth in cm, "{depth}" for that level of the topic, or null for a sensor without one'),
});

const readings = z.strictObject({
  topic: topic(),
  module: identifier('{module}'),
  each: path()
    .optional()
    .describe(`the path of a list of samples, from which their own paths start: ${PATH_DESCRIPTION}`),
  time: time(),
  values: z.array(value).min(1).max(200).describe('a list of { "path": …, "type": …, "depth": … }, at least one'),
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

export const mqttMap = z.strictObject({
  readings: z.array(readings).max(100).optional().describe('a list of topics that carry readings'),
  gateways: z.array(gateways).max(100).optional().describe('a list of topics on which gateways report their status'),
});
export type MqttMap = z.output<typeof mqttMap>;
export type ScaledPath = Pick<z.output<typeof value>, 'path' | 'scale' | 'offset'>;
export type TimeRule = z.output<ReturnType<typeof time>>;
