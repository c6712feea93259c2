import type { Kysely } from 'kysely';
import type { ClientBase } from 'pg';
import type { Tables } from '../tables.ts';
import type { TransactionObserver } from '../transaction-observer.ts';
import { readingsWay } from './bulk.ts';
import { PostgresConnection } from './connection.ts';
import { handleOn } from './executor.ts';
import { CommitUnknown, isLost, isOutdated } from './failures.ts';
import type { Months } from './months.ts';
import type { Owner } from './row-security.ts';
import { beginning, type Turn } from './turns.ts';

export type Body<T> = (db: Kysely<Tables>, connection: PostgresConnection) => Promise<T>;

/** Whose turn a transaction takes, and whose rows it first works on. */
export interface Purpose {
  readonly turn: Turn;
  readonly owner: Owner;
  /** Hears how it goes; told anew of each try. */
  readonly observer?: TransactionObserver | undefined;
}

/**
 * Runs `body` in one transaction on a connection: kept when it returns, undone when it throws. Throws CommitUnknown where
 * the connection was lost while it was being kept. A connection that may not be in order afterwards is given to `drop`.
 */
export async function inTransaction<T>(
  client: ClientBase,
  { turn, owner, observer }: Purpose,
  months: Months,
  { body, drop }: { body: Body<T>; drop: () => void },
): Promise<T> {
  const connection = new PostgresConnection(client, owner);
  try {
    observer?.onTurn();
    await client.query(beginning(turn, owner));
    observer?.onBegun();
    const result = await body(handleOn(connection, readingsWay(connection, months), observer), connection);
    await connection.end();
    // Whoever caught it: the server has kept nothing since.
    if (connection.failure !== undefined) throw connection.failure;
    if (turn === 'none') await client.query('commit').catch(drop);
    else await commit(client);
    return result;
  } catch (error) {
    await connection.end();
    if (isLost(error) || isOutdated(error) || error instanceof CommitUnknown) drop();
    else await client.query('rollback').catch(drop);
    throw error;
  }
}

/** An answer of the server that is no success says that nothing was kept; without an answer nobody knows. */
async function commit(client: ClientBase): Promise<void> {
  const { command } = await client.query('commit').catch((error) => {
    throw isLost(error) ? new CommitUnknown(error) : error;
  });
  if (command !== 'COMMIT') throw new Error('The transaction has ended by an earlier failure');
}
