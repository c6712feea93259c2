import { z } from 'zod/v3';
import { REVIEW_OUTCOMES } from '../../domain/advice/review/credited-watering.ts';
import { UNSEEN_REASONS, WITNESSES } from '../../domain/advice/witness/witness.ts';
import { withExample } from '../field.ts';
import { namedSchema } from '../named-schema.ts';
import { instantOutput, periodQuery, unlistedLimitField } from '../shared-fields.ts';
import { unseenFields } from './advice.ts';

export const reviewQuery = {
  ...periodQuery(14),
  limit: unlistedLimitField().default(50),
};

const depthResponse = z.strictObject({
  depth: withExample(z.number(), 10),
  riseVwc: withExample(z.number().nullable().describe('Points; null without data.'), 4),
  fallTensio: z.number().nullable().optional().describe('kPa.'),
  startsAfterMin: z
    .number()
    .int()
    .nullable()
    .describe('From the start of the watering or its group.'),
  peaksAfterMin: withExample(z.number().int().nullable(), 100),
});

const reviewedWatering = z.strictObject({
  eventId: withExample(z.number().int(), 108),
  groupOf: z
    .number()
    .int()
    .nullable()
    .describe('First event of the pulses that are assessed together.'),
  startedAt: withExample(instantOutput(), '2026-07-11T04:05:00.000Z'),
  waterMm: withExample(z.number().nullable(), 3.733),
  waterMmWetted: withExample(z.number().nullable(), 10.667),
  netMmWetted: withExample(z.number().nullable().describe('For the roots, wetted zone.'), 10.667),
  response: z.enum(REVIEW_OUTCOMES),
  witness: z.enum(WITNESSES).nullish().describe('Who saw it, as in the list of waterings.'),
  unseen: z.enum(UNSEEN_REASONS).nullish(),
  deepestCm: withExample(z.number().nullable(), 40),
  riseMm: z
    .number()
    .nullable()
    .describe('Gained by the slices, wetted zone; for a group, on its first event.'),
  deeperFirst: z.boolean().nullish().describe('Before the top sensor.'),
  depths: z.array(depthResponse),
});
export type ReviewedWateringBody = z.output<typeof reviewedWatering>;

const LIKELY_SOURCES = ['watering', 'rain', 'unknown'] as const;

const unloggedWettingEvent = z.strictObject({
  start: instantOutput(),
  end: instantOutput(),
  depths: z.array(z.number()).describe('Depths that got wetter, in cm.'),
  riseMm: z.number().nullable().describe('Water gained in the wetted zone, in mm.'),
  waterMm: z
    .number()
    .nullable()
    .describe('Rough, whole area; if the source is unknown, as irrigation.'),
  likely: z.enum(LIKELY_SOURCES).describe('A hint, not proof.'),
  roseElsewhere: z
    .boolean()
    .nullable()
    .describe('Most other parcels too: rain, or all were watered.'),
  plannedEventId: z.number().int().nullable().describe('Planned for then, not confirmed.'),
  rainMm: z
    .number()
    .nullable()
    .optional()
    .describe('Recorded for then; likely is rain where it is enough.'),
  isMistimed: z.boolean().optional().describe('It is of doubted waterings.'),
});
export type UnloggedWettingEventBody = z.output<typeof unloggedWettingEvent>;

export const review = namedSchema(
  'WateringReview',
  z.strictObject({
    moduleId: withExample(z.number().int(), 1),
    start: withExample(instantOutput(), '2026-07-10T00:00:00.000Z'),
    end: withExample(instantOutput(), '2026-07-14T10:00:00.000Z'),
    waterings: z.array(reviewedWatering).describe('Waterings done, newest first.'),
    unlogged: z
      .array(unloggedWettingEvent)
      .describe('Wetting events without a logged watering, newest first.'),
    ...unseenFields,
    earlyWaterings: z
      .strictObject({ startedAt: z.array(instantOutput()), hours: z.number().int() })
      .optional(),
    leftOut: z.strictObject({ waterings: z.number().int(), unlogged: z.number().int() }),
  }),
);
export type ReviewBody = z.output<typeof review>;
