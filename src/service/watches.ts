import { firingAlerts } from '../store/alerts/alert-states.ts';
import type { Store } from '../store/store.ts';
import { CompanyWatch, type CompanyWatcher, type WatchKind } from './company-watch.ts';
import { changedModulesOfFarm, modulesThatDiffer, readFarm } from './farm-state.ts';

/** The watches of one kind, by store and company: one for all watchers of a company. */
class WatchesOfKind<State> {
  readonly #kind: WatchKind<State>;
  readonly #byStore = new WeakMap<Store, Map<number, CompanyWatch<State>>>();

  constructor(kind: WatchKind<State>) {
    this.#kind = kind;
  }

  /**
   * Calls `onChange` for changes that any process makes after the promise has resolved, once for
   * several at a time. Checks each time that the watcher may still read the data; throws if it may
   * not at the start. Returns a function that stops the watch.
   */
  async add(store: Store, watcher: CompanyWatcher): Promise<() => void> {
    const { knownIdentity, identify } = watcher;
    const { caller, credentialId = Symbol() } = knownIdentity ?? (await store.readAll(identify));
    const watch = this.#watchOf(store, caller.companyId);
    await watch.join({ watcher, credential: credentialId });
    return () => watch.leave(watcher);
  }

  #watchOf(store: Store, companyId: number): CompanyWatch<State> {
    const ofStore = this.#byStore.get(store) ?? new Map<number, CompanyWatch<State>>();
    this.#byStore.set(store, ofStore);

    const known = ofStore.get(companyId);
    if (known) return known;

    const watch = new CompanyWatch(store, companyId, this.#kind, () => ofStore.delete(companyId));
    ofStore.set(companyId, watch);
    return watch;
  }
}

const alertWatches = new WatchesOfKind({
  read: firingAlerts,
  changedModules: async (_, before, after) => modulesThatDiffer(before, after),
});

const farmWatches = new WatchesOfKind({ read: readFarm, changedModules: changedModulesOfFarm });

/** Reports alerts of the company that begin or cease to fire. */
export const watchFiringAlerts = (store: Store, watcher: CompanyWatcher): Promise<() => void> =>
  alertWatches.add(store, watcher);

/**
 * Reports new readings, alerts that begin or cease to fire, and what people and assistants write.
 */
export const watchFarm = (store: Store, watcher: CompanyWatcher): Promise<() => void> =>
  farmWatches.add(store, watcher);
