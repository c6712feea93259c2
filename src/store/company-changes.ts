import type { ChangedModules, CompanyChange } from './changes/collected-changes.ts';
import { companyIdOf } from './scope/company-db.ts';
import { changesToAnnounce } from './store-adapter.ts';
import type { CompanyDb } from './tables.ts';

/** Null means that any company may have changed in any way. */
export type CompanyChangeListener = (change: CompanyChange | null) => void;

/**
 * Calls `connect` for the first listener and the function that it returns once none is left. In
 * between, the source of the changes calls `emit`.
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
    const ownListener: CompanyChangeListener = (change) => listener(change);
    this.#listeners.add(ownListener);
    this.#disconnect ??= this.#connect((change) => this.emit(change));
    return () => {
      if (this.#listeners.delete(ownListener) && this.#listeners.size === 0) this.#endConnection();
    };
  }

  emit(change: CompanyChange | null): void {
    for (const listener of this.#listeners) listener(change);
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#endConnection();
  }

  #endConnection(): void {
    this.#disconnect?.();
    this.#disconnect = undefined;
  }
}

/** Notifies the listeners of `onCompanyChange`, once the transaction is committed. */
export function announceChange(db: CompanyDb, modules: ChangedModules): void {
  changesToAnnounce(db).add({ companyId: companyIdOf(db), modules });
}
