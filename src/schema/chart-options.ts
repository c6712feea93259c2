/** What a chart shows: one weighted curve, or one for each depth. */

export const CHART_VIEWS = ['summary', 'depths'] as const;
export type ChartView = (typeof CHART_VIEWS)[number];
/** What a curve can show; the humidity of a station is that of the air. */

export type ChartMeasure = 'moisture' | 'air_humidity' | 'temperature' | 'tension';
/** What a picture is drawn on. */
export const CHART_THEMES = ['light', 'dark'] as const;
export type ChartTheme = (typeof CHART_THEMES)[number];
export type BarPeriod = (typeof BAR_PERIODS)[number];
/** What one bar stands for: a watering, or all of a local day, week or month where single ones would run into each other. */

export const BAR_PERIODS = ['each', 'day', 'week', 'month'] as const;
