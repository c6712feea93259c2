import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Store, StoreState, StoreView } from '../store-interface.ts';
import { isMissingFile, isPostgresUrl, redactedLocation } from '../store-location.ts';
import type { Tables } from '../tables.ts';
import { restoreSequences, sequenceValues } from './copied-tables.ts';
import {
  type CopyRun,
  claimTarget,
  copyError,
  releaseTarget,
  requireClaim,
  targetHoldsStoreError,
} from './copy-claim.ts';
import {
  differingTables,
  type RowMonitor,
  type TableChecksum,
  type TableDifference,
  tableChecksums,
} from './table-checksums.ts';
import { TableCopier } from './table-copier.ts';

const openView = async (place: string): Promise<StoreView> =>
  isPostgresUrl(place)
    ? (await import('../postgres/view.ts')).viewPostgresStore(place)
    : (await import('../sqlite/view.ts')).viewSqliteStore(place);

const UNUSABLE_SOURCE: Readonly<Record<Exclude<StoreState, 'current'>, readonly [what: string, hint: string]>> = {
  new: ['is empty', 'Name the place of a store.'],
  behind: [
    'was written by an earlier Acequia',
    'Keep a backup; "acequia tick" with --db brings it up to date. Then copy it.',
  ],
  unfinished: [
    'is an unfinished copy itself',
    'Run the copy to it again, which goes on where it ended, or name the store that it is copied from.',
  ],
};

/** The view of a store whose tables are those of this version; it is left as it is. */
export async function openSource(place: string): Promise<StoreView> {
  const shown = redactedLocation(place);
  if (isMissingFile(place)) throw copyError(`There is no store ${shown}.`, 'Name the file or the database of a store.');
  const view = await openView(place);
  if (view.state === 'current') return view;
  await view.close();
  const [what, hint] = UNUSABLE_SOURCE[view.state];
  throw copyError(`${shown} ${what}.`, hint);
}

/** The store that is copied to: made where there is none. One of another version is left as it is, and refused. */
export async function openTarget(place: string): Promise<Store> {
  if (!isMissingFile(place)) {
    const view = await openView(place);
    await view.close();
    if (view.state === 'behind') throw targetHoldsStoreError(redactedLocation(place));
  }
  return isPostgresUrl(place)
    ? (await import('../postgres/store.ts')).openPostgresStore(place, true)
    : (await import('../sqlite/store.ts')).openSqliteStore(place, true);
}

/** Two places of stores: the paths of files, or the URLs of databases. */
export interface CopyLocations {
  readonly from: string;
  readonly to: string;
}

/** How far a copy is; one that was ended can go on later. */
export interface CopyMonitor extends RowMonitor {
  /** What is being done, and about how many rows there are to do it with. */
  onStep(step: 'copy' | 'check', rows: number): void;
}

/** What two stores have in common, and in which tables they differ. */
export interface StoreComparison {
  readonly checksums: readonly TableChecksum[];
  readonly differences: readonly TableDifference[];
}

/**
 * Copies all that a store holds, as it is at this moment, to a place where no store is yet, or goes on with an earlier copy.
 * Then both are read again and compared. As long as the two differ the copy cannot be served. Throws what the signal was
 * aborted with, and an AcequiaError where a place does not serve.
 */
export async function copyStore({ from, to }: CopyLocations, watch: CopyMonitor): Promise<StoreComparison> {
  const source = await openSource(from);
  try {
    const target = await openTarget(to);
    try {
      return await copyInto(target, source, { from, to }, watch);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyInto(
  target: Store,
  source: StoreView,
  { from, to }: CopyLocations,
  watch: CopyMonitor,
): Promise<StoreComparison> {
  const run: CopyRun = { source: redactedLocation(from), target: redactedLocation(to), id: randomUUID() };
  const filling = new TableCopier(target, run, await target.writeAll((db) => claimTarget(db, run)));
  const {
    figures: checksums,
    last,
    rows,
  } = await source.read(async (db) => {
    const about = await estimateRows(db);
    watch.onStep('copy', about);
    const copied = await filling.copyAll(db, watch);
    return { figures: copied, last: await sequenceValues(db, isPostgresUrl(from)), rows: about };
  });
  watch.onStep('check', rows);
  const kept = await target.readAll((db) => tableChecksums(db, watch));
  const differences = differingTables(checksums, kept);
  if (differences.length === 0)
    await target.writeAll(async (db) => {
      await requireClaim(db, run);
      await restoreSequences(db, last, isPostgresUrl(to));
      await releaseTarget(db);
    });
  return { checksums, differences };
}

/** Compares two stores, and changes neither. */
export async function compareStores({ from, to }: CopyLocations, watch: CopyMonitor): Promise<StoreComparison> {
  const source = await openSource(from);
  try {
    const target = await openSource(to);
    try {
      watch.onStep('check', (await source.read(estimateRows)) + (await target.read(estimateRows)));
      const checksums = await source.read((db) => tableChecksums(db, watch));
      const others = await target.read((db) => tableChecksums(db, watch));
      return { checksums, differences: differingTables(checksums, others) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Buckets of a day. */
const HOURS_PER_DAY = 24;

/** About how many rows a store has, without counting the readings themselves. */
async function estimateRows(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select
    (select coalesce(sum(count), 0) + count(*) * ${sql.lit(HOURS_PER_DAY + 1)} from reading_days)
    + (select count(*) from waterings) + (select count(*) from idempotency) as count`.execute(db);
  return rows[0]!.count;
}
