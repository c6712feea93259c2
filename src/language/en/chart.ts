import { englishCount, englishFormat, englishNoun } from './grammar.ts';
import { englishAxes } from './measurements.ts';

export const englishChartLabels = {
  format: englishFormat,
  measure: englishAxes,
  fieldCapacity: ['Field', 'capacity'],
  stress: ['Stress', 'point'],
  wilting: ['Wilting', 'point'],
  stressAndAlert: ['Stress point', 'and alert'],
  wiltingAndAlert: ['Wilting point', 'and alert'],
  wetLevel: ['Wet', 'level'],
  dryLevel: ['Dry', 'level'],
  alert: ['Alert', 'below'],
  comfort: 'comfort',
  /** The period of one bar. */
  per: { watering: '', day: ' a day', week: ' a week', month: ' a month' },
  watering: (unit: string, per: string) => `watering, ${unit}${per} over the whole area`,
  rain: (unit: string, per: string) => `rain, ${unit}${per}`,
  planned: 'planned',
  localTime: 'Local time',
  now: 'now',
  noData: 'No reading in this period',
  newest: 'newest',
  neverSent: 'no reading yet',
  age: englishFormat.duration,
  meanOver: (length: string) => `mean over ${length}`,
};

/** Labels that the picture of a chart has and the page has not. */
export const englishPictureLabels = {
  /** In place of the whole label where there is little room. */
  shortWatering: (unit: string) => `watering, ${unit}`,
  unknownDose: 'dose unknown',
  assumed: 'assumed',
  /** Replaces a name that the font of a picture cannot draw. */
  parcel: (id: number) => `parcel ${id}`,
  newestReading: 'newest reading',
  last: 'last',
  withAge: (age: string) => `${age} old`,
};

export type ChartSpan = 'day' | 'week' | 'month' | 'season' | 'year';

const times = (count: number): string => englishNoun(count, 'once', `${count} times`);

interface BacktestResultFacts {
  readonly times: number;
  readonly isTruncated: boolean;
  /** "41 hours". */
  readonly timeBelow: string;
  /** "3 months". */
  readonly period: string;
}

interface ViewFacts {
  readonly measure: string;
  readonly period: string;
  readonly lowest: string;
  readonly highest: string;
  readonly last: string;
}

const fired = (alert: string, count: number): string =>
  count === 0 ? `${alert} would never have fired.` : `${alert} would have fired ${times(count)}.`;

export const englishPageChart = {
  spans: { day: '24 h', week: '7 d', month: '30 d', season: '90 d', year: '1 y' },
  spanGroup: 'Period',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  toNow: 'Back to now',
  depths: 'Depths',
  chart: 'chart',
  help: 'Left and right arrows move in time, plus and minus zoom, Shift with an arrow reads the values, End returns to now.',
  view: ({ measure, period, lowest, highest, last }: ViewFacts) =>
    `${measure}, ${period}: from ${lowest} to ${highest}, ${last} at the end.`,
  emptyView: (measure: string, period: string) => `${measure}, ${period}: no reading.`,
  waterings: (count: number, water: string) => `${englishCount(count, 'watering')}, ${water}.`,
  rainSum: (water: string) => `Rain, ${water}.`,
  fired: (count: number) => fired('The alert', count),
  rainAt: (water: string) => `rain ${water}`,
  wateringAt: (water: string, isPlanned: boolean) =>
    `${isPlanned ? 'planned watering' : 'watering'} ${water}`,
  gap: 'no reading',
  episodes: 'would alert',
  failed: 'The chart could not be updated.',

  newAlert: 'New alert',
  lineAt: (line: string, value: string) => `${line}: ${value}`,
  suggested: 'suggested',
  atStressPoint: 'stress point',
  fromSoil: 'from the soil',
  backtest: ({ times: count, isTruncated, timeBelow, period }: BacktestResultFacts) =>
    `In the last ${period} it would ${count === 0 ? 'never have fired' : `have fired ${isTruncated ? `at least ${count} times` : times(count)}, ${timeBelow} below it`}.`,
  activeAlert: (count: number, value: string) => fired(`The alert at ${value}`, count),
  counting: 'Counting…',
  noCount: 'How often it would have fired is not known.',
  movesAlert: 'Its alert moves with it.',
  createsAlert: 'An alert at this level starts with it.',
  stressFollows: (value: string) => `Plants begin to suffer at ${value}.`,
  noSuggestion: 'Too few thorough waterings yet to suggest a field capacity.',
  save: 'Save',
  saved: (line: string, value: string) => `Saved: ${line} ${value}`,
  expected: (value: string, isLimit: boolean) =>
    `In this soil ${isLimit ? 'at most' : 'about'} ${value} would be expected.`,
  keep: 'It is right',
  restored: (line: string, value: string | null) =>
    `Undone: ${line}${value === null ? '' : ` ${value} again`}`,

  table: 'Values as a table',
  tableOf: (period: string) => `Values, ${period}`,
  /** The columns of the table of values. */
  columns: (unit: string) => [
    'From',
    'Mean',
    'Lowest',
    'Highest',
    `Watering, ${unit}`,
    `Rain, ${unit}`,
  ],
  linesTable: 'Lines',
  notes: 'Notes on the curve',
};
