import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';

/** How long the queries of a call may hold the event loop between two turns, in ms. */
const MAX_BLOCKING_MS = 10;

/** Thrown in a call for whose answer nobody waits any longer; its transaction is undone by it. */
export class CancelledError extends Error {
  override readonly name = 'Cancelled';

  constructor() {
    super('The call was cancelled');
  }
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CancelledError();
}

/** The event loop gets its turn, so that a message of a client can be read at all; throws once a call was cancelled. */
export async function yieldOrCancel(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  throwIfCancelled(signal);
}

/**
 * The same handle, for a call that can be cancelled: after a query the event loop gets its turn, so that the message can
 * be read at all, and once it has come no query gives its rows back.
 */
export function cancellable<T>(db: Kysely<T>, signal: AbortSignal): Kysely<T> {
  let turn = performance.now();
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (performance.now() - turn >= MAX_BLOCKING_MS) {
        await yieldOrCancel(signal);
        turn = performance.now();
      }
      throwIfCancelled(signal);
      return result;
    },
  });
}
