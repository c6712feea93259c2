import { z } from 'zod/v3';
import { ADVICE_REASONS, CONFIDENCES } from '../../domain/advice/probe-advice.ts';
import { field } from '../field.ts';
import { suspectReading, tension } from '../moisture/series.ts';
import { namedSchema } from '../named-schema.ts';
import { instantOutput } from '../shared-fields.ts';

export const adviceQuery = {
  refillPercent: field(
    z.number().min(1).max(100).describe('% of the deficit. Default: its setting.'),
    {
      hint: 'Give a percentage from 1 to 100.',
    },
  ).optional(),
  expectedRainMm: field(
    z.number().min(0).max(300).describe('Rain expected before the next watering.'),
    {
      hint: 'Give millimetres from 0 to 300.',
    },
  ).default(0),
  demandPercent: field(
    z.number().min(10).max(300).describe('Expected drying, % of the last two weeks.'),
    {
      hint: 'Give a percentage from 10 to 300; 100 is the pace of the last two weeks.',
    },
  ).optional(),
};
export type AdviceRequest = z.output<z.ZodObject<typeof adviceQuery>>;

export const advice = namedSchema(
  'WateringAdvice',
  z.strictObject({
    moduleId: z.number().int(),
    time: instantOutput().nullable().describe('Time of the newest moisture.'),
    deficitMm: z.number().nullable().describe('To field capacity, wetted zone.'),
    settings: z
      .strictObject({
        refillPercent: z.number(),
        efficiencyPercent: z.number(),
        leachingPercent: z.number(),
        hoursPerDay: z.number(),
      })
      .nullable()
      .describe('Null without an amount by moisture.'),
    netMm: z.number().nullable().describe('For the roots, whole area.'),
    waterMm: z.number().nullable().describe('To apply, whole area.'),
    durationMin: z.number().nullable(),
    daily: z
      .strictObject({ days: z.number().int(), minutesPerDay: z.number() })
      .nullable()
      .describe('The run time divided into days, by hoursPerDay.'),
    volumeM3: z.number().nullable(),
    daysToStress: z.number().nullable(),
    planned: z.strictObject({
      until: instantOutput(),
      count: z.number().int(),
      waterMm: z.number().nullable().describe('Null where a dose is missing.'),
      nextAt: instantOutput().nullable().describe('In the past while one is running.'),
    }),
    confidence: z.enum(CONFIDENCES),
    reasons: z.array(z.enum(ADVICE_REASONS)),
    doubts: z.array(suspectReading),
    tension: tension.optional().describe('Present for a tensiometer.'),
  }),
);
export type AdviceBody = z.output<typeof advice>;
