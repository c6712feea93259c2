import { buildSummaryCurve, type SummaryCurve } from '../domain/curve.ts';
import { resolveMeasurementType } from '../domain/series.ts';
import type { DatedLayer } from '../domain/soil-profile.ts';
import type { MeasurementType } from '../schema/place.ts';
import { sensorsOf } from '../store/modules.ts';
import { curveSettings } from '../store/series.ts';
import { layersOfModule } from '../store/soil-layers.ts';
import type { CompanyDb } from '../store/tables.ts';

/** What a module serves where a type is asked for. */
export interface SummarySeriesSource {
  readonly type: MeasurementType;
  /** Ids and depths (cm) of the sensors of that type, one each in the lists of the curve. */
  readonly sensors: readonly { readonly id: number; readonly depth: number | null }[];
  readonly curve: SummaryCurve;
  readonly rootDepthCm: number | null;
  /** Every dated layer of the soil that it stands in, closed ones too; none outside a parcel. */
  readonly layers: readonly DatedLayer[];
}

export async function loadSummarySeriesSource(
  db: CompanyDb,
  moduleId: number,
  requestedType: MeasurementType,
): Promise<SummarySeriesSource> {
  const [allSensors, settings, layers] = await Promise.all([
    sensorsOf(db, [moduleId]),
    curveSettings(db, moduleId),
    layersOfModule(db, moduleId),
  ]);
  const type = resolveMeasurementType(allSensors as readonly { type: MeasurementType }[], requestedType);
  const sensors = allSensors.filter((sensor) => sensor.type === type);
  const depths = sensors.map(({ depth }) => depth);
  return {
    type,
    sensors,
    curve: buildSummaryCurve(depths, settings),
    rootDepthCm: settings.rootDepthCm,
    layers,
  };
}

/** Ids of the sensors that have a say in the curve. */
export const weightedSensorIds = ({ sensors, curve }: SummarySeriesSource): number[] =>
  sensors.filter((_, place) => curve.weights[place]! > 0).map(({ id }) => id);
