import type { ClientBase } from 'pg';
import { shownPlace } from '../address.ts';
import type { StoreView } from '../store-interface.ts';
import { databaseFailure } from './failures.ts';
import { Lanes } from './lanes.ts';
import { Months } from './months.ts';
import { openReaders } from './pool.ts';
import { databaseState } from './state.ts';
import { inTransaction } from './transaction.ts';

/** What a server tells of itself and of who asks. */
export interface ServerFacts {
  /** Of the server, such as 18.4. */
  readonly version: string;
  readonly bytes: number;
  readonly user: string;
  /** Whether the user passes by row-level security, as superusers do. */
  readonly passesWalls: boolean;
  /** Whether the server follows another and takes no writes. */
  readonly isStandby: boolean;
  readonly connections: number;
  readonly mostConnections: number;
}

/** The view of a database. */
export interface ServerView extends StoreView {
  readonly facts: ServerFacts;
}

/** Opens the view of a database. Throws STORE_UNAVAILABLE, with the way out as the hint. */
export async function viewDatabase(url: string): Promise<ServerView> {
  const place = shownPlace(url);
  const failed = (error: unknown): never => {
    throw databaseFailure(error, place);
  };
  const lanes = new Lanes(openReaders(url, place, 1), place, 1);
  const asking = async <T>(ask: (client: ClientBase) => Promise<T>): Promise<T> => {
    const { client, giveBack } = await lanes.take();
    return ask(client).finally(() => giveBack(Promise.resolve(true)));
  };
  try {
    const state = await asking((client) => databaseState(client, place));
    const facts = await asking(factsOf);
    return {
      state,
      facts,
      read: async (body) => {
        try {
          return await inTransaction(await lanes.take(), { turn: 'none', owner: 'all' }, new Months(), body);
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

async function factsOf(client: ClientBase): Promise<ServerFacts> {
  const { rows } = await client.query<
    Omit<ServerFacts, 'passesWalls' | 'isStandby'> & { passes: 0 | 1; standby: 0 | 1 }
  >(
    `select split_part(current_setting('server_version'), ' ', 1) as version, current_user as user,
       pg_database_size(current_database()) as bytes, pg_is_in_recovery() as standby,
       (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as passes,
       (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
       current_setting('max_connections')::integer as "mostConnections"`,
  );
  const { passes, standby, ...facts } = rows[0]!;
  return { ...facts, passesWalls: passes === 1, isStandby: standby === 1 };
}
