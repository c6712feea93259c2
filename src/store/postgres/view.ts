import type { ClientBase } from 'pg';
import type { StoreView } from '../store-interface.ts';
import { redactedLocation } from '../store-location.ts';
import { databaseState } from './database-state.ts';
import { postgresStoreError } from './failures.ts';
import { MonthlyPartitions } from './monthly-partitions.ts';
import { ConnectionPool, openReaders } from './pool.ts';
import { runTransaction } from './transaction.ts';

/** What a server tells of itself and of who asks. */
export interface ServerFacts {
  /** Of the server, such as 18.4. */
  readonly version: string;
  readonly bytes: number;
  readonly user: string;
  /** Whether the user passes by row-level security, as superusers do. */
  readonly bypassesRowSecurity: boolean;
  /** Whether the server follows another and takes no writes. */
  readonly isStandby: boolean;
  readonly connections: number;
  readonly mostConnections: number;
}

/** The view of a database. */
export interface PostgresStoreView extends StoreView {
  readonly facts: ServerFacts;
}

/** Opens the view of a database. Throws STORE_UNAVAILABLE, with the way out as the hint. */
export async function viewPostgresStore(url: string): Promise<PostgresStoreView> {
  const place = redactedLocation(url);
  const failed = (error: unknown): never => {
    throw postgresStoreError(error, place);
  };
  const lanes = new ConnectionPool(openReaders(url, place, 1), place, 1);
  const asking = async <T>(ask: (client: ClientBase) => Promise<T>): Promise<T> => {
    const { client, release } = await lanes.acquire();
    return ask(client).finally(() => release(true));
  };
  try {
    const state = await asking((client) => databaseState(client, place));
    const facts = await asking(readServerFacts);
    return {
      state,
      facts,
      read: async (body) => {
        try {
          return await runTransaction(
            await lanes.acquire(),
            { lockScope: 'none', rowScope: 'all' },
            new MonthlyPartitions(),
            body,
          );
        } catch (error) {
          return failed(error);
        }
      },
      close: () => lanes.close(),
    };
  } catch (error) {
    await lanes.close();
    return failed(error);
  }
}

async function readServerFacts(client: ClientBase): Promise<ServerFacts> {
  const { rows } = await client.query<
    Omit<ServerFacts, 'bypassesRowSecurity' | 'isStandby'> & { passes: 0 | 1; standby: 0 | 1 }
  >(
    `select split_part(current_setting('server_version'), ' ', 1) as version, current_user as user,
       pg_database_size(current_database()) as bytes, pg_is_in_recovery() as standby,
       (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as passes,
       (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
       current_setting('max_connections')::integer as "mostConnections"`,
  );
  const { passes, standby, ...facts } = rows[0]!;
  return { ...facts, bypassesRowSecurity: passes === 1, isStandby: standby === 1 };
}
