import type { Kysely } from 'kysely';
import { AcequiaError } from '../schema/error.ts';
import { Cancelled } from '../store/attentive.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb, Tables } from '../store/tables.ts';
import type { TransactionObserver, TransactionSide } from '../store/transaction-observer.ts';
import type { Trail } from './trail.ts';

/** The same store, whose transactions are told of as parts of a call; as it is where nobody hears of them. */
export const observedStore = (store: Store, trail: Trail | undefined): Store =>
  trail?.isHeard ? new ObservedStore(store, trail) : store;

class ObservedStore implements Store {
  readonly #store: Store;
  readonly #trail: Trail;

  constructor(store: Store, trail: Trail) {
    this.#store = store;
    this.#trail = trail;
  }

  read<T>(companyId: number, body: (db: CompanyDb) => Promise<T>): Promise<T> {
    return this.#followed('read', (observer) => this.#store.read(companyId, body, observer));
  }

  write<T>(companyId: number, body: (db: CompanyDb) => Promise<T>): Promise<T> {
    return this.#followed('write', (observer) => this.#store.write(companyId, body, observer));
  }

  writeFor<T>(companyId: number, body: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#followed('write', (observer) => this.#store.writeFor(companyId, body, observer));
  }

  readAll<T>(body: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#followed('read', (observer) => this.#store.readAll(body, observer));
  }

  writeAll<T>(body: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#followed('write', (observer) => this.#store.writeAll(body, observer));
  }

  writeBeside<T>(body: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#followed('write', (observer) => this.#store.writeBeside(body, observer));
  }

  keepAhead(now: number): Promise<void> {
    return this.#store.keepAhead(now);
  }

  confine(db: Kysely<Tables>, companyId: number): CompanyDb {
    return this.#store.confine(db, companyId);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #followed<T>(side: TransactionSide, run: (observer: TransactionObserver) => Promise<T>): Promise<T> {
    const transaction = this.#trail.transaction(side);
    try {
      const result = await run(transaction);
      transaction.ended(null);
      return result;
    } catch (error) {
      transaction.ended(codeOf(error));
      throw error;
    }
  }
}

/** The code that a failure goes by: that of a refusal, else a fixed word. */
export const codeOf = (error: unknown): string =>
  error instanceof AcequiaError ? error.code : error instanceof Cancelled ? 'cancelled' : 'INTERNAL';
