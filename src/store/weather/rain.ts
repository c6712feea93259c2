import type { Selectable } from 'kysely';
import { LONGEST_DAY_MS } from '../../domain/periods.ts';
import type { RainPeriod, RainRecord } from '../../domain/weather/rain.ts';
import type { RainSource } from '../../schema/weather/rain.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';

export interface Rain extends RainRecord {
  readonly source: RainSource;
  /** `gaugeTimeOf` this record before a person moved it; null if nobody did. */
  readonly gaugeTime: string | null;
  readonly note: string | null;
  readonly createdBy: number | null;
  readonly createdAt: number;
}

/** Identifies a record among those of a gauge: the start, or the day of a total. */
export const gaugeTimeOf = ({ isWholeDay, localDay, startedAt }: Omit<RainRecord, 'id'>): string =>
  isWholeDay ? localDay : String(startedAt);

const toRain = (row: Selectable<CompanyTables['rain']>): Rain => ({
  id: row.id,
  parcelId: row.parcel_id,
  moduleId: row.module_id,
  localDay: row.local_day,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  isWholeDay: row.is_whole_day === 1,
  mm: row.mm,
  source: row.source,
  gaugeTime: row.gauge_time,
  note: row.note,
  createdBy: row.created_by,
  createdAt: row.created_at,
});

const rainColumns = (rain: Omit<Rain, 'id'>) => ({
  parcel_id: rain.parcelId,
  module_id: rain.moduleId,
  local_day: rain.localDay,
  started_at: rain.startedAt,
  ended_at: rain.endedAt,
  is_whole_day: toFlag(rain.isWholeDay),
  mm: rain.mm,
  source: rain.source,
  gauge_time: rain.gaugeTime,
  note: rain.note,
  created_by: rain.createdBy,
  created_at: rain.createdAt,
});

export async function insertRain(db: CompanyDb, rain: Omit<Rain, 'id'>): Promise<Rain> {
  const { id } = await db.insertInto('rain').values(rainColumns(rain)).returning('id').executeTakeFirstOrThrow();
  return { id, ...rain };
}

export async function insertRains(db: CompanyDb, rows: readonly Omit<Rain, 'id'>[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('rain').values(rows.map(rainColumns)).returning('id').execute();
}

export async function updateRain(db: CompanyDb, rain: Rain): Promise<void> {
  await db.updateTable('rain').set(rainColumns(rain)).where('id', '=', rain.id).execute();
}

export async function rainById(db: CompanyDb, id: number): Promise<Rain | null> {
  const row = await db.selectFrom('rain').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toRain(row) : null;
}

/** The record of a station for the same day or the same start. */
export async function rainOfGauge(
  db: CompanyDb,
  moduleId: number,
  { isWholeDay, startedAt }: Pick<Rain, 'isWholeDay' | 'startedAt'>,
): Promise<Rain | null> {
  const row = await db
    .selectFrom('rain')
    .selectAll()
    .where('module_id', '=', moduleId)
    .where('is_whole_day', '=', toFlag(isWholeDay))
    .where('started_at', '=', startedAt)
    .executeTakeFirst();
  return row ? toRain(row) : null;
}

/** Records of stations that start between `from` and `to`, both included. */
export const rainOfGauges = async (
  db: CompanyDb,
  moduleIds: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Rain[]> =>
  (
    await db
      .selectFrom('rain')
      .selectAll()
      .where('module_id', 'in', moduleIds)
      .where('started_at', '>=', from)
      .where('started_at', '<=', to)
      .execute()
  ).map(toRain);

/** Records of stations that a person moved to another time. */
export const movedRainOfGauges = async (db: CompanyDb, moduleIds: readonly number[]): Promise<Rain[]> =>
  (
    await db
      .selectFrom('rain')
      .selectAll()
      .where('module_id', 'in', moduleIds)
      .where('gauge_time', 'is not', null)
      .execute()
  ).map(toRain);

export interface RainFilter extends RainPeriod {
  /** Includes rain of the whole farm. */
  readonly parcelId?: number | undefined;
}

/** Selects the records of a period like `rainOfPeriodByDay`. */
function filteredRain(db: CompanyDb, { parcelId, from, to }: RainFilter) {
  let query = db.selectFrom('rain');
  if (parcelId !== undefined)
    query = query.where((eb) => eb.or([eb('parcel_id', '=', parcelId), eb('parcel_id', 'is', null)]));
  if (from !== undefined)
    query = query
      .where('started_at', '>=', from - LONGEST_DAY_MS)
      .where((eb) =>
        eb.or([eb('started_at', '>=', from), eb.and([eb('is_whole_day', '=', 1), eb('ended_at', '>', from)])]),
      );
  if (to !== undefined) query = query.where('started_at', '<', to);
  return query;
}

/** Newest first. */
export async function rainAfter(
  db: CompanyDb,
  filter: RainFilter,
  after: { readonly startedAt: number; readonly id: number } | null,
  limit: number,
): Promise<Rain[]> {
  let query = filteredRain(db, filter).selectAll().orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit);
  if (after)
    query = query.where((eb) =>
      eb.or([
        eb('started_at', '<', after.startedAt),
        eb.and([eb('started_at', '=', after.startedAt), eb('id', '<', after.id)]),
      ]),
    );
  return (await query.execute()).map(toRain);
}

export const rainIn = async (db: CompanyDb, filter: RainFilter): Promise<Rain[]> =>
  (await filteredRain(db, filter).selectAll().orderBy('started_at').orderBy('id').execute()).map(toRain);

/** Both local days are included. */
export const rainOfDays = async (db: CompanyDb, from: string, to: string): Promise<Rain[]> =>
  (
    await db
      .selectFrom('rain')
      .selectAll()
      .where('local_day', '>=', from)
      .where('local_day', '<=', to)
      .orderBy('started_at')
      .orderBy('id')
      .execute()
  ).map(toRain);

/** The imported total of a day for a parcel or the whole farm, even if a person moved it to another day. */
export async function importedRainOf(db: CompanyDb, localDay: string, parcelId: number | null): Promise<Rain | null> {
  const row = await db
    .selectFrom('rain')
    .selectAll()
    .where((eb) => eb.fn.coalesce('gauge_time', 'local_day'), '=', localDay)
    .where('source', '=', 'import')
    .where('parcel_id', parcelId === null ? 'is' : '=', parcelId)
    .executeTakeFirst();
  return row ? toRain(row) : null;
}
