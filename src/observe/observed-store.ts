import { CancelledError } from '../domain/event-loop.ts';
import { AcequiaError } from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import { wrappedStore } from '../store/store-interface.ts';
import type { CallTrace } from './call-trace.ts';

export function observedStore(store: Store, trace: CallTrace | undefined): Store {
  if (!trace?.isObserved) return store;
  return wrappedStore(store, async (kind, run) => {
    const transaction = trace.startTransaction(kind);
    try {
      const result = await run(transaction);
      transaction.end(null);
      return result;
    } catch (error) {
      transaction.end(errorCodeOf(error));
      throw error;
    }
  });
}

export const errorCodeOf = (error: unknown): string =>
  error instanceof AcequiaError ? error.code : error instanceof CancelledError ? 'cancelled' : 'INTERNAL';
