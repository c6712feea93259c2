import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { copiedTables } from './tables.ts';

/** By table, the last id that it gave: also one whose row is gone is never given again. */
export type LastIds = ReadonlyMap<string, number>;

const counting = copiedTables.flatMap(({ name, counted }) => (counted === null ? [] : [{ name, counted }]));

export async function lastIds(db: Kysely<Tables>, isServer: boolean): Promise<LastIds> {
  const last = new Map<string, number>();
  for (const { name, counted } of counting) {
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
export async function countOn(db: Kysely<Tables>, last: LastIds, isServer: boolean): Promise<void> {
  for (const { name, counted } of counting) {
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
