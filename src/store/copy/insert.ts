import { type Kysely, sql } from 'kysely';
import { compileStatement, parameterSlots } from '../prepared.ts';
import { bulkReadingsOf } from '../reading-batch.ts';
import type { CompanyTables, Tables } from '../tables.ts';
import type { CopiedRow, RowBatch } from './rows.ts';
import type { CopiedTable } from './tables.ts';

/** Writes rows of one company with the ids that they have, in a transaction that writes. */
export async function insertRows(
  db: Kysely<Tables>,
  { name }: CopiedTable,
  { companyId, rows }: Pick<RowBatch, 'companyId' | 'rows'>,
): Promise<void> {
  if (rows.length === 0) return;
  const way = bulkReadingsOf(db);
  if (way === undefined) return insertOneByOne(db, name, rows);
  if (name !== 'readings' || companyId === null) return insertAsJson(db, name, rows);
  const column = (of: string): number[] => rows.map((row) => row[of] as number);
  const batch = { sensorIds: column('sensor_id'), at: column('at'), values: column('value'), length: rows.length };
  await way.write(companyId, batch, [...rows.keys()]);
}

/** On SQLite: one statement, run for each row. */
async function insertOneByOne(db: Kysely<Tables>, name: string, rows: readonly CopiedRow[]): Promise<void> {
  const columns = Object.keys(rows[0]!);
  const slots = parameterSlots(columns.length);
  const values = Object.fromEntries(columns.map((column, index) => [column, slots[index]]));
  const insert = compileStatement(db as unknown as Kysely<CompanyTables>, () =>
    (db as unknown as Kysely<Record<string, CopiedRow>>).insertInto(name).values(values),
  );
  for (const row of rows) await insert(columns.map((column) => row[column]));
}

/** On PostgreSQL: the rows as one text, which the server reads by the types of the table's own columns. */
async function insertAsJson(db: Kysely<Tables>, name: string, rows: readonly CopiedRow[]): Promise<void> {
  const columns = sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)));
  const table = sql.table(name);
  await sql`insert into ${table} (${columns})
    select ${columns} from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json)`.execute(db);
}
