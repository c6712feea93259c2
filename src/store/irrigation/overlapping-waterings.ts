import { chunksOf } from '../../domain/groups.ts';
import { MAX_DURATION_MIN } from '../../domain/irrigation/watering-amount.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import { moduleById } from '../company/modules.ts';
import { preparedListQuery, preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';
import type { StoredWatering } from './watering-columns.ts';

// A watering that runs at an instant may have begun 31 days before, the longest duration. A search
// by start would therefore read a month of waterings, and a search by end all those ahead. An
// interval tree (Kriegel et al. 2000) finds the long ones: each is stored at one node, an instant
// within it that the database computes (store/schema/table-storage.ts).

/** Only waterings of this length or more are in the tree. */
const LONG_MS = 2 * HOUR_MS;

/** Nodes of level n are odd multiples of 2^n x `LONG_MS`; of the highest level, all multiples. */
const LEVELS = 10;
const HIGHEST_STEP_MS = LONG_MS * 2 ** (LEVELS - 1);

/** Both lists have `LEVELS` nodes, because a prepared query needs lists of one length. */
interface Nodes {
  readonly upTo: readonly number[];
  readonly after: readonly number[];
}

/**
 * The nodes of the waterings that may run at an instant: one of each level, two of the highest. In
 * the list to which the node of a level does not belong, one of the highest level takes its place.
 */
function nodesAround(at: number): Nodes {
  const highest = at - (at % HIGHEST_STEP_MS);
  const next = highest + HIGHEST_STEP_MS;

  const nodes = Array.from({ length: LEVELS - 1 }, (_, level) => {
    const stepMs = LONG_MS * 2 ** level;
    return at - (at % (2 * stepMs)) + stepMs;
  });

  return {
    upTo: [highest, ...nodes.map((node) => (node <= at ? node : highest))],
    after: [next, ...nodes.map((node) => (node <= at ? next : node))],
  };
}

const COLUMNS = [
  'id',
  'module_id as moduleId',
  'parcel_id as parcelId',
  'started_at as startedAt',
  'duration_min as durationMin',
  'status',
] as const;

const wateringsOf = (db: CompanyDb, moduleIds: readonly number[], exceptId: number) => {
  const waterings = db.selectFrom('waterings').select(COLUMNS);
  return waterings.where('module_id', 'in', moduleIds).where('id', '!=', exceptId);
};

/** The longest duration, in ms. */
const LONGEST_MS = MAX_DURATION_MIN * MINUTE_MS;

type Waterings = ReturnType<typeof wateringsOf>;

/**
 * Waterings that start within the period, and short ones that run at its start, all of which
 * started after `earliest`. A watering without a duration has no end, and overlaps at its start
 * alone.
 */
const shortOrWithin = (waterings: Waterings, earliest: number, start: number, end: number) =>
  waterings
    .where('started_at', '>', earliest)
    .where('started_at', '<', end)
    .where('status', '!=', 'skipped')
    .where(({ eb, and, or }) => {
      const isRunning = or([eb('started_at', '=', start), eb('ended_at', '>', start)]);
      const isShort = eb('interval_node', 'is', null);
      return or([eb('started_at', '>', start), and([isShort, isRunning])]);
    });

/** Probes of one statement: a quarter of the time of one for each, and still short. */
const PROBES_PER_QUERY = 50;

/**
 * The most that are read, while a write lock may be held: a call that is repeated for a parcel of
 * thousands of probes overlaps all those before it.
 */
export const MAX_OVERLAPPING = 10_000;

/** In no order: to sort the rows SQLite would read all waterings of a probe by another index. */
const overlappingRows = preparedListQuery(
  (
    db,
    moduleIds,
    exceptId: number,
    earliest: number,
    start: number,
    end: number,
    limit: number,
    ...nodes: number[]
  ) => {
    const waterings = wateringsOf(db, moduleIds, exceptId);
    const inTree = (tree: readonly number[]) => waterings.where('interval_node', 'in', tree);

    return shortOrWithin(waterings, earliest, start, end)
      .unionAll(inTree(nodes.slice(0, LEVELS)).where('ended_at', '>', start))
      .unionAll(inTree(nodes.slice(LEVELS)).where('started_at', '<=', start))
      .limit(limit);
  },
  PROBES_PER_QUERY,
);

export type OverlappingWatering = Awaited<ReturnType<typeof overlappingRows>>[number];

type RunPeriod = Pick<StoredWatering, 'startedAt' | 'durationMin'>;

/** The end is exclusive: without a duration the period has the start alone. */
const endOf = ({ startedAt, durationMin }: RunPeriod): number =>
  startedAt + Math.max(1, (durationMin ?? 0) * MINUTE_MS);

const rowsOfParcel = preparedQuery(
  (db, parcelId: number, exceptId: number, earliest: number, start: number, end: number) =>
    db
      .selectFrom('waterings')
      .select(COLUMNS)
      .where('parcel_id', '=', parcelId)
      .where('id', '!=', exceptId)
      .where('started_at', '>', earliest)
      .where('started_at', '<', end)
      .where('status', '!=', 'skipped')
      .where(({ eb, or }) => or([eb('started_at', '>=', start), eb('ended_at', '>', start)]))
      .orderBy('started_at')
      .orderBy('id')
      .limit(MAX_OVERLAPPING),
);

/**
 * The same of a parcel while it had no probe: it has one watering where others have one for each.
 */
export const overlappingWateringsOfParcel = (
  db: CompanyDb,
  parcelId: number,
  period: RunPeriod,
  exceptId = 0,
): Promise<OverlappingWatering[]> => {
  const { startedAt } = period;
  const earliest = startedAt - LONGEST_MS;
  return rowsOfParcel(db, parcelId, exceptId, earliest, startedAt, endOf(period));
};

/**
 * Waterings of these probes that run at the same time and are not skipped, oldest first; at most
 * `MAX_OVERLAPPING`.
 */
export async function overlappingWaterings(
  db: CompanyDb,
  moduleIds: readonly number[],
  period: RunPeriod,
  exceptId = 0,
): Promise<OverlappingWatering[]> {
  const { startedAt } = period;
  const end = endOf(period);
  const earliest = startedAt - LONG_MS;
  const { upTo, after } = nodesAround(startedAt);

  const rows: OverlappingWatering[] = [];
  for (const ids of chunksOf(moduleIds, PROBES_PER_QUERY)) {
    const limit = MAX_OVERLAPPING - rows.length;
    if (limit === 0) break;
    const values = [exceptId, earliest, startedAt, end, limit, ...upTo, ...after] as const;
    rows.push(...(await overlappingRows(db, ids, ...values)));
  }
  return rows.sort((a, b) => a.startedAt - b.startedAt || a.id - b.id);
}

/** Those on the probe, and those that its parcel got while it had none, which are its water too. */
export async function overlappingOnProbe(
  db: CompanyDb,
  moduleId: number,
  period: RunPeriod,
  exceptId = 0,
): Promise<OverlappingWatering[]> {
  const own = await overlappingWaterings(db, [moduleId], period, exceptId);
  const parcelId = (await moduleById(db, moduleId))?.parcelId ?? null;
  return parcelId === null
    ? own
    : [...own, ...(await overlappingWateringsOfParcel(db, parcelId, period))];
}
