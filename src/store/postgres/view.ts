import type { ClientBase } from 'pg';
import { firstOf } from '../../domain/items.ts';
import { BOUNDED_THINGS, withSize } from '../../domain/shares/bounded-things.ts';
import { SERVICE_TAKER } from '../../domain/shares/takers.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import { storeUnavailableError } from '../../schema/error.ts';
import type { StoreState, StoreView } from '../store-interface.ts';
import { redactedLocation } from '../store-location.ts';
import { storeStateOf } from '../store-state.ts';
import { isServerDiskFull, postgresStoreError } from './failures.ts';
import { MonthlyPartitions } from './monthly-partitions.ts';
import { ConnectionPool, openReaders, withClients } from './pool.ts';
import { assertSessionsAreOwn } from './pooler-check.ts';
import { runTransaction } from './transaction.ts';
import { FILL_TEMPORARY_FILE } from './write-check.ts';

const TABLE_NAMES = `
  select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`;

export async function databaseState(client: ClientBase, location: string): Promise<StoreState> {
  const names = async (query: string) =>
    (await client.query<{ name: string }>(query)).rows.map(({ name }) => name);

  return storeStateOf(
    {
      location,
      tableNames: await names(TABLE_NAMES),
      appliedMigrations: () => names('select name from kysely_migration'),
    },
    () =>
      storeUnavailableError(
        say`${verbatim(location)} holds tables of another program.`,
        say`Create a database for Acequia alone with "createdb", and name it with --db or ACEQUIA_DB.`,
      ),
  );
}

export interface ServerFacts {
  readonly version: string;
  readonly bytes: number;
  readonly user: string;
  /** True for superusers, among others. */
  readonly bypassesRowSecurity: boolean;
  readonly isStandby: boolean;
  /**
   * Sessions of this user begin read-only, by a setting of the server, the database or the user.
   */
  readonly isReadOnly: boolean;
  readonly connections: number;
  readonly maxConnections: number;
  /** Null if there is none, in which no table can be created either. */
  readonly schema: string | null;
  /** The names of tables that others have locked against writes; null if there are none. */
  readonly lockedTables: string | null;
  readonly isDiskFull: boolean;
}

export interface PostgresStoreView extends StoreView {
  readonly facts: ServerFacts;
}

const ONE_READER = withSize(BOUNDED_THINGS.storeReaders, 1);

export async function viewPostgresStore(url: string): Promise<PostgresStoreView> {
  const location = redactedLocation(url);

  const throwStoreError = (error: unknown): never => {
    throw postgresStoreError(error, location);
  };

  const readers = openReaders(url, location, 2);
  const pool = new ConnectionPool(readers, location, ONE_READER);

  const withPooledClient = async <T>(body: (client: ClientBase) => Promise<T>): Promise<T> => {
    const { client, release } = await pool.acquire(SERVICE_TAKER);
    return body(client).finally(() => release(true));
  };

  try {
    await withClients([readers, readers], location, ([one, other]) =>
      assertSessionsAreOwn(one, other, location),
    );
    const state = await withPooledClient((client) => databaseState(client, location));
    const facts = await withPooledClient(readServerFacts);
    return {
      state,
      facts,
      read: async (body) => {
        try {
          return await runTransaction(
            await pool.acquire(SERVICE_TAKER),
            { lockScope: 'none', rowScope: 'all' },
            new MonthlyPartitions(),
            body,
          );
        } catch (error) {
          return throwStoreError(error);
        }
      },
      close: () => pool.close(),
    };
  } catch (error) {
    await pool.close();
    return throwStoreError(error);
  }
}

const LOCKED_TABLES = `select string_agg(distinct c.relname, ', ') from pg_locks l
  join pg_class c on c.oid = l.relation and c.relnamespace = current_schema()::regnamespace
  join pg_database d on d.oid = l.database and d.datname = current_database()
  where l.granted and l.mode in
    ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

const hasFullDisk = (client: ClientBase): Promise<boolean> =>
  client
    .query(`begin; ${FILL_TEMPORARY_FILE}`)
    .then(
      () => false,
      (error) => {
        if (isServerDiskFull(error)) return true;
        throw error;
      },
    )
    .finally(() => client.query('rollback'));

async function readServerFacts(client: ClientBase): Promise<ServerFacts> {
  // Our type parser reads booleans as 1 and 0 (pool.ts).
  const { rows } = await client.query<
    Omit<ServerFacts, 'bypassesRowSecurity' | 'isStandby' | 'isReadOnly' | 'isDiskFull'> & {
      bypasses: 0 | 1;
      standby: 0 | 1;
      readOnly: 0 | 1;
    }
  >(
    `select split_part(current_setting('server_version'), ' ', 1) as version, current_user as user,
       pg_database_size(current_database()) as bytes, pg_is_in_recovery() as standby,
       current_setting('transaction_read_only') = 'on' as "readOnly",
       (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypasses,
       (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
       current_setting('max_connections')::integer as "maxConnections",
       current_schema() as schema, (${LOCKED_TABLES}) as "lockedTables"`,
  );

  const { bypasses, standby, readOnly, ...facts } = firstOf(rows);
  return {
    ...facts,
    bypassesRowSecurity: bypasses === 1,
    isStandby: standby === 1,
    isReadOnly: readOnly === 1,
    isDiskFull: await hasFullDisk(client),
  };
}
