import { preparedQuery } from './prepared.ts';
import type { CompanyDb } from './tables.ts';

export interface Parcel {
  readonly id: number;
  readonly name: string;
  readonly type: string | null;
  /** GeoJSON outline, or null where none was declared. */
  readonly geometry: { type: 'Polygon' | 'MultiPolygon'; coordinates: unknown[] } | null;
}

const toParcel = (row: { id: number; name: string; type: string | null; geometry: string | null }): Parcel => ({
  ...row,
  geometry: row.geometry === null ? null : JSON.parse(row.geometry),
});

/** Parcels by id upwards, from after `afterId`; at most `count`. */
export const parcelsAfter = async (db: CompanyDb, afterId: number, count: number): Promise<Parcel[]> =>
  (
    await db
      .selectFrom('parcels')
      .select(['id', 'name', 'type', 'geometry'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(count)
      .execute()
  ).map(toParcel);

export const parcelExists = async (db: CompanyDb, id: number): Promise<boolean> =>
  (await db.selectFrom('parcels').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

export const parcelCount = async (db: CompanyDb): Promise<number> =>
  (
    await db
      .selectFrom('parcels')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;

export const parcelNames = preparedQuery((db) => db.selectFrom('parcels').select(['id', 'name']).orderBy('id'));
