import type { RequestId } from '../protocol.ts';

interface CallInProgress {
  readonly signal: AbortSignal;
  end(): void;
}

interface CallsInProgress {
  begin(callerId: string, requestId: RequestId): CallInProgress;
  cancel(callerId: string, requestId: RequestId): void;
}

/** Over HTTP a cancellation comes in a request of its own, which only the key and the id tie to the call. */
export function callsInProgress(): CallsInProgress {
  const calls = new Map<string, Set<AbortController>>();
  const nameOf = (callerId: string, requestId: RequestId): string => JSON.stringify([callerId, requestId]);

  return {
    begin(callerId, requestId) {
      const name = nameOf(callerId, requestId);
      const sameName = calls.get(name) ?? new Set();
      const controller = new AbortController();
      calls.set(name, sameName.add(controller));
      return {
        signal: controller.signal,
        end() {
          sameName.delete(controller);
          if (sameName.size === 0 && calls.get(name) === sameName) calls.delete(name);
        },
      };
    },
    cancel(callerId, requestId) {
      const [call, another] = calls.get(nameOf(callerId, requestId)) ?? [];
      // Two clients that share a key may use the same id; then nobody knows which call to cancel.
      if (another === undefined) call?.abort();
    },
  };
}
