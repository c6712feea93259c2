export const CHART_VIEWS = ['summary', 'depths'] as const;
export type ChartView = (typeof CHART_VIEWS)[number];

export type ChartMeasure = 'moisture' | 'air_humidity' | 'temperature' | 'tension';
export const CHART_THEMES = ['light', 'dark'] as const;
export type ChartTheme = (typeof CHART_THEMES)[number];
export type BarPeriod = (typeof BAR_PERIODS)[number];

export const BAR_PERIODS = ['each', 'day', 'week', 'month'] as const;
