import type { ClientBase } from 'pg';
import { firstOf } from '../../domain/items.ts';
import { sharedSessionError } from './failures.ts';
import { firstPidOf } from './session.ts';

const ROUNDS = 5;

/**
 * Throws if a pooler gives each transaction any free connection to the server, where prepared
 * statements, settings and locks of the session would be lost. Both sessions are open, so in session
 * mode each has a process of the server for itself: always the same, and never that of the other.
 */
export async function assertSessionsAreOwn(
  one: ClientBase,
  other: ClientBase,
  location: string,
): Promise<void> {
  // Without a pooler the server names the process itself, and nothing needs to be asked.
  if (isDirect(one) && isDirect(other) && firstPidOf(one) !== firstPidOf(other)) return;

  // A pooler that takes its connections in turn would give each session the same one in each round,
  // so every other round is in the opposite order.
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [one, other] : [other, one];
    const pids: number[] = [];
    for (const client of order) pids.push(await currentPid(client));

    const isShared = order.some((client, index) => pids[index] !== firstPidOf(client));
    if (isShared || pids[0] === pids[1]) throw sharedSessionError(location);
  }
}

/** A pooler gives its clients a number of its own. */
const isDirect = (client: ClientBase): boolean =>
  'processID' in client && client.processID === firstPidOf(client);

async function currentPid(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return firstOf(rows).pid;
}
