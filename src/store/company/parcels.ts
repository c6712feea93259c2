import { lastOf } from '../../domain/items.ts';
import { parcelFields } from '../../schema/company/company.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import type { ValueOf } from '../queries/resource-types.ts';
import { rowCount } from '../store-statistics.ts';
import type { CompanyDb } from '../tables.ts';

export type Parcel = ValueOf<typeof parcelFields>;

export const parcelMapper = new ResourceMapper(parcelFields);

/** An outline may have thousands of points, so few are read before they are needed. */
const PARCELS_PER_QUERY = 20;

/** Parcels in the order of their ids, some at a time. */
export async function* parcelsAfter(
  db: CompanyDb,
  afterId: number,
): AsyncGenerator<Parcel[], void> {
  for (let after = afterId; ; ) {
    const parcels = await db
      .selectFrom('parcels')
      .select(parcelMapper.columns)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PARCELS_PER_QUERY)
      .execute();
    yield parcels.map((parcel) => parcelMapper.toValue(parcel));

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
