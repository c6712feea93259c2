import { withoutNulls } from '../../domain/items.ts';
import { DEFAULT_LANG } from '../../domain/lang.ts';
import { measureOf } from '../../domain/moisture/measurement.ts';
import { sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { MoistureChartBody, ShownMoistureBody } from '../../schema/advice/moisture-chart.ts';
import type { WateringBody, WateringWitnessBody } from '../../schema/irrigation/watering.ts';
import type { AgronomicStateBody, TensionBody } from '../../schema/moisture/series.ts';
import { englishChartLabels } from '../en/chart.ts';
import { englishCount } from '../en/grammar.ts';
import { languageOf } from '../index.ts';
import {
  AWAITS_CONFIRMATION,
  listWitnesses,
  sumByWitness,
  witnessWords,
} from '../irrigation/witness-summary.ts';
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
import { joinSentences } from '../sentences.ts';
import {
  moduleName,
  type PersonContext,
  parcelName,
  type SummaryContext,
} from '../summary-context.ts';
import { written } from '../text/render.ts';
import { formatTime } from '../time.ts';
import { formatChartValue } from './chart-labels.ts';
import { chartPhrases } from './chart-phrases.ts';

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

  return joinSentences([
    written(seriesSummary, context),
    ...(await describeLocation(chart, context, canDraw)),
    ...describeNewestReadings(chart),
    ...describeLevels(chart, context),
    describeWateringTotals(chart, context),
    ...describeNewestWaterings(chart, context),
    ...describeRainTotal(chart),
    chart.state.tension && chart.waterings.length > 0 ? chartPhrases.ofParcel : null,
  ]);
}

async function describeLocation(
  chart: MoistureChartBody,
  context: SummaryContext,
  canDraw: (text: string) => boolean,
): Promise<string[]> {
  const { name, parcel } = await chartLabels(chart, context, canDraw);
  const undrawn = [name, parcel].flatMap((label) =>
    label === null || label.name === label.drawableText ? [] : [label],
  );
  return withoutNulls([
    parcel === null ? null : chartPhrases.parcel(parcel.name),
    ...undrawn.map((label) => chartPhrases.unsupportedName(label.name, label.drawableText)),
  ]);
}

/**
 * Leaves out the newest reading if the points of the series are readings, because the summary of
 * the series has it then.
 */
function describeNewestReadings({ series, newest }: MoistureChartBody): string[] {
  if (newest === null) return [];

  const value = formatChartValue(newest.value, measureOf(series.type), englishChartLabels);
  const depths = newest.depths.map(({ depth, value }) => ({
    depth,
    value: formatMoisture(value),
  }));

  return withoutNulls([
    series.interval_seconds === null ? null : chartPhrases.newest(value),
    series.type !== 'humidity' || depths.length < 2 ? null : chartPhrases.depths(depths),
  ]);
}

function describeNewestWaterings(
  { waterings, witness = [] }: MoistureChartBody,
  context: SummaryContext,
): string[] {
  const { zone } = context;
  if (waterings.length === 0) return [];

  const newest = waterings.toReversed().slice(0, MAX_DESCRIBED_WATERINGS);
  const witnesses = witnessById(witness);
  const seenBy = ({ id, status, startedAt }: WateringBody): string | null => {
    const found = witnesses.get(id);
    if (found === undefined && status === 'planned')
      return Date.parse(startedAt) > context.now
        ? chartPhrases.planned
        : written(AWAITS_CONFIRMATION, context);
    if (found === undefined) return null;
    return found.witness === 'confirmed' ? null : written(witnessWords(found), context);
  };
  const rows = newest.map((watering) =>
    chartPhrases.watering(
      formatTime(watering.startedAt, context),
      formatAmountOrNull(watering.waterMm),
      seenBy(watering),
    ),
  );

  const earlier = waterings.length - newest.length;
  return [
    chartPhrases.newestWaterings(
      withoutNulls([...rows, earlier === 0 ? null : chartPhrases.earlierWaterings(earlier)]),
      zone,
    ),
  ];
}

/** Of those that count as done. */
export const witnessById = (
  witness: MoistureChartBody['witness'] = [],
): ReadonlyMap<number, WateringWitnessBody> => new Map(witness.map((row) => [row.eventId, row]));

