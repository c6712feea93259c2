import { type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { applyMigrations } from '../apply-migrations.ts';
import { copyBeforeMigration } from '../backups/before-migration.ts';
import type { SchemaDialect } from '../schema/table-statements.ts';
import { beginWrite, rollback, type SqliteConnection } from './connection.ts';
import { fileState } from './view.ts';

const sqliteSchema: SchemaDialect = {
  types: {
    integer: 'integer',
    instant: 'integer',
    flag: 'integer',
    real: 'real',
    text: 'text',
    json: 'text',
  },
  sequence: 'integer primary key autoincrement',
  isKeyedByCompany: false,
  computed: 'virtual',
  endOfTable: ({ isClustered }) => (isClustered ? 'without rowid, strict' : 'strict'),
};

export async function migrateFile(
  connection: SqliteConnection,
  file: string,
  isCopiedBefore: boolean,
): Promise<void> {
  await beginWrite(connection);
  try {
    // Read again under the lock: another program may just have migrated the file, even a newer one.
    const state = await fileState(connection, file);
    if (state === 'current') return;
    if (isCopiedBefore && state === 'needsMigration') await copyBeforeMigration(file);

    const database = {
      connection,
      compiler: new SqliteQueryCompiler(),
      adapter: new SqliteAdapter(),
      introspector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
      schema: sqliteSchema,
      execute: (script: string) => connection.exec(script),
    };
    await applyMigrations(database, state);
    connection.exec('commit');
  } finally {
    rollback(connection);
  }
}
