import { keysOf } from '../../domain/records.ts';
import type { Column } from '../../schema/tables/column.ts';
import { COMPANY_TABLES, type CompanyTableName } from '../../schema/tables/index.ts';
import type { Table } from '../../schema/tables/table.ts';
import { isManual } from '../irrigation/incomplete-waterings.ts';
import { type ChangedRow, isRecorded, keyOf, type RowKey } from '../scope/recorded-rows.ts';
import type { CompanyDb } from '../tables.ts';
import { hasBegun, isConfirmed, isEdited, type WateringCondition } from './recorded-waterings.ts';

export interface Reference {
  readonly table: CompanyTableName | 'companies';
  /** Null for a row of a table that changes do not record. */
  readonly key: RowKey | null;
}

type ReferenceColumn = readonly [table: CompanyTableName, column: string];

/** The columns of other tables that refer to a table; an undo must not break these references. */
const referenceColumns = new Map<string, ReferenceColumn[]>();
for (const name of keysOf(COMPANY_TABLES))
  for (const [column, { properties }] of Object.entries<Column>(COMPANY_TABLES[name].columns))
    if (properties.reference?.isPart === false) {
      const { table } = properties.reference;
      referenceColumns.set(table, [...(referenceColumns.get(table) ?? []), [name, column]]);
    }

/**
 * By the column that refers to a schedule, a module or a parcel: the waterings with this reference that
 * changes record fulfil one of the conditions.
 */
const recordedConditions = (
  now: number,
): Readonly<Record<string, readonly WateringCondition[]>> => ({
  schedule_id: [isConfirmed, isEdited],
  // The bound keeps the database from reading the planned occurrences ahead by the index on
  // modules.
  module_id: [isManual, (eb) => eb.and([hasBegun(now)(eb), isConfirmed(eb)])],
  parcel_id: [isManual, isConfirmed],
});

/**
 * The rows that refer to rows of a change, those of the change included. At most `ownRowCount` rows
 * of a table belong to the change itself, so one more of each table is enough to find another.
 */
export async function referencesTo(
  db: CompanyDb,
  rows: readonly ChangedRow[],
  ownRowCount: number,
  now: number,
): Promise<Reference[]> {
  if (rows.some(({ table }) => table === 'companies')) return rowsOfCompany(db, ownRowCount);

  const found: Reference[] = [];
  const bounds = { limit: ownRowCount + 1, now };
  for (const [parent, columns] of referenceColumns) {
    const keys = rows.filter(({ table }) => table === parent).map(({ key }) => key);
    if (keys.length === 0) continue;
    for (const referenceColumn of columns)
      found.push(...(await rowsReferringTo(db, referenceColumn, keys, bounds)));
  }

  return found;
}

export const toReference = (
  table: CompanyTableName,
  row: Readonly<Record<string, unknown>>,
): Reference => ({ table, key: isRecorded(table) ? keyOf(table, row) : null });

// Kysely cannot infer columns from a table name that is generic: 'waterings' and 'id' represent any
// of them.

async function rowsReferringTo(
  db: CompanyDb,
  [table, column]: ReferenceColumn,
  keys: readonly RowKey[],
  { limit, now }: { limit: number; now: number },
): Promise<Reference[]> {
  const query = db
    .selectFrom(table as 'waterings')
    .selectAll()
    .where(column as 'id', 'in', keys as readonly number[])
    .limit(limit);

  const conditions = table === 'waterings' ? recordedConditions(now)[column] : undefined;
  const queries = conditions?.map((condition) => query.where(condition)) ?? [query];

  const found: Reference[] = [];
  for (const rowsQuery of queries)
    found.push(...(await rowsQuery.execute()).map((row) => toReference(table, { ...row })));

  return found;
}

async function rowsOfCompany(db: CompanyDb, ownRowCount: number): Promise<Reference[]> {
  const found: Reference[] = [];
  for (const table of keysOf(COMPANY_TABLES)) {
    const { keepsCompany }: Table = COMPANY_TABLES[table];
    if (!keepsCompany) continue;
    const rows = await db
      .selectFrom(table as 'waterings')
      .selectAll()
      .limit(ownRowCount + 1)
      .execute();
    found.push(...rows.map((row) => toReference(table, { ...row })));
  }

  return found;
}
