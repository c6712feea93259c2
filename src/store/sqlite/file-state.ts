import { storeUnavailable } from '../../schema/error.ts';
import { migrations } from '../migrations.ts';
import type { StoreState } from '../store-interface.ts';
import { UNFINISHED_COPY_TABLE } from '../store-state.ts';
import type { SqliteConnection } from './connection.ts';

/** Reads what a file has been through. Throws STORE_UNAVAILABLE where it is not ours, or newer than this program. */
export function fileState(connection: SqliteConnection, file: string): StoreState {
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
  if (tables.some(({ name }) => name === UNFINISHED_COPY_TABLE)) return 'unfinished';
  return applied.length === Object.keys(migrations).length ? 'current' : 'behind';
}
