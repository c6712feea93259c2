import { z } from 'zod/v3';
import { field } from '../field.ts';
import { MAX_DEPTH_CM } from '../moisture/probe-settings.ts';
import { namedSchema } from '../named-schema.ts';
import { instantOutput, moduleRef } from '../shared-fields.ts';

export const MAX_DEVICE_NAME = 250;

const deviceReading = z.strictObject({
  type: z.string(),
  depth: z.number().nullable().describe('cm; null where the device does not name it.'),
  value: z.number(),
});

export const listedDevice = namedSchema(
  'Device',
  z.strictObject({
    device: z.string().describe('Its sender: an EUI-64 or a name.'),
    moduleId: z.number().int().nullable().describe('Null until it is assigned.'),
    module: z.string().nullable(),
    depths: z.array(z.number()).describe('cm, from the top.'),
    lastSeenAt: instantOutput().nullable().describe('Null if it has not sent yet.'),
    batteryPercent: z.number().nullable(),
    batteryV: z.number().nullable(),
    gateway: z.string().nullable().describe('EUI-64 of the gateway that received it best.'),
    rssi: z.number().nullable().describe('Signal strength at the receiver in dBm.'),
    snr: z.number().nullable().describe('Signal-to-noise ratio at the receiver in dB.'),
    storedUnassigned: z.number().int().describe('Readings that are stored until it is assigned.'),
    newest: z.array(deviceReading).describe('Of these, the newest of each kind.'),
    payload: z.string().nullable().describe('The last one, shortened; null once it is assigned.'),
  }),
);
export type ListedDevice = z.output<typeof listedDevice>;

const MAX_LISTED = 10_000;

export const deviceQuery = {
  isAssigned: z.boolean().describe('Only those that are assigned, or that are not.').optional(),
  limit: field(z.number().int().min(1).max(MAX_LISTED).describe('Rows at most.'), {
    code: 'invalid_limit',
    hint: `Give a number from 1 to ${MAX_LISTED}.`,
  }).default(1_000),
};

export const deviceAssignment = {
  device: z
    .string()
    .min(1)
    .max(MAX_DEVICE_NAME)
    .describe('EUI-64 or name, which need not have sent yet.'),
  moduleId: moduleRef(),
  depths: z
    .array(z.number().min(0).max(MAX_DEPTH_CM))
    .max(100)
    .describe('Of its sensors in cm, from the top. May be left out if the module has one depth.')
    .default([]),
  replaces: z
    .string()
    .max(MAX_DEVICE_NAME)
    .describe('The device that measured there until now; it is assigned no longer.')
    .optional(),
};

export const assignedDevice = namedSchema(
  'AssignedDevice',
  z.strictObject({
    device: z.string(),
    moduleId: z.number().int(),
    module: z.string(),
    depths: z.array(z.number()),
    earlierReadings: z
      .number()
      .int()
      .describe('Readings that it sent before, which are written now.'),
  }),
);
export type AssignedDevice = z.output<typeof assignedDevice>;
