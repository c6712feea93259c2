import type { CompanyDb } from '../tables.ts';
import { isDue } from './due-waterings.ts';
import { type StoredWateringRow, toWaterings, type Watering } from './watering-columns.ts';
import {
  type Direction,
  filteredRows,
  isWholeSource,
  slicesOfSource,
  sourcesOf,
  type WateringFilter,
  type WateringKey,
  type WateringSlice,
} from './watering-slices.ts';

/** Newest start first; waterings that are ahead come nearest first. */
export async function wateringsAfter(
  db: CompanyDb,
  filter: WateringFilter,
  after: WateringKey | null,
  limit: number,
): Promise<Watering[]> {
  const direction = filter.part === 'ahead' ? 'asc' : 'desc';

  const rows: StoredWateringRow[] = [];
  for (const source of sourcesOf(filter))
    rows.push(...(await firstRows(db, { source, direction, after, until: null }, filter, limit)));

  return toWaterings(db, rows.sort(byStart(direction)).slice(0, limit));
}

const byStart = (direction: Direction) => (a: StoredWateringRow, b: StoredWateringRow) => {
  const difference = a.started_at - b.started_at || a.id - b.id;
  return direction === 'asc' ? difference : -difference;
};

async function firstRows(
  db: CompanyDb,
  wholeSource: WateringSlice,
  filter: WateringFilter,
  limit: number,
): Promise<StoredWateringRow[]> {
  const rowsIn = (slice: WateringSlice, count: number): Promise<StoredWateringRow[]> =>
    filteredRows(db, slice, filter)
      .selectAll()
      .orderBy('started_at', slice.direction)
      .orderBy('id', slice.direction)
      .limit(count)
      .execute();

  if (isWholeSource(wholeSource.source, filter)) return rowsIn(wholeSource, limit);

  // The filter leaves out some rows of a slice, so the first slice has more than are wanted.
  const firstSliceRows = 4 * limit;
  const rows: StoredWateringRow[] = [];
  for await (const slice of slicesOfSource(db, wholeSource, filter, firstSliceRows)) {
    rows.push(...(await rowsIn(slice, limit - rows.length)));
    if (rows.length >= limit) break;
  }

  return rows;
}

/**
 * The waterings of a module that were done by `now`, or are due to count as done. Newest start
 * first.
 */
export async function newestDoneOf(
  db: CompanyDb,
  moduleId: number,
  now: number,
  limit: number,
): Promise<Watering[]> {
  const done = { moduleId, status: 'done', to: now + 1 } as const;
  const due = { moduleId, status: 'planned', isDueAt: now } as const;
  const found = [
    ...(await wateringsAfter(db, done, null, limit)),
    ...(await wateringsAfter(db, due, null, limit)),
  ];
  return found.sort((a, b) => b.startedAt - a.startedAt || b.id - a.id).slice(0, limit);
}

export interface NewestDone {
  readonly startedAt: number;
  /** A person said that it ran. */
  readonly isConfirmed: boolean;
}

/**
 * By module id, the newest watering until now that was done, or is due to count as done. Leaves out
 * modules without.
 */
export async function newestDone(db: CompanyDb, now: number): Promise<Map<number, NewestDone>> {
  const rows = await db
    .selectFrom('modules')
    .select((module) => {
      const newest = module
        .selectFrom('waterings')
        .whereRef('waterings.module_id', '=', 'modules.id')
        .where('started_at', '<=', now)
        .where((eb) => eb.or([eb('status', '=', 'done'), isDue(eb, now)]))
        .orderBy('started_at', 'desc')
        .orderBy('waterings.id', 'desc')
        .limit(1);
      return [
        'id',
        newest.select('started_at').as('startedAt'),
        newest.select('verified_at').as('verifiedAt'),
      ];
    })
    .execute();

  return new Map(
    rows.flatMap(({ id, startedAt, verifiedAt }) =>
      startedAt === null ? [] : [[id, { startedAt, isConfirmed: verifiedAt !== null }] as const],
    ),
  );
}
