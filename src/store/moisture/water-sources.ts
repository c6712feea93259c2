import type { SourceVersion, WaterSource } from '../../domain/moisture/water-sources.ts';
import { toWholeTimes } from '../../domain/moisture/water-times.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

const rowsOfSources = preparedQuery((db) =>
  db.selectFrom('water_sources').select(['name', 'versions']).orderBy('name'),
);

export async function waterSources(db: CompanyDb): Promise<WaterSource[]> {
  const rows = await rowsOfSources(db);
  return rows.map(({ name, versions }) => ({ name, versions: readVersions(versions) }));
}

const readVersions = (versions: string): SourceVersion[] =>
  (JSON.parse(versions) as SourceVersion[]).map(({ validFrom, times }) => ({
    validFrom,
    times: toWholeTimes(times),
  }));

export async function insertWaterSource(db: CompanyDb, name: string, at: number): Promise<void> {
  await db.insertInto('water_sources').values({ name, set_at: at, versions: '[]' }).execute();
}

export async function putSourceVersions(
  db: CompanyDb,
  { name, versions }: WaterSource,
  setAt: number,
): Promise<void> {
  await db
    .updateTable('water_sources')
    .set({ set_at: setAt, versions: JSON.stringify(versions) })
    .where('name', '=', name)
    .execute();
}

/** By name of the source, the parcels that draw from it now. */
export async function parcelsOfSources(
  db: CompanyDb,
  now: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await db
    .selectFrom('parcel_settings')
    .select(['parcel_id', 'water_source'])
    .where('valid_from', '<=', now)
    .orderBy('valid_from')
    .execute();
  const sourceOf = new Map(rows.map((row) => [row.parcel_id, row.water_source]));
  const parcels = new Map<string, number[]>();
  for (const [parcelId, source] of [...sourceOf].sort(([a], [b]) => a - b))
    if (source !== null) parcels.set(source, [...(parcels.get(source) ?? []), parcelId]);
  return parcels;
}
