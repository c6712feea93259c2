import type { MeasurementType } from '../domain/moisture/series.ts';
import { weightedMeans } from '../domain/moisture/summary-curve.ts';
import type { MoistureSeriesBody, SeriesPointBody } from '../schema/series.ts';

/** Some loggers send the water potential, which is the negative tension. */
export const toDrawnValue = (value: number | null, type: MeasurementType): number | null =>
  type === 'tensio' ? value && Math.abs(value) : value;

/** Served values have one decimal, which makes stairs of a slow curve. */
export function summaryValues({
  data,
  sensors = [],
}: Pick<MoistureSeriesBody, 'sensors'> & {
  readonly data: readonly Omit<SeriesPointBody, 'time'>[];
}): (number | null)[] {
  if (sensors.length === 0) return data.map(pointValue);
  const means = sensors.map(({ values }) => values.map((value) => value ?? Number.NaN));
  const weights = sensors.map(({ weight }) => weight);
  const unrounded = weightedMeans({ weights }, means, { from: 0, to: data.length });
  return Array.from(unrounded, (value) => (Number.isNaN(value) ? null : value));
}

const pointValue = (point: Omit<SeriesPointBody, 'time'>): number | null =>
  point.value_vwc ?? point.value_temp ?? point.value_tensio ?? null;
