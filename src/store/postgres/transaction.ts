import {
  DefaultQueryExecutor,
  type Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import type { ClientBase } from 'pg';
import { firstOf } from '../../domain/items.ts';
import { CollectedChanges } from '../changes/collected-changes.ts';
import { databaseOn } from '../scope/company-db.ts';
import { countChangeStatement, countedChange } from '../scope/counted-changes.ts';
import {
  adapterOf,
  type BulkReadings,
  type CopiedRow,
  type CopyStatements,
  type StoreAdapter,
} from '../store-adapter.ts';
import type { Tables } from '../tables.ts';
import { observedConnection, type TransactionObserver } from '../transaction-observer.ts';
import { postgresBulkReadings } from './bulk-readings.ts';
import { PostgresConnection } from './connection.ts';
import {
  CommitOutcomeUnknown,
  isConnectionLost,
  needsNewConnection,
  TransactionAborted,
} from './failures.ts';
import { beginStatement, type LockScope } from './locks.ts';
import type { MonthlyPartitions } from './monthly-partitions.ts';
import type { PooledConnection } from './pool.ts';
import type { RowScope } from './row-security.ts';

const copying: CopyStatements = { insertRows, lastGeneratedId, setLastGeneratedId };

class PostgresStoreAdapter extends PostgresAdapter implements StoreAdapter {
  readonly dialect = 'postgres';
  readonly bulkReadings: BulkReadings;
  readonly changedCompanies = new Set<number>();
  readonly companiesWithChangedSensors = new Set<number>();
  readonly copying = copying;
  readonly announced = new CollectedChanges();

  constructor(bulkReadings: BulkReadings) {
    super();
    this.bulkReadings = bulkReadings;
  }
}

/** Sends the rows as one JSON text, which the server parses by the column types of the table. */
async function insertRows(
  db: Kysely<Tables>,
  table: string,
  rows: readonly CopiedRow[],
): Promise<void> {
  const columns = sql.join(Object.keys(firstOf(rows)).map((column) => sql.ref(column)));
  const into = sql.table(table);
  await sql`insert into ${into} (${columns})
    select ${columns} from json_populate_recordset(null::${into}, ${JSON.stringify(rows)}::json)`.execute(
    db,
  );
}

async function lastGeneratedId(
  db: Kysely<Tables>,
  table: string,
  column: string,
): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${column})::regclass) as id`.execute(
    db,
  );
  return rows[0]?.id ?? null;
}

async function setLastGeneratedId(
  db: Kysely<Tables>,
  table: string,
  column: string,
  id: number,
): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${id})`.execute(db);
}

const compiler = new PostgresQueryCompiler();

function databaseOnConnection(
  connection: PostgresConnection,
  bulkReadings: BulkReadings,
  observer: TransactionObserver | undefined,
): Kysely<Tables> {
  const observed = observer ? observedConnection(connection, observer) : connection;
  return databaseOn<Tables>(
    new DefaultQueryExecutor(compiler, new PostgresStoreAdapter(bulkReadings), {
      provideConnection: (consumer) => consumer(observed),
    }),
  );
}

export type TransactionBody<T> = (db: Kysely<Tables>, connection: PostgresConnection) => Promise<T>;

export interface TransactionOptions {
  readonly lockScope: LockScope;
  readonly rowScope: RowScope;
  readonly observer?: TransactionObserver | undefined;
}

/**
 * `body` starts once the server has begun the transaction and taken its snapshot or its locks, so
 * that no query can run outside it. Throws CommitOutcomeUnknown if the connection is lost during
 * the commit.
 */
export async function runTransaction<T>(
  { client, release }: PooledConnection,
  { lockScope, rowScope, observer }: TransactionOptions,
  partitions: MonthlyPartitions,
  body: TransactionBody<T>,
): Promise<T> {
  const connection = new PostgresConnection(client, rowScope);
  let isReusable = false;
  try {
    observer?.onConnectionAcquired();
    await client.query(beginStatement(lockScope, rowScope));
    observer?.onBegin();

    const db = databaseOnConnection(
      connection,
      postgresBulkReadings(connection, partitions),
      observer,
    );
    const result = await body(db, connection);
    if (lockScope !== 'none') countChanges(db, connection);
    connection.end();
    if (connection.failure !== undefined) throw connection.failure;

    // Nothing depends on how a read ends: the next transaction on the connection is queued behind
    // its commit.
    if (lockScope === 'none') client.query('commit').catch(() => undefined);
    else await commit(client, connection);
    isReusable = true;

    return result;
  } catch (caught) {
    connection.end();
    const error = caught instanceof TransactionAborted ? caught.cause : caught;
    isReusable = !needsNewConnection(error) && (await rollBack(client));
    throw error;
  } finally {
    release(isReusable);
  }
}

const COUNT_CHANGE = countChangeStatement('$');

/** Queues the statements in front of the commit, which fails if one of them does. */
function countChanges(db: Kysely<Tables>, connection: PostgresConnection): void {
  // Two transactions that change rows of the same companies lock their counts in the same order.
  const adapter = adapterOf(db);
  const companyIds = [...adapter.changedCompanies].sort((one, other) => one - other);
  for (const id of companyIds) {
    const values = countedChange(adapter, id);
    const statement = { name: 'acequia_count_change', text: COUNT_CHANGE, values };
    connection.query(id, statement).catch(() => undefined);
  }
}

/**
 * If the server answers with an error, nothing was committed; if it does not answer, the outcome is
 * unknown.
 */
async function commit(client: ClientBase, connection: PostgresConnection): Promise<void> {
  const { command } = await client.query('commit').catch((error) => {
    throw isConnectionLost(error) ? new CommitOutcomeUnknown(error) : error;
  });
  // The server answers ROLLBACK to the commit of an aborted transaction.
  if (command !== 'COMMIT')
    throw connection.failure ?? new Error('The transaction was aborted by an earlier failure');
}

const rollBack = (client: ClientBase): Promise<boolean> =>
  client.query('rollback').then(
    () => true,
    () => false,
  );
