import { type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { applyMigrations } from '../apply-migrations.ts';
import type { ColumnTypes } from '../schema/column-types.ts';
import { beginWrite, rollback, type SqliteConnection } from './connection.ts';
import { fileState } from './view.ts';

const strict = sql`strict`;
const clustered = sql`without rowid, strict`;

export const sqliteColumnTypes: ColumnTypes = {
  instant: sql`integer`,
  real: sql`real`,
  id: (column) => column.primaryKey().autoIncrement(),
  companyRowId: (column) => column.primaryKey().autoIncrement(),
  uniqueText: (column) => column.notNull().unique(),
  // Computed when it is read.
  generatedInstant: (expression) => (column) => column.generatedAlwaysAs(sql.raw(expression)),
  table: (table) => table.modifyEnd(strict) as typeof table,
  companyTable: (table) => table.modifyEnd(strict) as typeof table,
  clusteredTable: (table) => table.modifyEnd(clustered) as typeof table,
  partitionedTable: (table) => table.modifyEnd(clustered) as typeof table,
  // The primary keys are unique across companies.
  indexAcrossCompanies: async () => undefined,
  async indexWithinCompany(db, table, column) {
    const index = db.schema.createIndex(`${table}_by_company`).on(table);
    await index.columns(['company_id', column]).execute();
  },
};

export async function migrateFile(connection: SqliteConnection, file: string): Promise<void> {
  await beginWrite(connection);
  try {
    // Read again under the lock: another program may just have migrated the file, even a newer one.
    const state = await fileState(connection, file);
    if (state === 'current') return;

    const dialect = {
      compiler: new SqliteQueryCompiler(),
      adapter: new SqliteAdapter(),
      introspector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
      types: sqliteColumnTypes,
    };
    await applyMigrations(connection, dialect);
    connection.exec('commit');
  } finally {
    rollback(connection);
  }
}
