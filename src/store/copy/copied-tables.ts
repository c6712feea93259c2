import { type Kysely, type RawBuilder, sql } from 'kysely';
import { lastOf } from '../../domain/items.ts';
import type { ColumnOrigin } from '../../schema/tables/column.ts';
import { TABLES_BY_NAME } from '../../schema/tables/index.ts';
import type { Table } from '../../schema/tables/table.ts';
import { companyTables } from '../scope/company-scope-rules.ts';
import { adapterOf, type CopiedRow } from '../store-adapter.ts';
import type { Tables } from '../tables.ts';

export interface CopiedTable {
  readonly name: string;
  readonly key: readonly string[];
  /** The column whose values the database generates in ascending order. */
  readonly sequenceColumn: string | null;
  readonly computedColumns: readonly string[];
  readonly isStandalone: boolean;
  readonly batchSize: number;
}

const BATCH_SIZE = 500;
const STANDALONE_BATCH_SIZE = 10_000;

const toCopiedTable = (name: string, { columns, key, isStandalone }: Table): CopiedTable => {
  const columnsOf = (origin: ColumnOrigin): string[] =>
    Object.keys(columns).filter((column) => columns[column]?.properties.origin === origin);

  const [sequenceColumn = null] = columnsOf('sequence');
  return {
    name,
    key: sequenceColumn === null ? key : [sequenceColumn],
    sequenceColumn,
    computedColumns: columnsOf('computed'),
    isStandalone,
    batchSize: isStandalone ? STANDALONE_BATCH_SIZE : BATCH_SIZE,
  };
};

const tables = [...TABLES_BY_NAME]
  .filter(([, { isCopied }]) => isCopied)
  .map(([name, table]) => toCopiedTable(name, table));

/** Each table follows those to which it refers; standalone tables come last. */
export const copiedTables: readonly CopiedTable[] = [
  ...tables.filter(({ isStandalone }) => !isStandalone),
  ...tables.filter(({ isStandalone }) => isStandalone),
];

/** The last generated id by table, so that the ids of deleted rows are not generated again. */
export type SequenceValues = ReadonlyMap<string, number>;

export async function sequenceValues(db: Kysely<Tables>): Promise<SequenceValues> {
  const values = new Map<string, number>();
  for (const { name, sequenceColumn } of copiedTables) {
    if (sequenceColumn === null) continue;
    const id = await adapterOf(db).copyStatements.lastGeneratedId(db, name, sequenceColumn);
    if (id !== null) values.set(name, id);
  }
  return values;
}

export async function restoreSequences(db: Kysely<Tables>, values: SequenceValues): Promise<void> {
  for (const { name, sequenceColumn } of copiedTables) {
    const id = values.get(name);
    if (sequenceColumn !== null && id !== undefined)
      await adapterOf(db).copyStatements.setLastGeneratedId(db, name, sequenceColumn, id);
  }
}

/** The rows after one key, up to another one; null means no limit. */
interface KeyRange {
  /** Null for a table without companies, and for the rows of all companies. */
  readonly companyId: number | null;
  readonly after: CopiedRow | null;
  readonly upTo: CopiedRow | null;
}

export interface RowBatch extends KeyRange {
  readonly rows: readonly CopiedRow[];
}

/** All rows of a table in batches. Together their ranges cover every possible key. */
export async function* rowBatches(
  db: Kysely<Tables>,
  table: CopiedTable,
): AsyncGenerator<RowBatch> {
  const companies = companyTables.has(table.name) ? await companyIds(db) : [null];
  for (const companyId of companies) yield* rowBatchesOf(db, table, companyId);
}

/** Those of one company; null as in `KeyRange`. */
export async function* rowBatchesOf(
  db: Kysely<Tables>,
  table: CopiedTable,
  companyId: number | null,
): AsyncGenerator<RowBatch> {
  let after: CopiedRow | null = null;
  do {
    const rows: readonly CopiedRow[] = await rowsInRange(db, table, {
      companyId,
      after,
      upTo: null,
    });
    const upTo: CopiedRow | null = rows.length < table.batchSize ? null : lastOf(rows);
    yield { companyId, after, upTo, rows };
    after = upTo;
  } while (after !== null);
}

export async function companyIds(db: Kysely<Tables>): Promise<number[]> {
  const companies = await db.selectFrom('companies').select('id').orderBy('id').execute();
  return companies.map(({ id }) => id);
}

export async function rowsInRange(
  db: Kysely<Tables>,
  table: CopiedTable,
  range: KeyRange,
  limit = table.batchSize,
): Promise<CopiedRow[]> {
  const ofCompany = range.companyId === null ? [] : ['company_id'];
  const sortColumns = [...ofCompany, ...table.key].map((column) => sql.ref(column));
  const { rows } =
    await sql<CopiedRow>`select * from ${sql.table(table.name)} where ${isInRange(table, range)}
    order by ${sql.join(sortColumns)} limit ${sql.lit(limit)}`.execute(db);
  return withoutComputed(table, rows);
}

function withoutComputed(
  { computedColumns }: CopiedTable,
  rows: readonly CopiedRow[],
): CopiedRow[] {
  if (computedColumns.length === 0) return [...rows];
  const isCopied = ([column]: [string, unknown]): boolean => !computedColumns.includes(column);
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(isCopied)));
}

export async function deleteRange(
  db: Kysely<Tables>,
  table: CopiedTable,
  range: KeyRange,
): Promise<void> {
  await sql`delete from ${sql.table(table.name)} where ${isInRange(table, range)}`.execute(db);
}

const keyColumns = ({ key }: CopiedTable): RawBuilder<unknown> =>
  sql.join(key.map((column) => sql.ref(column)));

function isInRange(table: CopiedTable, { companyId, after, upTo }: KeyRange): RawBuilder<unknown> {
  const keyOf = (row: CopiedRow) => sql.join(table.key.map((column) => row[column]));

  const conditions = [companyId === null ? sql`1 = 1` : sql`company_id = ${companyId}`];
  if (after !== null) conditions.push(sql`(${keyColumns(table)}) > (${keyOf(after)})`);
  if (upTo !== null) conditions.push(sql`(${keyColumns(table)}) <= (${keyOf(upTo)})`);
  return sql.join(conditions, sql` and `);
}

export async function insertRows(
  db: Kysely<Tables>,
  { name }: CopiedTable,
  { companyId, rows }: Pick<RowBatch, 'companyId' | 'rows'>,
): Promise<void> {
  if (rows.length === 0) return;

  const { bulkReadings, copyStatements } = adapterOf(db);
  if (bulkReadings === null || name !== 'readings' || companyId === null)
    return copyStatements.insertRows(db, name, rows);

  const numbersIn = (column: string): number[] => rows.map((row) => Number(row[column]));
  const batch = {
    sensorIds: numbersIn('sensor_id'),
    at: numbersIn('at'),
    values: numbersIn('value'),
    length: rows.length,
  };
  const allIndexes = [...rows.keys()];
  await bulkReadings.write(companyId, batch, allIndexes);
}
