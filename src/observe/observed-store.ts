import { CancelledError } from '../domain/cancellation.ts';
import { AcequiaError } from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import type { TransactionKind, TransactionObserver } from '../store/transaction-observer.ts';
import type { CallTrace } from './call-trace.ts';

export function observedStore(store: Store, trace: CallTrace | undefined): Store {
  if (!trace?.isObserved) return store;

  const observe = async <T>(side: TransactionKind, run: (observer: TransactionObserver) => Promise<T>): Promise<T> => {
    const transaction = trace.startTransaction(side);
    try {
      const result = await run(transaction);
      transaction.end(null);
      return result;
    } catch (error) {
      transaction.end(errorCodeOf(error));
      throw error;
    }
  };

  return {
    read: (companyId, body) => observe('read', (observer) => store.read(companyId, body, observer)),
    write: (companyId, body) => observe('write', (observer) => store.write(companyId, body, observer)),
    writeUnscoped: (companyId, body) => observe('write', (observer) => store.writeUnscoped(companyId, body, observer)),
    readAll: (body) => observe('read', (observer) => store.readAll(body, observer)),
    writeAll: (body) => observe('write', (observer) => store.writeAll(body, observer)),
    writeUnlocked: (body) => observe('write', (observer) => store.writeUnlocked(body, observer)),
    ensurePartitions: (now) => store.ensurePartitions(now),
    scopeToCompany: (db, companyId) => store.scopeToCompany(db, companyId),
    close: () => store.close(),
  };
}

export const errorCodeOf = (error: unknown): string =>
  error instanceof AcequiaError ? error.code : error instanceof CancelledError ? 'cancelled' : 'INTERNAL';
