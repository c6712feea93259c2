import { sensorSteps } from '../../domain/advice/depth-curves.ts';
import type { WaterHours } from '../../domain/advice/witness/watering-evidence.ts';
import { seriesOfSource } from '../../domain/facts/probe-series.ts';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import { entryOf } from '../../domain/items.ts';
import {
  type CalibratedSensor,
  withoutCalibrationSteps,
} from '../../domain/moisture/calibration.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { countBuckets, HOUR_MS, type Period } from '../../domain/periods.ts';
import type { Call } from '../../operation/call.ts';
import { modulesInService } from '../../store/company/modules.ts';
import { readingsOfSensors } from '../../store/moisture/sensor-columns.ts';
import { withoutSteps } from '../moisture/sensor-hours.ts';
import { meansOfSensors } from '../moisture/sensor-means.ts';
import { loadProbeParts } from './probe-parts.ts';
import { historyOf, hourlySensors, type ProbeSources, toSources } from './probe-sources.ts';

type WaterHoursCall = Pick<Call, 'db' | 'now'>;

/** The hours of all sensors in a statement: SQLite blocks the event loop until a statement ends. */
const MAX_HOURS = 10_000;

/** In the period of each module. Leaves out modules that measure no water in the soil. */
export async function loadWaterHours(
  call: WaterHoursCall,
  periods: ReadonlyMap<number, Period>,
): Promise<Map<number, WaterHours>> {
  const { db, now } = call;
  const parts = await loadProbeParts(db, await modulesInService(db, [...periods.keys()]));
  const probes = parts
    .map((each) => toSources(each, now))
    .filter(({ hasSoilMoisture, tension }) => hasSoilMoisture || tension !== null);

  const periodOf = ({ parts }: ProbeSources) => entryOf(periods, parts.module.id);
  const samePeriods = groupBy(probes, (probe) => JSON.stringify(periodOf(probe)));
  const found = new Map<number, WaterHours>();
  for (const group of samePeriods.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const period = periodOf(first);
    const sensors = Math.max(...group.map((probe) => hourlySensors(probe).length));
    const size = Math.max(1, Math.floor(MAX_HOURS / (sensors * countBuckets(period, HOUR_MS))));
    for (const few of chunksOf(group, size))
      for (const [id, hours] of await hoursOfProbes(call, few, period)) found.set(id, hours);
  }
  return found;
}

async function hoursOfProbes(
  { db, now }: WaterHoursCall,
  probes: readonly ProbeSources[],
  period: Period,
): Promise<(readonly [number, WaterHours])[]> {
  const hours = await meansOfSensors(db, probes.flatMap(hourlySensors), period, HOUR_MS);
  const readings = await readingsOfSensors(
    db,
    probes.flatMap(({ source, tension }) => (tension === null ? source.sensors : [])),
    { start: now - MAX_FRESH_AGE_MS, end: now + 1 },
  );
  const recentOf = ({ id, calibration }: CalibratedSensor) =>
    withoutCalibrationSteps(calibration, readings.get(id) ?? { at: [], values: [] });

  return probes.map((probe) => {
    const { source, tension } = probe;
    const judged = { ...probe, source: tension ?? source };
    const { depths, thermometers } = historyOf(judged, withoutSteps(hours), period.end);
    const recent = seriesOfSource(source, source.sensors.map(recentOf), now + 1);
    const waterHours: WaterHours = {
      isTension: tension !== null,
      depths,
      thermometers,
      steps: tension === null ? sensorSteps(recent) : new Map(),
    };
    return [probe.parts.module.id, waterHours] as const;
  });
}
