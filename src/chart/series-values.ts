import { CURVES, type MeasurementType } from '../domain/moisture/measurement.ts';
import { summaryOf } from '../domain/moisture/summary-curve.ts';
import type { MoistureSeriesBody, SeriesPointBody } from '../schema/moisture/series.ts';

/** Some loggers send the water potential, which is the negative tension. */
export const toDrawnValue = (value: number | null, type: MeasurementType): number | null =>
  value !== null && type === 'tensio' ? Math.abs(value) : value;

type PointValues = Omit<SeriesPointBody, 'time'>;

interface SeriesValues extends Pick<MoistureSeriesBody, 'type' | 'sensors'> {
  readonly data: readonly PointValues[];
}

/**
 * Computed anew from the sensors if the series has them, because the values that it states are
 * rounded to one decimal: a slow curve would show steps.
 */
export const summaryValues = ({ type, data, sensors = [] }: SeriesValues): (number | null)[] =>
  sensors.length === 0
    ? data.map((point) => point[CURVES[type].field] ?? null)
    : summaryOf(sensors, data.length);
