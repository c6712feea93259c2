import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { isServerUrl, shownPlace } from '../address.ts';
import type { Store, StoreView } from '../store-interface.ts';
import type { Tables } from '../tables.ts';
import { openTarget, viewWhole } from './ends.ts';
import { type Difference, differences, figuresOf, type TableFigures, type Watched } from './figures.ts';
import { Filling } from './fill.ts';
import { countOn, lastIds } from './last-ids.ts';
import { claim, expectClaimed, type Run, release } from './mark.ts';

/** Two places of stores: the paths of files, or the URLs of databases. */
export interface Ends {
  readonly from: string;
  readonly to: string;
}

/** How far a copy is; one that was ended can go on later. */
export interface CopyWatch extends Watched {
  /** What is being done, and about how many rows there are to do it with. */
  onStep(step: 'copy' | 'check', rows: number): void;
}

/** What two stores have in common, and in which tables they differ. */
export interface Comparison {
  readonly figures: readonly TableFigures[];
  readonly differing: readonly Difference[];
}

/**
 * Copies all that a store holds, as it is at this moment, to a place where no store is yet, or goes on with an earlier copy.
 * Then both are read again and compared. As long as the two differ the copy cannot be served. Throws what the signal was
 * aborted with, and an AcequiaError where a place does not serve.
 */
export async function copyStore({ from, to }: Ends, watch: CopyWatch): Promise<Comparison> {
  const source = await viewWhole(from);
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

async function copyInto(target: Store, source: StoreView, { from, to }: Ends, watch: CopyWatch): Promise<Comparison> {
  const run: Run = { source: shownPlace(from), target: shownPlace(to), id: randomUUID() };
  const filling = new Filling(target, run, await target.writeAll((db) => claim(db, run)));
  const { figures, last, rows } = await source.read(async (db) => {
    const about = await rowsAbout(db);
    watch.onStep('copy', about);
    const copied = await filling.fill(db, watch);
    return { figures: copied, last: await lastIds(db, isServerUrl(from)), rows: about };
  });
  watch.onStep('check', rows);
  const kept = await target.readAll((db) => figuresOf(db, watch));
  const differing = differences(figures, kept);
  if (differing.length === 0)
    await target.writeAll(async (db) => {
      await expectClaimed(db, run);
      await countOn(db, last, isServerUrl(to));
      await release(db);
    });
  return { figures, differing };
}

/** Compares two stores, and changes neither. */
export async function compareStores({ from, to }: Ends, watch: CopyWatch): Promise<Comparison> {
  const source = await viewWhole(from);
  try {
    const target = await viewWhole(to);
    try {
      watch.onStep('check', (await source.read(rowsAbout)) + (await target.read(rowsAbout)));
      const figures = await source.read((db) => figuresOf(db, watch));
      const others = await target.read((db) => figuresOf(db, watch));
      return { figures, differing: differences(figures, others) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Buckets of a day. */
const HOURS = 24;

/** About how many rows a store has, without counting the readings themselves. */
async function rowsAbout(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select
    (select coalesce(sum(count), 0) + count(*) * ${sql.lit(HOURS + 1)} from reading_days)
    + (select count(*) from waterings) + (select count(*) from idempotency) as count`.execute(db);
  return rows[0]!.count;
}
