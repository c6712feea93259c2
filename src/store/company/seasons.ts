import type { CropSeason } from '../../domain/balance/crop-season.ts';
import { seasonFields } from '../../schema/company/season.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import type { CompanyDb } from '../tables.ts';

const mapper = new ResourceMapper(seasonFields);

interface StoredSeason {
  readonly id: number;
  readonly season: CropSeason;
}

/** The newest season of each parcel; parcels without one are left out. */
export async function currentSeasons(
  db: CompanyDb,
  parcelIds: readonly number[],
): Promise<Map<number, StoredSeason>> {
  if (parcelIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('seasons')
    .selectAll()
    .where('parcel_id', 'in', parcelIds)
    .orderBy('id')
    .execute();
  return new Map(rows.map((row) => [row.parcel_id, { id: row.id, season: mapper.toValue(row) }]));
}

export async function insertSeason(
  db: CompanyDb,
  parcelId: number,
  season: CropSeason,
  at: number,
): Promise<void> {
  await db
    .insertInto('seasons')
    .values({ parcel_id: parcelId, set_at: at, ...mapper.toColumns(season) })
    .returning('id')
    .execute();
}

export async function updateSeason(
  db: CompanyDb,
  id: number,
  season: CropSeason,
  at: number,
): Promise<void> {
  await db
    .updateTable('seasons')
    .set({ set_at: at, ...mapper.toColumns(season) })
    .where('id', '=', id)
    .execute();
}
