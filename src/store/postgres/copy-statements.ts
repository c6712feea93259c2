import { type Kysely, sql } from 'kysely';
import { firstOf } from '../../domain/items.ts';
import type { CopiedRow, CopyStatements } from '../store-adapter.ts';
import type { Tables } from '../tables.ts';

export const postgresCopyStatements: CopyStatements = {
  insertRows,
  lastGeneratedId,
  setLastGeneratedId,
};

/** Sends the rows as one JSON text, which the server parses by the column types of the table. */
async function insertRows(
  db: Kysely<Tables>,
  table: string,
  rows: readonly CopiedRow[],
): Promise<void> {
  const columns = sql.join(Object.keys(firstOf(rows)).map((column) => sql.ref(column)));
  const into = sql.table(table);
  const insert = sql`insert into ${into} (${columns})
    select ${columns} from json_populate_recordset(null::${into}, ${JSON.stringify(rows)}::json)`;
  await insert.execute(db);
}

async function lastGeneratedId(
  db: Kysely<Tables>,
  table: string,
  column: string,
): Promise<number | null> {
  const query = sql<{ id: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${column})::regclass) as id`;
  const { rows } = await query.execute(db);
  return rows[0]?.id ?? null;
}

async function setLastGeneratedId(
  db: Kysely<Tables>,
  table: string,
  column: string,
  id: number,
): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${id})`.execute(db);
}
