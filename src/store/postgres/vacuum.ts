import { withClient } from './pool.ts';

/** The tables from which something of a person is erased. */
const TABLES = [
  'users',
  'sessions',
  'api_keys',
  'outbox',
  'recent_deliveries',
  'idempotency',
  'changes',
  'change_parts',
];

/** Without FULL, which would keep reads waiting, too. */
export const vacuumTables = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query('set statement_timeout = 0');
    await client.query(`vacuum ${TABLES.join(', ')}`);
  });
