import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { copiedTables } from './tables.ts';

/** By table, the last id that it gave: also one whose row is gone is never given again. */
export type SequenceValues = ReadonlyMap<string, number>;

const sequencedTables = copiedTables.flatMap(({ name, sequenceColumn }) =>
  sequenceColumn === null ? [] : [{ name, counted: sequenceColumn }],
);

export async function sequenceValues(db: Kysely<Tables>, isServer: boolean): Promise<SequenceValues> {
  const last = new Map<string, number>();
  for (const { name, counted } of sequencedTables) {
    const asked = isServer
      ? sql<{
          id: number | null;
        }>`select pg_sequence_last_value(pg_get_serial_sequence(${name}, ${counted})::regclass) as id`
      : sql<{ id: number }>`select seq as id from sqlite_sequence where name = ${name}`;
    const id = (await asked.execute(db)).rows[0]?.id ?? null;
    if (id !== null) last.set(name, id);
  }
  return last;
}

/** Makes the tables count on from there. */
export async function restoreSequences(db: Kysely<Tables>, last: SequenceValues, isServer: boolean): Promise<void> {
  for (const { name, counted } of sequencedTables) {
    const id = last.get(name);
    if (id === undefined) continue;
    if (isServer) {
      await sql`select setval(pg_get_serial_sequence(${name}, ${counted}), ${id})`.execute(db);
    } else {
      await sql`delete from sqlite_sequence where name = ${name}`.execute(db);
      await sql`insert into sqlite_sequence (name, seq) values (${name}, ${id})`.execute(db);
    }
  }
}
