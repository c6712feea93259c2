import type { RequestId } from '../protocol.ts';

export interface CallInProgress {
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Over HTTP a cancellation is a separate request, which is matched to the call by key and request
 * id alone.
 */
export class CallsInProgress {
  readonly #calls = new Map<string, Set<AbortController>>();

  /** An id that is not valid is refused later, and nobody can cancel it. */
  begin(callerId: string, requestId: unknown): CallInProgress {
    const key = callKey(callerId, requestId);
    const calls = this.#calls.get(key) ?? new Set();
    const call = new AbortController();
    this.#calls.set(key, calls.add(call));

    return {
      signal: call.signal,
      end: () => {
        calls.delete(call);
        // A later call with this id may have another set.
        if (calls.size === 0 && this.#calls.get(key) === calls) this.#calls.delete(key);
      },
    };
  }

  cancel(callerId: string, requestId: RequestId): void {
    const [call, another] = this.#calls.get(callKey(callerId, requestId)) ?? [];
    // Two clients that share a key may use the same id; then nobody knows which call to cancel.
    if (another === undefined) call?.abort();
  }
}

const callKey = (callerId: string, requestId: unknown): string =>
  JSON.stringify([callerId, requestId]);
