import type { Kysely } from 'kysely';
import { CancelledError } from '../domain/cancellation.ts';
import { AcequiaError } from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb, Tables } from '../store/tables.ts';
import type { TransactionKind, TransactionObserver } from '../store/transaction-observer.ts';
import type { CallTrace } from './call-trace.ts';

export const observedStore = (store: Store, trace: CallTrace | undefined): Store =>
  trace?.isObserved ? new ObservedStore(store, trace) : store;

class ObservedStore implements Store {
  readonly #store: Store;
  readonly #trace: CallTrace;

  constructor(store: Store, trace: CallTrace) {
    this.#store = store;
    this.#trace = trace;
  }

  read<T>(companyId: number, body: (db: CompanyDb) => Promise<T>): Promise<T> {
    return this.#observe('read', (observer) => this.#store.read(companyId, body, observer));
  }

  write<T>(companyId: number, body: (db: CompanyDb) => Promise<T>): Promise<T> {
    return this.#observe('write', (observer) => this.#store.write(companyId, body, observer));
  }

  writeUnscoped<T>(companyId: number, body: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#observe('write', (observer) => this.#store.writeUnscoped(companyId, body, observer));
  }

  readAll<T>(body: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#observe('read', (observer) => this.#store.readAll(body, observer));
  }

  writeAll<T>(body: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#observe('write', (observer) => this.#store.writeAll(body, observer));
  }

  writeUnlocked<T>(body: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#observe('write', (observer) => this.#store.writeUnlocked(body, observer));
  }

  ensurePartitions(now: number): Promise<void> {
    return this.#store.ensurePartitions(now);
  }

  scopeToCompany(db: Kysely<Tables>, companyId: number): CompanyDb {
    return this.#store.scopeToCompany(db, companyId);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #observe<T>(side: TransactionKind, run: (observer: TransactionObserver) => Promise<T>): Promise<T> {
    const transaction = this.#trace.startTransaction(side);
    try {
      const result = await run(transaction);
      transaction.end(null);
      return result;
    } catch (error) {
      transaction.end(errorCodeOf(error));
      throw error;
    }
  }
}

export const errorCodeOf = (error: unknown): string =>
  error instanceof AcequiaError ? error.code : error instanceof CancelledError ? 'cancelled' : 'INTERNAL';
