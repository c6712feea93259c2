import type { Lang } from '../../domain/lang.ts';
import { measureOf } from '../../domain/moisture/series.ts';
import type { MoistureChartBody, ShownMoistureBody } from '../../schema/advice/advice.ts';
import type { AgronomicStateBody, TensionBody } from '../../schema/moisture/series.ts';
import { languageOf } from '../index.ts';
import { summarizeSeries } from '../moisture/moisture-summary.ts';
import {
  describeTypicalTension,
  summarizeAgronomicState,
} from '../monitoring/agronomic-state-summary.ts';
import {
  formatAmount,
  formatAmountOrNull,
  formatMoisture,
  formatNumber,
} from '../number-format.ts';
import { moduleName, parcelName, type SummaryContext } from '../summary-context.ts';
import { formatTime } from '../time.ts';
import { formatChartValue } from './chart-labels.ts';

const MAX_DESCRIBED_WATERINGS = 6;

export async function summarizeChart(
  chart: MoistureChartBody,
  context: SummaryContext,
  canDraw: (text: string) => boolean,
): Promise<string> {
  const { series, moduleId } = chart;
  const seriesSummary = await summarizeSeries(series, context, {
    moduleId,
    type: series.type,
    align: 'local',
  });

  return [
    seriesSummary,
    ...(await describeLocation(chart, context, canDraw)),
    ...describeNewestReadings(chart, context),
    ...describeLevels(chart, context),
    describeWateringTotals(chart, context),
    ...describeEachWatering(chart, context),
    ...describeRainTotal(chart, context),
    ...(chart.state.tension && chart.waterings.length > 0
      ? [languageOf(context.lang).chart.ofParcel]
      : []),
  ].join(' ');
}

async function describeLocation(
  chart: MoistureChartBody,
  context: SummaryContext,
  canDraw: (text: string) => boolean,
): Promise<string[]> {
  const phrases = languageOf(context.lang).chart;
  const { name, parcel } = await chartLabels(chart, context, canDraw);
  const undrawn = [name, parcel].flatMap((each) =>
    each === null || each.name === each.drawableText ? [] : [each],
  );
  return [
    ...(parcel === null ? [] : [phrases.parcel(parcel.name)]),
    ...undrawn.map((each) => phrases.unsupportedName(each.name, each.drawableText)),
  ];
}

/**
 * Leaves out the newest reading if the points of the series are readings, because the summary of
 * the series has it then.
 */
function describeNewestReadings(
  { series, newest }: MoistureChartBody,
  { lang }: SummaryContext,
): string[] {
  if (newest === null) return [];

  const { chart: phrases, chartLabels: labels } = languageOf(lang);
  const value = formatChartValue(newest.value, measureOf(series.type), labels);
  const depths = newest.depths.map(({ depth, value }) => ({
    depth,
    value: formatMoisture(value, lang),
  }));

  return [
    ...(series.interval_seconds === null ? [] : [phrases.newest(value)]),
    ...(series.type !== 'humidity' || depths.length < 2 ? [] : [phrases.depths(depths)]),
  ];
}

function describeEachWatering({ waterings }: MoistureChartBody, context: SummaryContext): string[] {
  const { lang, zone } = context;
  if (waterings.length === 0) return [];

  const newest = waterings.toReversed().slice(0, MAX_DESCRIBED_WATERINGS);
  const phrases = languageOf(lang).chart;
  const rows = newest.map(({ startedAt, waterMm, status }) =>
    phrases.watering(
      formatTime(startedAt, context),
      formatAmountOrNull(waterMm, lang),
      status === 'planned',
    ),
  );

  const earlier = waterings.length - newest.length;
  return [
    phrases.newestWaterings(
      [...rows, ...(earlier === 0 ? [] : [phrases.earlierWaterings(earlier)])],
      zone,
    ),
  ];
}

function describeTensionLevels(tension: TensionBody, lang: Lang): string[] {
  const { levels, wetLevel, dryLevel, higherIsDrier } = languageOf(lang).chart;
  const drawn = [
    ...(tension.wetLevel === null ? [] : [wetLevel(formatNumber(tension.wetLevel, lang))]),
    ...(tension.dryLevel === null ? [] : [dryLevel(formatNumber(tension.dryLevel, lang))]),
  ];

  return [
    higherIsDrier,
    ...(drawn.length === 0 ? [] : [levels(drawn)]),
    ...describeTypicalTension(tension, { lang }),
  ];
}

