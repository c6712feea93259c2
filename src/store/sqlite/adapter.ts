import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { parameterSlots, runWithValues } from '../prepared-query.ts';
import type { CopiedRow, CopyStatements, StoreAdapter } from '../store-adapter.ts';
import type { Tables } from '../tables.ts';

class SqliteStoreAdapter extends SqliteAdapter implements StoreAdapter {
  readonly dialect = 'sqlite';
  readonly bulkReadings = null;
  readonly copying: CopyStatements = { insertRows, lastGeneratedId, setLastGeneratedId };
}

export const sqliteStoreAdapter: StoreAdapter = new SqliteStoreAdapter();

async function insertRows(db: Kysely<Tables>, table: string, rows: readonly CopiedRow[]): Promise<void> {
  const columns = Object.keys(rows[0]!);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const insert = sql`insert into ${sql.table(table)} (${names}) values (${sql.join(parameterSlots(columns.length))})`;
  const compiled = insert.compile(db);
  for (const row of rows) {
    const values = columns.map((column) => row[column]);
    await runWithValues(db, compiled, values);
  }
}

async function lastGeneratedId(db: Kysely<Tables>, table: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`select seq as id from sqlite_sequence where name = ${table}`.execute(db);
  return rows[0]?.id ?? null;
}

async function setLastGeneratedId(db: Kysely<Tables>, table: string, _column: string, id: number): Promise<void> {
  await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(db);
}
