import { type Kysely, sql } from 'kysely';
import { type AcequiaError, invalidInput } from '../../schema/error.ts';
import { UNFINISHED_COPY_TABLE } from '../store-state.ts';
import type { Tables } from '../tables.ts';
import { copiedTables } from './copied-tables.ts';

/** Who copies: where from, as it may be shown, and a name of this run alone. */
export interface CopyRun {
  readonly source: string;
  readonly target: string;
  readonly id: string;
}

const claimTable = sql.table(UNFINISHED_COPY_TABLE);

/**
 * Makes the target one that nothing is served from until the copy is whole; or takes over from an earlier run, which
 * writes no more from here on. Tells whether the target was empty. Throws where the target is a store of
 * its own, or the unfinished copy of another source.
 */
export async function claimTarget(db: Kysely<Tables>, { source, target, id }: CopyRun): Promise<'empty' | 'begun'> {
  await sql`create table if not exists ${claimTable} (source text not null, run text not null)`.execute(db);
  const { rows } = await sql<{ source: string }>`select source from ${claimTable}`.execute(db);
  const [begun] = rows;
  if (begun === undefined) {
    if (await hasRows(db)) throw targetHoldsStoreError(target);
    await sql`insert into ${claimTable} (source, run) values (${source}, ${id})`.execute(db);
    return 'empty';
  }
  if (begun.source !== source)
    throw copyError(
      `${target} is the unfinished copy of another store, ${begun.source}.`,
      'Go on with that one under the same name, or name a new place with --to.',
    );
  await sql`update ${claimTable} set run = ${id}`.execute(db);
  return 'begun';
}

/** In a transaction that writes: throws where another run has taken over. */
export async function requireClaim(db: Kysely<Tables>, { target, id }: CopyRun): Promise<void> {
  const { rows } = await sql<{ run: string }>`select run from ${claimTable}`.execute(db);
  if (rows[0]?.run !== id)
    throw copyError(`Another run now copies to ${target}.`, 'Let that one go on; this one has ended.');
}

/** Makes the copy a store like any other. */
export async function releaseTarget(db: Kysely<Tables>): Promise<void> {
  await sql`drop table ${claimTable}`.execute(db);
}

async function hasRows(db: Kysely<Tables>): Promise<boolean> {
  for (const { name } of copiedTables) {
    const { rows } = await sql`select 1 as one from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}

export const targetHoldsStoreError = (target: string): AcequiaError =>
  copyError(
    `${target} holds a store already.`,
    'Name a new place with --to: a file that is not there, or an empty database. Nothing was written.',
  );

export const copyError = (message: string, hint: string): AcequiaError =>
  invalidInput('invalid_parameter', message, { hint });
