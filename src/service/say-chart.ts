import type { Lang } from '../domain/lang.ts';
import type { Saying } from '../operation/call.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { MoistureChartBody } from '../schema/chart.ts';
import type { ChartWords } from './chart-words.ts';
import { englishCharts } from './chart-words-en.ts';
import { frenchCharts } from './chart-words-fr.ts';
import { namesOf } from './moisture-chart.ts';
import { sayAmount, sayNumber } from './say-figures.ts';
import { saySeries } from './say-series.ts';

const WORDS: Record<Lang, ChartWords> = { en: englishCharts, fr: frenchCharts };

/** So many waterings are told one by one. */
const MOST_BARS = 6;

/** What the picture shows, for who cannot see it. */
export async function sayChart(chart: MoistureChartBody, call: Saying): Promise<string> {
  const { series, moduleId } = chart;
  const said = await saySeries(series, { ...call, remarks: [] }, { moduleId, type: series.type });
  return [
    said,
    ...(await sayPlace(chart, call)),
    ...sayDepths(chart, call),
    ...sayLevels(chart, call),
    sayWaterings(chart, call),
    ...sayBars(chart, call),
    ...call.remarks,
  ].join(' ');
}

/** Where it stands, and which name the picture could not show. */
async function sayPlace(chart: MoistureChartBody, call: Saying): Promise<string[]> {
  const words = WORDS[call.lang];
  const { name, parcel } = await namesOf(chart, call);
  const undrawn = [name, parcel].flatMap((each) => (each === null || each.name === each.drawn ? [] : [each]));
  return [
    ...(parcel === null ? [] : [words.parcel(parcel.name)]),
    ...undrawn.map((each) => words.undrawn(each.name, each.drawn)),
  ];
}

/** The last value of each depth, where there are several. */
function sayDepths({ series }: MoistureChartBody, { lang }: Saying): string[] {
  if (series.type !== 'humidity') return [];
  const values = (series.sensors ?? []).flatMap(({ depth, values: found }) => {
    const last = found.findLast((value) => value !== null);
    return depth === null || last == null ? [] : [{ depth, value: sayAmount(last, lang) }];
  });
  return values.length < 2 ? [] : [WORDS[lang].depths(values)];
}

function sayBars({ waterings }: MoistureChartBody, { lang, zone, now }: Saying): string[] {
  if (waterings.length === 0) return [];
  const newest = waterings.toReversed().slice(0, MOST_BARS);
  const bars = newest.map(({ startedAt, waterMm, status }) => ({
    at: sayInstant(Date.parse(startedAt), zone, now, lang),
    mm: waterMm === null ? null : sayAmount(waterMm, lang),
    isPlanned: status === 'planned',
  }));
  return [WORDS[lang].bars(bars, waterings.length - newest.length, zone)];
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
