import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseMetadataOptions,
  type DataTypeNode,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type TableMetadata,
} from 'kysely';
import type { ClientBase } from 'pg';
import { firstOf } from '../../domain/items.ts';
import { applyMigrations } from '../apply-migrations.ts';
import type { ColumnTypes } from '../schema/column-types.ts';
import { PostgresConnection } from './connection.ts';
import { noSchemaError } from './failures.ts';
import { BEGIN_MIGRATION } from './locks.ts';
import { MonthlyPartitions } from './monthly-partitions.ts';
import { withClient } from './pool.ts';
import { enableRowSecurity } from './row-security.ts';
import { databaseState } from './view.ts';

/**
 * Keys and indexes begin with the company and are unique within it, so that tables can be
 * distributed over machines by company. Only `indexAcrossCompanies` begins with an id, to find the
 * company of a row.
 */
export const postgresColumnTypes: ColumnTypes = {
  instant: sql`bigint`,
  real: sql`double precision`,
  id: (column) => column.generatedByDefaultAsIdentity().primaryKey(),
  companyRowId: (column) => column.generatedByDefaultAsIdentity(),
  uniqueText: (column) => column.notNull(),
  generatedInstant: (expression) => (column) =>
    column.generatedAlwaysAs(sql.raw(expression)).stored(),
  table: (table) => table,
  companyTable: (table, name, key) =>
    table.addPrimaryKeyConstraint(`${name}_key`, ['company_id', key] as never[]) as typeof table,
  clusteredTable: (table) => table,
  partitionedTable: (table, column) =>
    table.modifyEnd(sql`partition by range (${sql.ref(column)})`) as typeof table,
  async indexAcrossCompanies(db, table, column) {
    await db.schema
      .createIndex(`${table}_by_${column}_alone`)
      .unique()
      .on(table)
      .columns([column, 'company_id'])
      .execute();
  },
  // The primary keys begin with the company.
  indexWithinCompany: async () => undefined,
};

export const migrateDatabase = (url: string, location: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(BEGIN_MIGRATION);

    // Read again under the lock: another program may just have migrated the database, even a newer
    // one.
    const state = await databaseState(client, location);
    if (state !== 'current') {
      const schema = await currentSchema(client, location);
      const dialect = {
        compiler: new MigrationCompiler(),
        adapter: new MigrationAdapter(),
        introspector: (db: Kysely<unknown>) => new SchemaIntrospector(db, schema),
        types: postgresColumnTypes,
      };
      await applyMigrations(migrationConnection(client), dialect);

      // The partitions of all earlier and of all later readings; those of months come with readings.
      const connection = new PostgresConnection(client, 'all');
      await new MonthlyPartitions().create(connection, [
        Number.NEGATIVE_INFINITY,
        Number.POSITIVE_INFINITY,
      ]);
      await enableRowSecurity(client);
    }

    await client.query('commit');
  });

/** Unlike PostgresConnection it accepts boolean parameters, which Kysely's introspector sends. */
const migrationConnection = (client: ClientBase): DatabaseConnection => ({
  executeQuery: async <R>({ sql, parameters }: CompiledQuery) => ({
    rows: (await client.query<R & object>(sql, [...parameters])).rows,
  }),
  streamQuery: () => {
    throw new Error('A migration cannot stream rows');
  },
});

/**
 * Like in SQLite, integers have 64 bits and texts are ordered by their bytes, whatever the
 * database's collation is.
 */
class MigrationCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    if (node.dataType === 'integer') this.append('bigint');
    else if (node.dataType === 'text') this.append('text collate "C"');
    else super.visitDataType(node);
  }
}

async function currentSchema(client: ClientBase, location: string): Promise<string> {
  const { rows } = await client.query<{ schema: string | null }>(
    'select current_schema() as schema',
  );
  const { schema } = firstOf(rows);
  if (schema === null) throw noSchemaError(location);
  return schema;
}

/** Does not mistake tables of another schema for ours. */
class SchemaIntrospector extends PostgresIntrospector {
  readonly #schema: string;

  constructor(db: Kysely<unknown>, schema: string) {
    super(db);
    this.#schema = schema;
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    const tables = await super.getTables(options);
    return tables.filter(({ schema }) => schema === this.#schema);
  }
}

/** All migrations run in the caller's transaction, under our own lock. */
class MigrationAdapter extends PostgresAdapter {
  override get supportsTransactionalDdl(): boolean {
    return false;
  }

  override async acquireMigrationLock(): Promise<void> {}
}
