import type { ProbeWateringFacts } from '../../domain/facts/watering-facts.ts';
import { lastOf } from '../../domain/items.ts';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import type { CompanyDb } from '../tables.ts';
import { statusOnceRun } from './due-waterings.ts';
import { toWaterings, type Watering } from './watering-columns.ts';
import {
  filteredRows,
  inSlices,
  slicesOfModules,
  sourcesOf,
  type WateringFilter,
  type WateringKey,
  wholeSource,
} from './watering-slices.ts';

export interface WateringPeriod {
  /** The period of the starts, in ms: `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
  readonly status?: WateringStatus | undefined;
}

/** Waterings that have begun by `now` and are due to count as done do so. */
export const factRows = (rows: WateringRows, now: number) =>
  rows.select((eb) => [
    'id',
    'module_id as moduleId',
    'schedule_id as scheduleId',
    'is_detached',
    'started_at as startedAt',
    'duration_min as durationMin',
    'input_mode as inputMode',
    'water_mm as waterMm',
    'water_mm_wetted as waterMmWetted',
    'dose_scope as scope',
    statusOnceRun(eb, now).as('status'),
    'verified_at',
  ]);

type WateringRows = ReturnType<typeof filteredRows>;

type FactRow = Awaited<ReturnType<ReturnType<typeof factRows>['execute']>>[number];

export const toFacts = <Row extends FactRow>({ is_detached, verified_at, ...watering }: Row) => ({
  ...watering,
  isDetached: is_detached === 1,
  isConfirmed: verified_at !== null,
});

const factsOnProbes = async (rows: WateringRows, now: number): Promise<ProbeWateringFacts[]> =>
  (await factRows(rows, now).$narrowType<{ moduleId: number }>().execute()).map(toFacts);

/** The waterings of these modules, or of the whole farm, oldest start first. */
export async function wateringFacts(
  db: CompanyDb,
  moduleIds: readonly number[] | undefined,
  { from, to, status }: WateringPeriod,
  now: number,
): Promise<ProbeWateringFacts[]> {
  // Planned ones that are due count as done.
  const stored = status === 'done' ? (['done', 'planned'] as const) : [status];
  const filters =
    moduleIds === undefined ? stored.map((each) => ({ from, to, status: each })) : [{ from, to }];
  return readInSlices(db, moduleIds, filters, async (rows) => {
    const ofStatus =
      status === undefined ? rows : rows.where((eb) => eb(statusOnceRun(eb, now), '=', status));
    return factsOnProbes(ofStatus, now);
  });
}

/** No statement reads more rows than a slice has. Oldest start first. */
async function readInSlices<Row extends WateringKey>(
  db: CompanyDb,
  moduleIds: readonly number[] | undefined,
  filters: readonly WateringFilter[],
  read: (rows: WateringRows) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const filter of filters) {
    const slices =
      moduleIds === undefined
        ? inSlices(db, sourcesOf(filter).map(wholeSource), filter)
        : slicesOfModules(db, moduleIds, filter);
    for await (const slice of slices) found.push(...(await read(filteredRows(db, slice, filter))));
  }
  return found.sort((a, b) => a.startedAt - b.startedAt || a.id - b.id);
}

/** The same as whole rows. */
export async function wateringsInPeriod(
  db: CompanyDb,
  moduleIds: readonly number[] | undefined,
  period: WateringPeriod,
): Promise<Watering[]> {
  return readInSlices(db, moduleIds, [period], async (rows) =>
    toWaterings(db, await rows.selectAll().execute()),
  );
}

/** Rows of one statement. */
const WITHOUT_DOSE_PER_PAGE = 1_000;

/**
 * The waterings of these modules that have no dose and were not skipped, in pages; of one module
 * newest start first.
 */
export async function* wateringsWithoutDose(
  db: CompanyDb,
  moduleIds: readonly number[],
  now: number,
  { perPage = WITHOUT_DOSE_PER_PAGE, before = null }: PagesWithoutDose = {},
): AsyncGenerator<ProbeWateringFacts[], void> {
  if (moduleIds.length === 0) return;
  const page = await pageWithoutDose(db, moduleIds, now, { perPage, before });
  if (page.length < perPage) return yield page;

  // Only the rows of one module have an order in which a page can follow another by an index.
  if (moduleIds.length > 1) {
    const half = Math.floor(moduleIds.length / 2);
    yield* wateringsWithoutDose(db, moduleIds.slice(0, half), now, { perPage });
    return yield* wateringsWithoutDose(db, moduleIds.slice(half), now, { perPage });
  }
  yield page;
  yield* wateringsWithoutDose(db, moduleIds, now, { perPage, before: lastOf(page) });
}

interface PagesWithoutDose {
  readonly perPage?: number;
  readonly before?: WateringKey | null;
}

async function pageWithoutDose(
  db: CompanyDb,
  moduleIds: readonly number[],
  now: number,
  { perPage, before }: Required<PagesWithoutDose>,
): Promise<ProbeWateringFacts[]> {
  let query = factRows(db.selectFrom('waterings'), now)
    .where('module_id', 'in', moduleIds)
    // The condition of the partial index on incomplete waterings.
    .where((eb) => eb.or([eb('water_mm', 'is', null), eb('dose_installation_id', 'is', null)]))
    .where('water_mm', 'is', null)
    .where('status', '<>', 'skipped')
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(perPage);
  if (before !== null)
    query = query.where((eb) =>
      eb(eb.refTuple('started_at', 'id'), '<', eb.tuple(before.startedAt, before.id)),
    );
  return (await query.$narrowType<{ moduleId: number }>().execute()).map(toFacts);
}
