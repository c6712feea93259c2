import { type Kysely, type RawBuilder, sql } from 'kysely';
import { companyTables } from '../company-scope-rules.ts';
import { adapterOf, type CopiedRow } from '../store-adapter.ts';
import type { Tables } from '../tables.ts';
import type { CopiedTable } from './copied-tables.ts';

export interface KeyRange {
  readonly companyId: number | null;
  readonly after: CopiedRow | null;
  readonly upTo: CopiedRow | null;
}

export interface RowBatch extends KeyRange {
  readonly rows: readonly CopiedRow[];
}

/** Every row of a table in batches, whose ranges cover every possible key. */
export async function* rowBatches(db: Kysely<Tables>, table: CopiedTable): AsyncGenerator<RowBatch> {
  for (const companyId of companyTables.has(table.name) ? await companyIds(db) : [null]) {
    let after: CopiedRow | null = null;
    do {
      const rows: readonly CopiedRow[] = await rowsInRange(db, table, { companyId, after, upTo: null });
      const upTo: CopiedRow | null = rows.length < table.batchSize ? null : rows.at(-1)!;
      yield { companyId, after, upTo, rows };
      after = upTo;
    } while (after !== null);
  }
}

async function companyIds(db: Kysely<Tables>): Promise<number[]> {
  const companies = await db.selectFrom('companies').select('id').orderBy('id').execute();
  return companies.map(({ id }) => id);
}

export async function rowsInRange(
  db: Kysely<Tables>,
  table: CopiedTable,
  range: KeyRange,
  limit = table.batchSize,
): Promise<CopiedRow[]> {
  const { rows } = await sql<CopiedRow>`select * from ${sql.table(table.name)} where ${isInRange(table, range)}
    order by ${keyColumns(table)} limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

export async function deleteRange(db: Kysely<Tables>, table: CopiedTable, range: KeyRange): Promise<void> {
  await sql`delete from ${sql.table(table.name)} where ${isInRange(table, range)}`.execute(db);
}

const keyColumns = ({ key }: CopiedTable): RawBuilder<unknown> => sql.join(key.map((column) => sql.ref(column)));

function isInRange(table: CopiedTable, { companyId, after, upTo }: KeyRange): RawBuilder<unknown> {
  const keyOf = (row: CopiedRow) => sql.join(table.key.map((column) => row[column]));
  return sql.join(
    [
      companyId === null ? sql`1 = 1` : sql`company_id = ${companyId}`,
      ...(after === null ? [] : [sql`(${keyColumns(table)}) > (${keyOf(after)})`]),
      ...(upTo === null ? [] : [sql`(${keyColumns(table)}) <= (${keyOf(upTo)})`]),
    ],
    sql` and `,
  );
}

export async function insertRows(
  db: Kysely<Tables>,
  { name }: CopiedTable,
  { companyId, rows }: Pick<RowBatch, 'companyId' | 'rows'>,
): Promise<void> {
  if (rows.length === 0) return;
  const { bulkReadings, copying } = adapterOf(db);
  if (bulkReadings === null || name !== 'readings' || companyId === null) return copying.insertRows(db, name, rows);
  const column = (name: string): number[] => rows.map((row) => Number(row[name]));
  const batch = { sensorIds: column('sensor_id'), at: column('at'), values: column('value'), length: rows.length };
  await bulkReadings.write(companyId, batch, [...rows.keys()]);
}
