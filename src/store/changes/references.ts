import { companyTables } from '../scope/company-scope-rules.ts';
import { type ChangedRow, isRecorded, keyOf, type RowKey } from '../scope/recorded-rows.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import {
  hasBegun,
  isConfirmed,
  isEdited,
  isManual,
  type WateringCondition,
} from './recorded-waterings.ts';

export interface Reference {
  readonly table: keyof CompanyTables | 'companies';
  /** Null for a row of a table that changes do not record. */
  readonly key: RowKey | null;
}

type ReferenceColumn = readonly [table: keyof CompanyTables, column: string];

/**
 * References that an undo must not break. An alert has none: its state, its episodes and its mail
 * are deleted with it.
 */
const REFERENCES: Readonly<Partial<Record<keyof CompanyTables, readonly ReferenceColumn[]>>> = {
  parcels: [
    ['modules', 'parcel_id'],
    ['soil_layers', 'parcel_id'],
    ['installation_versions', 'parcel_id'],
    ['schedules', 'target_parcel_id'],
    ['alerts', 'parcel_id'],
    ['rain', 'parcel_id'],
  ],
  modules: [
    ['waterings', 'module_id'],
    ['sensors', 'module_id'],
    ['installation_versions', 'module_id'],
    ['placements', 'module_id'],
    ['probe_settings', 'module_id'],
    ['schedules', 'target_module_id'],
    ['annotations', 'module_id'],
    ['alerts', 'module_id'],
    ['rain', 'module_id'],
    ['devices', 'module_id'],
    ['station_readings', 'module_id'],
  ],
  sensors: [['readings', 'sensor_id']],
  schedules: [['waterings', 'schedule_id']],
  users: [
    ['alerts', 'created_by'],
    ['alert_recipients', 'user_id'],
    ['annotations', 'user_id'],
    ['api_keys', 'user_id'],
  ],
};

/**
 * By the column that refers to a schedule or a module: the waterings with this reference that
 * changes record fulfil one of the conditions.
 */
const recordedConditions = (
  now: number,
): Readonly<Record<string, readonly WateringCondition[]>> => ({
  schedule_id: [isConfirmed, isEdited],
  // The bound keeps the database from reading the planned occurrences ahead by the index on
  // modules.
  module_id: [isManual, (eb) => eb.and([hasBegun(now)(eb), isConfirmed(eb)])],
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
  for (const [parent, referenceColumns] of Object.entries(REFERENCES)) {
    const keys = rows.filter(({ table }) => table === parent).map(({ key }) => key);
    if (keys.length === 0) continue;
    for (const referenceColumn of referenceColumns)
      found.push(...(await rowsReferringTo(db, referenceColumn, keys, bounds)));
  }

  return found;
}

export const toReference = (
  table: keyof CompanyTables,
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

/** Their rows record what was done in the company, and do not keep it from being deleted. */
const DELETED_WITH_COMPANY: ReadonlySet<keyof CompanyTables> = new Set([
  'changes',
  'change_counts',
  'idempotency',
  'local_day_zones',
]);

async function rowsOfCompany(db: CompanyDb, ownRowCount: number): Promise<Reference[]> {
  const found: Reference[] = [];
  for (const table of companyTables as ReadonlySet<keyof CompanyTables>) {
    if (DELETED_WITH_COMPANY.has(table)) continue;
    const rows = await db
      .selectFrom(table as 'waterings')
      .selectAll()
      .limit(ownRowCount + 1)
      .execute();
    found.push(...rows.map((row) => toReference(table, { ...row })));
  }

  return found;
}
