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
  await new Promise((resolve) => setImmediate(resolve));
  throwIfCancelled(signal);
}
