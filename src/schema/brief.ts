import { z } from 'zod';
import { MISSING_DOSE_REASONS } from '../domain/irrigation/dose.ts';
import { type AdviceReason, CONFIDENCES } from './advice.ts';
import { instantOutput } from './field.ts';
import { namedSchema } from './named-schema.ts';

const probe = { moduleId: z.number().int(), name: z.string().nullable() };
const event = { eventId: z.number().int(), ...probe, startedAt: instantOutput() };

/** Reasons to check before watering: recent water that sensors do not show yet, or a faulty sensor. */
export const CHECK_REASONS = [
  'UNCONFIRMED_WATERING',
  'RECENT_WATERING',
  'TOO_DRY_FOR_SOIL',
] as const satisfies readonly AdviceReason[];

export const brief = namedSchema(
  'MorningBrief',
  z.strictObject({
    time: instantOutput(),
    modules: z.number().int().describe('Number of probes and stations.'),
    needsWater: z.array(
      z.strictObject({
        ...probe,
        waterMm: z.number().nullable().describe('Over the whole area.'),
        durationMin: z.number().nullable(),
        daysToStress: z.number().nullable(),
        confidence: z.enum(CONFIDENCES),
        plannedMm: z.number().nullable().describe('Planned until midnight; null where a dose is missing.'),
      }),
    ),
    checkFirst: z
      .array(z.strictObject({ ...probe, daysToStress: z.number().nullable(), reason: z.enum(CHECK_REASONS) }))
      .describe('Dry, but uncertain: check or ask before watering.'),
    unjudged: z.array(z.strictObject(probe)).describe('No stress point is known.'),
    alerts: z
      .array(
        z.strictObject({
          alertId: z.string(),
          ...probe,
          since: instantOutput().nullable(),
          value_vwc: z.number().nullable().describe('Newest, %.'),
          time: instantOutput().nullable(),
          threshold: z.string().describe('%.'),
        }),
      )
      .describe('Firing.'),
    silent: z
      .strictObject({
        modules: z.array(z.strictObject({ ...probe, lastAt: instantOutput().nullable() })),
        gateways: z.array(
          z.strictObject({
            gatewayId: z.number().int(),
            imei: z.string(),
            lastSeen: instantOutput().nullable(),
            modules: z.number().int().describe('Carried.'),
          }),
        ),
      })
      .describe('For over 25 hours, or never heard from.'),
    toConfirm: z.array(z.strictObject(event)).describe('Planned, past, of the last 14 days.'),
    missingDoses: z.array(
      z.strictObject({
        ...probe,
        count: z.number().int(),
        missing: z.enum(MISSING_DOSE_REASONS).describe('The commonest reason.'),
      }),
    ),
    schedule: z
      .array(
        z.strictObject({
          ...event,
          durationMin: z.number().int().nullable(),
          waterMm: z.number().nullable(),
        }),
      )
      .describe('Planned: under way, or in the next 48 hours.'),
    leftOut: z.strictObject({
      needsWater: z.number().int(),
      checkFirst: z.number().int(),
      unjudged: z.number().int(),
      alerts: z.number().int(),
      silentModules: z.number().int(),
      silentGateways: z.number().int(),
      toConfirm: z.number().int(),
      missingDoses: z.number().int(),
      schedule: z.number().int(),
    }),
  }),
);
export type BriefBody = z.output<typeof brief>;
