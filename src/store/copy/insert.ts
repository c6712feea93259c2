import { type Kysely, sql } from 'kysely';
import { prepared, slotParameters } from '../prepared.ts';
import { readingsWayOf } from '../reading-batch.ts';
import type { OwnedTables, Tables } from '../tables.ts';
import type { FilledStretch, Row } from './rows.ts';
import type { CopiedTable } from './tables.ts';

/** Writes rows of one company with the ids that they have, in a transaction that writes. */
export async function insertRows(
  db: Kysely<Tables>,
  { name }: CopiedTable,
  { companyId, rows }: Pick<FilledStretch, 'companyId' | 'rows'>,
): Promise<void> {
  if (rows.length === 0) return;
  const way = readingsWayOf(db);
  if (way === undefined) return insertEach(db, name, rows);
  if (name !== 'readings' || companyId === null) return insertAtOnce(db, name, rows);
  const column = (of: string): number[] => rows.map((row) => row[of] as number);
  const batch = { sensorIds: column('sensor_id'), at: column('at'), values: column('value'), length: rows.length };
  await way.write(companyId, batch, [...rows.keys()]);
}

/** On SQLite: one statement, run for each row. */
async function insertEach(db: Kysely<Tables>, name: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0]!);
  const slots = slotParameters(columns.length);
  const values = Object.fromEntries(columns.map((column, index) => [column, slots[index]]));
  const insert = prepared(db as unknown as Kysely<OwnedTables>, () =>
    (db as unknown as Kysely<Record<string, Row>>).insertInto(name).values(values),
  );
  for (const row of rows) await insert(columns.map((column) => row[column]));
}

/** On PostgreSQL: the rows as one text, which the server reads by the types of the table's own columns. */
async function insertAtOnce(db: Kysely<Tables>, name: string, rows: readonly Row[]): Promise<void> {
  const columns = sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)));
  const table = sql.table(name);
  await sql`insert into ${table} (${columns})
    select ${columns} from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json)`.execute(db);
}
