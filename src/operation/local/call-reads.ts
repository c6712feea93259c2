import type { Kysely } from 'kysely';
import type { RowRecorder } from '../../store/scope/row-recorder.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';

export interface OperationTransaction {
  readonly all: Kysely<Tables>;
  /** The same transaction, confined to the company. */
  readonly db: CompanyDb;
  /** Collects the rows that the operation writes; default: one that nobody reads. */
  readonly recorder?: RowRecorder;
}

/** Reads for one call: in its snapshot while that is open, otherwise in a transaction each. */
export class CallReads {
  readonly #store: Store;
  #snapshot: Kysely<Tables> | null;
  /** A call is of one company. */
  #companySnapshot: CompanyDb | null = null;

  constructor(store: Store, snapshot: Kysely<Tables> | null = null) {
    this.#store = store;
    this.#snapshot = snapshot;
  }

  endSnapshot(): void {
    this.#snapshot = null;
    this.#companySnapshot = null;
  }

  ofAll<T>(query: (all: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#snapshot ? query(this.#snapshot) : this.#store.readAll(query);
  }

  ofCompany<T>(companyId: number, query: (db: CompanyDb) => Promise<T>): Promise<T> {
    return this.#snapshot
      ? query(this.#scopedSnapshot(this.#snapshot, companyId))
      : this.#store.read(companyId, query);
  }

  inTransaction<T>(
    companyId: number,
    body: (transaction: OperationTransaction) => Promise<T>,
  ): Promise<T> {
    const all = this.#snapshot;
    if (all) return body({ all, db: this.#scopedSnapshot(all, companyId) });

    return this.#store.readAll((transaction) =>
      body({ all: transaction, db: this.#store.scopeToCompany(transaction, companyId) }),
    );
  }

  #scopedSnapshot(snapshot: Kysely<Tables>, companyId: number): CompanyDb {
    this.#companySnapshot ??= this.#store.scopeToCompany(snapshot, companyId);
    return this.#companySnapshot;
  }
}
