import { companyIdOf } from './scope/company-db.ts';
import { adapterOf } from './store-adapter.ts';
import type { CompanyDb } from './tables.ts';

/** Null stands for any company. */
export type CompanyChangeListener = (companyId: number | null) => void;

/**
 * Stays connected to the source of the changes, which calls `emit`, as long as there are listeners.
 */
export class CompanyChangeListeners {
  readonly #connect: (emit: CompanyChangeListener) => () => void;
  readonly #listeners = new Set<CompanyChangeListener>();
  #disconnect: (() => void) | undefined;
  #isClosed = false;

  constructor(connect: (emit: CompanyChangeListener) => () => void) {
    this.#connect = connect;
  }

  add(listener: CompanyChangeListener): () => void {
    if (this.#isClosed) return () => undefined;
    // A function of its own, because the same listener may be added twice.
    const added: CompanyChangeListener = (companyId) => listener(companyId);
    this.#listeners.add(added);
    this.#disconnect ??= this.#connect((companyId) => this.emit(companyId));
    return () => {
      if (this.#listeners.delete(added) && this.#listeners.size === 0) this.#end();
    };
  }

  emit(companyId: number | null): void {
    for (const listener of this.#listeners) listener(companyId);
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#end();
  }

  #end(): void {
    this.#disconnect?.();
    this.#disconnect = undefined;
  }
}

/** Notifies the listeners of `onCompanyChange`, once the transaction is committed. */
export function announceChange(db: CompanyDb): void {
  adapterOf(db).announcedCompanies.add(companyIdOf(db));
}
