import type { DatedLayer, DeclaredLayer } from '../../domain/soil/soil-profile.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

export interface SoilLayer extends DatedLayer {
  readonly id: number;
}

/** All layers that the module's parcel ever had, from the top down, then by id. */
export const layersOfModule: (db: CompanyDb, moduleId: number) => Promise<SoilLayer[]> =
  preparedQuery((db, moduleId: number) =>
    layerRows(db).where('parcel_id', '=', (eb) =>
      eb.selectFrom('modules').select('modules.parcel_id').where('modules.id', '=', moduleId),
    ),
  );

/** All layers that each of these parcels ever had, in the same order. */
export const layersOfParcels = (
  db: CompanyDb,
  parcelIds: readonly number[],
): Promise<(SoilLayer & { readonly parcelId: number })[]> =>
  parcelIds.length === 0
    ? Promise.resolve([])
    : layerRows(db).select('parcel_id as parcelId').where('parcel_id', 'in', parcelIds).execute();

export async function openLayers(db: CompanyDb, parcelId: number): Promise<SoilLayer[]> {
  return layerRows(db).where('parcel_id', '=', parcelId).where('ended_at', 'is', null).execute();
}

const layerRows = (db: CompanyDb) =>
  db
    .selectFrom('soil_layers')
    .select([
      'id',
      'soil_horizon_id as soilHorizonId',
      'depth_top_cm as depthTopCm',
      'depth_bottom_cm as depthBottomCm',
      'started_at as startedAt',
      'ended_at as endedAt',
    ])
    .orderBy('depth_top_cm')
    .orderBy('id');

export async function addLayer(
  db: CompanyDb,
  parcelId: number,
  layer: DeclaredLayer,
  at: number,
): Promise<number> {
  const { id } = await db
    .insertInto('soil_layers')
    .values({
      parcel_id: parcelId,
      soil_horizon_id: layer.soilHorizonId,
      depth_top_cm: layer.depthTopCm,
      depth_bottom_cm: layer.depthBottomCm,
      started_at: at,
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

  return id;
}

export async function closeLayer(db: CompanyDb, id: number, at: number): Promise<void> {
  await db.updateTable('soil_layers').set({ ended_at: at }).where('id', '=', id).execute();
}
