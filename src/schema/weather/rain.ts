import { z } from 'zod/v3';
import { acceptedRange, maximum } from '../../domain/text/figures.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { field, withExample } from '../field.ts';
import { namedSchema } from '../named-schema.ts';
import {
  dateOutput,
  instantOutput,
  localPeriodField,
  moduleRef,
  noteField,
  parcelRef,
} from '../shared-fields.ts';

export const RAIN_SOURCES = ['gauge', 'import', 'manual', 'api', 'mcp'] as const;
export type RainSource = (typeof RAIN_SOURCES)[number];

/**
 * More than ever fell in a day where crops are irrigated; a larger figure has lost its decimal
 * point.
 */
export const MAX_RAIN_MM = 500;

export const rain = namedSchema(
  'Rain',
  z.strictObject({
    id: withExample(z.number().int(), 1),
    parcelId: z.number().int().nullable().describe('Null: the whole farm.'),
    moduleId: z.number().int().nullable().describe('Station with the gauge.'),
    day: withExample(dateOutput().describe('Local day on which it counts.'), '2026-06-30'),
    startedAt: withExample(
      instantOutput().nullable().describe('Null: a whole day.'),
      '2026-06-30T16:00:00.000Z',
    ),
    endedAt: withExample(instantOutput().nullable(), '2026-07-01T03:00:00.000Z'),
    mm: withExample(z.number().describe('Rain in mm; 0 for a deleted record.'), 14.5),
    source: z.enum(RAIN_SOURCES),
    note: withExample(z.string().nullable(), 'Gauge at the gate'),
  }),
);
export type RainBody = z.output<typeof rain>;

export const rainAnswer = namedSchema('RainAnswer', z.strictObject({ rain }));
export type RainAnswer = z.output<typeof rainAnswer>;

/** Rain of one place with records, without what would count twice. */
export const rainTotal = z.strictObject({
  parcelId: z.number().int().nullable(),
  mm: withExample(z.number(), 14.5),
  days: withExample(z.number().int(), 1),
});
export type RainTotal = z.output<typeof rainTotal>;

const mmField = (minimum: z.ZodNumber, description: string, restDescription: string, hint: Text) =>
  field(minimum.max(MAX_RAIN_MM).describe(description), {
    unit: 'mm',
    isRain: true,
    words: 'amount of rain',
    restDescription,
    code: 'INVALID_RAIN',
    hint,
  });

const whenField = (description: string) =>
  localPeriodField(description, {
    code: 'INVALID_RAIN_TIME',
    words: 'time',
    hint: say`Give a day, a part of it or an hour, in local time: "last night", "yesterday", "2026-07-01", "2026-07-01 18:30".`,
    restDescription:
      'A local day (2026-07-01), an instant, or start and end with a slash between them; ISO 8601, without an offset local time of the company.',
  });

export const rainEntry = {
  mm: mmField(
    z.number().positive(),
    'Amount: 12 mm, 1/2 inch.',
    'Rain in mm.',
    say`Give what the gauge showed, above 0, up to ${maximum(MAX_RAIN_MM, 'mm')}; ask.`,
  ),
  when: whenField('15 July: total of that day; today 06:00: adds up.'),
  parcelId: parcelRef({ description: 'Default the whole farm.', replacesModule: false }).optional(),
  moduleId: moduleRef({
    restDescription: 'Station whose gauge measured it.',
    isUnlisted: true,
  }).optional(),
  note: noteField().optional(),
};

export const rainCorrection = {
  mm: mmField(
    z.number().min(0),
    '12 mm, 1/2 inch; 0 deletes it.',
    'Rain in mm; 0 deletes it.',
    say`Give ${acceptedRange([0, MAX_RAIN_MM], 'mm')}; 0 deletes the record.`,
  ).optional(),
  when: whenField('15 July; today 06:00.').optional(),
  note: noteField({ isRestOnly: true }).optional(),
};