function describeTensionLevels(tension: TensionBody, context: SummaryContext): string[] {
  const { levels, wetLevel, dryLevel, higherIsDrier } = chartPhrases;
  const drawn = withoutNulls([
    tension.wetLevel === null ? null : wetLevel(formatNumber(tension.wetLevel)),
    tension.dryLevel === null ? null : dryLevel(formatNumber(tension.dryLevel)),
  ]);

  return withoutNulls([
    higherIsDrier,
    drawn.length === 0 ? null : levels(drawn),
    ...describeTypicalTension(tension).map((text) => written(text, context)),
  ]);
}

/** Another service may leave the wilting point out, which the specification does not name. */
export const drawnWiltingPoint = ({
  wiltingPoint = null,
  basis,
}: AgronomicStateBody): number | null =>
  basis.wiltingPoint === 'annotation' ? wiltingPoint : null;

function describeLevels(
  { series, state, alerts }: MoistureChartBody,
  context: SummaryContext,
): string[] {
  if (series.type === 'tensio' && state.tension)
    return describeTensionLevels(state.tension, context);
  if (series.type !== 'humidity') return [];

  const { levels, stressPoint, wiltingPoint, fieldCapacity, alertBelow } = chartPhrases;
  const drawnPoint = drawnWiltingPoint(state);
  const drawn = withoutNulls([
    state.stressPoint === null ? null : stressPoint(formatMoisture(state.stressPoint)),
    state.fieldCapacity === null ? null : fieldCapacity(formatMoisture(state.fieldCapacity)),
    drawnPoint === null ? null : wiltingPoint(formatMoisture(drawnPoint)),
    ...alerts.map((threshold) => alertBelow(formatNumber(threshold))),
  ]);

  return drawn.length === 0 ? [] : [levels(drawn)];
}

function describeWateringTotals(
  { waterings, witness = [] }: MoistureChartBody,
  context: SummaryContext,
): string {
  const witnesses = witnessById(witness);
  const done = waterings.filter(({ id, status }) => status === 'done' || witnesses.has(id));
  const seen = done.map(({ id, waterMm }) => ({
    ...(witnesses.get(id) ?? { witness: 'confirmed' as const }),
    waterMm,
  }));
  const others = waterings.filter((watering) => !done.includes(watering));
  const planned = others.filter(({ startedAt }) => Date.parse(startedAt) > context.now).length;
  const waiting = others.length - planned;
  const unknown = waterings.filter(({ waterMm }) => waterMm === null).length;
  const sum = done.reduce((total, { waterMm }) => total + (waterMm ?? 0), 0);
  const seenBy = listWitnesses(sumByWitness(seen), sum === 0 ? null : sum, seen);
  const counts = withoutNulls([
    done.length === 0
      ? null
      : chartPhrases.doneWaterings(
          done.length,
          formatAmount(sum),
          seenBy && written(seenBy, context),
        ),
    planned === 0 ? null : chartPhrases.plannedWaterings(planned),
    waiting === 0 ? null : chartPhrases.waitingWaterings(waiting),
    unknown === 0 ? null : chartPhrases.unknownDoses(unknown),
  ]);

  return counts.length === 0 ? chartPhrases.noWaterings : chartPhrases.waterings(counts);
}

function describeRainTotal({ rain = [] }: MoistureChartBody): string[] {
  if (rain.length === 0) return [];
  const sum = rain.reduce((total, { mm }) => total + mm, 0);
  const days = new Set(rain.map(({ day }) => day)).size;
  return [`Rain: ${formatAmount(sum)} mm on ${englishCount(days, 'day')}.`];
}

/** `drawableText` is the id if the font cannot draw the name. */
interface ChartLabel {
  readonly name: string;
  readonly drawableText: string;
}

export async function chartLabels(
  { moduleId }: MoistureChartBody,
  { directory, lang = DEFAULT_LANG }: Pick<SummaryContext | PersonContext, 'directory' | 'lang'>,
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
            await parcelName(directory, parcelId),
            languageOf(lang).pictureLabels.parcel(parcelId),
          ),
  };
}

/** A weather station has no state to describe. */
export async function summarizeShownMoisture(
  { moduleId, series, state }: ShownMoistureBody,
  context: SummaryContext,
): Promise<Text> {
  const seriesSummary = await summarizeSeries(series, context, {
    moduleId,
    type: series.type,
    align: 'local',
  });
  const hasState = state.state !== null || state.value_vwc !== null || state.tension !== undefined;
  return sentences([
    hasState ? await summarizeAgronomicState(state, context) : null,
    seriesSummary,
  ]);
}
