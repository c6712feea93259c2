import type { Selectable } from 'kysely';
import type { GeoJsonOutline } from '../../domain/company/geometry.ts';
import { lastOf } from '../../domain/items.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import { rowCount } from '../store-statistics.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export interface Parcel {
  readonly id: number;
  readonly name: string;
  readonly type: string | null;
  readonly geometry: GeoJsonOutline | null;
  readonly areaM2: number | null;
}

type ParcelRow = Pick<
  Selectable<CompanyTables['parcels']>,
  'id' | 'name' | 'type' | 'geometry' | 'area_m2'
>;

export const toParcel = ({ id, name, type, geometry, area_m2: areaM2 }: ParcelRow): Parcel => ({
  id,
  name,
  type,
  areaM2,
  geometry: geometry === null ? null : JSON.parse(geometry),
});

/** An outline may have thousands of points, so few are read before they are needed. */
const PARCELS_PER_QUERY = 20;

/** In their order, some at a time. */
export async function* parcelsAfter(
  db: CompanyDb,
  afterId: number,
): AsyncGenerator<Parcel[], void> {
  for (let after = afterId; ; ) {
    const parcels = await db
      .selectFrom('parcels')
      .select(['id', 'name', 'type', 'geometry', 'area_m2'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PARCELS_PER_QUERY)
      .execute();
    yield parcels.map(toParcel);

    if (parcels.length < PARCELS_PER_QUERY) return;
    after = lastOf(parcels).id;
  }
}

export const parcelExists = async (db: CompanyDb, id: number): Promise<boolean> =>
  (await db.selectFrom('parcels').select('id').where('id', '=', id).executeTakeFirst()) !==
  undefined;

export const parcelAreaM2 = async (db: CompanyDb, id: number): Promise<number | null> =>
  (await db.selectFrom('parcels').select('area_m2').where('id', '=', id).executeTakeFirst())
    ?.area_m2 ?? null;

export const parcelCount = (db: CompanyDb): Promise<number> => rowCount(db.selectFrom('parcels'));

export const parcelNames = preparedQuery((db) =>
  db.selectFrom('parcels').select(['id', 'name', 'type']).orderBy('id'),
);

export const parcelTypes = async (
  db: CompanyDb,
  ids: readonly number[],
): Promise<{ id: number; type: string | null }[]> =>
  ids.length === 0
    ? []
    : db.selectFrom('parcels').select(['id', 'type']).where('id', 'in', ids).execute();

export const parcelType = preparedQuery((db, id: number) =>
  db.selectFrom('parcels').select('type').where('id', '=', id),
);
