import { sql } from 'kysely';
import type { ColumnTypes } from '../column-types.ts';

/**
 * Keys and indexes begin with the company, and what is unique is unique within one: so a server that spreads tables over
 * machines by company can keep them. The one index that begins otherwise leads from an id to whosever row it is.
 */
export const postgresColumnTypes: ColumnTypes = {
  instant: sql`bigint`,
  real: sql`double precision`,
  id: (column) => column.generatedByDefaultAsIdentity().primaryKey(),
  companyRowId: (column) => column.generatedByDefaultAsIdentity(),
  uniqueText: (column) => column.notNull(),
  table: (table) => table,
  companyTable: (table, name, key) =>
    table.addPrimaryKeyConstraint(`${name}_key`, ['company_id', key] as never[]) as typeof table,
  clusteredTable: (table) => table,
  partitionedTable: (table, column) => table.modifyEnd(sql`partition by range (${sql.ref(column)})`) as typeof table,
  async indexAcrossCompanies(db, table, column) {
    await db.schema
      .createIndex(`${table}_by_${column}_alone`)
      .unique()
      .on(table)
      .columns([column, 'company_id'])
      .execute();
  },
};