/** An earlier version of a remote service sends no wilting point. */
export const drawnWiltingPoint = ({
  wiltingPoint = null,
  basis,
}: AgronomicStateBody): number | null =>
  basis.wiltingPoint === 'annotation' ? wiltingPoint : null;

function describeLevels(
  { series, state, alerts }: MoistureChartBody,
  { lang }: SummaryContext,
): string[] {
  if (series.type === 'tensio' && state.tension) return describeTensionLevels(state.tension, lang);
  if (series.type !== 'humidity') return [];

  const { levels, stressPoint, wiltingPoint, fieldCapacity, alertBelow } = languageOf(lang).chart;
  const drawn = [
    ...(state.stressPoint === null ? [] : [stressPoint(formatMoisture(state.stressPoint, lang))]),
    ...(state.fieldCapacity === null
      ? []
      : [fieldCapacity(formatMoisture(state.fieldCapacity, lang))]),
    ...(drawnWiltingPoint(state) === null
      ? []
      : [wiltingPoint(formatMoisture(drawnWiltingPoint(state)!, lang))]),
    ...alerts.map((each) => alertBelow(formatNumber(each, lang))),
  ];

  return drawn.length === 0 ? [] : [levels(drawn)];
}

function describeWateringTotals(
  { waterings }: MoistureChartBody,
  { lang }: SummaryContext,
): string {
  const phrases = languageOf(lang).chart;
  const done = waterings.filter(({ status }) => status === 'done');
  const planned = waterings.length - done.length;
  const unknown = waterings.filter(({ waterMm }) => waterMm === null).length;
  const sum = done.reduce((total, { waterMm }) => total + (waterMm ?? 0), 0);
  const counts = [
    ...(done.length === 0 ? [] : [phrases.doneWaterings(done.length, formatAmount(sum, lang))]),
    ...(planned === 0 ? [] : [phrases.plannedWaterings(planned)]),
    ...(unknown === 0 ? [] : [phrases.unknownDoses(unknown)]),
  ];

  return counts.length === 0 ? phrases.noWaterings : phrases.waterings(counts);
}

function describeRainTotal({ rain = [] }: MoistureChartBody, { lang }: SummaryContext): string[] {
  if (rain.length === 0) return [];
  const sum = rain.reduce((total, { mm }) => total + mm, 0);
  return [
    languageOf(lang).rain.fell(formatAmount(sum, lang), new Set(rain.map(({ day }) => day)).size),
  ];
}

/** `drawableText` is the id if the font cannot draw the name. */
interface ChartLabel {
  readonly name: string;
  readonly drawableText: string;
}

export async function chartLabels(
  { moduleId }: MoistureChartBody,
  { directory, lang }: Pick<SummaryContext, 'directory' | 'lang'>,
  canDraw: (text: string) => boolean,
): Promise<{ name: ChartLabel; parcel: ChartLabel | null }> {
  const toChartLabel = (name: string, fallback: string): ChartLabel => ({
    name,
    drawableText: canDraw(name) ? name : fallback,
  });

  const parcelId = (await directory.modules()).find(({ id }) => id === moduleId)?.parcelId ?? null;
  return {
    name: toChartLabel(await moduleName(directory, moduleId), `#${moduleId}`),
    parcel:
      parcelId === null
        ? null
        : toChartLabel(
            await parcelName(directory, parcelId, lang),
            languageOf(lang).core.unnamedParcel(parcelId),
          ),
  };
}

/** A weather station has no state to describe. */
export async function summarizeShownMoisture(
  { moduleId, series, state }: ShownMoistureBody,
  context: SummaryContext,
): Promise<string> {
  const seriesSummary = await summarizeSeries(series, context, {
    moduleId,
    type: series.type,
    align: 'local',
  });
  const hasState = state.state !== null || state.value_vwc !== null || state.tension !== undefined;
  return hasState
    ? `${await summarizeAgronomicState(state, context)} ${seriesSummary}`
    : seriesSummary;
}
