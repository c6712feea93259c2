import type { Selectable } from 'kysely';
import { LONGEST_DAY_MS } from '../../domain/periods.ts';
import type { PeriodBounds, RainRecord } from '../../domain/weather/rain.ts';
import type { RainSource } from '../../schema/weather/rain.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';

export interface Rain extends RainRecord {
  readonly source: RainSource;
  /** The key of the record at its gauge before a person moved it; null if nobody did. */
  readonly gaugeKey: string | null;
  readonly note: string | null;
  readonly createdBy: number | null;
  readonly createdAt: number;
}

/** Identifies a record among those of its gauge: the start in ms, or the local day of a total. */
export const gaugeKeyOf = ({ isWholeDay, localDay, startedAt }: Omit<RainRecord, 'id'>): string =>
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
  gaugeKey: row.gauge_time,
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
  gauge_time: rain.gaugeKey,
  note: rain.note,
  created_by: rain.createdBy,
  created_at: rain.createdAt,
});

export async function insertRain(db: CompanyDb, rain: Omit<Rain, 'id'>): Promise<Rain> {
  const { id } = await db
    .insertInto('rain')
    .values(rainColumns(rain))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, ...rain };
}

export async function insertRains(db: CompanyDb, rows: readonly Omit<Rain, 'id'>[]): Promise<void> {
  // The recorder of changes needs the ids (store/scope/row-recorder.ts).
  if (rows.length > 0)
    await db.insertInto('rain').values(rows.map(rainColumns)).returning('id').execute();
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
export const movedRainOfGauges = async (
  db: CompanyDb,
  moduleIds: readonly number[],
): Promise<Rain[]> =>
  (
    await db
      .selectFrom('rain')
      .selectAll()
      .where('module_id', 'in', moduleIds)
      .where('gauge_time', 'is not', null)
      .execute()
  ).map(toRain);

export interface RainFilter extends PeriodBounds {
  /** Includes rain of the whole farm. */
  readonly parcelId?: number | undefined;
}

/** The place of a record in the order by start and id. */
interface RainKey {
  readonly startedAt: number;
  readonly id: number;
}

// SQLite blocks the event loop until a statement ends, so long lists are read in slices: records
// that follow each other in the index by start, whether the filter selects them or not.

/** The records that follow `after`, up to and including `until`; null means no limit. */
interface RainSlice {
  readonly direction: 'asc' | 'desc';
  readonly after: RainKey | null;
  readonly until: RainKey | null;
}

const SLICE_ROWS = 1_000;

/** Includes a day before `from`, because the total of a day may begin before and end after it. */
function sliceQuery(
  db: CompanyDb,
  { from, to }: PeriodBounds,
  { direction, after, until }: RainSlice,
) {
  const [follows, upTo] = direction === 'asc' ? (['>', '<='] as const) : (['<', '>='] as const);

  let query = db.selectFrom('rain');
  if (from !== undefined) query = query.where('started_at', '>=', from - LONGEST_DAY_MS);
  if (to !== undefined) query = query.where('started_at', '<', to);

  if (after !== null)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('started_at', 'id'), follows, tuple(after.startedAt, after.id)),
    );

  if (until !== null)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('started_at', 'id'), upTo, tuple(until.startedAt, until.id)),
    );

  return query.orderBy('started_at', direction).orderBy('id', direction);
}

/** Selects the records of a slice that belong to the filter, as `rainByDayInPeriod` does. */
function filteredSliceQuery(db: CompanyDb, { parcelId, ...period }: RainFilter, slice: RainSlice) {
  const { from } = period;
  let query = sliceQuery(db, period, slice).selectAll();

  if (parcelId !== undefined)
    query = query.where(({ eb, or }) =>
      or([eb('parcel_id', '=', parcelId), eb('parcel_id', 'is', null)]),
    );

  if (from !== undefined)
    query = query.where(({ eb, or, and }) =>
      or([
        eb('started_at', '>=', from),
        and([eb('is_whole_day', '=', 1), eb('ended_at', '>', from)]),
      ]),
    );

  return query;
}

/** Divides a slice into slices of at most SLICE_ROWS records. */
async function* slicesOf(
  db: CompanyDb,
  period: PeriodBounds,
  whole: RainSlice,
): AsyncGenerator<RainSlice> {
  let { after } = whole;
  for (;;) {
    const end = await sliceQuery(db, period, { ...whole, after })
      .select(['started_at as startedAt', 'id'])
      .offset(SLICE_ROWS - 1)
      .limit(1)
      .executeTakeFirst();
    yield { ...whole, after, until: end ?? null };
    if (end === undefined) return;
    after = end;
  }
}

/** Newest first. */
export async function rainAfter(
  db: CompanyDb,
  filter: RainFilter,
  after: RainKey | null,
  limit: number,
): Promise<Rain[]> {
  const whole = { direction: 'desc', after, until: null } as const;
  // Without a parcel the first records belong to the filter, so one statement reads few.
  const slices = filter.parcelId === undefined ? [whole] : slicesOf(db, filter, whole);

  const found: Rain[] = [];
  for await (const slice of slices) {
    const query = filteredSliceQuery(db, filter, slice).limit(limit - found.length);
    found.push(...(await query.execute()).map(toRain));
    if (found.length >= limit) break;
  }

  return found;
}

/** Oldest first. */
export async function* rainSlices(db: CompanyDb, filter: RainFilter): AsyncGenerator<Rain[]> {
  const whole = { direction: 'asc', after: null, until: null } as const;
  for await (const slice of slicesOf(db, filter, whole))
    yield (await filteredSliceQuery(db, filter, slice).execute()).map(toRain);
}

export async function rainIn(db: CompanyDb, filter: RainFilter): Promise<Rain[]> {
  const found: Rain[] = [];
  for await (const rows of rainSlices(db, filter)) found.push(...rows);
  return found;
}

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

/**
 * The imported total of a day for a parcel or the whole farm, even if a person moved it to another
 * day.
 */
export async function importedRainOf(
  db: CompanyDb,
  localDay: string,
  parcelId: number | null,
): Promise<Rain | null> {
  const row = await db
    .selectFrom('rain')
    .selectAll()
    .where((eb) => eb.fn.coalesce('gauge_time', 'local_day'), '=', localDay)
    .where('source', '=', 'import')
    .where('parcel_id', parcelId === null ? 'is' : '=', parcelId)
    .executeTakeFirst();
  return row ? toRain(row) : null;
}
