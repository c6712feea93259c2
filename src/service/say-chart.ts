import type { Lang } from '../domain/lang.ts';
import type { Saying } from '../operation/call.ts';
import type { MoistureChartBody } from '../schema/chart.ts';
import type { ChartWords } from './chart-words.ts';
import { englishCharts } from './chart-words-en.ts';
import { frenchCharts } from './chart-words-fr.ts';
import { sayAmount, sayNumber } from './say-figures.ts';
import { saySeries } from './say-series.ts';

const WORDS: Record<Lang, ChartWords> = { en: englishCharts, fr: frenchCharts };

/** What the picture shows, for who cannot see it. */
export async function sayChart(chart: MoistureChartBody, call: Saying): Promise<string> {
  const { series, moduleId } = chart;
  const said = await saySeries(series, { ...call, remarks: [] }, { moduleId, type: series.type });
  return [said, ...sayLevels(chart, call), sayWaterings(chart, call), ...call.remarks].join(' ');
}

function sayLevels({ series, state, alerts }: MoistureChartBody, { lang }: Saying): string[] {
  if (series.type !== 'humidity') return [];
  const figure = (value: number | null): string | null => (value === null ? null : sayNumber(value, lang));
  const stressPoint = figure(state.stressPoint);
  const fieldCapacity = figure(state.fieldCapacity);
  if (stressPoint === null && fieldCapacity === null && alerts.length === 0) return [];
  return [WORDS[lang].levels({ stressPoint, fieldCapacity, alerts: alerts.map((each) => sayNumber(each, lang)) })];
}

function sayWaterings({ waterings }: MoistureChartBody, { lang }: Saying): string {
  const done = waterings.filter(({ status }) => status === 'done');
  const unknown = waterings.filter(({ waterMm }) => waterMm === null).length;
  const sum = done.reduce((total, { waterMm }) => total + (waterMm ?? 0), 0);
  return WORDS[lang].waterings(done.length, sayAmount(sum, lang), waterings.length - done.length, unknown);
}
