import { z } from 'zod/v3';
import { namedSchema } from '../named-schema.ts';
import { instantOutput } from '../shared-fields.ts';

export const thresholdSuggestion = namedSchema(
  'ThresholdSuggestion',
  z.strictObject({
    moduleId: z.number().int(),
    fieldCapacity: z
      .number()
      .nullable()
      .describe('Median of wettings, %; null for fewer than three.'),
    doubt: z
      .enum(['noMoisture', 'tooLow', 'tooWide'])
      .nullable()
      .describe('Why it should not be drawn.'),
    least: z.number().nullable().describe('Lowest of the wettings, %.'),
    most: z.number().nullable(),
    stressPoint: z.number().nullable().describe('Stress point that would follow, %.'),
    inForce: z.number().nullable().describe('Field capacity in force, %.'),
    wettings: z
      .array(z.strictObject({ time: instantOutput(), value_vwc: z.number() }))
      .describe('At the deepest slice, newest first, with the median 24 to 48 h later.'),
    unused: z.strictObject({
      wateredAgain: z.number().int(),
      tooRecent: z.number().int(),
      gaps: z.number().int(),
    }),
  }),
);
export type ThresholdSuggestionBody = z.output<typeof thresholdSuggestion>;
