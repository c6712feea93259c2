import {
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  Kysely,
  type Migration,
  Migrator,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { fileState, migrations } from './migrations.ts';
import { begin, rollback, type SqliteConnection } from './sqlite.ts';

/**
 * Brings the file up to date in one transaction. Programs that start at once take turns at the write lock, and the
 * later ones find nothing left to do.
 */
export async function migrate(connection: SqliteConnection, file: string): Promise<void> {
  await begin(connection, 'writer');
  try {
    // Asked again under the lock: another program may just have been here, a newer one even.
    if (fileState(connection, file) === 'current') return;
    const migrator = new Migrator({
      db: new Kysely<unknown>({ dialect: dialectOver(connection) }),
      provider: { getMigrations: loadAll },
    });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
    connection.exec('commit');
  } finally {
    rollback(connection);
  }
}

async function loadAll(): Promise<Record<string, Migration>> {
  const loaded: Record<string, Migration> = {};
  for (const [name, load] of Object.entries(migrations)) loaded[name] = await load();
  return loaded;
}

/** SQLite over the one connection on which everything here runs. */
const dialectOver = (connection: DatabaseConnection): Dialect => ({
  createDriver: () =>
    new (class extends DummyDriver {
      override acquireConnection = async () => connection;
    })(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});
