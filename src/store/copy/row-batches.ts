import { type Kysely, type RawBuilder, sql } from 'kysely';
import { bulkReadingsOf } from '../bulk-readings.ts';
import { compileStatement, parameterSlots } from '../prepared-query.ts';
import type { CompanyTables, Tables } from '../tables.ts';
import type { CopiedTable } from './copied-tables.ts';

/** A row by its columns, whatever its table. */
export type CopiedRow = Readonly<Record<string, string | number | null>>;

/** Rows of a company in the order of their key: those after one key, up to and with another; null for no bound. */
export interface KeyRange {
  /** Null in the table of the companies. */
  readonly companyId: number | null;
  readonly after: CopiedRow | null;
  readonly upTo: CopiedRow | null;
}

/** A stretch with all of its rows. */
export interface RowBatch extends KeyRange {
  readonly rows: readonly CopiedRow[];
}

/** Every row of a table, a stretch of one batch after the other; together they leave no key out. */
export async function* rowBatches(db: Kysely<Tables>, table: CopiedTable): AsyncGenerator<RowBatch> {
  for (const companyId of table.name === 'companies' ? [null] : await companyIds(db)) {
    let after: CopiedRow | null = null;
    do {
      const rows: readonly CopiedRow[] = await rowsInRange(db, table, { companyId, after, upTo: null });
      const upTo: CopiedRow | null = rows.length < table.batch ? null : rows.at(-1)!;
      yield { companyId, after, upTo, rows };
      after = upTo;
    } while (after !== null);
  }
}

async function companyIds(db: Kysely<Tables>): Promise<number[]> {
  const companies = await db.selectFrom('companies').select('id').orderBy('id').execute();
  return companies.map(({ id }) => id);
}

/** The rows of a stretch, at most `most` of them. */
export async function rowsInRange(
  db: Kysely<Tables>,
  table: CopiedTable,
  stretch: KeyRange,
  most = table.batch,
): Promise<CopiedRow[]> {
  const { rows } = await sql<CopiedRow>`select * from ${sql.table(table.name)} where ${isInRange(table, stretch)}
    order by ${keyColumns(table)} limit ${sql.lit(most)}`.execute(db);
  return rows;
}

export async function deleteRange(db: Kysely<Tables>, table: CopiedTable, stretch: KeyRange): Promise<void> {
  await sql`delete from ${sql.table(table.name)} where ${isInRange(table, stretch)}`.execute(db);
}

const keyColumns = ({ key }: CopiedTable): RawBuilder<unknown> => sql.join(key.map((column) => sql.ref(column)));

/** Texts are in the order of their bytes in either database. */
function isInRange(table: CopiedTable, { companyId, after, upTo }: KeyRange): RawBuilder<unknown> {
  const valuesOf = (row: CopiedRow) => sql.join(table.key.map((column) => row[column]));
  return sql.join(
    [
      companyId === null ? sql`1 = 1` : sql`company_id = ${companyId}`,
      ...(after === null ? [] : [sql`(${keyColumns(table)}) > (${valuesOf(after)})`]),
      ...(upTo === null ? [] : [sql`(${keyColumns(table)}) <= (${valuesOf(upTo)})`]),
    ],
    sql` and `,
  );
}

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
