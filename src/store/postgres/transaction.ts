import { DefaultQueryExecutor, type Kysely, PostgresAdapter } from 'kysely';
import type { ClientBase } from 'pg';
import type { ReadingRetention } from '../../domain/moisture/reading-retention.ts';
import { CollectedChanges } from '../changes/collected-changes.ts';
import { ArrayQueryCompiler } from '../queries/array-query-compiler.ts';
import { databaseOn } from '../scope/company-db.ts';
import { addToChangeCount, changeCountParameters } from '../scope/counted-changes.ts';
import { adapterOf, type BulkReadings, type StoreAdapter } from '../store-adapter.ts';
import type { TransactionOptions } from '../store-interface.ts';
import { StoreMigrated } from '../store-state-errors.ts';
import type { Tables } from '../tables.ts';
import { observedConnection, type TransactionObserver } from '../transaction-observer.ts';
import { postgresBulkReadings } from './bulk-readings.ts';
import { PostgresConnection } from './connection.ts';
import { postgresCopyStatements } from './copy-statements.ts';
import {
  CommitOutcomeUnknown,
  isConnectionLost,
  needsNewConnection,
  TransactionAborted,
} from './failures.ts';
import { beginStatement, isBegunOnNewerStore, type LockScope } from './locks.ts';
import type { MonthlyPartitions } from './monthly-partitions.ts';
import type { PooledConnection } from './pool.ts';
import type { RowScope } from './row-security.ts';

class PostgresStoreAdapter extends PostgresAdapter implements StoreAdapter {
  readonly dialect = 'postgres';
  readonly bulkReadings: BulkReadings;
  readonly foundRows = null;
  readonly changedCompanies = new Set<number>();
  readonly companiesWithChangedProbes = new Set<number>();
  readonly probesVersions = new Map<number, Promise<string | null>>();
  readonly readingRetentions = new Map<number, Promise<ReadingRetention | null>>();
  readonly copyStatements = postgresCopyStatements;
  readonly batchSteps = { readings: 2_000, pause: null };
  readonly changesToAnnounce = new CollectedChanges();

  constructor(bulkReadings: BulkReadings) {
    super();
    this.bulkReadings = bulkReadings;
  }
}

const compiler = new ArrayQueryCompiler();

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

export interface ScopedTransaction extends TransactionOptions {
  readonly lockScope: LockScope;
  readonly rowScope: RowScope;
}

/**
 * `body` starts once the server has begun the transaction and taken its snapshot or its locks, so
 * that no query can run outside it. Throws CommitOutcomeUnknown if the connection is lost during
 * the commit.
 */
export async function runTransaction<T>(
  { client, release }: PooledConnection,
  { lockScope, rowScope, observer }: ScopedTransaction,
  partitions: MonthlyPartitions,
  body: TransactionBody<T>,
): Promise<T> {
  const connection = new PostgresConnection(client, rowScope);
  let isReusable = false;
  try {
    observer?.onConnectionAcquired();
    const begun = await client.query(beginStatement(lockScope, rowScope));
    if (isBegunOnNewerStore(begun)) throw new StoreMigrated();
    observer?.onBegin();

    const db = databaseOnConnection(
      connection,
      postgresBulkReadings(connection, partitions),
      observer,
    );
    const result = await body(db, connection);
    if (lockScope !== 'none') countChanges(db, connection);
    connection.end();
    // `body` may have caught it, but the transaction is aborted.
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

const ADD_TO_CHANGE_COUNT = addToChangeCount('$');

/** Queues the statements in front of the commit, which fails if one of them does. */
function countChanges(db: Kysely<Tables>, connection: PostgresConnection): void {
  // Two transactions that change rows of the same companies lock their counts in the same order.
  const adapter = adapterOf(db);
  const companyIds = [...adapter.changedCompanies].sort((one, other) => one - other);
  for (const id of companyIds) {
    const values = changeCountParameters(adapter, id);
    const statement = { name: 'acequia_count_change', text: ADD_TO_CHANGE_COUNT, values };
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
