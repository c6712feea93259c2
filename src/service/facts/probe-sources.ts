import { type ProbeHistory, probeHistory } from '../../domain/facts/probe-history.ts';
import { seriesOfSource } from '../../domain/facts/probe-series.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import type { Sensor } from '../../store/company/sensors.ts';
import {
  isSoilThermometer,
  thermometersOf,
  type ValuesOfSensor,
} from '../moisture/sensor-hours.ts';
import { type ProbeParts, summarySourceOf, tensionSourceOf } from './probe-parts.ts';

/** The declared facts of a probe, and the sensors from which its other facts come. */
export interface ProbeSources {
  readonly parts: ProbeParts;
  readonly source: SummarySource;
  /** Present for a tensiometer, whose tension is judged, even if it measures moisture too. */
  readonly tension: SummarySource | null;
  /** Its moisture is judged. */
  readonly hasSoilMoisture: boolean;
  /** They say when the soil was frozen. */
  readonly thermometers: readonly Sensor[];
}

export function toSources(parts: ProbeParts, now: number): ProbeSources {
  const source = summarySourceOf(parts, 'humidity', now);
  const tension = tensionSourceOf(parts, now);
  const hasSoilMoisture = tension === null && isSoilMoisture(source, parts.module);
  const measuresSoil = hasSoilMoisture || tension !== null;
  const thermometers = measuresSoil ? parts.sensors.filter(isSoilThermometer) : [];
  return { parts, source, tension, hasSoilMoisture, thermometers };
}

/** The sensors whose readings the facts depend on. */
export const judgedSensors = ({
  source,
  tension,
  thermometers,
}: ProbeSources): SummarySource['sensors'] => [
  ...source.sensors,
  ...(tension === null || tension.type === source.type ? [] : tension.sensors),
  ...thermometers,
];

/** The sensors of moisture or tension, and the thermometers beside them. */
export function hourlySensors({ source, tension, hasSoilMoisture, thermometers }: ProbeSources) {
  const judged = hasSoilMoisture ? source : tension;
  return judged === null ? [] : [...judged.sensors, ...thermometers];
}

export function historyOf(
  { source, thermometers }: ProbeSources,
  meansOf: ValuesOfSensor,
  now: number,
): ProbeHistory {
  const series = seriesOfSource(source, source.sensors.map(meansOf), now);
  return probeHistory(series, thermometersOf(thermometers, meansOf));
}
