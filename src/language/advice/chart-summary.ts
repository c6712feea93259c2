import { withoutNulls } from '../../domain/items.ts';
import { DEFAULT_LANG } from '../../domain/lang.ts';
import { curveOf, measureOf } from '../../domain/moisture/measurement.ts';
import { amount, exact, moisture } from '../../domain/text/figures.ts';
import {
  commaSeparated,
  counted,
  join,
  type Sayable,
  say,
  sentences,
  verbatim,
} from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeOf, zone } from '../../domain/text/times.ts';
import type { MoistureChartBody, ShownMoistureBody } from '../../schema/advice/moisture-chart.ts';
import type { WateringBody, WateringWitnessBody } from '../../schema/irrigation/watering.ts';
import type { AgronomicStateBody, TensionBody } from '../../schema/moisture/series.ts';
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
  moduleName,
  type PersonContext,
  parcelName,
  type SummaryContext,
} from '../summary-context.ts';

const MAX_DESCRIBED_WATERINGS = 6;

export async function summarizeChart(
  chart: MoistureChartBody,
  context: SummaryContext,
  canDraw: (text: string) => boolean,
): Promise<Text> {
  const { series, moduleId } = chart;
  const seriesSummary = await summarizeSeries(series, context, {
    moduleId,
    type: series.type,
    align: 'local',
  });

  return sentences([
    seriesSummary,
    ...(await describeLocation(chart, context, canDraw)),
    ...describeNewestReadings(chart),
    ...describeLevels(chart),
    describeWateringTotals(chart, context),
    describeNewestWaterings(chart, context),
    describeRainTotal(chart),
    chart.state.tension && chart.waterings.length > 0
      ? say`The waterings are those of its parcel.`
      : null,
  ]);
}

async function describeLocation(
  chart: MoistureChartBody,
  context: SummaryContext,
  canDraw: (text: string) => boolean,
): Promise<Text[]> {
  const { name, parcel } = await chartLabels(chart, context, canDraw);
  const undrawn = withoutNulls([name, parcel]).filter((label) => label.name !== label.drawableText);
  return withoutNulls([
    parcel === null ? null : say`It is in ${verbatim(parcel.name)}.`,
    ...undrawn.map(
      (label) =>
        say`The chart’s font cannot draw ${verbatim(label.name)}, so the chart shows ${verbatim(label.drawableText)}.`,
    ),
  ]);
}

/**
 * Leaves out the newest reading if the points of the series are readings, because the summary of
 * the series has it then.
 */
function describeNewestReadings({ series, newest }: MoistureChartBody): Text[] {
  if (newest === null) return [];

  const { value, depths } = newest;
  const { symbol } = curveOf(measureOf(series.type));
  const readings = depths.map(
    ({ depth, value }) => say`${exact(depth, 'cm')} ${moisture(value, '%')}`,
  );

  return withoutNulls([
    series.interval_seconds === null ? null : say`Newest reading: ${moisture(value, symbol)}.`,
    series.type !== 'humidity' || depths.length < 2
      ? null
      : say`Newest by depth: ${commaSeparated(readings)}.`,
  ]);
}

function describeNewestWaterings(
  { waterings, witness }: MoistureChartBody,
  context: SummaryContext,
): Text | null {
  if (waterings.length === 0) return null;

  const newest = waterings.toReversed().slice(0, MAX_DESCRIBED_WATERINGS);
  const witnesses = witnessById(witness);
  const rows = newest.map((watering) => {
    const { startedAt, waterMm } = watering;
    const dose = waterMm === null ? say`dose unknown` : amount(waterMm, 'mm');
    const remark = remarkOn(watering, witnesses.get(watering.id), context);
    return say`${timeOf(startedAt)} ${dose}${remark && say` (${remark})`}`;
  });

  const earlier = waterings.length - newest.length;
  const all = [...rows, earlier === 0 ? null : say`${earlier} earlier`];
  return say`Newest first (${zone}): ${join(all, say`; `)}.`;
}

