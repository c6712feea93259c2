import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { ClientBase } from 'pg';
import type { Tables } from '../tables.ts';
import type { TransactionObserver } from '../transaction-observer.ts';
import { readingsWay } from './bulk.ts';
import { PostgresConnection } from './connection.ts';
import { handleOn } from './executor.ts';
import { CommitUnknown, isLost, isOutdated, TransactionEnded } from './failures.ts';
import type { Lane } from './lanes.ts';
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
 * the connection was lost while it was being kept. A snapshot is on a connection of the readers; for its end nobody waits.
 */
export async function inTransaction<T>(
  { client, giveBack }: Lane,
  { turn, owner, observer }: Purpose,
  months: Months,
  body: Body<T>,
): Promise<T> {
  const connection = new PostgresConnection(client, owner);
  const ended = (statement: string) =>
    client.query(statement).then(
      () => true,
      () => false,
    );
  try {
    observer?.onTurn();
    const statements = beginning(turn, owner);
    if (turn === 'none') {
      connection.beginWith({ statements });
      // A snapshot waits for nobody.
      observer?.onBegun();
    } else connection.beginWith({ statements, onRun: observer && (() => observer.onBegun()) });
    const result = await body(handleOn(connection, readingsWay(connection, months), observer), connection);
    await connection.end();
    // Whoever caught it: the server has kept nothing since.
    if (connection.failure !== undefined) throw connection.failure;
    if (turn !== 'none') await commit(client);
    giveBack(turn === 'none' ? nextTurn().then(() => ended('commit')) : Promise.resolve(true));
    return result;
  } catch (caught) {
    await connection.end();
    // Of what was asked at once, something behind the query that failed may have been heard of first.
    const error = caught instanceof TransactionEnded ? caught.cause : caught;
    const isDropped = isLost(error) || isOutdated(error) || error instanceof CommitUnknown;
    const inOrder = isDropped ? Promise.resolve(false) : ended('rollback');
    giveBack(inOrder);
    await inOrder;
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
