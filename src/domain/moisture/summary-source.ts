import type { DatedLayer } from '../soil/soil-profile.ts';
import { withStones } from '../soil/stones.ts';
import type { CalibratedSensor } from './calibration.ts';
import { type MeasurementType, resolveMeasurementType } from './measurement.ts';
import type { ProbeSettings } from './probe-settings.ts';
import { buildSummaryCurve, type CurveSettings, type SummaryCurve } from './summary-curve.ts';

interface SensorOfCurve extends CalibratedSensor {
  /** In cm. */
  readonly depth: number | null;
}

/** The inputs of the summary curve of a probe, beside the readings. */
export interface SummarySource {
  readonly type: MeasurementType;
  readonly sensors: readonly SensorOfCurve[];
  readonly curve: SummaryCurve;
  readonly rootDepthCm: number | null;
  /** Every dated soil layer of the parcel, closed ones too. */
  readonly layers: readonly DatedLayer[];
}

interface SensorOfType extends SensorOfCurve {
  readonly type: MeasurementType;
}

export function summarySource(
  allSensors: readonly SensorOfType[],
  settings: Pick<ProbeSettings, keyof CurveSettings | 'stonesByDepth'>,
  layers: readonly DatedLayer[],
  requestedType: MeasurementType,
): SummarySource {
  const type = resolveMeasurementType(allSensors, requestedType);
  const sensors = allSensors.filter((sensor) => sensor.type === type);
  const depths = sensors.map(({ depth }) => depth);
  return {
    type,
    sensors,
    curve: buildSummaryCurve(depths, settings),
    rootDepthCm: settings.rootDepthCm,
    layers: withStones(layers, settings.stonesByDepth),
  };
}
