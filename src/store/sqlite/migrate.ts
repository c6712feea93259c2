import {
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  Kysely,
  Migrator,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { ColumnTypes } from '../column-types.ts';
import { migrationsFor } from '../migrations.ts';
import { beginTransaction, rollback, type SqliteConnection } from './connection.ts';
import { fileState } from './file-state.ts';

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

/**
 * Brings the file up to date in one transaction. Programs that start at once take turns at the write lock, and the
 * later ones find nothing left to do.
 */
export async function migrateFile(connection: SqliteConnection, file: string): Promise<void> {
  await beginTransaction(connection, 'writer');
  try {
    // Asked again under the lock: another program may just have been here, a newer one even.
    if (fileState(connection, file) === 'current') return;
    const migrator = new Migrator({
      db: new Kysely<unknown>({ dialect: migrationDialect(connection) }),
      provider: { getMigrations: () => migrationsFor(sqliteColumnTypes) },
    });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
    connection.exec('commit');
  } finally {
    rollback(connection);
  }
}

/** SQLite over the one connection on which everything here runs. */
const migrationDialect = (connection: DatabaseConnection): Dialect => ({
  createDriver: () =>
    new (class extends DummyDriver {
      override acquireConnection = async () => connection;
    })(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});
