import { type Kysely, sql } from 'kysely';
import { firstOf } from '../../domain/items.ts';
import { parameterPlaceholders } from '../queries/placeholders.ts';
import { runWithValues } from '../queries/prepared-query.ts';
import type { CopiedRow, CopyStatements } from '../store-adapter.ts';
import type { Tables } from '../tables.ts';

export const sqliteCopyStatements: CopyStatements = {
  insertRows,
  lastGeneratedId,
  setLastGeneratedId,
};

async function insertRows(
  db: Kysely<Tables>,
  table: string,
  rows: readonly CopiedRow[],
): Promise<void> {
  const columns = Object.keys(firstOf(rows));
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = sql.join(parameterPlaceholders(columns.length));
  const insert = sql`insert into ${sql.table(table)} (${names}) values (${values})`.compile(db);

  for (const row of rows)
    await runWithValues(
      db,
      insert,
      columns.map((column) => row[column]),
    );
}

async function lastGeneratedId(db: Kysely<Tables>, table: string): Promise<number | null> {
  const query = sql<{ id: number }>`select seq as id from sqlite_sequence where name = ${table}`;
  const { rows } = await query.execute(db);
  return rows[0]?.id ?? null;
}

async function setLastGeneratedId(
  db: Kysely<Tables>,
  table: string,
  _column: string,
  id: number,
): Promise<void> {
  await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(db);
}
