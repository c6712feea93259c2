import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { firstOf } from '../../domain/items.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { openStore, viewStore } from '../store.ts';
import type { Store, StoreState, StoreView } from '../store-interface.ts';
import { isMissingFile, redactedLocation } from '../store-location.ts';
import type { Tables } from '../tables.ts';
import { restoreSequences, sequenceValues } from './copied-tables.ts';
import {
  assertClaim,
  type CopyRun,
  claimTarget,
  copyError,
  releaseTarget,
  targetHoldsStoreError,
} from './copy-claim.ts';
import {
  differingTables,
  type RowMonitor,
  type TableChecksum,
  type TableDifference,
  tableChecksums,
} from './table-checksums.ts';
import { copyTables } from './table-copies.ts';

const UNUSABLE_SOURCE: Readonly<
  Record<Exclude<StoreState, 'current'>, readonly [problem: Text, hint: Text]>
> = {
  new: [say`is empty`, say`Name the place of a store.`],
  needsMigration: [
    say`was written by an earlier Acequia`,
    say`Keep a backup; "acequia tick" with --db brings it up to date. Then copy it.`,
  ],
  unfinishedCopy: [
    say`is an unfinished copy itself`,
    say`Run the copy to it again, which continues where it stopped, or name the store that it is copied from.`,
  ],
};

async function openSource(location: string): Promise<StoreView> {
  const shownLocation = redactedLocation(location);
  if (isMissingFile(location))
    throw copyError(
      say`There is no store ${verbatim(shownLocation)}.`,
      say`Name the file or the database of a store.`,
    );

  const view = await viewStore(location);
  if (view.state === 'current') return view;

  await view.close();
  const [problem, hint] = UNUSABLE_SOURCE[view.state];
  throw copyError(say`${verbatim(shownLocation)} ${problem}.`, hint);
}

export async function openTarget(location: string): Promise<Store> {
  if (!isMissingFile(location)) {
    const view = await viewStore(location);
    await view.close();
    if (view.state === 'needsMigration') throw targetHoldsStoreError(redactedLocation(location));
  }
  return openStore({ db: location, isCopyTarget: true });
}

export interface CopyLocations {
  readonly from: string;
  readonly to: string;
}

export interface CopyMonitor extends RowMonitor {
  onStep(step: 'copy' | 'check', rows: number): void;
}

interface StoreComparison {
  readonly checksums: readonly TableChecksum[];
  readonly differences: readonly TableDifference[];
}

/** The copy can be used as a store only if it equals its source. */
export const copyStore = (
  { from, to }: CopyLocations,
  monitor: CopyMonitor,
): Promise<StoreComparison> =>
  withBoth(
    () => openSource(from),
    () => openTarget(to),
    async (source, target) => {
      const run: CopyRun = {
        source: redactedLocation(from),
        target: redactedLocation(to),
        id: randomUUID(),
      };
      const state = await target.writeAll((db) => claimTarget(db, run));

      const { checksums, sequences, rows } = await source.read(async (db) => {
        const rows = await estimateRows(db);
        monitor.onStep('copy', rows);
        const checksums = await copyTables(db, { store: target, run, state }, monitor);
        return { checksums, sequences: await sequenceValues(db), rows };
      });
      monitor.onStep('check', rows);

      const differences = differingTables(
        checksums,
        await target.readAll((db) => tableChecksums(db, monitor)),
      );
      if (differences.length === 0)
        await target.writeAll(async (db) => {
          await assertClaim(db, run);
          await restoreSequences(db, sequences);
          await releaseTarget(db);
        });

      return { checksums, differences };
    },
  );

export const compareStores = (
  { from, to }: CopyLocations,
  monitor: CopyMonitor,
): Promise<StoreComparison> =>
  withBoth(
    () => openSource(from),
    () => openSource(to),
    async (source, target) => {
      monitor.onStep(
        'check',
        (await source.read(estimateRows)) + (await target.read(estimateRows)),
      );
      const checksums = await source.read((db) => tableChecksums(db, monitor));
      const targetChecksums = await target.read((db) => tableChecksums(db, monitor));
      return { checksums, differences: differingTables(checksums, targetChecksums) };
    },
  );

interface Closable {
  close(): Promise<void>;
}

async function withBoth<Source extends Closable, Target extends Closable, T>(
  openSourceStore: () => Promise<Source>,
  openTargetStore: () => Promise<Target>,
  body: (source: Source, target: Target) => Promise<T>,
): Promise<T> {
  const source = await openSourceStore();
  try {
    const target = await openTargetStore();
    try {
      return await body(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/**
 * Estimates readings and their sums from the daily sums: each day has up to 24 hourly sums, and one
 * daily sum in UTC and in local time.
 */
async function estimateRows(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select
    (select coalesce(sum(count), 0) + count(*) * 26 from reading_days)
    + (select count(*) from waterings) + (select count(*) from idempotency) as count`.execute(db);
  return firstOf(rows).count;
}
