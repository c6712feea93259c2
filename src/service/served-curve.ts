import { type Curve, curveOf } from '../domain/curve.ts';
import { servedType } from '../domain/series.ts';
import type { DatedLayer } from '../domain/soil-profile.ts';
import type { MeasurementType } from '../schema/place.ts';
import { sensorsOf } from '../store/modules.ts';
import { curveSettings } from '../store/series.ts';
import { layersAround } from '../store/soil-layers.ts';
import type { CompanyDb } from '../store/tables.ts';

/** What a module serves where a type is asked for. */
export interface ServedCurve {
  readonly type: MeasurementType;
  /** Ids and depths (cm) of the sensors of that type, one each in the lists of the curve. */
  readonly sensors: readonly { readonly id: number; readonly depth: number | null }[];
  readonly curve: Curve;
  readonly rootDepthCm: number | null;
  /** Every dated layer of the soil that it stands in, closed ones too; none outside a parcel. */
  readonly layers: readonly DatedLayer[];
}

export async function servedCurve(db: CompanyDb, moduleId: number, asked: MeasurementType): Promise<ServedCurve> {
  const [all, settings, layers] = await Promise.all([
    sensorsOf(db, [moduleId]),
    curveSettings(db, moduleId),
    layersAround(db, moduleId),
  ]);
  const type = servedType(all as readonly { type: MeasurementType }[], asked);
  const sensors = all.filter((sensor) => sensor.type === type);
  const depths = sensors.map(({ depth }) => depth);
  return {
    type,
    sensors,
    curve: curveOf(depths, settings),
    rootDepthCm: settings.rootDepthCm,
    layers,
  };
}

/** Ids of the sensors that have a say in the curve. */
export const weightySensors = ({ sensors, curve }: ServedCurve): number[] =>
  sensors.filter((_, place) => curve.weights[place]! > 0).map(({ id }) => id);
