import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { BulkReadings, CopiedRow, CopyStatements, StoreAdapter } from '../store-adapter.ts';
import type { Tables } from '../tables.ts';

const copying: CopyStatements = { insertRows, lastGeneratedId, setLastGeneratedId };

export class PostgresStoreAdapter extends PostgresAdapter implements StoreAdapter {
  readonly dialect = 'postgres';
  readonly bulkReadings: BulkReadings;
  readonly copying = copying;

  constructor(bulkReadings: BulkReadings) {
    super();
    this.bulkReadings = bulkReadings;
  }
}

/** Sends the rows as one JSON text, which the server reads by the types of the table's columns. */
async function insertRows(db: Kysely<Tables>, table: string, rows: readonly CopiedRow[]): Promise<void> {
  const columns = sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)));
  const into = sql.table(table);
  await sql`insert into ${into} (${columns})
    select ${columns} from json_populate_recordset(null::${into}, ${JSON.stringify(rows)}::json)`.execute(db);
}

async function lastGeneratedId(db: Kysely<Tables>, table: string, column: string): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${column})::regclass) as id`.execute(db);
  return rows[0]?.id ?? null;
}

async function setLastGeneratedId(db: Kysely<Tables>, table: string, column: string, id: number): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${id})`.execute(db);
}
