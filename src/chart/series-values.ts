import type { MeasurementType } from '../domain/moisture/measurement.ts';
import { summaryOf } from '../domain/moisture/summary-curve.ts';
import type { MoistureSeriesBody, SeriesPointBody } from '../schema/moisture/series.ts';

/** Some loggers send the water potential, which is the negative tension. */
export const toDrawnValue = (value: number | null, type: MeasurementType): number | null =>
  value !== null && type === 'tensio' ? Math.abs(value) : value;

type PointValues = Omit<SeriesPointBody, 'time'>;

interface SeriesValues extends Pick<MoistureSeriesBody, 'sensors'> {
  readonly data: readonly PointValues[];
}

/**
 * Computed anew from the sensors if the series has them, because the values that it states are
 * rounded to one decimal: a slow curve would show steps.
 */
export const summaryValues = ({ data, sensors = [] }: SeriesValues): (number | null)[] =>
  sensors.length === 0 ? data.map(pointValue) : summaryOf(sensors, data.length);

const pointValue = ({ value_vwc, value_temp, value_tensio }: PointValues): number | null =>
  value_vwc ?? value_temp ?? value_tensio ?? null;
