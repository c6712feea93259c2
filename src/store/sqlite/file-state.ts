import { storeUnavailable } from '../../schema/error.ts';
import type { StoreState } from '../store-interface.ts';
import { storeStateOf } from '../store-state.ts';
import type { SqliteConnection } from './connection.ts';

export const fileState = (connection: SqliteConnection, file: string): Promise<StoreState> => {
  const names = (query: string) => connection.rows<{ name: string }>(query).map(({ name }) => name);
  return storeStateOf(
    {
      location: file,
      tableNames: names("select name from sqlite_schema where type = 'table'"),
      appliedMigrations: () => names('select name from kysely_migration'),
    },
    () =>
      storeUnavailable(
        `The file ${file} is a database of another program.`,
        'Name another file with --db or ACEQUIA_DB; a missing file is created.',
      ),
  );
};
