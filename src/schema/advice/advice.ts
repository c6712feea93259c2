import { z } from 'zod/v3';
import { QUALITY_FLAGS } from '../../domain/moisture/suspect-readings.ts';
import { field } from '../field.ts';
import { suspectReading, tension } from '../moisture/series.ts';
import { namedSchema } from '../named-schema.ts';
import { instantOutput } from '../shared-fields.ts';

export const CONFIDENCES = ['complete', 'partial', 'insufficient'] as const;

const ADVICE_REASONS = [
  'NO_SOIL_MOISTURE',
  'NO_DATA',
  'STALE_DATA',
  'UNCONFIRMED_WATERING',
  'RECENT_WATERING',
  ...QUALITY_FLAGS,
  'RECENT_RAIN',
  'EXPECTED_RAIN',
  'EXPECTED_DEMAND',
  'NO_DRY_LEVEL',
  'TENSION_ONLY',
  'NO_SOIL_PROFILE',
  'FIELD_CAPACITY_ESTIMATED',
  'NO_INSTALLATION',
  'MISSING_FLOW_RATE',
  'MISSING_IRRIGATED_AREA',
  'GAPS',
  'NO_ROOT_DEPTH',
  'SLICE_WITHOUT_VALUE',
  'DEPTH_WITHOUT_LAYER',
  'DEFAULT_FRACTION_WETTED',
  'LONGER_THAN_A_DAY',
  'DAILY_LIMIT_TOO_SHORT',
  'NO_STRESS_POINT',
  'THRESHOLDS_CROSSED',
  'FEW_DRY_DAYS',
  'NOT_DRYING',
] as const;
export type AdviceReason = (typeof ADVICE_REASONS)[number];

/**
 * Reasons to check before watering: recent water that sensors do not show yet, or a faulty sensor.
 */
export const CHECK_REASONS = [
  'UNCONFIRMED_WATERING',
  'RECENT_WATERING',
  ...QUALITY_FLAGS,
] as const satisfies readonly AdviceReason[];

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
