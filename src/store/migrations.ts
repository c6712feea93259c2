import type { Migration } from 'kysely';
import { storeUnavailable } from '../schema/error.ts';
import type { SqliteConnection } from './sqlite.ts';

/**
 * The migrations by name, in order. A name never changes and a migration is never edited once released: a file tells
 * by these names what it has been through.
 */
export const migrations: Readonly<Record<string, () => Promise<Migration>>> = {
  '0001-first-tables': () => import('./migrations/0001-first-tables.ts'),
  '0002-schedules': () => import('./migrations/0002-schedules.ts'),
  '0003-annotations-and-alerts': () => import('./migrations/0003-annotations-and-alerts.ts'),
  '0004-alert-watch': () => import('./migrations/0004-alert-watch.ts'),
  '0005-api-keys': () => import('./migrations/0005-api-keys.ts'),
};

/** What a file holds: nothing yet, tables that lack a migration, or everything we know. */
export type FileState = 'new' | 'behind' | 'current';

/** Reads what a file has been through. Throws STORE_UNAVAILABLE where it is not ours, or newer than this program. */
export function fileState(connection: SqliteConnection, file: string): FileState {
  const tables = connection.rows<{ name: string }>("select name from sqlite_schema where type = 'table'");
  if (!tables.length) return 'new';
  if (!tables.some(({ name }) => name === 'kysely_migration'))
    throw storeUnavailable(
      `The file ${file} is a database of another program.`,
      'Name another file with --db or ACEQUIA_DB; a missing file is made anew.',
    );
  const applied = connection.rows<{ name: string }>('select name from kysely_migration');
  if (applied.some(({ name }) => !(name in migrations)))
    throw storeUnavailable(
      `The store ${file} was written by a newer Acequia than this one.`,
      'Update Acequia (npm install -g acequia-mcp@latest), or name another file with --db or ACEQUIA_DB.',
    );
  return applied.length === Object.keys(migrations).length ? 'current' : 'behind';
}
