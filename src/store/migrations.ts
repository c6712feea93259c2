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
import type { StoreState } from './store-interface.ts';

interface MigrationStep {
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}

/**
 * By name, in order. A released migration never changes, nor does its name: each store records
 * which it has applied.
 */
export const migrations: Readonly<Record<string, () => Promise<MigrationStep>>> = {
  '0001-first-schema': () => import('./schema/first-schema.ts'),
  '0002-sensor-versions': () => import('./schema/migrations/sensor-versions.ts'),
  '0003-local-days': () => import('./schema/migrations/local-days.ts'),
};

interface MigrationDialect {
  readonly compiler: QueryCompiler;
  readonly adapter: DialectAdapter;
  readonly introspector: (db: Kysely<unknown>) => DatabaseIntrospector;
  readonly types: ColumnTypes;
}

export async function applyMigrations(
  connection: DatabaseConnection,
  { compiler, adapter, introspector, types }: MigrationDialect,
  state: StoreState,
): Promise<void> {
  const dialect = {
    createDriver: () => new OneConnectionDriver(connection),
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: introspector,
  };

  const db = new Kysely<unknown>({ dialect });

  if (state === 'needsMigration') {
    const { convertIfUnreleased } = await import('./convert-unreleased-store.ts');
    await convertIfUnreleased(db, types);
  }

  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => loadMigrations(types) },
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

async function loadMigrations(types: ColumnTypes): Promise<Record<string, Migration>> {
  const loaded: Record<string, Migration> = {};
  for (const [name, load] of Object.entries(migrations)) {
    const { up } = await load();
    loaded[name] = { up: (db) => up(db, types) };
  }
  return loaded;
}
