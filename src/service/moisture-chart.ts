import { canDraw } from '../chart/glyphs.ts';
import type { MoistureChart } from '../chart/moisture-chart.ts';
import type { Call, Saying } from '../operation/call.ts';
import { moduleName, parcelName } from '../operation/directory.ts';
import { sayingWords } from '../operation/say-time.ts';
import type { WatchedAlertBody } from '../schema/alert.ts';
import type { MoistureChartBody } from '../schema/chart.ts';
import type { AgronomicStateBody, MoistureSeriesBody, SeriesPointBody } from '../schema/series.ts';
import type { WateringBody } from '../schema/watering.ts';
import { everyRow } from './every-page.ts';
import { everyWatering } from './every-watering.ts';
import { isoOf } from './wire.ts';

/** What a chart is composed of; it performs nothing else. */
export const CHART_PERFORMS = ['get_moisture_series', 'get_agronomic_state', 'list_alerts', 'list_waterings'] as const;

/** A point for each px of the curve, and some: a week of quarter hours is shown as it was read. */
const MOST_POINTS = 700;

export interface ChartQuery {
  /** ms. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly view: MoistureChartBody['view'];
  readonly theme: MoistureChartBody['theme'];
}

/** What the picture of a probe is drawn from, put together of what other operations say of it. */
export async function chartMoisture(
  call: Call,
  moduleId: number,
  { start, end, view, theme }: ChartQuery,
): Promise<MoistureChartBody> {
  const period = { ...(start !== undefined && { start: isoOf(start) }), ...(end !== undefined && { end: isoOf(end) }) };
  const asked = { moduleId, ...period, maxPoints: MOST_POINTS, depths: true };
  const series = (await call.perform('get_moisture_series', asked)) as MoistureSeriesBody;
  const state = (await call.perform('get_agronomic_state', { moduleId })) as AgronomicStateBody;
  const waterings = await wateringsOf(call, moduleId, series);
  const alerts = await thresholdsInForce(call, moduleId);
  return { moduleId, start: series.start, end: series.end, view, theme, series, state, alerts, waterings };
}

/** Thresholds of the alerts that watch the probe, in %. */
const thresholdsInForce = async (call: Call, moduleId: number): Promise<number[]> =>
  (await everyRow<WatchedAlertBody>(call, 'list_alerts', { moduleId, isActive: true })).map(({ threshold }) =>
    Number(threshold),
  );

/** All waterings of the period that stand, in order. */
async function wateringsOf(call: Call, moduleId: number, { start, end }: MoistureSeriesBody): Promise<WateringBody[]> {
  const found = await everyWatering(call, moduleId, { from: Date.parse(start), to: Date.parse(end) });
  return found.filter(({ status }) => status !== 'skipped');
}

const MEASURES = { humidity: 'moisture', temperature: 'temperature', tensio: 'tension' } as const;

/** The same as it is drawn, with names, zone and language of who asked. */
export async function drawable(body: MoistureChartBody, call: Saying): Promise<MoistureChart> {
  const { series, state } = body;
  const at = series.data.map(({ time }) => Date.parse(time));
  const pointsOf = (values: readonly (number | null)[]) =>
    at.map((each, place) => ({ at: each, value: values[place]! }));
  const module = (await call.directory.modules()).find(({ id }) => id === body.moduleId);
  const { name, parcel } = await namesOf(body, call);
  const isOfAir = series.type === 'humidity' && module?.category === 'WEATHER_STATION';
  return {
    name: name.drawn,
    parcel: parcel?.drawn ?? null,
    start: Date.parse(body.start),
    end: Date.parse(body.end),
    now: call.now,
    zone: call.zone,
    lang: call.lang,
    theme: body.theme,
    view: body.view,
    measure: isOfAir ? 'air_humidity' : MEASURES[series.type],
    intervalMs: series.interval_seconds === null ? null : series.interval_seconds * 1000,
    curve: pointsOf(series.data.map(servedValue)),
    depths: (series.sensors ?? []).map(({ depth, values }) => ({ depth, points: pointsOf(values) })),
    newestAt: series.freshness.time === null ? null : Date.parse(series.freshness.time),
    fieldCapacity: state.fieldCapacity,
    stressPoint: state.stressPoint,
    alerts: body.alerts,
    waterings: body.waterings.map(({ startedAt, durationMin, waterMm, status }) => ({
      at: Date.parse(startedAt),
      durationMin,
      mm: waterMm,
      isPlanned: status === 'planned',
    })),
  };
}

/** What something is called, and what stands for it in a picture: its id where the font lacks the signs of the name. */
export interface DrawnName {
  readonly name: string;
  readonly drawn: string;
}

const asDrawn = (name: string, otherwise: string): DrawnName => ({ name, drawn: canDraw(name) ? name : otherwise });

/** The names of a probe and of its parcel. */
export async function namesOf(
  { moduleId }: MoistureChartBody,
  { directory, lang }: Pick<Saying, 'directory' | 'lang'>,
): Promise<{ name: DrawnName; parcel: DrawnName | null }> {
  const parcelId = (await directory.modules()).find(({ id }) => id === moduleId)?.parcelId ?? null;
  return {
    name: asDrawn(await moduleName(directory, moduleId), `#${moduleId}`),
    parcel:
      parcelId === null
        ? null
        : asDrawn(await parcelName(directory, parcelId, lang), sayingWords(lang).parcel(parcelId)),
  };
}

const servedValue = (point: SeriesPointBody): number | null =>
  point.value_vwc ?? point.value_temp ?? point.value_tensio ?? null;
