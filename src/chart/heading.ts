import { readingAge } from '../domain/moisture/coverage.ts';
import {
  formatBucketLength,
  formatChartAge,
  formatChartPeriod,
  formatChartValue,
} from '../language/advice/chart-labels.ts';
import { languageOf } from '../language/index.ts';
import { singleLine } from '../language/text.ts';
import { type ChartLayout, FRAME, TEXT_SIZES } from './layout.ts';
import type { ChartLine } from './lines.ts';
import type { MoistureChart } from './moisture-chart.ts';
import type { Mark } from './scene.ts';
import { truncateText } from './text.ts';

const HEADING_WIDTH = FRAME.width - 2 * FRAME.margin;

export function chartTitle({ name, parcel }: MoistureChart): string {
  if (parcel === null) return truncateText(singleLine(name), TEXT_SIZES.title, HEADING_WIDTH);
  const short = truncateText(singleLine(name), TEXT_SIZES.title, HEADING_WIDTH * 0.62);
  return truncateText(`${short} · ${singleLine(parcel)}`, TEXT_SIZES.title, HEADING_WIDTH);
}

export function chartSubtitle(chart: MoistureChart, lines: readonly ChartLine[]): string {
  const words = languageOf(chart.lang).chartLabels;
  const period = formatChartPeriod(chart.start, chart.end, chart.zone, words);
  return truncateText([period, ...lastValueParts(chart, lines)].join('  ·  '), TEXT_SIZES.subtitle, HEADING_WIDTH);
}

export function headingMarks({ chart, colours }: ChartLayout, lines: readonly ChartLine[]): Mark[] {
  const { margin: x } = FRAME;
  return [
    { kind: 'text', lines: [chartTitle(chart)], x, y: 28, fill: colours.text, size: TEXT_SIZES.title },
    { kind: 'text', lines: [chartSubtitle(chart, lines)], x, y: 58, fill: colours.muted, size: TEXT_SIZES.subtitle },
  ];
}

function lastValueParts(chart: MoistureChart, [line]: readonly ChartLine[]): string[] {
  const words = languageOf(chart.lang).chartLabels;
  const { newestAt, newestValue, intervalMs, measure } = chart;
  if (newestAt === null) return [words.neverSent];
  const { ageMs, isFresh } = readingAge(newestAt, chart.now);
  const ageParts = isFresh ? [] : [words.withAge(formatChartAge(ageMs, words))];
  const last = chart.view === 'summary' ? line?.segments.at(-1)?.at(-1) : undefined;
  if (last === undefined) {
    const isNewestBefore = chart.end >= chart.now || newestAt < chart.end;
    return isNewestBefore && !isFresh ? [`${words.newestReading} ${ageParts[0]}`] : [];
  }
  if (newestValue !== null)
    return [[`${words.newest} ${formatChartValue(newestValue, measure, words)}`, ...ageParts].join(', ')];
  const mean = intervalMs === null ? '' : ` (${words.meanOver(formatBucketLength(intervalMs, words))})`;
  return [`${words.last} ${formatChartValue(last.value, measure, words)}${mean}`];
}
