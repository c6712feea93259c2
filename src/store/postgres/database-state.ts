import type { ClientBase } from 'pg';
import { storeUnavailable } from '../../schema/error.ts';
import type { StoreState } from '../store-interface.ts';
import { storeStateOf } from '../store-state.ts';

const TABLE_NAMES = `
  select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`;

export async function databaseState(client: ClientBase, place: string): Promise<StoreState> {
  const names = async (query: string) => (await client.query<{ name: string }>(query)).rows.map(({ name }) => name);
  return storeStateOf(
    {
      location: place,
      tableNames: await names(TABLE_NAMES),
      appliedMigrations: () => names('select name from kysely_migration'),
    },
    () =>
      storeUnavailable(
        `${place} holds tables of another program.`,
        'Create a database for Acequia alone with "createdb", and name it with --db or ACEQUIA_DB.',
      ),
  );
}
