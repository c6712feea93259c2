import type { ClientBase, Pool } from 'pg';
import { firstOf } from '../../domain/items.ts';
import { ForeignLock } from '../foreign-lock.ts';
import { companyTables } from '../scope/company-scope-rules.ts';
import { StoreMigrated } from '../store-state-errors.ts';
import {
  isLocked,
  isTransactionRetryable,
  lockedRowsError,
  postgresStoreError,
  readOnlyServerError,
  sharedSessionError,
} from './failures.ts';
import { beginStatement, isBegunOnNewerStore, TRY_LOCK_OF_ALL } from './locks.ts';
import { acquireClient, openWriteCheckPool } from './pool.ts';
import { firstPidOf } from './session.ts';

const SERVER_STATE = `select pg_backend_pid() as pid, pg_is_in_recovery() as standby,
  current_setting('transaction_read_only') = 'on' as "readOnly"`;

/** The series spills into a file of 0.5 MB, for which a full disk has no space. */
export const FILL_TEMPORARY_FILE = `set local work_mem = '64kB';
  select count(*) from generate_series(1, 20000)`;

/**
 * Fails at once if another program has locked a table against writes. The message is a write that
 * changes no row.
 */
const PROBE = `lock table companies, ${[...companyTables].join(', ')} in row exclusive mode nowait;
  ${FILL_TEMPORARY_FILE}; select pg_logical_emit_message(true, 'acequia', 'probe');
  select ${TRY_LOCK_OF_ALL} as "isFree"`;

/**
 * A pooled connection may lead to a server that is no longer the primary. The second attempt uses a
 * new one.
 */
const MAX_ATTEMPTS = 2;

/**
 * Tries to write, on a connection of its own, so that it never waits for transactions. Callers at
 * the same moment share one check.
 */
export class WriteCheck {
  readonly #pool: Pool;
  readonly #location: string;
  readonly #lock = new ForeignLock();
  #running: Promise<void> | null = null;

  constructor(url: string, location: string) {
    this.#pool = openWriteCheckPool(url, location);
    this.#location = location;
  }

  /**
   * Throws STORE_UNAVAILABLE if a write would fail; for a lock of another program, once it has been
   * held for as long as a write would wait.
   */
  run(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #check(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (await this.#acceptsWrites()) break;
        if (attempt === MAX_ATTEMPTS) throw readOnlyServerError(this.#location);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isTransactionRetryable(error))
          throw postgresStoreError(error, this.#location);
      }
    }

    if (this.#lock.isHeldTooLong) throw lockedRowsError(this.#location);
  }

  /** Keeps the connection only if nothing is wrong with it or with the server. */
  async #acceptsWrites(): Promise<boolean> {
    const client = await acquireClient(this.#pool, this.#location);
    let isReusable = false;
    try {
      const { pid, isWritable } = await serverState(client);
      if (pid !== firstPidOf(client)) throw sharedSessionError(this.#location);
      if (!isWritable) return false;

      isReusable = await writesWithoutWaiting(client);
      if (isReusable) this.#lock.gone();
      else this.#lock.found();
      return true;
    } finally {
      client.release(!isReusable);
    }
  }
}

async function serverState(client: ClientBase) {
  // Our type parser reads booleans as 1 and 0 (session.ts).
  const { rows } = await client.query<{ pid: number; standby: 0 | 1; readOnly: 0 | 1 }>(
    SERVER_STATE,
  );
  const { pid, standby, readOnly } = firstOf(rows);
  return { pid, isWritable: standby === 0 && readOnly === 0 };
}

/** False if another transaction holds a lock that keeps writes waiting. */
async function writesWithoutWaiting(client: ClientBase): Promise<boolean> {
  const begun = await client.query(beginStatement('unlocked', 'all'));
  if (isBegunOnNewerStore(begun)) throw new StoreMigrated();

  try {
    const results = await client.query<{ isFree: 0 | 1 }>(PROBE);
    await client.query('commit');
    return [results].flat().at(-1)?.rows[0]?.isFree === 1;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}
