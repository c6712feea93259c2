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
import { migrations } from './schema/migrations.ts';
import { SchemaChanges } from './schema/schema-changes.ts';
import { createStoreStatements, type SchemaDialect } from './schema/table-statements.ts';
import type { StoreState } from './store-interface.ts';

interface MigratedDatabase {
  readonly connection: DatabaseConnection;
  readonly compiler: QueryCompiler;
  readonly adapter: DialectAdapter;
  readonly introspector: (db: Kysely<unknown>) => DatabaseIntrospector;
  readonly schema: SchemaDialect;
  readonly execute: (script: string) => unknown;
  readonly onMigration?: (name: string) => void;
}

/** A new store is made from the descriptions, and marked with all migrations. */
export async function applyMigrations(
  {
    connection,
    compiler,
    adapter,
    introspector,
    schema,
    execute,
    onMigration = () => undefined,
  }: MigratedDatabase,
  state: StoreState,
): Promise<void> {
  const isNew = state === 'new';
  if (isNew) await execute(createStoreStatements(schema).join(';\n'));

  const dialect = {
    createDriver: () => new OneConnectionDriver(connection),
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: introspector,
  };
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect }),
    provider: { getMigrations: async () => (isNew ? marks() : migrationsFor(schema, onMigration)) },
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

const marks = (): Record<string, Migration> =>
  Object.fromEntries(Object.keys(migrations).map((name) => [name, { up: async () => undefined }]));

const migrationsFor = (
  schema: SchemaDialect,
  onMigration: (name: string) => void,
): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, migrate]) => [
      name,
      {
        up: (db) => {
          onMigration(name);
          return migrate(new SchemaChanges(db, schema));
        },
      },
    ]),
  );
