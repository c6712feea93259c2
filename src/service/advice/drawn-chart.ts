import { canDraw } from '../../chart/font.ts';
import type { MoistureChart } from '../../chart/moisture-chart.ts';
import { summaryValues, toDrawnValue } from '../../chart/series-values.ts';
import { isUnseen } from '../../domain/advice/witness/witness.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { measureOf } from '../../domain/moisture/measurement.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';
import {
  chartLabels,
  drawnWiltingPoint,
  witnessById,
} from '../../language/advice/chart-summary.ts';
import type { PersonContext } from '../../language/summary-context.ts';
import type { MoistureChartBody } from '../../schema/advice/moisture-chart.ts';

/** More than the pixels across a picture. */
const STEPS_ACROSS = 1_500;
const STEPS_MS = [5 * MINUTE_MS, MINUTE_MS, SECOND_MS];

/**
 * To less than a pixel, so that a picture drawn again soon is the same. Rounded outwards, so that
 * nothing of the period lies outside.
 */
export function pictureTimes(
  period: { readonly start: string; readonly end: string },
  now: number,
): Pick<MoistureChart, 'start' | 'end' | 'now'> {
  const [start, end] = [Date.parse(period.start), Date.parse(period.end)];
  const step = STEPS_MS.find((ms) => ms <= (end - start) / STEPS_ACROSS) ?? 1;
  const ceil = (at: number): number => Math.ceil(at / step) * step;
  return { start: Math.floor(start / step) * step, end: ceil(end), now: ceil(now) };
}

export async function toMoistureChart(
  body: MoistureChartBody,
  context: PersonContext,
): Promise<MoistureChart> {
  const { series } = body;
  const instants = series.data.map(({ time }) => Date.parse(time));
  const pointsOf = (values: readonly (number | null)[]) =>
    instants.map((at, index) => ({
      at,
      value: toDrawnValue(values[index] ?? null, series.type),
    }));

  const witnesses = witnessById(body.witness);
  const module = (await context.directory.modules()).find(({ id }) => id === body.moduleId);
  const { name, parcel } = await chartLabels(body, context, canDraw);
  return {
    name: name.drawableText,
    parcel: parcel?.drawableText ?? null,
    ...pictureTimes(body, context.now),
    zone: context.zone,
    lang: context.lang,
    units: context.units,
    theme: body.theme,
    view: body.view,
    measure: measureOf(series.type, module?.category),
    intervalMs: series.interval_seconds === null ? null : series.interval_seconds * 1000,
    curve: pointsOf(summaryValues(series)),
    depths: (series.sensors ?? []).map(({ depth, values }) => ({
      depth,
      points: pointsOf(values),
    })),
    newestAt: series.freshness.time === null ? null : Date.parse(series.freshness.time),
    newestValue: body.newest?.value ?? null,
    ...chartLevels(body),
    waterings: body.waterings.map(({ id, startedAt, durationMin, waterMm, status }) => ({
      at: Date.parse(startedAt),
      durationMin,
      mm: waterMm,
      isPlanned: status === 'planned' && !witnesses.has(id),
      isAssumed: isUnseen(witnesses.get(id)?.witness),
    })),
    rain: body.rain.map(({ day, mm }) => ({
      at: LocalDay.parse(day).startIn(context.zone),
      mm,
    })),
  };
}

function chartLevels({ series, state, alerts }: MoistureChartBody) {
  const { tension } = state;
  if (series.type === 'tensio' && tension !== undefined)
    return {
      wetLevel: tension.wetLevel,
      dryLevel: tension.dryLevel,
      wiltingPoint: null,
      alertLevels: [],
    };

  return {
    wetLevel: state.fieldCapacity,
    dryLevel: state.stressPoint,
    wiltingPoint: drawnWiltingPoint(state),
    alertLevels: alerts,
  };
}
