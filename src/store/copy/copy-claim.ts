import { type Kysely, sql } from 'kysely';
import { say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import { UNFINISHED_COPY_TABLE } from '../store-state.ts';
import type { Tables } from '../tables.ts';
import { type CopiedTable, copiedTables } from './copied-tables.ts';

export interface CopyRun {
  readonly source: string;
  readonly target: string;
  readonly id: string;
}

const claimTable = sql.table(UNFINISHED_COPY_TABLE);

/**
 * Marks the target as an unfinished copy, from which nothing is served, or takes it over from an
 * earlier run, which can no longer write to it. Throws if the target holds a store, or an
 * unfinished copy of another source.
 */
export async function claimTarget(
  db: Kysely<Tables>,
  { source, target, id }: CopyRun,
): Promise<'empty' | 'started'> {
  const claim = await findClaim(db);
  if (claim === undefined) {
    if (await hasRows(db, copiedTables)) throw targetHoldsStoreError(target);
    await insertClaim(db, { source, id });
    return 'empty';
  }

  if (claim.source !== source)
    throw copyError(
      say`${verbatim(target)} is the unfinished copy of another store, ${verbatim(claim.source)}.`,
      say`Continue that copy from the same source, or name a new place with --to.`,
    );

  await takeOver(db, id);
  return 'started';
}

/** Creates the table of the claim if there is none. */
export async function findClaim(db: Kysely<Tables>): Promise<{ source: string } | undefined> {
  await sql`create table if not exists ${claimTable} (source text not null, run text not null)`.execute(
    db,
  );
  const { rows } = await sql<{ source: string }>`select source from ${claimTable}`.execute(db);
  return rows[0];
}

export async function insertClaim(
  db: Kysely<Tables>,
  { source, id }: Omit<CopyRun, 'target'>,
): Promise<void> {
  await sql`insert into ${claimTable} (source, run) values (${source}, ${id})`.execute(db);
}

export async function takeOver(db: Kysely<Tables>, id: string): Promise<void> {
  await sql`update ${claimTable} set run = ${id}`.execute(db);
}

/** Throws if another run has taken over. Call it in the transaction that writes. */
export async function assertClaim(db: Kysely<Tables>, { target, id }: CopyRun): Promise<void> {
  const { rows } = await sql<{ run: string }>`select run from ${claimTable}`.execute(db);
  if (rows[0]?.run !== id)
    throw copyError(
      say`Another run now writes to ${verbatim(target)}.`,
      say`Let that run finish; this one has stopped.`,
    );
}

export async function releaseTarget(db: Kysely<Tables>): Promise<void> {
  await sql`drop table ${claimTable}`.execute(db);
}

export async function hasRows(
  db: Kysely<Tables>,
  tables: readonly CopiedTable[],
): Promise<boolean> {
  for (const { name } of tables) {
    const { rows } = await sql`select 1 as one from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}

export const targetHoldsStoreError = (target: string): AcequiaError =>
  copyError(
    say`${verbatim(target)} already holds a store.`,
    say`Name a new place with --to: a file that does not exist, or an empty database. Nothing was written.`,
  );

export const copyError = (message: Text, hint: Text): AcequiaError =>
  invalidInputError('invalid_parameter', message, { hint });
