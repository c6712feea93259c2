import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import type { ColumnTypes } from '../migrations/column-types.ts';
import { applyMigrations } from '../migrations.ts';
import { beginTransaction, rollback, type SqliteConnection } from './connection.ts';
import { fileState } from './view.ts';

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
  // SQLite adds one column a statement, and computes it when it is read.
  async addGeneratedInstants(db, table, columns) {
    for (const [name, expression] of Object.entries(columns))
      await db.schema
        .alterTable(table)
        .addColumn(name, 'integer', (column) => column.generatedAlwaysAs(sql.raw(expression)))
        .execute();
  },
  // The primary keys are unique across companies.
  indexAcrossCompanies: async () => undefined,
  async indexWithinCompany(db, table, column) {
    const index = db.schema.createIndex(`${table}_by_company`).on(table);
    await index.columns(['company_id', column]).execute();
  },
};

export async function migrateFile(connection: SqliteConnection, file: string): Promise<void> {
  await beginTransaction(connection, 'writer');
  try {
    // Read again under the lock: another program may just have migrated the file, even a newer one.
    if ((await fileState(connection, file)) === 'current') return;
    await applyMigrations(connection, {
      compiler: new SqliteQueryCompiler(),
      adapter: new SqliteAdapter(),
      introspector: (db) => new SqliteIntrospector(db),
      types: sqliteColumnTypes,
    });
    connection.exec('commit');
  } finally {
    rollback(connection);
  }
}
