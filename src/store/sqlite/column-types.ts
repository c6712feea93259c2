import { sql } from 'kysely';
import type { ColumnTypes } from '../column-types.ts';

/** Strict tables hold a column's type; without rowid the rows lie in the primary key itself. */
const strict = sql`strict`;
const clustered = sql`without rowid, strict`;

export const sqliteColumnTypes: ColumnTypes = {
  instant: sql`integer`,
  real: sql`real`,
  id: (column) => column.primaryKey().autoIncrement(),
  companyRowId: (column) => column.primaryKey().autoIncrement(),
  uniqueText: (column) => column.notNull().unique(),
  table: (table) => table.modifyEnd(strict) as typeof table,
  companyTable: (table) => table.modifyEnd(strict) as typeof table,
  clusteredTable: (table) => table.modifyEnd(clustered) as typeof table,
  partitionedTable: (table) => table.modifyEnd(clustered) as typeof table,
  // Its keys are unique by themselves.
  indexAcrossCompanies: async () => undefined,
};
