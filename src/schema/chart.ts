import { z } from 'zod';
import { CHART_VIEWS } from '../chart/moisture-chart.ts';
import { CHART_THEMES } from '../chart/theme.ts';
import { instantOutput, periodQuery } from './field.ts';
import { agronomicState, moistureSeries } from './series.ts';
import { watering } from './watering.ts';

/** Query of GET measurements/chart. */
export const chartQuery = {
  ...periodQuery(7),
  view: z.enum(CHART_VIEWS).describe('One weighted curve, or a line a depth. Default summary.').default('summary'),
  theme: z.enum(CHART_THEMES).describe('Background. Default light.').default('light'),
};

/** What a picture of a probe is drawn from: what the single operations say of it, and how it is to be shown. */
export const moistureChart = z.strictObject({
  moduleId: z.number().int(),
  start: instantOutput(),
  end: instantOutput(),
  view: z.enum(CHART_VIEWS),
  theme: z.enum(CHART_THEMES),
  series: moistureSeries,
  state: agronomicState,
  alerts: z.array(z.number()).describe('Thresholds in force, %.'),
  waterings: z.array(watering).describe('Of the period, in order, without skipped ones.'),
});
export type MoistureChartBody = z.output<typeof moistureChart>;
