import {
  type DatabaseConnection,
  type DatabaseIntrospector,
  type DialectAdapter,
  DummyDriver,
  Kysely,
  type Migration,
  Migrator,
  type QueryCompiler,
} from 'kysely';
import type { ColumnTypes } from './schema/column-types.ts';
import { migrations } from './schema/migrations.ts';
import { SchemaBuilder } from './schema/schema-builder.ts';

interface MigrationDialect {
  readonly compiler: QueryCompiler;
  readonly adapter: DialectAdapter;
  readonly introspector: (db: Kysely<unknown>) => DatabaseIntrospector;
  readonly types: ColumnTypes;
}

export async function applyMigrations(
  connection: DatabaseConnection,
  { compiler, adapter, introspector, types }: MigrationDialect,
): Promise<void> {
  const dialect = {
    createDriver: () => new OneConnectionDriver(connection),
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: introspector,
  };

  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect }),
    provider: { getMigrations: async () => migrationsFor(types) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

class OneConnectionDriver extends DummyDriver {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    super();
    this.#connection = connection;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
}

const migrationsFor = (types: ColumnTypes): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, migrate]) => [
      name,
      { up: (db) => migrate(new SchemaBuilder(db, types)) },
    ]),
  );
