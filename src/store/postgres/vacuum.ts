import { TABLES_BY_NAME } from '../../schema/tables/index.ts';
import { withClient } from './pool.ts';

const ERASED_TABLES = [...TABLES_BY_NAME].flatMap(([name, { isErased }]) =>
  isErased ? [name] : [],
);

/** Without FULL, which would keep reads waiting, too. */
export const vacuumErasedTables = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query('set statement_timeout = 0');
    await client.query(`vacuum ${ERASED_TABLES.join(', ')}`);
  });
