import type { ClientBase } from 'pg';
import { storeUnavailable } from '../../schema/error.ts';
import { migrations } from '../migrations.ts';
import type { StoreState } from '../store-interface.ts';
import { UNFINISHED_COPY_TABLE } from '../store-state.ts';

/** Reads what a database has been through. Throws STORE_UNAVAILABLE where it is not ours, or newer than this program. */
export async function databaseState(client: ClientBase, place: string): Promise<StoreState> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
  );
  if (tables.length === 0) return 'new';
  const isMigrated = tables.some(({ name }) => name === 'kysely_migration');
  const applied = isMigrated ? await appliedMigrations(client) : [];
  if (!applied.some((name) => name in migrations))
    throw storeUnavailable(
      `${place} holds tables of another program.`,
      'Make a database for Acequia alone with "createdb", and name that with --db or ACEQUIA_DB.',
    );
  if (applied.some((name) => !(name in migrations)))
    throw storeUnavailable(
      `The store ${place} was written by a newer Acequia than this one.`,
      'Update Acequia (npm install -g acequia-mcp@latest), or name another database with --db or ACEQUIA_DB.',
    );
  if (tables.some(({ name }) => name === UNFINISHED_COPY_TABLE)) return 'unfinished';
  return applied.length === Object.keys(migrations).length ? 'current' : 'behind';
}

async function appliedMigrations(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration');
  return rows.map(({ name }) => name);
}
