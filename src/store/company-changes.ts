import type { ChangedModules, CompanyChange } from './changes/collected-changes.ts';
import { companyIdOf } from './scope/company-db.ts';
import { changesToAnnounce } from './store-adapter.ts';
import type { CompanyDb } from './tables.ts';

/** Null stands for any change of any company. */
export type CompanyChangeListener = (change: CompanyChange | null) => void;

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
    const ownListener: CompanyChangeListener = (change) => listener(change);
    this.#listeners.add(ownListener);
    this.#disconnect ??= this.#connect((change) => this.emit(change));
    return () => {
      if (this.#listeners.delete(ownListener) && this.#listeners.size === 0) this.#end();
    };
  }

  emit(change: CompanyChange | null): void {
    for (const listener of this.#listeners) listener(change);
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
export function announceChange(db: CompanyDb, modules: ChangedModules): void {
  changesToAnnounce(db).add({ companyId: companyIdOf(db), modules });
}
