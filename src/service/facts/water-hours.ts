import { sensorSteps } from '../../domain/advice/depth-curves.ts';
import type { WaterHours } from '../../domain/advice/witness/watering-evidence.ts';
import { seriesOfSource } from '../../domain/facts/probe-series.ts';
import {
  type CalibratedSensor,
  withoutCalibrationSteps,
} from '../../domain/moisture/calibration.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { HOUR_MS, type Period } from '../../domain/periods.ts';
import type { Call } from '../../operation/call.ts';
import { modulesInService } from '../../store/company/modules.ts';
import { readingsOfSensors } from '../../store/moisture/sensor-columns.ts';
import { withoutSteps } from '../moisture/sensor-hours.ts';
import { meansOfSensors } from '../moisture/sensor-means.ts';
import { loadProbeParts } from './probe-parts.ts';
import { historyOf, hourlySensors, toSources } from './probe-sources.ts';

/** One query for each kind of row. Leaves out modules that measure no water in the soil. */
export async function loadWaterHours(
  { db, now }: Pick<Call, 'db' | 'now'>,
  ids: readonly number[],
  period: Period,
): Promise<Map<number, WaterHours>> {
  const parts = await loadProbeParts(db, await modulesInService(db, ids));
  const probes = parts
    .map((each) => toSources(each, now))
    .filter(({ hasSoilMoisture, tension }) => hasSoilMoisture || tension !== null);
  const hours = await meansOfSensors(db, probes.flatMap(hourlySensors), period, HOUR_MS);
  const readings = await readingsOfSensors(
    db,
    probes.flatMap(({ source, tension }) => (tension === null ? source.sensors : [])),
    { start: now - MAX_FRESH_AGE_MS, end: now + 1 },
  );
  const recentOf = ({ id, calibration }: CalibratedSensor) =>
    withoutCalibrationSteps(calibration, readings.get(id) ?? { at: [], values: [] });

  return new Map(
    probes.map((probe) => {
      const { source, tension } = probe;
      const judged = { ...probe, source: tension ?? source };
      const { depths, thermometers } = historyOf(judged, withoutSteps(hours), period.end);
      const recent = seriesOfSource(source, source.sensors.map(recentOf), now + 1);
      return [
        probe.parts.module.id,
        {
          isTension: tension !== null,
          depths,
          thermometers,
          steps: tension === null ? sensorSteps(recent) : new Map(),
        },
      ];
    }),
  );
}
