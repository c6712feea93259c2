import {
  type CompiledQuery,
  type DatabaseConnection,
  type DataTypeNode,
  type Dialect,
  DummyDriver,
  Kysely,
  Migrator,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import type { ClientBase } from 'pg';
import type { ColumnTypes } from '../column-types.ts';
import { migrationsFor } from '../migrations.ts';
import { PostgresConnection } from './connection.ts';
import { databaseState } from './database-state.ts';
import { beginStatement, LOCK_MIGRATIONS } from './locks.ts';
import { MonthlyPartitions } from './monthly-partitions.ts';
import { withClient } from './pool.ts';
import { enableRowSecurity } from './row-security.ts';

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

/**
 * Brings the database up to date in one transaction. Programs that start at once take turns, and the later ones find
 * nothing left to do.
 */
export const migrateDatabase = (url: string, place: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(`${beginStatement('beside', 'all')}; ${LOCK_MIGRATIONS}`);
    // Asked again under the lock: another program may just have been here, a newer one even.
    if ((await databaseState(client, place)) !== 'current') {
      const migrator = new Migrator({
        db: new Kysely<unknown>({ dialect: migrationDialect(client) }),
        provider: { getMigrations: () => migrationsFor(postgresColumnTypes) },
      });
      const { error } = await migrator.migrateToLatest();
      if (error) throw error;
      await new MonthlyPartitions().create(new PostgresConnection(client, 'all'), [
        Number.NEGATIVE_INFINITY,
        Number.POSITIVE_INFINITY,
      ]);
      await enableRowSecurity(client);
    }
    await client.query('commit');
  });

/** Whole numbers as wide as those of SQLite, and texts in its order: that of their bytes, whatever the database's own. */
class MigrationCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    if (node.dataType === 'integer') this.append('bigint');
    else if (node.dataType === 'text') this.append('text collate "C"');
    else super.visitDataType(node);
  }
}

/** All migrations are one transaction, and the lock on them is ours. */
class MigrationAdapter extends PostgresAdapter {
  override get supportsTransactionalDdl(): boolean {
    return false;
  }

  override async acquireMigrationLock(): Promise<void> {}
}

/** PostgreSQL over the one connection on which everything here runs. */
const migrationDialect = (client: ClientBase): Dialect => ({
  createDriver: () =>
    new (class extends DummyDriver {
      override acquireConnection = async (): Promise<DatabaseConnection> => ({
        executeQuery: async <R>({ sql, parameters }: CompiledQuery) => ({
          rows: (await client.query(sql, [...parameters])).rows as R[],
        }),
        streamQuery: () => {
          throw new Error('A migration streams no rows');
        },
      });
    })(),
  createQueryCompiler: () => new MigrationCompiler(),
  createAdapter: () => new MigrationAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
});
