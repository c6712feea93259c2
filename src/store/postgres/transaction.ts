import { setImmediate as nextTurn } from 'node:timers/promises';
import { DefaultQueryExecutor, type Kysely, PostgresAdapter, PostgresQueryCompiler } from 'kysely';
import type { ClientBase } from 'pg';
import { BULK_READINGS, type BulkReadings } from '../bulk-readings.ts';
import { databaseOn } from '../company-db.ts';
import type { Tables } from '../tables.ts';
import { observedConnection, type TransactionObserver } from '../transaction-observer.ts';
import { postgresBulkReadings } from './bulk-readings.ts';
import { PostgresConnection } from './connection.ts';
import { CommitOutcomeUnknown, isConnectionLost, isPlanOutdated, TransactionAborted } from './failures.ts';
import { type LockScope, transactionPreamble } from './locks.ts';
import type { MonthlyPartitions } from './monthly-partitions.ts';
import type { PooledConnection } from './pool.ts';
import type { RowScope } from './row-security.ts';

const compiler = new PostgresQueryCompiler();

class BulkReadingsAdapter extends PostgresAdapter {
  readonly [BULK_READINGS]: BulkReadings;

  constructor(way: BulkReadings) {
    super();
    this[BULK_READINGS] = way;
  }
}

/** A handle over the companies, on a connection in its transaction; `observer` hears of its queries. */
export function databaseOnConnection(
  connection: PostgresConnection,
  way: BulkReadings,
  observer: TransactionObserver | undefined,
): Kysely<Tables> {
  const asked = observer ? observedConnection(connection, observer) : connection;
  return databaseOn<Tables>(
    new DefaultQueryExecutor(compiler, new BulkReadingsAdapter(way), {
      provideConnection: (consumer) => consumer(asked),
    }),
  );
}

export type TransactionBody<T> = (db: Kysely<Tables>, connection: PostgresConnection) => Promise<T>;

/** Whose turn a transaction takes, and whose rows it first works on. */
export interface TransactionOptions {
  readonly lockScope: LockScope;
  readonly rowScope: RowScope;
  /** Hears how it goes; told anew of each try. */
  readonly observer?: TransactionObserver | undefined;
}

/**
 * Runs `body` in one transaction on a connection: kept when it returns, undone when it throws. Throws CommitUnknown where
 * the connection was lost while it was being kept. A snapshot is on a connection of the readers; for its end nobody waits.
 */
export async function runTransaction<T>(
  { client, release }: PooledConnection,
  { lockScope, rowScope, observer }: TransactionOptions,
  months: MonthlyPartitions,
  body: TransactionBody<T>,
): Promise<T> {
  const connection = new PostgresConnection(client, rowScope);
  const ended = (statement: string) =>
    client.query(statement).then(
      () => true,
      () => false,
    );
  try {
    observer?.onConnectionAcquired();
    const statements = transactionPreamble(lockScope, rowScope);
    if (lockScope === 'none') {
      connection.begin({ statements });
      // A snapshot waits for nobody.
      observer?.onBegin();
    } else connection.begin({ statements, onExecuted: observer && (() => observer.onBegin()) });
    const result = await body(
      databaseOnConnection(connection, postgresBulkReadings(connection, months), observer),
      connection,
    );
    await connection.end();
    // Whoever caught it: the server has kept nothing since.
    if (connection.failure !== undefined) throw connection.failure;
    if (lockScope !== 'none') await commit(client);
    release(lockScope === 'none' ? nextTurn().then(() => ended('commit')) : Promise.resolve(true));
    return result;
  } catch (caught) {
    await connection.end();
    // Of what was asked at once, something behind the query that failed may have been heard of first.
    const error = caught instanceof TransactionAborted ? caught.cause : caught;
    const isDropped = isConnectionLost(error) || isPlanOutdated(error) || error instanceof CommitOutcomeUnknown;
    const inOrder = isDropped ? Promise.resolve(false) : ended('rollback');
    release(inOrder);
    await inOrder;
    throw error;
  }
}

/** An answer of the server that is no success says that nothing was kept; without an answer nobody knows. */
async function commit(client: ClientBase): Promise<void> {
  const { command } = await client.query('commit').catch((error) => {
    throw isConnectionLost(error) ? new CommitOutcomeUnknown(error) : error;
  });
  if (command !== 'COMMIT') throw new Error('The transaction has ended by an earlier failure');
}
