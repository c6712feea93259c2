import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';

export const MAX_BLOCKING_MS = 10;

/** Thrown in a cancelled call, whose transaction is thereby rolled back. */
export class CancelledError extends Error {
  override readonly name = 'Cancelled';

  constructor() {
    super('The call was cancelled');
  }
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CancelledError();
}

/** Lets the event loop read messages, among them a cancellation; throws if the call has been cancelled. */
export async function yieldOrCancel(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  throwIfCancelled(signal);
}

/** The same handle, on which queries throw once the call has been cancelled. They yield to the event loop now and then. */
export function cancellable<T>(db: Kysely<T>, signal: AbortSignal): Kysely<T> {
  let lastYield = performance.now();
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (performance.now() - lastYield >= MAX_BLOCKING_MS) {
        await yieldOrCancel(signal);
        lastYield = performance.now();
      }
      throwIfCancelled(signal);
      return result;
    },
  });
}
