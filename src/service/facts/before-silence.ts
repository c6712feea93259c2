import type { ProbeHistory } from '../../domain/facts/probe-history.ts';
import { periodBeforeSilence } from '../../domain/facts/probe-history.ts';
import { withoutNulls } from '../../domain/items.ts';
import { HOUR_MS, type Period } from '../../domain/periods.ts';
import type { Call } from '../../operation/call.ts';
import { withoutSteps } from '../moisture/sensor-hours.ts';
import { type MeansOfSensor, meansOfSensors, meansOver } from '../moisture/sensor-means.ts';
import type { ProbeReadings } from './probe-readings.ts';
import { historyOf, hourlySensors, type ProbeSources } from './probe-sources.ts';

/** Null for a probe that reports. Reads the same statements however many probes are silent. */
export async function loadBeforeSilence(
  { db, now }: Pick<Call, 'db' | 'now'>,
  probes: readonly ProbeSources[],
  readings: ProbeReadings,
): Promise<(probe: ProbeSources) => ProbeHistory | null> {
  const periodOf = ({ source }: ProbeSources): Period | null =>
    periodBeforeSilence(readings.newestAt(source), now);
  const silent = probes.filter((probe) => periodOf(probe) !== null);
  if (silent.length === 0) return () => null;

  const periods = withoutNulls(silent.map(periodOf));
  const period = {
    start: Math.min(...periods.map(({ start }) => start)),
    end: Math.max(...periods.map(({ end }) => end)),
  };
  const hours = await meansOfSensors(db, silent.flatMap(hourlySensors), period, HOUR_MS);
  return (probe) => {
    const own = periodOf(probe);
    if (own === null) return null;
    const ownHours: MeansOfSensor = (id) => meansOver(hours(id), own.start, HOUR_MS);
    return historyOf(probe, withoutSteps(ownHours), own.end);
  };
}
