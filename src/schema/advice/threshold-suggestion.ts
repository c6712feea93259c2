import { z } from 'zod/v3';
import { withExample } from '../field.ts';
import { namedSchema } from '../named-schema.ts';
import { instantOutput } from '../shared-fields.ts';

export const thresholdSuggestion = namedSchema(
  'ThresholdSuggestion',
  z.strictObject({
    moduleId: withExample(z.number().int(), 1),
    fieldCapacity: z
      .number()
      .nullable()
      .describe('Median of wettings, %; null for fewer than three.'),
    doubt: z
      .enum(['noMoisture', 'tooLow', 'tooWide'])
      .nullable()
      .describe('Why it should not be drawn.'),
    least: withExample(z.number().nullable().describe('Lowest of the wettings, %.'), 30.1),
    most: withExample(z.number().nullable(), 31.2),
    stressPoint: withExample(
      z.number().nullable().describe('Stress point that would follow, %.'),
      22.15,
    ),
    inForce: withExample(z.number().nullable().describe('Field capacity in force, %.'), 27.96),
    wettings: z
      .array(z.strictObject({ time: instantOutput(), value_vwc: z.number() }))
      .describe('At the deepest slice, newest first, with the median 24 to 48 h later.'),
    unused: z.strictObject({
      wateredAgain: withExample(z.number().int(), 4),
      tooRecent: withExample(z.number().int(), 0),
      gaps: withExample(z.number().int(), 1),
    }),
  }),
);
export type ThresholdSuggestionBody = z.output<typeof thresholdSuggestion>;
