import { type ExpressionBuilder, sql } from 'kysely';
import { WATERING_STATUSES, type WateringStatus } from '../../schema/irrigation/watering.ts';
import { allModuleIds, moduleIdsOfParcel } from '../company/modules.ts';
import { rowCount } from '../store-statistics.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import { isDue } from './due-waterings.ts';

export interface WateringFilter {
  readonly moduleId?: number | undefined;
  readonly parcelId?: number | undefined;
  readonly scheduleId?: number | undefined;
  readonly status?: WateringStatus | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /**
   * Relative to `now`, which it requires. A done watering has begun even if it starts later: it was
   * entered while a clock was ahead.
   */
  readonly part?: WateringPart;
  readonly now?: number;
  /** Nobody said that they ran. */
  readonly isUnconfirmed?: true;
  /** Planned, and due to count as done at this instant. */
  readonly isDueAt?: number | undefined;
}

export type WateringPart = 'begun' | 'ahead';

/** Where to read rows in the order of start and id: each kind of source has an index. */
export type RowSource =
  | { readonly moduleIds: readonly number[] }
  | { readonly scheduleId: number; readonly status: WateringStatus }
  | { readonly status: WateringStatus };

export interface WateringKey {
  readonly startedAt: number;
  readonly id: number;
}

export type Direction = 'asc' | 'desc';

/** The rows of a source after one key, up to another one, in a direction; null means no limit. */
export interface WateringSlice {
  readonly source: RowSource;
  readonly direction: Direction;
  readonly after: WateringKey | null;
  readonly until: WateringKey | null;
}

type Slices = AsyncGenerator<WateringSlice>;

/** Rows of one statement: SQLite blocks the event loop until a statement ends. */
const SLICE_ROWS = 2_500;

/** Sources that together have all rows of the filter, and as few others as the indexes allow. */
export function sourcesOf(filter: WateringFilter): RowSource[] {
  const { moduleId, scheduleId } = filter;
  if (moduleId !== undefined) return [{ moduleIds: [moduleId] }];
  return WATERING_STATUSES.filter((status) => mayHaveRows(status, filter)).map((status) =>
    scheduleId === undefined ? { status } : { scheduleId, status },
  );
}

function mayHaveRows(status: WateringStatus, filter: WateringFilter): boolean {
  if (filter.part === 'ahead' && status === 'done') return false;
  return filter.status === undefined || filter.status === status;
}

/** The filter selects every row of the source within its period. */
export function isWholeSource(source: RowSource, filter: WateringFilter): boolean {
  if (filter.parcelId !== undefined || filter.isUnconfirmed || filter.isDueAt !== undefined)
    return false;
  if (!('moduleIds' in source)) return true;
  return filter.status === undefined && filter.scheduleId === undefined && !filter.part;
}

type Waterings = ExpressionBuilder<CompanyTables, 'waterings'>;

/** The rows of a slice within the period of the filter. */
function rowsOfSlice(db: CompanyDb, slice: WateringSlice, filter: WateringFilter) {
  const { source, direction, after, until } = slice;
  const { from, to } = boundsOf(source, filter);
  const [follows, upTo] = direction === 'asc' ? (['>', '<='] as const) : (['<', '>='] as const);
  const compare = (eb: Waterings, operator: typeof follows | typeof upTo, key: WateringKey) =>
    eb(eb.refTuple('started_at', 'id'), operator, eb.tuple(key.startedAt, key.id));

  let query = rowsOfSource(db, source);
  if (from !== undefined) query = query.where('started_at', '>=', from);
  if (to !== undefined) query = query.where('started_at', '<', to);
  if (after !== null) query = query.where((eb) => compare(eb, follows, after));
  if (until !== null) query = query.where((eb) => compare(eb, upTo, until));

  return query;
}

function rowsOfSource(db: CompanyDb, source: RowSource) {
  const query = db.selectFrom('waterings');
  if ('moduleIds' in source) return query.where('module_id', 'in', source.moduleIds);
  if ('scheduleId' in source)
    return query.where('schedule_id', '=', source.scheduleId).where('status', '=', source.status);
  // A literal, so that the partial index on the status applies.
  return query.where('status', '=', sql.lit(source.status));
}

/**
 * The period in which a source may have rows of the filter. Its part narrows the period unless the
 * source has done waterings, which have begun whenever they start.
 */
function boundsOf(source: RowSource, { from, to, part, now = 0, isDueAt }: WateringFilter) {
  if (isDueAt !== undefined)
    return { from, to: Math.min(to ?? Number.MAX_SAFE_INTEGER, isDueAt + 1) };
  if (part === undefined || 'moduleIds' in source || source.status === 'done') return { from, to };
  return part === 'begun'
    ? { from, to: Math.min(to ?? Number.MAX_SAFE_INTEGER, now + 1) }
    : { from: Math.max(from ?? Number.MIN_SAFE_INTEGER, now + 1), to };
}

/**
 * A column in a form for which a database uses no index, so that it reads a slice by the index of
 * its source.
 */
