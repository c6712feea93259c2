import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { isPostgresUrl, redactedLocation } from '../address.ts';
import type { Store, StoreView } from '../store-interface.ts';
import type { Tables } from '../tables.ts';
import { openSource, openTarget } from './ends.ts';
import {
  differingTables,
  type RowMonitor,
  type TableChecksum,
  type TableDifference,
  tableChecksums,
} from './figures.ts';
import { TableCopier } from './fill.ts';
import { restoreSequences, sequenceValues } from './last-ids.ts';
import { type CopyRun, claimTarget, releaseTarget, requireClaim } from './mark.ts';

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
