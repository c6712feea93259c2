import { afterTest } from '../../cleanup.ts';
import { runInProcess } from '../../in-process-command.ts';
import { fillOutboxAt } from '../../outbox-farm.ts';
import { executeStatements, newLocation, rowsOf } from '../../stores/stores.ts';
import type { CommandResult } from '../program.ts';

export async function storeWithWaitingMail(count: number): Promise<string> {
  const { db, remove } = await newLocation();
  afterTest(remove);
  await fillOutboxAt(db, count);
  return db;
}

export const runTick = (
  db: string,
  env: Record<string, string> = {},
  ...options: readonly string[]
): Promise<CommandResult> => runInProcess(['tick', '--db', db, ...options], { env });

interface OutboxRow {
  readonly id: string;
  readonly to_address: string;
  readonly state: string;
  readonly message_id: string | null;
  readonly attempts: number;
  readonly last_response: string | null;
}

export const outboxRows = (db: string): Promise<OutboxRow[]> =>
  rowsOf(
    db,
    'select id, to_address, state, message_id, attempts, last_response from outbox order by seq',
  );

/** Lets time pass: pauses are over, and leases of dead processes have expired. */
export const expirePauses = (db: string): Promise<void> =>
  executeStatements(
    db,
    'update outbox set next_attempt_at = 0',
    "delete from leases where name = 'outbox'",
  );