export const unindexed = (column: 'module_id' | 'schedule_id') => sql<number>`+${sql.ref(column)}`;

/** The rows of a slice that the filter selects: waterings on probes. */
export function filteredRows(db: CompanyDb, slice: WateringSlice, filter: WateringFilter) {
  const { source } = slice;
  const { parcelId, scheduleId, status, part, now = 0, isUnconfirmed, isDueAt } = filter;

  let query = rowsOfSlice(db, slice, filter);
  if (isUnconfirmed) query = query.where('verified_at', 'is', null);
  if (isDueAt !== undefined) query = query.where((eb) => isDue(eb, isDueAt));
  if (parcelId !== undefined)
    query = query.where((eb) =>
      eb(
        unindexed('module_id'),
        'in',
        eb.selectFrom('modules').select('modules.id').where('modules.parcel_id', '=', parcelId),
      ),
    );

  if (!('moduleIds' in source)) return query.where(unindexed('module_id'), 'is not', null);

  if (scheduleId !== undefined) query = query.where(unindexed('schedule_id'), '=', scheduleId);
  if (status !== undefined) query = query.where('status', '=', status);

  if (part === 'begun')
    query = query.where(({ eb, or }) =>
      or([eb('started_at', '<=', now), eb('status', '=', 'done')]),
    );

  if (part === 'ahead') query = query.where('started_at', '>', now).where('status', '!=', 'done');
  return query;
}

/**
 * Divides a source into slices of at most SLICE_ROWS rows. The first has `firstRows` rows, each
 * next one four times as many: a caller that wants few rows mostly finds them at the beginning.
 */
export async function* slicesOfSource(
  db: CompanyDb,
  whole: WateringSlice,
  filter: WateringFilter,
  firstRows = SLICE_ROWS,
): Slices {
  let { after } = whole;
  for (let length = firstRows; ; length *= 4) {
    const rest = { ...whole, after };
    const until = await keyOfNthRow(db, rest, filter, Math.min(length, SLICE_ROWS));
    yield { ...rest, until };
    if (until === null) return;
    after = until;
  }
}

/** The key of the nth row of a slice; null if it has fewer rows. */
async function keyOfNthRow(
  db: CompanyDb,
  slice: WateringSlice,
  filter: WateringFilter,
  nth: number,
): Promise<WateringKey | null> {
  const key = await rowsOfSlice(db, slice, filter)
    .select(['started_at as startedAt', 'id'])
    .orderBy('started_at', slice.direction)
    .orderBy('id', slice.direction)
    .offset(nth - 1)
    .limit(1)
    .executeTakeFirst();
  return key ?? null;
}

export const wholeSource = (source: RowSource): WateringSlice => ({
  source,
  direction: 'asc',
  after: null,
  until: null,
});

/**
 * All rows that the filter may select, in slices of at most SLICE_ROWS rows. If they are more than
 * a slice, they come by modules, so that few slices have rows of the same module.
 */
export async function* slicesByModule(db: CompanyDb, filter: WateringFilter): Slices {
  const { moduleId, parcelId, scheduleId } = filter;
  const sources = sourcesOf(filter).map(wholeSource);
  const isOfModuleOrSchedule = moduleId !== undefined || scheduleId !== undefined;
  if (isOfModuleOrSchedule) return yield* inSlices(db, sources, filter);
  if (parcelId === undefined && (await areAllShort(db, sources, filter))) return yield* sources;

  const isOfParcel = parcelId !== undefined;
  const moduleIds = await (isOfParcel ? moduleIdsOfParcel(db, parcelId) : allModuleIds(db));
  yield* slicesOfModules(db, moduleIds, filter);
}

export async function* inSlices(
  db: CompanyDb,
  sources: readonly WateringSlice[],
  filter: WateringFilter,
): Slices {
  for (const source of sources) yield* slicesOfSource(db, source, filter);
}

async function areAllShort(
  db: CompanyDb,
  slices: readonly WateringSlice[],
  filter: WateringFilter,
) {
  for (const slice of slices) {
    if (!(await isShort(db, slice, filter))) return false;
  }
  return true;
}

/** The slice has at most SLICE_ROWS rows. */
async function isShort(db: CompanyDb, slice: WateringSlice, filter: WateringFilter) {
  const rows = rowsOfSlice(db, slice, filter)
    .select('id')
    .limit(SLICE_ROWS + 1);
  return (await rowCount(db.selectFrom(rows.as('rows')))) <= SLICE_ROWS;
}

/** Only those with more rows than a slice come in several. */
export async function* slicesOfModules(
  db: CompanyDb,
  moduleIds: readonly number[],
  filter: WateringFilter,
): Slices {
  if (moduleIds.length === 0) return;

  const slice = wholeSource({ moduleIds });
  if (await isShort(db, slice, filter)) return yield slice;
  if (moduleIds.length === 1) return yield* slicesOfSource(db, slice, filter);

  const half = Math.floor(moduleIds.length / 2);
  yield* slicesOfModules(db, moduleIds.slice(0, half), filter);
  yield* slicesOfModules(db, moduleIds.slice(half), filter);
}