/** Null for a watering that somebody confirmed. */
function remarkOn(
  { status, startedAt }: WateringBody,
  witness: WateringWitnessBody | undefined,
  { now }: SummaryContext,
): Text | null {
  if (witness !== undefined) return witness.witness === 'confirmed' ? null : witnessWords(witness);
  if (status !== 'planned') return null;
  return Date.parse(startedAt) > now ? say`planned` : AWAITS_CONFIRMATION;
}

/** The witnesses of waterings that count as done. */
export const witnessById = (
  witness: MoistureChartBody['witness'] = [],
): ReadonlyMap<number, WateringWitnessBody> => new Map(witness.map((row) => [row.eventId, row]));

function describeLevels({ series, state, alerts }: MoistureChartBody): (Text | null)[] {
  if (series.type === 'tensio' && state.tension) return describeTensionLevels(state.tension);
  if (series.type !== 'humidity') return [];

  const { stressPoint, fieldCapacity } = state;
  const wiltingPoint = drawnWiltingPoint(state);
  return [
    describeDrawnLevels([
      stressPoint === null ? null : say`stress point ${moisture(stressPoint, '%')}`,
      fieldCapacity === null ? null : say`field capacity ${moisture(fieldCapacity, '%')}`,
      wiltingPoint === null ? null : say`wilting point ${moisture(wiltingPoint, '%')}`,
      ...alerts.map((threshold) => say`alert below ${exact(threshold, '%')}`),
    ]),
  ];
}

function describeTensionLevels(tension: TensionBody): (Text | null)[] {
  const { wetLevel, dryLevel } = tension;
  return [
    say`Higher is drier.`,
    describeDrawnLevels([
      wetLevel === null ? null : say`wet level ${exact(wetLevel, 'kPa')}`,
      dryLevel === null ? null : say`dry level ${exact(dryLevel, 'kPa')}`,
    ]),
    ...describeTypicalTension(tension),
  ];
}

const describeDrawnLevels = (levels: readonly Sayable[]): Text | null =>
  levels.every((level) => level === null) ? null : say`Drawn with ${commaSeparated(levels)}.`;

/** Another service may leave the wilting point out, which the specification does not name. */
export const drawnWiltingPoint = ({
  wiltingPoint = null,
  basis,
}: AgronomicStateBody): number | null =>
  basis.wiltingPoint === 'annotation' ? wiltingPoint : null;

function describeWateringTotals(
  { waterings, witness }: MoistureChartBody,
  { now }: SummaryContext,
): Text {
  if (waterings.length === 0) return say`No waterings in that period.`;

  const witnesses = witnessById(witness);
  const done = waterings.filter(({ id, status }) => status === 'done' || witnesses.has(id));
  const others = waterings.filter((watering) => !done.includes(watering));
  const planned = others.filter(({ startedAt }) => Date.parse(startedAt) > now).length;
  const waiting = others.length - planned;
  const unknown = waterings.filter(({ waterMm }) => waterMm === null).length;

  const counts = [
    done.length === 0 ? null : describeDone(done, witnesses),
    planned === 0 ? null : say`${counted(planned, 'watering')} planned`,
    waiting === 0
      ? null
      : say`${counted(waiting, 'watering awaits', 'waterings await')} confirmation`,
    unknown === 0 ? null : say`${unknown} of unknown dose`,
  ];
  return say`In that period ${join(counts, say`; `)}.`;
}

function describeDone(
  done: readonly WateringBody[],
  witnesses: ReturnType<typeof witnessById>,
): Text {
  const seen = done.map(({ id, waterMm }) => ({
    ...(witnesses.get(id) ?? { witness: 'confirmed' as const }),
    waterMm,
  }));
  const sum = done.reduce((total, { waterMm }) => total + (waterMm ?? 0), 0);
  const seenBy = listWitnesses(sumByWitness(seen), sum === 0 ? null : sum, seen);

  return say`${counted(done.length, 'watering')} done, ${amount(sum, 'mm')} in all${seenBy && say` (${seenBy})`}`;
}

function describeRainTotal({ rain = [] }: MoistureChartBody): Text | null {
  if (rain.length === 0) return null;

  const sum = rain.reduce((total, { mm }) => total + mm, 0);
  const days = new Set(rain.map(({ day }) => day)).size;
  return say`Rain: ${amount(sum, 'mm')} on ${counted(days, 'day')}.`;
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
