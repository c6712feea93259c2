import { z } from 'zod/v3';
import { field, withExample } from '../field.ts';
import { watering, wateringWitness } from '../irrigation/watering.ts';
import { agronomicState, moistureSeries } from '../moisture/series.ts';
import { dateOutput, instantOutput, periodQuery } from '../shared-fields.ts';

const CHART_VIEWS = ['summary', 'depths'] as const;
export type MoistureChartView = (typeof CHART_VIEWS)[number];

const CHART_THEMES = ['light', 'dark'] as const;
export type ChartTheme = (typeof CHART_THEMES)[number];

export const chartQuery = {
  ...periodQuery(7),
  view: z
    .enum(CHART_VIEWS)
    .describe('One curve, or one per depth. Default summary.')
    .default('summary'),
  theme: field(z.enum(CHART_THEMES).describe('Background. Default light.'), {
    isUnlisted: true,
  }).default('light'),
};

export const moistureChart = z.strictObject({
  moduleId: z.number().int(),
  start: instantOutput(),
  end: instantOutput(),
  view: z.enum(CHART_VIEWS),
  theme: z.enum(CHART_THEMES),
  series: moistureSeries,
  newest: z
    .strictObject({
      value: z.number(),
      depths: z.array(z.strictObject({ depth: z.number(), value: z.number() })),
    })
    .nullable()
    .describe('Newest reading, if it is in the period.'),
  state: agronomicState,
  alerts: z.array(z.number()).describe('Thresholds in force, %.'),
  waterings: z.array(watering).describe('Of the period, in order, without skipped ones.'),
  witness: z.array(wateringWitness).optional().describe('Who saw those that were done.'),
  rain: z
    .array(
      z.strictObject({
        day: withExample(dateOutput().describe('Local day on which it counts.'), '2026-06-30'),
        startedAt: withExample(
          instantOutput().nullable().describe('Null: of the whole day.'),
          '2026-06-30T16:00:00.000Z',
        ),
        endedAt: withExample(instantOutput().nullable(), '2026-07-01T03:00:00.000Z'),
        mm: withExample(z.number(), 14.5),
      }),
    )
    .describe('Of the local days of the period, in order, as it counts for the parcel.'),
});
export type MoistureChartBody = z.output<typeof moistureChart>;
export type ChartedRainBody = MoistureChartBody['rain'][number];

export const shownMoisture = z.strictObject({
  moduleId: z.number().int(),
  start: instantOutput(),
  end: instantOutput(),
  series: moistureSeries,
  state: agronomicState,
});
export type ShownMoistureBody = z.output<typeof shownMoisture>;
