import { z } from 'zod/v3';
import { operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { field, withExample } from '../field.ts';
import { MAX_DEPTH_CM } from '../moisture/setting-fields.ts';
import { namedSchema } from '../named-schema.ts';
import { instantField, instantOutput, moduleRef } from '../shared-fields.ts';
import { textList } from '../text-list.ts';

export const MAX_DEVICE_NAME = 250;

const deviceReading = z.strictObject({
  type: withExample(z.string(), 'humidity'),
  depth: z.number().nullable().describe('cm; null where the device does not name it.'),
  value: withExample(z.number(), 24),
});

export const listedDevice = namedSchema(
  'Device',
  z.strictObject({
    device: withExample(
      z.string().describe('Its sender: an EUI-64 or a name.'),
      'A84041FFFF181F0D',
    ),
    moduleId: z.number().int().nullable().describe('Null until it is assigned.'),
    module: z.string().nullable(),
    depths: z.array(z.number()).describe('cm, from the top.'),
    lastSeenAt: withExample(
      instantOutput().nullable().describe('Null if it has not sent yet.'),
      '2026-07-01T06:00:00.000Z',
    ),
    batteryPercent: z.number().nullable(),
    batteryV: withExample(z.number().nullable(), 3.625),
    gateway: withExample(
      z.string().nullable().describe('EUI-64 of the gateway that received it best.'),
      '24E124FFFEF5B1A2',
    ),
    rssi: withExample(
      z.number().nullable().describe('Signal strength at the receiver in dBm.'),
      -97,
    ),
    snr: withExample(
      z.number().nullable().describe('Signal-to-noise ratio at the receiver in dB.'),
      7.5,
    ),
    storedUnassigned: withExample(
      z.number().int().describe('Readings that are stored until it is assigned.'),
      2,
    ),
    newest: z.array(deviceReading).describe('Of these, the newest of each kind.'),
    payload: withExample(
      z.string().nullable().describe('The last one, shortened; null once it is assigned.'),
      '{"end_device_ids":{"device_id":"soil-1"}}',
    ),
  }),
);
export type ListedDevice = z.output<typeof listedDevice>;

export const listedUnreadMessage = namedSchema(
  'UnreadMessage',
  z.strictObject({
    sender: withExample(
      z.string().describe('The device, or else the preset, map or topic it came by.'),
      'A84041FFFF181F0D',
    ),
    via: withExample(
      z.string().nullable().describe('The preset or map of a webhook, or the topic.'),
      'ttn/dragino-lse01',
    ),
    receivedAt: withExample(instantOutput(), '2026-07-01T06:00:00.000Z'),
    reason: withExample(z.string(), 'the message has no decoded_payload'),
    payload: withExample(
      z.string().nullable().describe('Shortened; null where it may hold a secret.'),
      '{"end_device_ids":{"device_id":"soil-1"}}',
    ),
  }),
);
export type ListedUnread = z.output<typeof listedUnreadMessage>;

const MAX_LISTED = 10_000;

export const deviceQuery = {
  isAssigned: field(z.boolean().describe('false: without a probe.'), {
    words: 'choice whether it is assigned',
    isUnlisted: true,
  }).optional(),
  limit: field(z.number().int().min(1).max(MAX_LISTED).describe('Rows.'), {
    isUnlisted: true,
    code: 'invalid_limit',
    words: 'number of rows',
    hint: say`Give a number from 1 to ${MAX_LISTED}.`,
  }).default(1_000),
};

/** One text may name several, separated by semicolons. */
const fieldTexts = () =>
  z.preprocess((value) => (typeof value === 'string' ? [value] : value), textList('field'));

export const deviceAssignment = {
  device: field(z.string().min(1).max(MAX_DEVICE_NAME).describe('EUI-64 or name.'), {
    hint: say`Give its EUI-64 or name, as ${operationName('list_devices')} and "acequia ingest devices" list it.`,
  }),
  moduleId: moduleRef(),
  depths: field(
    z
      .array(field(z.number().min(0).max(MAX_DEPTH_CM), { words: 'depth', plainUnit: 'cm' }))
      .max(100)
      .describe('cm, shallowest first. Default the only one.'),
    { words: 'list of depths' },
  ).default([]),
  fields: field(
    fieldTexts().describe('Unknown fields: soil1 = moisture 20 cm %; t = temperature air.'),
    { words: 'list of fields' },
  ).optional(),
  replaces: field(z.string().max(MAX_DEVICE_NAME).describe('Sender it replaces.'), {
    words: 'device that it replaces',
  }).optional(),
  since: instantField('Counts from; if moved: now.', { words: 'start' }).optional(),
};

export const assignedDevice = namedSchema(
  'AssignedDevice',
  z.strictObject({
    device: withExample(z.string(), 'A84041FFFF181F0D'),
    moduleId: withExample(z.number().int(), 1),
    module: withExample(z.string(), 'North 1'),
    depths: z.array(z.number()),
    fields: withExample(
      z.array(z.string()).describe('What its fields measure, as it was chosen.'),
      ['soil_moist = moisture 30 cm %'],
    ),
    earlierReadings: z
      .number()
      .int()
      .describe('Readings that it sent before, which are written now.'),
  }),
);
export type AssignedDevice = z.output<typeof assignedDevice>;
